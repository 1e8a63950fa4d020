"""Annotations: commands that the runner of a workflow understands, and nothing else it might.

The texts with `%` are those that the runner's own toolkit (`@actions/core` 3.0.1) writes.
"""

import pytest
from tests.report.hostile import HOSTILE, SECRET, hostile
from tests.report.story import early, line, log, rendered

import segue
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.report import renderer


def test_a_finding_is_a_command() -> None:
    assert rendered("github", early()) == (
        "::error title=SG103 cold-entry-before-exit::"
        "agent a-2 took over by COLD entry while a-1 was still primary%0A"
        "conversation c-1, event 3, /events/0%0A"
        "part of mistake 1: the COLD exit of a-1 came after the COLD entry of a-2 "
        "(line 5, due before line 4)%0A"
        "help: send the COLD exit of a-1 first, then the COLD entry of a-2; "
        "WARM entry when a-2 joined beside a-1\n"
    )


def test_what_is_missing_at_the_end_is_shown_at_the_last_event() -> None:
    text = shown("a,b:c%\x1b.jsonl", log("NA entry a-1", "NA exit a-1", "user message"))

    assert text.startswith("::error file=a%2Cb%3Ac%25\\x1b.jsonl,line=2,title=SG108 missing-end::")


@pytest.mark.parametrize(
    ("lines", "command"),
    [
        (log("NA entry a-1", "NA exit A-1", "END"), "::warning "),
        (log("redial entry a-1", "NA exit a-1", "END"), "::notice "),
    ],
)
def test_a_severity_is_a_command_of_its_own(lines: list[str], command: str) -> None:
    assert rendered("github", lines).startswith(command)


def test_an_id_is_no_command_no_property_and_no_line() -> None:
    lines = log("NA entry a-1", "NA exit a-1", conversation="50% of\n::error::c")
    [text] = rendered("github", lines).splitlines()

    assert "%0Aconversation 50%25 of\\n::error::c, end of the log%0A" in text


def test_nothing_of_a_sender_acts() -> None:
    text = rendered("github", hostile())

    assert not any(character in text for character in HOSTILE)
    assert SECRET not in text
    assert all(
        row.startswith(("::error title=SG", "::warning title=SG")) for row in text.split("\n")[:-1]
    )


def test_a_clean_log_is_silent() -> None:
    assert rendered("github", log("NA entry a-1", "NA exit a-1", "END")) == ""


def test_every_report_is_written_at_once() -> None:
    written: list[str] = []
    commands = renderer("github", written.append)
    [report] = segue.replay([line("END")])

    commands.show(report)

    assert len(written) == 1


def shown(name: str, lines: list[str]) -> str:
    """What is written of a log in a file of this name."""
    replayer = Replayer(ReplayOptions())
    replayer.change_source(name)
    written: list[str] = []
    commands = renderer("github", written.append)
    for number, text in enumerate(lines, start=1):
        replayer.feed(text.encode(), number)
    for report in replayer.close():
        commands.show(report)
    return "".join(written)
