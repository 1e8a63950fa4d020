"""A finding says in one line what happened and where."""

from segue.core.findings import Place, Severity, find

FACTS = {"agent": "a-2", "primary": "a-1"}


def test_a_finding_is_one_line() -> None:
    finding = find("SG103", Place(event=3, line=4), FACTS)

    assert str(finding) == (
        "line 4, event 3: SG103 agent a-2 took over by COLD entry while a-1 was still primary "
        "[cold-entry-before-exit]"
    )


def test_an_action_and_the_end_of_the_log_are_places_too() -> None:
    action = find("SG402", Place(action=0, line=2), {"agent": "a-1", "action": "start"})
    end = find("SG108", Place(), {"phase": "active"})

    assert str(action).startswith("line 2, transcription action 0: SG402 agent a-1 ")
    assert str(end).startswith("end: SG108 the log closed on a conversation still active, ")


def test_what_a_sender_calls_an_agent_cannot_break_the_line() -> None:
    finding = find("SG103", Place(event=3), FACTS | {"agent": "a\n\x1b[31m\u202e李\ud800"})

    assert str(finding).startswith("event 3: SG103 agent a\\n\\x1b[31m\\u202e李\\ud800 took over")


def test_another_severity_changes_nothing_else() -> None:
    finding = find("SG103", Place(event=3), FACTS)

    ranked = finding.ranked(Severity.NOTE)

    assert ranked.severity is Severity.NOTE
    assert ranked.ranked(Severity.ERROR) == finding
