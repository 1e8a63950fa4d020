"""The reference pages are made from the code, and stale ones are found."""

from pathlib import Path

import click
import pytest

from docs.generate import main, reference
from segue.cli.app import COMMANDS, segue
from segue.findings import RULES
from segue.lifecycle import Phase


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


def test_a_row_of_the_lifecycle_is_put_into_words() -> None:
    page = reference()["lifecycle.md"]

    assert (
        "| COLD entry | an agent not present | there is no doubt | [SG103](rules/SG103.md) error "
        "| active | a becomes primary, the old one is owed |\n"
    ) in page
    assert "| NA exit | the primary |  |  | released | a was the last," in page


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
