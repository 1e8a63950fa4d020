"""`segue show`: one conversation as a ladder."""

import json
from textwrap import dedent
from xml.etree import ElementTree as ET

import pytest
from tests.cli.command import Segue, Write
from tests.report.export.story import COLD, WARM, timed
from tests.report.hostile import CANARY, HOSTILE, hostile
from tests.report.story import early, log


def test_a_conversation_is_a_ladder(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*log("NA entry a-1", conversation="c-2"), *COLD])

    assert segue("show", "shift.jsonl", "c-1") == (
        0,
        dedent("""\
            ── c-1 ─────────────────────────────────────────────────────────────────────────
               bot st-1 · ended · 7 events
               held by a-1 (Ada), then a-2 (Ben)

                           customer   bot        a-1 (Ada)            a-2 (Ben)
              0  09:00:00  ● message  │
              1  09:00:10  │          │          ┏ NA entry
              2  09:00:20  │          │          ● message
              3  09:01:00  │          │          ┗ COLD exit
              4  09:01:05  │          │                               ┏ COLD entry
              5  09:02:00  │          │                               ┗ NA exit
              6  09:02:10  │          ● END_OF_CONVERSATION

        """),
        "",
    )


def test_a_consultant_has_a_light_line_until_the_promotion_and_actions_stand_between(
    segue: Segue, write: Write
) -> None:
    write("shift.jsonl", WARM)

    rows = segue("show", "shift.jsonl", "c-1", "--time-zone", "Europe/Berlin").out.splitlines()[5:]

    assert [row.split() for row in rows[:9]] == [
        ["0", "10:00:00", "│", "│", "┏", "NA", "entry"],
        ["10:00:05", "│", "│", "●", "start"],
        ["10:00:30", "│", "│", "●", "pause", "handover=false"],
        ["1", "10:00:40", "│", "│", "┃", "┌", "WARM", "entry"],
        ["10:01:00", "│", "│", "●", "resume", "│"],
        ["2", "10:01:20", "│", "│", "┗", "WARM", "exit", "┃", "SG119"],
        ["10:01:50", "│", "│", "●", "end"],
        ["3", "10:02:00", "│", "│", "┗", "NA", "exit"],
        ["4", "10:02:10", "│", "●", "END_OF_CONVERSATION"],
    ]


def test_findings_stand_at_their_events_and_below(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())

    out = segue("show", "shift.jsonl", "c-1").out

    assert "COLD entry  SG103" in out
    assert out.endswith(
        "error SG103 shift.jsonl:4  event 3  /events/0\n"
        "  agent a-2 took over by COLD entry while a-1 was still primary\n\n"
    )


def test_an_event_that_cannot_be_read_has_a_line_with_its_finding(
    segue: Segue, write: Write
) -> None:
    entry, end = timed("09:00:00 NA entry a-1", "09:00:10 NA exit a-1")
    odd = json.loads(end)
    odd["received_at"] = "2026-03-02T09:00:05Z"
    odd["body"]["events"] = [{"name": "HOLD_EVENT"}]
    write("shift.jsonl", [entry, json.dumps(odd), end])

    rows = segue("show", "shift.jsonl", "c-1").out.splitlines()

    assert [row.split() for row in rows if row.startswith("  1")] == [
        ["1", "09:00:05", "│", "●", "event", "┃", "SG504"]
    ]


def test_without_times_there_are_positions_only(segue: Segue, write: Write) -> None:
    write("shift.jsonl", log("NA entry a-1", "NA exit a-1", "END"))

    rows = segue("show", "shift.jsonl", "c-1").out.splitlines()

    assert rows[4].startswith("     customer   bot")
    assert rows[5].startswith("  0  │          │          ┏ NA entry")


def test_what_came_late_is_findings_only(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*COLD, *timed("09:10:00 NA entry a-1")])

    out = segue("show", "shift.jsonl", "c-1").out

    assert out.count("customer") == 1
    assert "7 events sent after its end" not in out
    assert "error SG110" in out


def test_no_text_of_a_sender_acts(segue: Segue, write: Write) -> None:
    write("shift.jsonl", hostile())

    done = segue("show", "shift.jsonl", CANARY)

    assert done.code == 0
    assert not any(sign in done.out for sign in HOSTILE)


def test_a_conversation_that_is_not_there_is_said(segue: Segue, write: Write) -> None:
    write("shift.jsonl", COLD)

    done = segue("show", "shift.jsonl", "c-9")

    assert (done.code, done.out) == (2, "")
    assert "there is no conversation 'c-9'" in done.err
    assert segue("show", "shift.jsonl").code == 2


def test_a_conversation_is_a_sequence_diagram(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())

    assert segue("show", "shift.jsonl", "c-1", "--format", "mermaid").out == dedent("""\
        sequenceDiagram
          participant p0 as customer
          participant p1 as bot
          participant p2 as a-1 (Ada)
          participant p3 as a-2 (Ben)
          activate p2
          p2->>p1: 0 NA entry
          p0->>p1: 1 message
          p2->>p1: 2 message
          activate p3
          p3->>p1: 3 COLD entry
          Note over p3: SG103
          p2->>p1: 4 COLD exit
          deactivate p2
          p3->>p1: 5 NA exit
          deactivate p3
          p1->>p0: 6 END_OF_CONVERSATION
        """)


def test_a_conversation_is_a_picture(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())

    drawn = segue("show", "shift.jsonl", "c-1", "--format", "svg").out
    picture = ET.fromstring(drawn)  # noqa: S314 - our own

    texts = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:4] == ["customer", "bot", "a-1 (Ada)", "a-2 (Ben)"]
    assert "COLD entry SG103" in texts


@pytest.mark.parametrize("form", ["mermaid", "svg"])
def test_nothing_of_a_sender_acts_in_a_diagram(segue: Segue, write: Write, form: str) -> None:
    write("shift.jsonl", hostile())

    done = segue("show", "shift.jsonl", CANARY, "--format", form)

    assert done.code == 0
    assert not any(character in done.out for character in HOSTILE)
    assert "<b>" not in done.out
    if form == "mermaid":
        assert "-->" not in done.out.replace("->>", "")
        assert not any(character in done.out for character in ";#<&")
    else:
        ET.fromstring(done.out)  # noqa: S314 - our own
