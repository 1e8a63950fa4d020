"""The reference pages are made from the code, and stale ones are found."""

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from docs.generate import main, reference
from segue.cli.app import COMMANDS, segue
from segue.core.findings import RULES
from segue.core.lifecycle import Phase
from segue.core.segments import Connection, Drop, Metrics, Transfer
from segue.platform.table import ENDPOINTS
from segue.report.schema import report_schema

SEGMENT = report_schema()["$defs"]["segment"]["properties"]


def test_every_command_is_described_by_its_own_help() -> None:
    context = click.Context(segue, info_name="segue")
    page = reference()["cli.md"]

    for name, summary in COMMANDS.items():
        command = segue.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(100) == summary
        assert f"## segue {name}\n" in page
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, option.name
                assert option.opts[0] in page


def test_every_rule_and_every_phase_has_its_place() -> None:
    pages = reference()

    for rule in RULES:
        assert f"[{rule.code}]({rule.code}.md)" in pages["rules/index.md"]
        assert pages[f"rules/{rule.code}.md"].startswith(f"# {rule.code} {rule.name}\n")
    for phase in Phase:
        assert f"## {phase.value}\n" in pages["lifecycle.md"]


def test_what_the_specification_does_not_say_is_listed() -> None:
    page = reference()["not-said.md"]

    for row in ENDPOINTS:
        _, heading, rest = page.partition(f"\n## {row.number} {row.title}\n")
        section = rest.partition("\n## ")[0]
        said = [each.cites for each in row.variants] + [each.cites for each in row.unknown]
        said += [each.why for each in row.chosen]
        assert heading
        assert [words for words in said if words not in section] == []
    assert (
        "| verb | PUT | POST | PUT | the sample request shows the verb POST for the same path |\n"
    ) in page


def test_a_row_of_the_lifecycle_is_put_into_words() -> None:
    page = reference()["lifecycle.md"]

    assert (
        "| COLD entry | an agent not present | there is no doubt | [SG103](rules/SG103.md) error "
        "| active | a becomes primary, the old one is owed |\n"
    ) in page
    assert "| NA exit | the primary |  |  | released | a was the last," in page


@pytest.mark.thorough
def test_pages_are_written_once_and_stale_ones_found(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = str(tmp_path)

    assert main([folder]) == 0
    assert main(["--check", folder]) == 0
    capsys.readouterr()
    (tmp_path / "cli.md").write_text("old", "utf-8")
    (tmp_path / "rules" / "SG999.md").write_text("gone", "utf-8")
    (tmp_path / "lifecycle.md").unlink()

    assert main(["--check", folder]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path / 'cli.md'} is stale",
        f"{tmp_path / 'lifecycle.md'} is stale",
        f"{tmp_path / 'rules' / 'SG999.md'} is stale",
    ]
    assert main([folder]) == 0
    assert main(["--check", folder]) == 0


def test_the_pages_of_the_repository_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert (main(["--check"]), capsys.readouterr().out) == (0, "")


def test_every_time_and_count_is_defined_on_the_page_of_metrics() -> None:
    page = reference()["metrics.md"]
    rows = [row.split(" | ") for row in page.splitlines() if row.startswith("| `")]
    unknown, defined = [[row for row in rows if len(row) == size] for size in (2, 3)]

    assert [name.strip("|` ") for name, *_ in defined] == [
        *(field.name for field in fields(Metrics)),
        *(name for name in SEGMENT if name != "connections"),
        *Connection.__slots__,
        *Transfer.__slots__,
        *Drop.__slots__,
    ]
    names = {name for row in unknown for name in re.findall("`([a-z_]+)`", row[0])}
    assert names <= {name.strip("|` ") for name, *_ in defined}
    assert all(meaning for _, meaning, _ in defined)


def test_the_example_of_the_page_of_metrics_is_what_is_worked_out_by_hand() -> None:
    page = reference()["metrics.md"]
    shown = {row.split("`")[1]: row.rsplit("| ", 1)[1].strip(" |") for row in page.splitlines()
             if row.startswith("| `")}  # fmt: skip

    # a-1 from 10 to 100, a-2 from 45 to 65, a-3 from 105 to 160 and from 175 to 200; END at 215
    assert shown["duration"] == str(215 - 10)
    assert shown["transfer_gap"] == str(105 - 100)
    assert shown["drop_gap"] == str(175 - 160)
    assert shown["wrapup_time"] == str(215 - 200)
    assert shown["overlap_time"] == shown["consult_time"] == str(65 - 45)
    assert shown["handle_time"] == str(90 + 55 + 25 + 15)
    assert shown["transcription_coverage"] == f"{(30 + 30 + 55 + 25) / 170:.2f}"
    assert shown["connected_time"] == "90 · 20 · 80"
    assert shown["hold_time"] == "30 · 20 · 0"
    assert shown["talk_time"] == "60 · 0 · 80"
