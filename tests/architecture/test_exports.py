"""What a package promises in `__all__` is there, in order, and complete for `segue` itself."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from tests.families import family

import segue


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
    module = import_module(name)

    exported: list[str] = getattr(module, "__all__", [])

    assert exported or not hasattr(module, "__path__") or not _imported_from_packages(module)
    assert exported == sorted(set(exported), key=_order)
    assert [each for each in exported if not hasattr(module, each)] == []


def test_the_front_door_exports_exactly_what_it_takes_from_its_packages() -> None:
    promised = {name for name in segue.__all__ if not name.startswith("_")}

    assert promised == _imported_from_packages(segue) - {"__version__"}


def test_the_front_door_lists_what_it_exports() -> None:
    listed = {
        name
        for name in dir(segue)
        if not name.startswith("_") and not isinstance(getattr(segue, name), ModuleType)
    }

    assert listed == {name for name in segue.__all__ if not name.startswith("_")}


def test_the_front_door_refuses_other_names() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(segue, "no_such_name")  # noqa: B009 - mypy would refuse the plain spelling
