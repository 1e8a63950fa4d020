"""What `import segue` offers: it can be listed, documented and used, whatever is installed."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args, get_type_hints

import mypy.api
import pytest
from tests.families import family
from tests.patience import PATIENCE

import segue

ROOT = Path(__file__).parents[2]
NAMES = [
    *("ConfigurationError", "Conversation", "Delivery", "Event", "Finding", "JwtAuth"),
    *("MemoryStore", "Metrics", "NoAuth", "Phase", "Policy", "PostgresStore", "Processor"),
    *(
        "RULES",
        "Report",
        "Rule",
        "Segment",
        "SegueError",
        "Severity",
        "SqliteStore",
        "asgi",
        "causes",
    ),
    *("check", "convert", "open_store", "repair", "replay", "to_rows", "wsgi"),
]

BLOCK_EXTRAS = """
import sys

EXTRAS = {"click", "rich", "jwt", "cryptography", "uvicorn", "psycopg", "psycopg_pool",
          "duckdb", "hypothesis", "pytest", "opentelemetry", "prometheus_client", "pyspark"}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""


def _without_extras(script: str) -> str:
    """Return what a script prints in an interpreter in which no extra can be imported."""
    return _printed(BLOCK_EXTRAS + dedent(script))


def _printed(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", dedent(script)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_names_are_these() -> None:
    """At most 30: the tour of the package. The rest is in its public modules."""
    printed = _printed("""
        import importlib, segue
        for name in ("cli.app", "testing.machine", "server.stores", "platform.sandbox", "logs"):
            importlib.import_module(f"segue.{name}")
        print(*[name for name in dir(segue) if not name.startswith("_")])
    """)

    assert printed.split() == NAMES
    assert len(NAMES) <= 30
    assert [name for name in dir(segue) if not name.startswith("_")] == NAMES


def test_every_name_can_be_imported_without_extras() -> None:
    printed = _without_extras("""
        import segue
        for module in (segue, segue.core, segue.analysis, segue.server, segue.platform):
            for name in dir(module):
                getattr(module, name)
        print("imported")
    """)

    assert printed == "imported\n"


def test_help_is_a_tour_without_extras() -> None:
    printed = _without_extras("""
        import pydoc, segue
        print(pydoc.plain(pydoc.render_doc(segue)))
    """)

    assert len(printed.splitlines()) < 1500
    assert "0.5.0" in printed
    assert [name for name in NAMES if f"`{name}`" not in printed] == []
    modules = ["core", "logs", "analysis", "server", "platform", "testing", "errors"]
    assert [each for each in modules if f"`segue.{each}`" not in printed] == []


@pytest.mark.thorough
@pytest.mark.parametrize("line", ["segue.chekc", "from segue.testing import Nope"])
def test_a_name_with_a_typo_is_an_error_for_a_type_checker(line: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"import segue\nsegue.check([])\nsegue.server.Retry\n{line}\n", "utf-8")

    found, problems, _ = mypy.api.run(["--strict", "--no-incremental", str(program)])

    assert problems == ""
    assert [each.partition(": ")[0] for each in found.splitlines()[:-1]] == [f"{program}:4"]


@pytest.mark.parametrize(
    ("use", "extra"),
    [
        ("segue.PostgresStore('postgresql://localhost/calls')", "segue[postgres]"),
        ("segue.JwtAuth(secret='a secret of thirty-two characters')", "segue[jwt]"),
    ],
)
def test_a_missing_extra_is_named_when_its_class_is_used(use: str, extra: str) -> None:
    printed = _without_extras(f"""
        import segue
        try:
            {use}
        except segue.ConfigurationError as error:
            print(error)
    """)

    assert printed.count("\n") == 1
    assert f"pip install '{extra}'" in printed.replace('"', "'")


def test_a_class_without_its_extra_can_be_asked_for_in_isinstance() -> None:
    printed = _without_extras("""
        import segue
        print(isinstance(segue.MemoryStore(), segue.PostgresStore))
    """)

    assert printed == "False\n"


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert segue.__version__ == project["version"] == "0.5.0"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(segue, "no_such_name")  # noqa: B009 - mypy would refuse the plain spelling


PUBLIC_MODULES = (segue, segue.core, segue.logs, segue.analysis, segue.server)
PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in PUBLIC_MODULES
    for name in dir(module)
    if name[0] != "_" and name not in segue.errors.__all__
}
PUBLIC_CLASSES = {each for each in PUBLIC.values() if inspect.isclass(each)}
MADE_BY_SEGUE = {
    segue.Report,
    segue.server.AsgiApp,
    segue.server.WsgiApp,
    segue.server.LambdaHandler,
}
"""Classes that users get and never construct; of other results the class method `of` makes them."""


def functions_of(thing: Any) -> Iterator[Callable[..., Any]]:
    """A function itself; of a class its public methods and properties, and `__init__`."""
    if not inspect.isclass(thing):
        yield from [thing] if inspect.isfunction(thing) else []  # or a type alias
        return
    for base in thing.__mro__:
        for name, member in vars(base).items():
            is_public = name != "of" and not name.startswith("_")
            if is_public or (name == "__init__" and thing not in MADE_BY_SEGUE):
                function = member.fget if isinstance(member, property) else member
                function = getattr(function, "__func__", function)
                if inspect.isfunction(function) and function.__module__.startswith("segue"):
                    yield inspect.unwrap(function)


def classes_in(hint: Any) -> Iterator[type]:
    """Every class that a type hint mentions."""
    parts = get_args(hint)
    if isinstance(hint, type) and not parts:
        yield hint
    for part in parts:
        for each in part if isinstance(part, list | tuple) else (part,):
            yield from classes_in(each)


@family("name", PUBLIC)
def test_what_a_signature_mentions_is_exported(name: str) -> None:
    thing = PUBLIC[name]
    hints = [hint for each in functions_of(thing) for hint in get_type_hints(each).values()]
    hints += get_type_hints(thing).values() if inspect.isclass(thing) else [thing]
    mentioned = {each for hint in hints for each in classes_in(hint)}

    assert {each for each in mentioned if each.__module__.startswith("segue")} <= PUBLIC_CLASSES


@family("name", PUBLIC)
def test_what_is_exported_is_documented(name: str) -> None:
    thing = PUBLIC[name]
    undocumented = [each.__name__ for each in functions_of(thing) if not each.__doc__]

    assert thing.__doc__ or not callable(thing)
    assert [each for each in undocumented if each != "__init__"] == []
