"""`segue graph`: the lifecycle as a diagram."""

import sys
from pathlib import Path

import pytest
from tests.cli.command import Segue

from segue.core.lifecycle.diagram import dot, mermaid


def test_the_diagram_is_text(segue: Segue) -> None:
    assert segue("graph") == (0, mermaid(), "")
    assert segue("graph", "--format", "dot", "--offences").out == dot(offences=True)


def test_svg_needs_a_program_and_says_so(segue: Segue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert segue("graph", "--format", "svg") == (
        2,
        "",
        "segue: svg needs the program dot: install Graphviz, or use --format mermaid or dot\n",
    )


def test_a_program_that_fails_is_told_of(
    segue: Segue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = tmp_path / "dot"
    broken.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('no fonts\\nand more')\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert segue("graph", "--format", "svg") == (
        2,
        "",
        "segue: the program dot failed: no fonts\n",
    )


def test_the_program_draws_what_it_is_given(
    segue: Segue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    echo = tmp_path / "dot"
    echo.write_text(f"#!{sys.executable}\nimport sys\nsys.stdout.write(sys.stdin.read())\n")
    echo.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert segue("graph", "--format", "svg") == (0, dot(), "")
