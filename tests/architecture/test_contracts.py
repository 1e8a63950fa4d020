"""Who may import whom, and what the core may call."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from importlinter import cli
from importlinter.api import read_configuration
from tests.families import family

ROOT = Path(__file__).parents[2]
CORE = (
    *("calls", "conversation", "durations", "engine", "epoch", "errors", "events", "explain"),
    *("findings", "lazy", "lifecycle", "options", "reprs", "segments"),
    *("transcription", "version", "web_address"),
)
"""The packages and modules of the core that compute and do nothing else. Wire compiles readers."""

BUILTINS = frozenset({"__import__", "breakpoint", "eval", "exec", "input", "open", "print"})
METHODS = frozenset({
    "monotonic", "now", "perf_counter", "sleep", "today", "utcnow",  # clocks
    "mkdir", "read_bytes", "read_text", "unlink", "write_bytes", "write_text",  # files
    "socket", "urlopen",
})  # fmt: skip
"""Names whose call would reach a clock, a file, a terminal or a socket."""


def _core_files() -> list[Path]:
    packages = [ROOT / "src" / "segue" / "core" / name for name in CORE]
    return sorted(
        path
        for package in packages
        for path in (package.rglob("*.py") if package.is_dir() else [package.with_suffix(".py")])
    )


def _leaves_the_core(function: ast.expr) -> bool:
    match function:
        case ast.Name(name):
            return name in BUILTINS
        case ast.Attribute(attr=name):
            return name in METHODS
        case _:
            return False


def _calls_outside(source: str) -> list[str]:
    """`line: call` for everything that would leave the pure core."""
    return [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and _leaves_the_core(node.func)
    ]


def test_the_import_contracts_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ROOT / "pyproject.toml"
    status = cli.lint_imports(config_filename=str(settings), no_cache=True)

    shown = capsys.readouterr().out
    assert status == cli.EXIT_STATUS_SUCCESS, shown
    contracts = read_configuration(str(settings))["contracts_options"]
    assert f"Contracts: {len(contracts)} kept, 0 broken." in shown


def test_every_room_of_the_core_is_there_to_be_checked() -> None:
    files = {path.relative_to(ROOT / "src" / "segue" / "core").parts[0] for path in _core_files()}

    assert {name.removesuffix(".py") for name in files} == set(CORE)


@family(
    "path",
    _core_files(),
    ids=lambda path: path.relative_to(ROOT / "src" / "segue" / "core").as_posix(),
)
def test_the_core_touches_no_file_clock_or_socket(path: Path) -> None:
    assert _calls_outside(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "planted",
    ["open('x')", "datetime.now(tz=UTC)", "Path('x').read_text()", "socket.socket()"],
)
def test_the_check_of_the_core_sees_a_planted_call(planted: str) -> None:
    source = dedent(f"""
        def step(state):
            return {planted}
    """)

    assert len(_calls_outside(source)) == 1


def test_the_check_of_the_core_lets_pure_calls_pass() -> None:
    assert _calls_outside("desk.open(now)(sorted(seen))") == []
