"""The tally counts each conversation once, whatever comes late."""

from tests.report.story import early, log

import segue
from segue.report import RunSummary

END = ("NA entry a-1", "NA exit a-1", "END")


def tallied(lines: list[str], **policy: object) -> RunSummary:
    tally = RunSummary()
    for report in segue.replay(lines, policy=segue.Policy(**policy)):  # type: ignore[arg-type]
        tally.add(report)
    return tally


def test_valid_and_clean_conversations_are_counted() -> None:
    noted = log("redial entry a-1", "NA exit a-1", "END", conversation="c-2")
    tally = tallied([*early(), *noted, *log(*END, conversation="c-3"), "{"])

    assert (tally.conversations, tally.valid, tally.clean) == (3, 2, 1)
    assert (tally.events, tally.lines_without_conversation, tally.late) == (13, 1, 0)


def test_what_comes_late_takes_back_that_a_conversation_was_valid() -> None:
    tally = tallied(log(*END, "user message"))

    assert (tally.conversations, tally.valid, tally.clean, tally.late) == (1, 0, 0, 1)


def test_what_comes_late_is_held_against_a_conversation_once() -> None:
    tally = tallied([*early(), *log("user message")])

    assert (tally.conversations, tally.valid, tally.clean, tally.late) == (1, 0, 0, 1)


def test_what_comes_late_and_is_no_error_leaves_a_conversation_valid() -> None:
    tally = tallied(log(*END, "user message"), severity={"SG110": "note"})

    assert (tally.valid, tally.clean) == (1, 0)


def test_late_findings_that_are_ignored_change_nothing() -> None:
    tally = tallied(log(*END, "user message"), ignore=("SG110",))

    assert (tally.valid, tally.clean) == (1, 1)


def test_findings_are_counted_by_rule_the_gravest_first() -> None:
    noted = log("redial entry a-1", "NA exit a-1", "END", conversation="c-2")
    warned = log("NA entry a-1", "NA exit A-1", "END", conversation="c-3")
    tally = tallied([*noted, *warned, *early(), *early("c-4")])

    assert [(rule.code, rank.value, count) for rule, rank, count in tally.rows()] == [
        ("SG103", "error", 2),
        ("SG206", "warning", 1),
        ("SG118", "note", 1),
    ]
    assert [tally.count(severity) for severity in segue.Severity] == [2, 1, 1]


def test_a_threshold_counts_what_is_graver_too() -> None:
    warned = tallied(log("NA entry a-1", "NA exit A-1", "END"))

    assert not warned.has(segue.Severity.ERROR)
    assert warned.has(segue.Severity.WARNING)
    assert warned.has(segue.Severity.NOTE)
