"""What comes after the END of a conversation, within the window of a log and after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from tests.logs.story import CLEAN, action, all_told, body, enveloped, lines, told

import segue
from segue.core.conversation import Report
from segue.core.conversation.current import current_reports
from segue.core.events import CALL_NOTIFICATIONS, TRANSFER_CALLBACKS
from segue.core.explain.mended import Range
from segue.errors import ConfigurationError
from segue.logs import replay
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer

EARLY = ("NA entry a-1", "END", "NA exit a-1", "summary", "END")
"""A conversation that somebody ended when its agent had not left."""


def timed(second: int, text: str, conversation: str = "c-1") -> dict[str, Any]:
    at = f"2026-03-02T09:{second // 60:02}:{second % 60:02}Z"
    return enveloped(text, conversation=conversation, received_at=at)


def answered(conversation: str = "c-1") -> dict[str, Any]:
    """Return a call notification."""
    called = {"conversationId": conversation, "botId": "b-1", "status": "answered"}
    return {"endpoint": CALL_NOTIFICATIONS.name, "body": called}


def between(number: int) -> list[dict[str, Any]]:
    """Return this number of events of other conversations, which have no findings."""
    return [body("user message", conversation=f"other-{n}") for n in range(number)]


def of(reports: Iterable[Report], conversation: str = "c-1") -> list[Report]:
    return [each for each in reports if each.conversation_id == conversation]


def marks(reports: Sequence[Report]) -> list[tuple[bool, bool]]:
    return [(report.late, report.replaces) for report in reports]


# Within the window.


def test_the_late_report_is_about_the_whole_conversation() -> None:
    first, last = replay([body("NA exit a-1"), body("END"), body("END"), body("user message")])
    assert (told(first), first.events, first.late) == (["SG101 event 0"], 2, False)
    assert told(last) == ["SG101 event 0", "SG109 event 2", "SG110 event 3"]
    assert (last.events, last.late, last.replaces) == (4, True, True)
    assert (last.phase, last.bot_id) == ("ended", "b-1")
    value = last.to_dict()
    assert (value["late"], value["replaces"], value["explanation"]) == (True, True, "complete")


def test_an_end_sent_too_early_is_one_mistake() -> None:
    log = [timed(60 * minute, text) for minute, text in enumerate(EARLY)]
    first, last = replay(log)
    assert told(first) == ["SG107 event 1"]
    assert told(last) == ["SG107 event 1", "SG110 event 2", "SG109 event 4"]
    (mistake,) = last.mistakes
    assert [(each.kind, each.event) for each in mistake.edits] == [("surplus", 1)]
    assert last.mended is not None
    assert last.metrics.duration == timedelta(minutes=1)
    talk, duration = (last.mended.metrics[name] for name in ("talk_time", "duration"))
    assert talk == Range(timedelta(minutes=2), timedelta(minutes=2))
    assert duration == Range(timedelta(minutes=4), timedelta(minutes=4))


@pytest.mark.parametrize(("others", "replaces"), [(2, True), (3, False)])
def test_the_window_is_counted_in_events_of_the_log(
    others: int,
    replaces: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """The third event after the END is within a window of three events, and the fourth is not."""
    log = [*lines(*CLEAN), *between(others), body("END")]
    first, last = of(replay(log, window=3, partial="end"))
    assert (first.late, told(first)) == (False, [])
    assert (last.late, last.replaces, last.events) == (True, replaces, 5)
    assert told(last) == ["SG109 event 4"]


def test_events_of_one_delivery_count_one_by_one() -> None:
    several = body("NA entry a-1", "NA exit a-1", "summary", conversation="c-2")
    for window, replaces in ((3, False), (4, True)):
        log = [*lines(*CLEAN), several, body("END")]
        assert of(replay(log, window=window))[1].replaces is replaces


def test_actions_and_callbacks_count_as_events_and_broken_lines_do_not() -> None:
    others = [action("start a-1", conversation="c-2"), b"{", answered("c-3")]
    log = [*lines(*CLEAN), *others, body("END")]
    for window, replaces in ((3, True), (2, False)):
        assert of(replay(log, window=window, partial="end"))[1].replaces is replaces


def test_a_conversation_that_is_late_stays_to_the_end_of_the_log() -> None:
    log = [*lines(*CLEAN), body("END"), *between(9), body("user message")]
    first, last = of(replay(log, window=2, partial="end"))
    assert marks([first, last]) == [(False, False), (True, True)]
    assert told(last) == ["SG109 event 4", "SG110 event 5"]


def test_an_action_without_findings_makes_no_report_and_is_known_later() -> None:
    opening = [*lines(CLEAN[0]), action("start a-1"), action("end a-1"), *lines(*CLEAN[1:])]
    log = [*opening, action("pause handover=true a-1"), body("END")]
    reports = list(replay(log))
    assert marks(reports) == [(False, False), (True, True)]
    assert reports[1].transcription["actions"] == 3


# After the window.


def test_after_the_window_a_late_report_has_the_late_findings_only() -> None:
    log = [body("NA exit a-1"), body("END"), body("END"), body("user message")]
    first, last = replay(log, window=0)
    assert (told(first), first.late) == (["SG101 event 0"], False)
    assert told(last) == ["SG109 event 2", "SG110 event 3"]
    assert (last.events, last.late, last.replaces) == (4, True, False)
    assert (last.phase, last.bot_id, last.segments) == ("ended", "b-1", ())
    assert (last.explanation, last.mistakes, last.to_dict()["explanation"]) == (None, (), None)


def test_a_bound_of_remembered_conversations_evicts_the_oldest() -> None:
    replayer = Replayer(ReplayOptions(window=0, most_ended=2))
    for number in range(3):
        assert replayer.feed(body("END", conversation=f"c-{number}")) is not None
    assert replayer.forgotten == 1
    again = [replayer.feed(body("END", conversation=f"c-{number}")) for number in (0, 2)]
    assert [None if each is None else each.late for each in again] == [False, None]


# The maximum number of late conversations.


def test_the_first_late_conversations_are_kept_whole() -> None:
    replayer = Replayer(ReplayOptions(most_late=1))
    log = [body("END", conversation=name) for name in ("c-1", "c-2", "c-2", "c-1", "c-2")]
    list(replayer.feed_all(log))
    reports = list(replayer.close())
    assert [(each.conversation_id, each.replaces) for each in reports] == [
        ("c-2", True),
        ("c-1", False),
    ]
    assert replayer.late_beyond == 1


# Callbacks.


def test_a_conversation_that_is_not_kept_whole_is_reported_nevertheless() -> None:
    replayer = Replayer(ReplayOptions(most_late=0, settled=True))
    reports = list_closed(replayer, body("END"), body("user message"))

    assert marks(reports) == [(False, False), (True, False)]
    assert [told(report) for report in reports] == [["SG122 event 0"], ["SG110 event 1"]]


@pytest.mark.parametrize("endpoint", [CALL_NOTIFICATIONS, TRANSFER_CALLBACKS])
def test_a_callback_makes_the_replacing_report_at_once(endpoint: Any) -> None:
    replayer = Replayer(ReplayOptions())
    assert [replayer.feed(line) is None for line in lines(*CLEAN)] == [True, True, True, False]
    line = {"endpoint": endpoint.name, "conversation_id": "c-1", "bot_id": "b-1"}
    sent = {"conversationId": "c-1", "botId": "b-1", "status": "answered"}
    report = replayer.feed(line | {"body": sent})
    assert report is not None
    assert marks([report]) == [(True, True)]
    assert (report.events, report.phase) == (4, "ended")
    assert list(replayer.close()) == []


def test_after_a_callback_the_conversation_is_in_the_window_still() -> None:
    log = [*lines(*CLEAN), answered(), *between(2), body("END")]
    for window, last in ((4, (True, True)), (3, (True, False))):
        reports = of(replay(log, window=window, partial="end"))
        assert marks(reports) == [(False, False), (True, True), last]


def test_a_late_conversation_that_was_reported_is_reported_again_after_each_change() -> None:
    """A stream reports it after each batch. The last action has no finding of its own."""
    replayer = Replayer(ReplayOptions(key="conversation"))
    told_late = []
    for batch in ([*lines(*CLEAN), action("start a-1")], [action("end a-1")], [body("END")]):
        saved = replayer.save("c-1")
        replayer = Replayer(ReplayOptions(key="conversation"))
        replayer.resume("c-1", saved)
        for line in batch:
            replayer.feed(line)
        told_late.append([each.transcription["actions"] for each in replayer.late_reports()])

    assert told_late == [[1], [2], [2]]
    assert list(replayer.close()) == []


# A transcription that is open at END.


OPEN = [*lines(CLEAN[0]), action("start a-1"), *lines(*CLEAN[1:])]


def test_a_report_waits_for_the_end_of_a_transcription_no_longer_than_the_window() -> None:
    replayer = Replayer(ReplayOptions(window=2))
    before = [replayer.feed(line) for line in [*OPEN, *between(1)]]
    assert before == [None] * len(before)
    report = replayer.feed(between(1)[0])
    assert report is not None
    assert (report.conversation_id, report.late, told(report)) == ("c-1", False, ["SG407 event 3"])
    late = of(list_closed(replayer, action("end a-1"), body("END")))
    assert marks(late) == [(True, False)]


def list_closed(replayer: Replayer, *more: Any) -> list[Report]:
    return [*replayer.feed_all(more), *replayer.close()]


def test_what_comes_while_a_report_waits_is_in_it() -> None:
    log = [*OPEN, body("END"), action("end a-1")]
    assert all_told(log) == [("c-1", False, ["SG109 event 4"])]


def test_the_window_of_a_conversation_that_waited_begins_at_its_end() -> None:
    log = [*OPEN, *between(1), action("end a-1"), *between(1), body("END")]
    for window, replaces in ((4, True), (3, False)):
        reports = of(replay(log, window=window, partial="end"))
        assert marks(reports) == [(False, False), (True, replaces)]


def test_reports_that_waited_come_in_the_order_of_the_ends() -> None:
    ends = [
        line
        for name in ("c-2", "c-1")
        for line in (
            body("NA entry a-1", conversation=name),
            action("start a-1", conversation=name),
            body("END", conversation=name),
        )
    ]
    several = body("NA entry a-1", "NA exit a-1", "summary", conversation="c-3")
    reports = replay([*ends, several], window=4)
    assert [each.conversation_id for each in reports] == ["c-2", "c-1", "c-3"]


# The reports that count.


LOG = [*lines(*EARLY), *lines(*CLEAN, conversation="c-2"), body("END", conversation="c-2")]


def test_only_the_last_report_that_replaces_counts() -> None:
    reports = list(replay(LOG))
    assert [each.key[1] for each in reports] == ["c-1", "c-2", "c-1", "c-2"]
    assert list(current_reports(reports)) == reports[2:]


def test_late_reports_that_replace_none_are_added() -> None:
    reports = list(replay(LOG, window=0))
    assert list(current_reports(reports)) == reports


def test_a_replay_that_nobody_read_yields_the_reports_that_count_one_by_one() -> None:
    settled = [told(each) for each in current_reports(replay(LOG))]
    assert settled == [told(each) for each in list(replay(LOG))[2:]]
    begun = replay(LOG)
    first = next(begun)
    rest = [told(each) for each in current_reports(begun)]
    assert first.late is False
    assert rest == settled


def test_rows_are_those_of_the_reports_that_count() -> None:
    def ids(what: Any, reports: Any) -> list[Any]:
        return [row["conversation_id"] for row in segue.to_rows(reports, what)]

    for reports in (replay(LOG), list(replay(LOG)), iter(list(replay(LOG)))):
        assert ids("conversations", reports) == ["c-1", "c-2"]
    assert ids("findings", replay(LOG)) == ["c-1"] * 3 + ["c-2"]
    assert ids("conversations", replay(LOG, window=0)) == ["c-1", "c-2"]


def test_causes_count_a_conversation_once() -> None:
    """An END came too early in c-1, and twice in c-2."""
    assert sum(segue.causes(LOG).unexplained.values()) == 2


# Options.


@pytest.mark.parametrize("window", [-1, 1.5, "many", None])
def test_a_window_is_a_number_of_events(window: Any) -> None:
    with pytest.raises(ConfigurationError, match="window"):
        next(replay([], window=window))
