"""Every name in the `__all__` of a package exists, and the names are in order."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from tests.families import family

import segue

ROOT = Path(__file__).parents[2]


def _public_modules() -> list[str]:
    """Name them by their files: some packages cannot be imported without an extra."""
    home = Path(segue.__file__).parent
    parts = [file.relative_to(home.parent).with_suffix("").parts for file in home.rglob("*.py")]
    names = (".".join(part for part in path if part != "__init__") for path in parts)
    return sorted(name for name in names if "._" not in name)


def _order(name: str) -> tuple[int, str]:
    """CONSTANTS, then Classes, then functions; by name within each."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name


def _imported_from_packages(module: ModuleType) -> set[str]:
    """Names that the module's text takes from our packages, eagerly or for type checkers only."""
    assert module.__file__
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("segue.")
        for alias in node.names
    }


@family("name", _public_modules())
def test_a_package_says_what_it_exports(name: str) -> None:
    if name.startswith("segue.spark"):
        pytest.importorskip("pyspark", reason="the extra spark is not installed")
    if name == "segue":
        return  # tests/architecture/test_public_face.py
    module = import_module(name)

    exported: list[str] = getattr(module, "__all__", [])

    assert exported or not hasattr(module, "__path__") or not _imported_from_packages(module)
    assert exported == sorted(set(exported), key=_order)
    assert [each for each in exported if not hasattr(module, each)] == []


def _exported(tree: ast.Module) -> list[str]:
    """Return the names of an `__all__` that is written out."""
    return [
        name
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for name in ast.literal_eval(node.value)
    ]


def test_a_package_exports_only_names_that_others_import() -> None:
    home = Path(segue.__file__).parent
    sources = {path: ast.parse(path.read_text("utf-8")) for path in home.rglob("*.py")}
    scripts = [
        path for name in ("benchmarks", "docs", "release") for path in (ROOT / name).rglob("*.py")
    ]
    nodes = [
        node
        for tree in (*sources.values(), *(ast.parse(path.read_text("utf-8")) for path in scripts))
        for node in ast.walk(tree)
    ]
    used = {
        f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    used |= {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    packages = {
        ".".join(path.parent.relative_to(home.parent).parts): tree
        for path, tree in sources.items()
        if path.name == "__init__.py" and path.parent.name != "spark"  # users import from spark
    }

    assert [
        f"{package}.{name}"
        for package, tree in packages.items()
        for name in _exported(tree)
        if not {f"{package}.{name}", f"{package.rpartition('.')[2]}.{name}"} & used
    ] == []
