"""What `import segue` offers: it can be listed, documented and used, whatever is installed."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

import segue

ROOT = Path(__file__).parents[2]

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
    done = subprocess.run(
        [sys.executable, "-c", BLOCK_EXTRAS + dedent(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_name_can_be_imported_without_extras() -> None:
    printed = _without_extras("""
        from segue import *
        import segue
        print([name for name in segue.__all__ if name not in globals()])
    """)

    assert printed == "[]\n"


def test_the_members_can_be_listed_without_extras() -> None:
    printed = _without_extras("""
        import inspect, segue
        names = {name for name, _ in inspect.getmembers(segue)}
        print(names == {*segue.__all__, "__version__"}, hasattr(segue, "PostgresStore"))
    """)

    assert printed == "True True\n"


def test_help_shows_every_name_without_extras() -> None:
    printed = _without_extras("""
        import pydoc, segue
        shown = pydoc.plain(pydoc.render_doc(segue))
        print([name for name in segue.__all__ if name not in shown], "0.2.0" in shown)
    """)

    assert printed == "[] True\n"


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

    assert segue.__version__ == project["version"] == "0.2.0"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        getattr(segue, "no_such_name")  # noqa: B009 - mypy would refuse the plain spelling
