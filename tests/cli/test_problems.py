"""What our user gets wrong is one line on stderr and exit code 2; nothing is half done."""

from pathlib import Path

import click
import pytest
from tests.cli.command import Segue, Write
from tests.report.story import early

from segue.cli import call, check, quarantine

LOG = "shift.jsonl"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["check", "no.jsonl"], "no.jsonl cannot be read: No such file or directory"),
        (["check"], "Missing argument 'LOG...' (see segue check --help)"),
        (["chek", LOG], "unknown command 'chek': did you mean check? (see segue --help)"),
        (
            ["xyz"],
            (
                "unknown command 'xyz': use one of check, show, causes, dialect, stats, "
                "segments, repair, diff, export, sniff, convert, playground, explain, rules, "
                "graph, serve, keys, token, send, tail, journal, quarantine, doctor, purge, "
                "generate, conformance, sandbox, call (see segue --help)"
            ),
        ),
        (
            ["check", LOG, "--fomat", "full"],
            "unknown option --fomat: did you mean --format? (see segue check --help)",
        ),
        (
            ["check", LOG, "--format", "yaml"],
            (
                "Invalid value for '--format': 'yaml' is not one of 'full', 'concise', 'json', "
                "'jsonl', 'github', 'gitlab', 'rdjson', 'junit', 'sarif', 'html', 'csv' "
                "(see segue check --help)"
            ),
        ),
        (
            ["check", LOG, "--select", "SG1O3"],
            "no rule has the code, prefix or name 'SG1O3': did you mean SG123 or SG113 or SG103?",
        ),
        (
            ["check", LOG, "--ignore", "cold-entry"],
            (
                "no rule has the code, prefix or name 'cold-entry': did you mean "
                "cold-entry-before-exit?"
            ),
        ),
        (
            ["check", LOG, "--ignore", "xyz"],
            "no rule has the code, prefix or name 'xyz': see segue rules",
        ),
        (
            ["check", LOG, "--select", "SG101,XY9"],
            "no rule has the code, prefix or name 'XY9': see segue rules",
        ),
        (["quarantine"], "Missing command (see segue quarantine --help)"),
        (["call"], "Missing command (see segue call --help)"),
        (["call", "zzz"], "unknown endpoint 'zzz' (see segue call --help)"),
        (
            ["call", "agents.lst"],
            "unknown endpoint 'agents.lst': did you mean agents.list? (see segue call --help)",
        ),
        (
            ["check", LOG, "--severity", "SG103"],
            "--severity takes CODE=SEVERITY, such as SG205=error, not 'SG103'",
        ),
        (
            ["check", LOG, "--severity", "SG103=loud"],
            "--severity takes CODE=SEVERITY, such as SG205=error, not 'SG103=loud'",
        ),
        (
            ["check", LOG, "--output", "report.json"],
            (
                "--output takes FORMAT=FILE, such as json=findings.json, not 'report.json': "
                "did you mean json=report.json?"
            ),
        ),
        (
            ["check", LOG, "--output", "json"],
            "--output takes FORMAT=FILE, such as json=findings.json, not 'json'",
        ),
        (
            [LOG],
            f"unknown command '{LOG}': did you mean segue check {LOG}? (see segue --help)",
        ),
        (
            ["quarantine", "nosuch"],
            (
                "unknown command 'nosuch': use one of list, show, replay, drop "
                "(see segue quarantine --help)"
            ),
        ),
        (
            ["quarantine", "dropp"],
            "unknown command 'dropp': did you mean drop? (see segue quarantine --help)",
        ),
        (["show", "c-1", LOG], "give the logs first and then the id: segue show LOG ID"),
        (
            ["show", "no.jsonl", "c-1"],
            "no.jsonl cannot be read: No such file or directory",
        ),
        (
            ["check", LOG, "--output", "yaml=x"],
            (
                "--output has no format 'yaml': use one of full, concise, json, jsonl, github, "
                "gitlab, rdjson, junit, sarif, html, csv, parquet"
            ),
        ),
        (
            ["check", LOG, "--output", "json=no/where.json"],
            "no/where.json cannot be written: No such file or directory",
        ),
        (
            ["check", LOG, "--output", f"json={LOG}"],
            "shift.jsonl is read by this command: give --output another file",
        ),
        (
            ["check", LOG, "--output", "json=out", "--output", "html=./out"],
            "--output names out twice: give html another file",
        ),
        (
            ["check", LOG, "--output", "html=-"],
            "--output html=- is not a file: give --format html for standard output",
        ),
        (
            ["check", LOG, "--since", "yesterday"],
            "--since takes ISO 8601, such as 2026-03-02T08:00:00Z, not 'yesterday'",
        ),
        (
            ["check", LOG, "--time-zone", "Mars/Olympus"],
            "unknown time zone 'Mars/Olympus': use an IANA name such as Europe/Berlin",
        ),
        (
            ["check", LOG, "--baseline", "known.json"],
            "the baseline known.json cannot be read: No such file or directory",
        ),
        (
            ["check", LOG, "--baseline", LOG],
            "shift.jsonl is not a baseline: --write-baseline FILE writes one",
        ),
        (
            ["check", LOG, "--write-baseline", "no/known.json"],
            "no/known.json cannot be written: No such file or directory",
        ),
        (["explain", "SG1"], "SG1 stands for 22 rules: see segue rules SG1"),
        (["generate", "no/log.jsonl"], "no/log.jsonl cannot be written: No such file or directory"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_told_in_one_line(
    segue: Segue,
    write: Write,
    arguments: list[str],
    complaint: str,
) -> None:
    log = write(LOG, early())

    done = segue(*arguments)

    assert done.err == f"segue: {complaint}\n"
    assert done.code == 2
    assert log.read_text("utf-8").splitlines() == early()


def test_a_wrong_pointer_is_told_before_a_line_is_read(segue: Segue, write: Write) -> None:
    write(LOG, early())

    done = segue("check", LOG, "--body-at", "payload")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("segue: --body-at must be a JSON Pointer")
    assert done.err.count("\n") == 1


def test_nothing_is_shown_when_the_second_log_is_missing(segue: Segue, write: Write) -> None:
    write(LOG, early())

    assert segue("check", LOG, "no.jsonl").out == ""


def test_what_our_user_typed_cannot_act_either(segue: Segue, tmp_path: Path) -> None:
    done = segue("check", "\x1b[31mno\n.jsonl")

    assert done.err == "segue: \\x1b[31mno\\n.jsonl cannot be read: No such file or directory\n"
    assert list(tmp_path.iterdir()) == []


def test_without_a_command_there_is_help(segue: Segue) -> None:
    done = segue()

    assert done.code == 2
    assert done.out.startswith("Usage: segue [OPTIONS] COMMAND [ARGS]...")


@pytest.mark.parametrize("command", [check.check, quarantine.quarantine, call.call])
def test_a_command_has_the_short_name_of_help_by_itself_too(command: click.Command) -> None:
    context = command.make_context("segue", ["-h"], resilient_parsing=True)
    option = command.get_help_option(context)
    assert option is not None
    assert option.opts == ["-h", "--help"]
