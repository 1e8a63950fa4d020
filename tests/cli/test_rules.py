"""`segue rules`, `segue explain` and `segue graph`: the catalogue, its pages, the lifecycle."""

import json
import sys
from pathlib import Path

import pytest
from tests.cli.command import Segue

from segue.cli.rules import FAMILIES
from segue.core.findings import RULES
from segue.core.lifecycle.diagram import dot, mermaid
from segue.report.pages import HEADINGS, page


def test_rules_stand_by_family(segue: Segue) -> None:
    assert segue("rules", "SG60", "SG118").out == (
        "1xx the order of events\n"
        "SG118  note     callback-start\n"
        "       The conversation opens with a redial entry, as a callback does.\n"
        "\n"
        "6xx the log as a whole\n"
        "SG601  warning  duplicate-delivery\n"
        "       An event comes twice in a row with the same content.\n"
        "SG602  warning  time-runs-backwards\n"
        "       A line was received before one that comes earlier in the log.\n"
        "SG603  error    delivery-id-reused\n"
        "       A delivery id comes again with another body.\n"
    )


def test_all_rules_are_listed(segue: Segue) -> None:
    out = segue("rules").out

    assert [rule.code for rule in RULES if f"{rule.code}  " not in out] == []
    assert {rule.family for rule in RULES} == set(FAMILIES)


def test_rules_are_told_to_programs(segue: Segue) -> None:
    assert json.loads(segue("rules", "SG118", "--format", "json").out) == [
        {
            "code": "SG118",
            "name": "callback-start",
            "severity": "note",
            "summary": "The conversation opens with a redial entry, as a callback does.",
            "specification": "Events, ordering rule 4",
        },
    ]


def test_rules_are_a_markdown_table(segue: Segue) -> None:
    assert segue("rules", "callback-start", "--format", "markdown").out == (
        "| code | name | severity | what it reports |\n"
        "|---|---|---|---|\n"
        "| SG118 | callback-start | note | The conversation opens with a redial entry, as a "
        "callback does. |\n"
    )


@pytest.mark.parametrize("selector", ["SG103", "sg103", "cold-entry-before-exit"])
def test_a_rule_is_explained_by_code_or_name(segue: Segue, selector: str) -> None:
    done = segue("explain", selector)

    assert done.code == 0
    assert done.out.startswith(
        "error[SG103] cold-entry-before-exit\n"
        "  An agent takes over by COLD entry before the primary has left.\n"
        "\n"
        "What it reports\n"
        "  A COLD entry arrives while another agent is primary and has not left. "
    )


def test_a_page_is_told_whole_to_those_who_want_it_whole(segue: Segue) -> None:
    [rule] = [rule for rule in RULES if rule.code == "SG103"]

    assert segue("explain", "SG103", "--format", "markdown").out == (
        "# SG103 cold-entry-before-exit\n\n"
        "**error.** An agent takes over by COLD entry before the primary has left.\n\n"
        f"{page(rule)}"
    )
    document = json.loads(segue("explain", "SG103", "--format", "json").out)
    assert document["code"] == "SG103"
    assert tuple(document["sections"]) == HEADINGS


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
