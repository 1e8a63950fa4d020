"""The full account: what a person reads, as it stands on the screen."""

import json
from collections.abc import Callable
from textwrap import dedent

import pytest
from rich.cells import cell_len
from tests.report.story import early, line, log, rendered, report

from segue.core.findings import Cause, Place, find
from segue.report.finding_view import finding_lines
from segue.report.look import Look
from segue.report.mistake_view import MistakeView
from segue.report.renderers import FORMATS


def test_a_finding_is_told_with_its_story_its_evidence_and_its_repair() -> None:
    assert rendered("full", early()) == dedent("""\
        ── c-1 ─────────────────────────────────────────────────────────────────────────
           bot st-1 · ended · 7 events · 1 mistake (1 error)
           held by a-1 (Ada), then a-2 (Ben)
           what happened: the COLD exit of a-1 came after the COLD entry of a-2 (line 5,
           due before line 4), or the COLD entry of a-2 came before the COLD exit of a-1
           (line 4, due after line 5)
             fix: Send events in the order in which they happen: the COLD exit of a-1
             before the COLD entry of a-2.

        error[SG103] cold-entry-before-exit
          agent a-2 took over by COLD entry while a-1 was still primary
          --> line 4  event 3  /events/0
            │
          0 │ NA entry    a-1  line 1
            │ --------------- because
            ┆ 2 messages
          3 │ COLD entry  a-2  line 4
            │ ^^^^^^^^^^^^^^^ SG103
          4 │ COLD exit   a-1  line 5
            │
            = expected: NA exit by a-1, COLD exit by a-1, WARM entry by another agent,
                        message
            = help:     send the COLD exit of a-1 first, then the COLD entry of a-2;
                        WARM entry when a-2 joined beside a-1
            = explain:  segue explain SG103

        findings by rule ───────────────────────────────────────────────────────────────
          1  SG103  cold-entry-before-exit  error

        1 conversation, 0 valid, 0 clean, 7 events
        1 mistake (1 error)
        """)


def test_a_narrow_terminal_without_unicode_gets_the_same_story() -> None:
    assert rendered("full", early(), Look(fancy=False, columns=50)) == dedent("""\
        -- c-1 -------------------------------------------
           bot st-1 - ended - 7 events -
           1 mistake (1 error)
           held by a-1 (Ada), then a-2 (Ben)
           what happened: the COLD exit of a-1 came after
           the COLD entry of a-2 (line 5, due before line
           4), or the COLD entry of a-2 came before the
           COLD exit of a-1 (line 4, due after line 5)
             fix: Send events in the order in which they
             happen: the COLD exit of a-1 before the COLD
             entry of a-2.

        error[SG103] cold-entry-before-exit
          agent a-2 took over by COLD entry while a-1 was
          still primary
          --> line 4  event 3  /events/0
            |
          0 | NA entry    a-1  line 1
            | --------------- because
            : 2 messages
          3 | COLD entry  a-2  line 4
            | ^^^^^^^^^^^^^^^ SG103
          4 | COLD exit   a-1  line 5
            |
            = expected: NA exit by a-1, COLD exit by a-1,
                        WARM entry by another agent,
                        message
            = help:     send the COLD exit of a-1 first,
                        then the COLD entry of a-2; WARM
                        entry when a-2 joined beside a-1
            = explain:  segue explain SG103

        findings by rule ---------------------------------
          1  SG103  cold-entry-before-exit  error

        1 conversation, 0 valid, 0 clean, 7 events
        1 mistake (1 error)
        """)


def test_a_broken_line_and_a_late_event_have_blocks_of_their_own() -> None:
    lines = ["{", *log("NA entry a-1", "NA exit a-1", "END", "user message")]

    assert rendered("full", lines, is_brief=True) == dedent("""\
        ── a line that belongs to no conversation ──────────────────────────────────────

        error[SG501] unreadable-body
          a body could not be read: cut off
          --> line 1
            = help:     send one complete JSON object per delivery, with each key once
            = explain:  segue explain SG501

        ── c-1 ─────────────────────────────────────────────────────────────────────────
           bot st-1 · ended · 4 events, some after its end · 1 mistake (1 error)
           held by a-1 (Ada)
           what happened: a message came after END_OF_CONVERSATION (line 5), or the
           END_OF_CONVERSATION came before the message (line 4, due after line 5)
             fix: Send END_OF_CONVERSATION only after everything else has been
             delivered.

        error[SG110] event-after-end
          message came after END_OF_CONVERSATION
          --> line 5  event 3
            │
            ┆ 1 event
          1 │ NA exit  a-1         line 3
          2 │ END_OF_CONVERSATION  line 4
            │ ------------------- because
          3 │ message              line 5
            │ ^^^^^^^ SG110
            │
            = help:     send END_OF_CONVERSATION last, after every transfer, message and
                        summary, and nothing after it
            = explain:  segue explain SG110

        """)


def test_late_events_after_the_window_have_a_block_of_their_own() -> None:
    lines = log("NA entry a-1", "NA exit a-1", "END", "user message")

    assert rendered("full", lines, is_brief=True, window=0).splitlines()[1:5] == [
        "   bot st-1 · ended · 4 events · 1 error sent after its end",
        "",
        "error[SG110] event-after-end",
        "  message came after END_OF_CONVERSATION",
    ]


def test_a_log_without_findings_is_told_in_two_lines() -> None:
    lines = log("NA entry a-1", "NA exit a-1", "END")

    assert rendered("full", lines) == "1 conversation, clean, 3 events\nno findings\n"


def test_an_empty_log_is_no_reason_to_celebrate() -> None:
    assert rendered("full", []) == "0 conversations, 0 events\nno findings\n"


def test_after_the_first_conversations_the_rest_is_counted() -> None:
    lines = ["{", "[]", *(each for n in range(5) for each in early(f"c-{n}"))]

    text = rendered("full", lines, limit=1, is_brief=True)

    assert [each for each in text.splitlines() if each.startswith("──")] == [
        "── a line that belongs to no conversation ──────────────────────────────────────",
        "── c-0 ─────────────────────────────────────────────────────────────────────────",
    ]
    assert text.splitlines()[-3:] == [
        "… and 4 more conversations with findings and 1 more line without a conversation",
        "(use --all or --output)",
        "",
    ]


def test_of_very_many_findings_of_one_conversation_the_first_are_shown() -> None:
    lines = log("NA entry a-1", *["WARM exit a-2", "WARM exit a-3"] * 15, "NA exit a-1", "END")

    limited = rendered("full", lines, limit=20, is_brief=True)

    assert limited.count("SG201") > 20
    assert "… and " in limited
    assert "more findings in this conversation (use --all or --output)" in limited
    assert "… and" not in rendered("full", lines, is_brief=True)


def test_findings_of_one_place_share_a_timeline_and_its_evidence() -> None:
    lines = log("NA entry a-1", "user message")

    assert rendered("full", lines, is_brief=True) == dedent("""\
        ── c-1 ─────────────────────────────────────────────────────────────────────────
           bot st-1 · active · 2 events · 1 mistake (2 errors)
           held by a-1 (Ada)
           what happened: the conversation stops: the NA exit of a-1 and the
           END_OF_CONVERSATION are missing (after line 1)
             fix: Send an END_OF_CONVERSATION at the end.

        error[SG107] missing-na-exit
          the last agent had sent no NA exit before the end of the log (present: a-1;
          last to leave: nobody)
          --> end of the log
            │
          0 │ NA entry  a-1   line 1
            │ ------------- because
            ┆ 1 message
            │ end of the log
            │ ^^^^^^^^^^^^^^ SG107
            │
            = expected: NA exit by a-1, COLD exit by a-1, WARM entry by another agent,
                        message
            = help:     send NA exit for the last agent before the conversation is
                        closed
            = explain:  segue explain SG107

            error[SG108] missing-end, part of mistake 1
              the log closed on a conversation still active, without END_OF_CONVERSATION
              --> end of the log

        """)


def test_an_agent_who_held_a_conversation_and_was_consulted_is_named_as_both() -> None:
    before = ("NA entry a-1", "COLD exit a-1", "COLD entry a-2")
    lines = log(*before, "WARM entry a-1", "summary", "WARM exit a-1", "NA exit a-2", "END")

    text = rendered("full", lines, Look(columns=100), is_brief=True)

    assert "   held by a-1 (Ada), then a-2 (Ben); consulted a-1 (Ada)\n" in text


def test_many_agents_are_named_up_to_a_few() -> None:
    consults = [f"{kind} a-{n}" for n in range(2, 9) for kind in ("WARM entry", "WARM exit")]
    lines = log("NA entry a-1", *consults, "summary", "NA exit a-1", "END")

    text = rendered("full", lines, Look(columns=100), is_brief=True)

    assert "   held by a-1 (Ada); consulted a-2 (Ben), a-3 (Cleo), a-4, a-5 and 3 more\n" in text


def test_an_id_is_cut_in_a_table_only_and_never_broken() -> None:
    agent = "a-" + "x" * 90
    lines = log("NA entry a-1", f"COLD entry {agent}", f"NA exit {agent}", "END")

    text = rendered("full", lines, is_brief=True)

    assert f"  agent\n  {agent}\n  took over by COLD entry" in text
    assert f"│ COLD entry  {agent[:39]}…  line 2" in text


def test_an_id_with_a_blank_beside_it_is_quoted_in_the_account() -> None:
    """A blank that JSON does not know, such as an em space, stays a part of the id."""
    lines = log("NA entry a-1", "NA exit a-2", "NA exit a-1", "END")
    lines[0] = lines[0].replace('"a-1"', '"a-1\u2003"')
    lines[2] = lines[2].replace('"a-1"', '"a-1\u2003"')

    text = rendered("full", lines, Look(columns=120))

    assert '   held by "a-1\u2003" (Ada), then a-2 (Ben)\n' in text
    assert "what happened: the NA exit of a-2 is one too many (line 2)" in text
    assert '  0 │ NA entry  "a-1\u2003"  line 1\n' in text


def test_an_id_of_a_conversation_with_a_blank_beside_it_is_quoted_in_headings() -> None:
    lines = [
        each.replace('"botId": "st-1"', '"botId": "st-1\u2003"')
        for each in log(
            *("NA entry a-1", "NA exit a-2", "NA exit a-1", "END"), conversation="c-1\u2003"
        )
    ]

    text = rendered("full", lines, Look(columns=120))

    assert text.startswith('── "c-1\u2003" ──')
    assert '   bot "st-1\u2003" · ended' in text
    assert 'SG201 "c-1\u2003" agent' in rendered("concise", lines)


def test_a_flaw_beside_an_offence_has_no_empty_remark() -> None:
    """SG101 expects an entry; of the key that the same event lacks (SG502) nothing is expected."""
    sent = json.loads(line("COLD exit a-1"))
    del sent["events"][0]["isExtAD"]

    told = rendered("full", [json.dumps(sent)])

    assert "SG101, SG502" in told
    assert "= expected: NA entry by an agent" in told
    assert "= expected:\n" not in told


def test_a_placeholder_finding_without_expected_events_has_no_empty_remark() -> None:
    text = rendered("full", log("NA entry a-1", "NA exit A-1", "END"), is_brief=True)

    assert "SG206" in text
    assert "expected:" not in text


CANARIES = {
    "ansi": "\x1b[31mowned\x1b[0m",
    "c1": "\x9b31mowned",
    "newline": "a\nerror[SG999] fake",
    "markup": "[red]owned[/red]",
    "bidi": "\u202edenwo\u202c \u2066x\u2069",
    "zero width": "a\u200bb\ufeff",
    "link": "\x1b]8;;http://example.com\x07click\x1b]8;;\x07",
}


@pytest.mark.parametrize("canary", CANARIES.values(), ids=CANARIES)
@pytest.mark.parametrize("name", [each for each in FORMATS if each != "html"])  # see test_page.py
def test_what_a_sender_writes_cannot_act(name: str, canary: str) -> None:
    who = {"identity": canary, "name": canary, "type": "agent"}
    lines = [
        line("NA entry a-1", canary, participant=who),
        line("COLD entry a-2", canary, participant=who | {"identity": f"{canary}2"}),
        line("END", canary, experience=canary),
        json.dumps({"conversationId": canary, "botId": canary, "events": [{"name": canary}]}),
    ]

    text = rendered(name, lines, Look(columns=100))

    assert "SG103" in text
    assert all(character.isprintable() or character == "\n" for character in text)
    assert not any(each.startswith("error[SG999]") for each in text.splitlines())
    if canary == CANARIES["markup"]:
        assert canary in text


def test_rows_stand_under_each_other_whatever_an_id_is_made_of() -> None:
    who = {"identity": "李小龍", "name": "李", "type": "agent"}
    lines = [
        line("NA entry a-1"),
        line("COLD entry a-2", participant=who),
        line("NA exit a-2", participant=who),
        line("END"),
    ]

    rows = [each for each in rendered("full", lines).splitlines() if " │ " in each]
    columns = {cell_len(each.partition("line")[0]) for each in rows if "line" in each}

    assert len(columns) == 1


def test_colour_changes_nothing_but_colour(without_colour: Callable[[str], str]) -> None:
    plain = rendered("full", early())

    assert without_colour(rendered("full", early(), Look(color=True))) == plain


def test_evidence_that_no_row_shows_is_told_in_words() -> None:
    place = Place(event=7, line=9)
    causes = (Cause(Place(event=2, line=3), "NA entry of a-1"), Cause(Place(), "a look elsewhere"))
    finding = find("SG109", place, {}, because=causes)
    view = MistakeView(report("NA entry a-1", "NA exit a-1", "END"))

    lines = [each.render() for each in finding_lines([finding], [], view, Look())]

    assert lines[1:] == [
        "error[SG109] repeated-end",
        "  END_OF_CONVERSATION came again for a conversation that had already ended",
        "  --> line 9  event 7",
        "    = because:  event 2: NA entry of a-1 (line 3)",
        "    = because:  a look elsewhere",
        "    = help:     send END_OF_CONVERSATION once only, at the final termination",
        "    = explain:  segue explain SG109",
    ]
