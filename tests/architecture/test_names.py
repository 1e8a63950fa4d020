"""Names can be found: no class name twice, no module behind a function; caches are bounded."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest
from tests.architecture.test_contracts import CORE

FINITE = {"EventKind", "ActionKind", "Phase", "Rule"}
"""Types of which there are few values."""
SOURCE = Path(__file__).parents[2] / "src"


@cache
def modules() -> list[tuple[str, ast.Module]]:
    """Every module of the package by its dotted name, with its syntax tree."""
    found = []
    for path in sorted((SOURCE / "segue").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        tree = ast.parse(path.read_text("utf-8"))
        found.append((".".join(parts).removesuffix(".__init__"), tree))
    return found


def unbounded_caches(tree: ast.AST) -> list[str]:
    """Functions that keep every result, unless they take nothing or members of an enum."""
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        if any(ast.unparse(each.annotation or each) not in FINITE for each in node.args.args)
        if any(
            ast.unparse(decorator) in {"cache", "functools.cache", "lru_cache(maxsize=None)"}
            for decorator in node.decorator_list
        )
    ]


def test_no_public_class_is_defined_twice() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)

    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_no_module_is_hidden_by_a_name_of_its_package() -> None:
    hidden = []
    for name, _ in modules():
        parent, _, leaf = name.rpartition(".")
        if not parent or leaf == "__main__":
            continue
        if name.startswith("segue.spark") and find_spec("pyspark") is None:
            continue
        import_module(name)
        if getattr(import_module(parent), leaf) is not sys.modules[name]:
            hidden.append(name)

    assert hidden == []


@pytest.mark.parametrize("package", CORE)
def test_caches_of_the_core_are_bounded(package: str) -> None:
    found = {
        name: functions
        for name, tree in modules()
        if name == f"segue.core.{package}" or name.startswith(f"segue.core.{package}.")
        if (functions := unbounded_caches(tree))
    }

    assert found == {}


def test_an_unbounded_cache_is_seen() -> None:
    source = dedent("""
        @cache
        def unbounded(agent): ...

        @lru_cache(maxsize=None)
        def also_unbounded(agent): ...

        @lru_cache(maxsize=64)
        def bounded(agent): ...

        @cache
        def constant(): ...
    """)

    assert unbounded_caches(ast.parse(source)) == ["unbounded", "also_unbounded"]
