"""What replay yields, and when."""

from __future__ import annotations

import gc
import gzip
import json
import os
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.builders import Nowhere
from tests.logs.story import (
    CLEAN,
    action,
    all_told,
    body,
    enveloped,
    event,
    jsonl,
    lines,
    mixed,
    told,
)

import segue
from segue.core.conversation import Report
from segue.core.events import CALL_NOTIFICATIONS
from segue.core.findings import Place, Policy
from segue.core.wire import read_line
from segue.errors import ConfigurationError, UnreadableLog
from segue.logs import replay
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


def timed(second: int, *texts: str, conversation: str = "c-1") -> dict[str, Any]:
    at = (NINE + timedelta(seconds=second)).isoformat()
    return enveloped(*texts, conversation=conversation, received_at=at)


# When a report comes.


def test_a_conversation_is_reported_at_its_end_and_the_others_when_the_log_is_over() -> None:
    open_one = lines("NA entry a-1", conversation="c-0")
    log = [*open_one, *lines(*CLEAN), *lines(*CLEAN, conversation="c-2")]
    asked: list[int] = []

    def given() -> Iterator[Any]:
        for number, line in enumerate(log, start=1):
            asked.append(number)
            yield line

    reports = replay(given())
    assert [(next(reports).conversation_id, asked[-1]) for _ in range(3)] == [
        ("c-1", 5),
        ("c-2", 9),
        ("c-0", 9),
    ]
    assert list(reports) == []


def test_conversations_without_an_end_are_reported_in_order_of_appearance() -> None:
    log = [body("NA entry a-1", conversation=name) for name in ("b", "c", "a", "c", "b")]
    assert [name for name, _, _ in all_told(log)] == ["b", "c", "a"]


def test_the_close_of_the_log_is_an_offence_unless_it_was_cut() -> None:
    log = lines("NA entry a-1")
    assert all_told(log) == [("c-1", False, ["SG107", "SG108"])]
    assert all_told(log, partial="end") == [("c-1", False, [])]


def test_a_log_that_begins_late_is_taken_as_true() -> None:
    assert all_told(lines(*CLEAN[1:])) == [("c-1", False, ["SG101 event 0"])]
    assert all_told(lines(*CLEAN[1:]), partial="start") == [("c-1", False, [])]


def test_a_report_of_an_ended_conversation_has_everything() -> None:
    (report,) = replay([timed(second, text) for second, text in enumerate(CLEAN)])
    assert report.clean
    assert report.bot_id == "b-1"
    assert report.events == 4
    assert report.phase == "ended"
    assert [segment.agent for segment in report.segments] == ["a-1"]
    assert report.metrics.duration == timedelta(seconds=3)


def test_conversations_are_kept_apart_however_they_are_mixed() -> None:
    texts = [*CLEAN[:1], "user message", "COLD exit a-1", "NA entry a-2", "END"]
    alone = [told(next(replay(lines(*texts))))] * 3
    names = ("c-1", "c-2", "c-3")
    log = mixed(*(lines(*texts, conversation=name) for name in names))
    assert [codes for _, _, codes in all_told(log)] == alone
    assert alone[0]


# What comes late.


def test_what_comes_after_the_end_makes_one_more_report_when_the_log_is_over() -> None:
    late = lines("user message", "END", "NA entry a-2", "END")
    log = [*lines(*CLEAN), *mixed(late, lines(*CLEAN, conversation="c-2"))]
    assert all_told(log) == [
        ("c-1", False, []),
        ("c-2", False, []),
        ("c-1", True, ["SG110 event 4", "SG109 event 5", "SG109 event 7"]),
    ]


def test_late_reports_come_last_in_order_of_what_was_late() -> None:
    log = [
        *lines(*CLEAN),
        *lines(*CLEAN, conversation="c-2"),
        body("NA entry a-1", conversation="c-3"),
        body("END", conversation="c-2"),
        body("END"),
    ]
    assert [(name, late) for name, late, _ in all_told(log)] == [
        ("c-1", False),
        ("c-2", False),
        ("c-3", False),
        ("c-2", True),
        ("c-1", True),
    ]


def test_what_was_late_in_the_same_delivery_is_not_said_again() -> None:
    log = [*lines(*CLEAN[:3]), body("END", "NA entry a-1"), body("user message"), body("END")]
    assert all_told(log) == [
        ("c-1", False, ["SG110 event 4"]),
        ("c-1", True, ["SG110 event 4", "SG109 event 6"]),
    ]


def test_late_bodies_are_examined_like_all_others() -> None:
    wrong = body("NA entry a-2")
    del wrong["events"][0]["participant"]["name"]
    unreadable = {"conversation_id": "c-1", "body": "{"}
    log = [*lines(*CLEAN), wrong, unreadable]
    assert all_told(log)[1:] == [
        ("c-1", True, ["SG110 event 4", "SG502 event 4", "SG501 event 5"]),
    ]


@pytest.mark.parametrize(
    ("others", "code"),
    [
        pytest.param((), "SG402", id="only one agent is spelled like this"),
        pytest.param(("NA entry A-1",), "SG401", id="two agents are"),
    ],
)
def test_a_late_action_means_the_agent_it_meant_before_the_end(
    others: tuple[str, ...], code: str
) -> None:
    before = [*lines(*others, "NA entry a-1"), action("start a-1"), action("end a-1")]
    late = list(replay([*before, *lines("END"), action("end A-1")]))[1]
    assert told(late)[-1:] == [f"{code} action 2"]


def test_late_transcription_is_an_offence_only_when_it_opens_something() -> None:
    log = [
        *lines(*CLEAN[:1]),
        action("start a-1"),
        action("end a-1"),
        *lines(*CLEAN[1:]),
        action("start a-1"),
        action("end a-1"),
        action("resume a-1"),
    ]
    assert all_told(log) == [
        ("c-1", False, []),
        ("c-1", True, ["SG408 action 2", "SG408 action 4"]),
    ]


def test_the_report_waits_for_the_end_of_what_is_open() -> None:
    is_open = [*lines(CLEAN[0]), action("start a-1"), *lines(*CLEAN[1:])]
    assert all_told(is_open) == [("c-1", False, ["SG407 event 3"])]
    assert all_told([*is_open, action("end a-1")]) == [("c-1", False, [])]
    log = [*is_open, action("end a-2")]
    assert all_told(log) == [("c-1", False, ["SG403 action 1"])]
    late = [("c-1", True, ["SG403 action 1", "SG408 action 2"])]
    assert all_told([*log, action("start a-1")])[1:] == late
    late = [("c-1", True, ["SG403 action 1", "SG401 action 2"])]
    assert all_told([*log, action("end a-1")])[1:] == late


@pytest.mark.parametrize("others", [[], ["user message"]])
def test_a_late_action_is_judged_by_what_came_before_the_end(others: list[str]) -> None:
    opening = [*lines(CLEAN[0]), action("start a-1"), action("end a-1"), *lines(*CLEAN[1:])]
    repeated = [*opening, *lines(*others), action("end a-1")]
    assert told(list(replay(repeated))[1])[-1:] == ["SG402 action 2"]
    assert told(list(replay([*repeated, action("end a-2")]))[1])[-1:] == ["SG401 action 3"]


def test_a_late_action_is_judged_by_the_last_action_whoever_sent_another_before() -> None:
    opening = [*lines(CLEAN[0]), action("start a-1"), action("end a-1"), *lines(*CLEAN[1:])]
    first = enveloped("END", delivery_id="d-1")
    log = [*opening[:-1], first, first, action("end a-1")]
    assert all_told(log) == [("c-1", False, []), ("c-1", True, ["SG402 action 2"])]


# Redelivery.


def test_a_redelivered_end_is_a_duplicate_and_not_late() -> None:
    end = enveloped("END", delivery_id="d-9")
    assert all_told([*lines(*CLEAN[:3]), end, end, end]) == [("c-1", False, [])]


def test_a_redelivered_end_is_a_duplicate_after_something_late_too() -> None:
    end = enveloped("END", delivery_id="d-9")
    late = enveloped("user message", delivery_id="d-10")
    log = [*lines(*CLEAN[:3]), end, late, end, late]
    assert all_told(log)[1:] == [("c-1", True, ["SG110 event 4"])]


def test_an_end_with_another_delivery_id_is_late() -> None:
    log = [*lines(*CLEAN[:3]), *(enveloped("END", delivery_id=name) for name in ("d-9", "d-10"))]
    assert all_told(log)[1:] == [("c-1", True, ["SG109 event 4"])]


def test_a_delivery_id_used_again_for_another_body_is_a_finding_after_the_end_too() -> None:
    log = [
        *lines(*CLEAN[:3]),
        enveloped("END", delivery_id="d-9"),
        enveloped("NA entry a-2", delivery_id="d-9"),
    ]
    assert all_told(log)[1:] == [("c-1", True, ["SG603 event 4"])]


def test_delivery_ids_of_the_two_endpoints_are_apart_after_the_end_too() -> None:
    log = [
        *lines(*CLEAN[:3]),
        enveloped("END", delivery_id="d-9"),
        action("start a-1", delivery_id="d-9"),
    ]
    assert all_told(log)[1:] == [("c-1", True, ["SG408 action 0"])]


def test_the_last_delivery_id_is_known_after_a_silent_action_too() -> None:
    end = enveloped("END", delivery_id="d-9")
    log = [*lines(CLEAN[0]), action("start a-1"), *lines(*CLEAN[1:3]), end, action("end a-1"), end]
    assert all_told(log) == [("c-1", False, [])]


def test_after_the_window_only_the_last_delivery_id_is_known() -> None:
    exit_ = enveloped("NA exit a-1", delivery_id="d-2")
    log = [body("NA entry a-1"), exit_, exit_, body("summary")]
    assert all_told(log, partial="end") == [("c-1", False, [])]
    end = enveloped("END", delivery_id="d-9")
    assert all_told([*log, end, exit_])[1:] == []
    assert all_told([*log, end, exit_], window=0)[1:] == [("c-1", True, ["SG110 event 4"])]


@pytest.mark.parametrize("form", [list, lambda log: jsonl(log).splitlines()])
def test_a_delivery_that_comes_twice_is_applied_once_in_any_form(form: Any) -> None:
    at = {"received_at": "2026-03-02T09:00:00Z"}
    entry = enveloped("NA entry a-1", delivery_id="d-1", **at)
    message = enveloped("user message", delivery_id="d-2", **at)
    start = action("start a-1", delivery_id="d-1", **at)
    log = [entry, entry, message, message, start, start, message | {"delivery_id": "d-1"}]

    (report,) = replay(form(log), partial="end")

    assert report.events == 2
    assert report.transcription["actions"] == 1
    assert told(report) == ["SG603 event 2"]


# Lines that belong to no conversation.


@pytest.mark.parametrize(
    "line",
    [b"{", b"\xff", b"[]", b'"text"', b"{} {}", "{", "\ud800", 5, None, [], ("a",)],
    ids=repr,
)
def test_a_broken_line_is_reported_where_it_stands_and_replay_goes_on(line: object) -> None:
    first, *rest = lines(*CLEAN)
    stray, report = replay([first, line, *rest])
    assert (stray.conversation_id, stray.phase, stray.events, stray.late) == (
        None,
        "waiting",
        0,
        False,
    )
    assert told(stray) == ["SG501"]
    assert stray.findings[0].place.line == 2
    assert report.clean


def test_a_body_of_no_conversation_is_reported_with_all_that_is_wrong_with_it() -> None:
    line: dict[str, Any] = {"botId": "b-1", "events": [event("redial entry a-1")]}
    del line["events"][0]["participant"]["name"], line["events"][0]["isExtAD"]
    (stray,) = replay([line])
    assert stray.conversation_id is None
    assert stray.bot_id == "b-1"
    assert sorted(
        (finding.code, finding.severity, finding.place.pointer) for finding in stray.findings
    ) == [
        ("SG502", "error", "/conversationId"),
        ("SG502", "error", "/events/0/participant/name"),
        ("SG502", "warning", "/events/0/isExtAD"),
    ]


def test_an_action_of_no_conversation_is_reported_too() -> None:
    line = {"endpoint": "transcription", "bot_id": "b-1", "body": {"action": "sing"}}
    (stray,) = replay([line])
    assert sorted(told(stray)) == ["SG502", "SG502", "SG505"]


def test_an_unreadable_body_belongs_to_the_conversation_of_its_envelope() -> None:
    line = {"conversation_id": "c-1", "bot_id": "b-1", "body": "{"}
    assert all_told([line]) == [("c-1", False, ["SG501 event 0"])]


def test_a_line_that_a_policy_has_nothing_to_say_about_makes_no_report() -> None:
    assert list(replay([b"{"], policy=Policy(ignore=("SG5",)))) == []


@pytest.mark.thorough
def test_a_log_of_broken_lines_takes_no_memory() -> None:
    def broken(number: int) -> Iterator[bytes]:
        return (b"{" for _ in range(number))

    def peak(number: int) -> int:
        gc.collect()
        tracemalloc.start()
        try:
            assert sum(1 for _ in replay(broken(number))) == number
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(3000)  # what the interpreter keeps ready
    assert peak(9000) < peak(3000) + 10_000


# Places.


def test_findings_carry_the_line_and_the_name_of_their_log(tmp_path: Path) -> None:
    path = tmp_path / "shift.jsonl"
    path.write_bytes(jsonl([*lines("NA entry a-1", "WARM exit a-2", "END"), 5, body("END")]))
    first, stray, late = replay(path)
    places = [finding.place for report in (first, stray, late) for finding in report.findings]
    assert [(place.line, place.source) for place in places] == [
        (2, str(path)),
        (3, str(path)),
        (4, str(path)),
        (2, str(path)),
        (3, str(path)),
        (5, str(path)),
    ]
    (cause,) = first.findings[0].because
    assert (cause.place.line, cause.place.source) == (1, str(path))
    assert first.to_dict()["findings"][0]["line"] == 2


def test_findings_of_the_close_name_their_log_and_no_line(tmp_path: Path) -> None:
    path = tmp_path / "shift.jsonl"
    path.write_bytes(jsonl(lines("NA entry a-1")))
    (report,) = replay(path)
    assert {(f.place.line, f.place.source) for f in report.findings} == {(None, str(path))}
    assert {c.place.source for f in report.findings for c in f.because} == {str(path)}


def test_lines_of_the_caller_have_numbers_and_no_name() -> None:
    (report,) = replay(lines("NA entry a-1", "WARM exit a-2"), partial="end")
    place = report.findings[0].place
    assert (place.line, place.source) == (2, "")


def run(*logs: tuple[str, list[Any]], **options: Any) -> list[Report]:
    """Replay several logs, one after the other."""
    replayer = Replayer(ReplayOptions(**options))
    reports: list[Report | None] = []
    for name, log in logs:
        replayer.change_source(name)
        reports += [replayer.feed(line, number) for number, line in enumerate(log, start=1)]
    return [*(report for report in reports if report is not None), *replayer.close()]


def test_a_conversation_goes_on_in_the_next_log_and_every_place_names_its_own() -> None:
    first = lines("NA entry a-1", "WARM entry a-2")
    second = lines("WARM entry a-2")
    third = [*lines("COLD exit a-1"), action("start a-1"), action("start a-1"), *lines("END")]
    (report,) = run(("one", first), ("two", second), ("three", third))
    addresses = [
        (f.code, f.place.source, f.place.line, [(c.place.source, c.place.line) for c in f.because])
        for f in report.findings
    ]
    assert addresses == [
        ("SG601", "two", 1, [("one", 1), ("one", 2)]),
        ("SG116", "three", 1, [("one", 1), ("one", 2)]),  # the repeat changed nothing
        ("SG402", "three", 3, []),
        ("SG107", "three", 4, [("one", 2), ("three", 1)]),
        ("SG407", "three", 4, []),
    ]


def test_what_is_found_at_the_end_names_the_line_of_the_event_it_is_about() -> None:
    first = [*lines("NA entry a-1"), action("start a-1"), *lines("COLD exit a-1")]
    second = lines("COLD entry a-2", "NA exit a-2", "summary", "END")
    (report,) = run(("one", first), ("two", second))
    assert [(f.code, f.place.event, f.place.source, f.place.line) for f in report.findings] == [
        ("SG404", 1, "one", 3),
        ("SG407", 5, "two", 4),
    ]


REUSED = [
    enveloped("NA entry a-1", delivery_id="d-1"),
    enveloped("WARM entry a-2", delivery_id="d-1"),
    *lines("WARM exit a-2", "NA exit a-1"),
]
"""The id of the first delivery is reused, which explains a later error."""


@pytest.mark.parametrize(
    "story",
    [
        pytest.param(REUSED, id="a reused delivery id"),
        pytest.param(lines("WARM entry a-1", "END", "user message", "END"), id="late events"),
        pytest.param(lines(*CLEAN, "redial entry a-1", "user message"), id="late deliveries"),
    ],
)
def test_a_conversation_is_explained_alike_in_one_log_and_in_a_log_for_each_line(
    story: list[Any],
) -> None:
    whole = run(("whole", story))
    parted = run(*[(str(number), [line]) for number, line in enumerate(story, 1)])

    def told(report: Report) -> tuple[Any, ...]:
        return report.to_dict()["mistakes"], report.explanation

    def places(report: Report) -> Iterator[Place]:
        for finding in report.findings:
            yield finding.place
            yield from (cause.place for cause in finding.because)

    assert list(map(told, parted)) == list(map(told, whole))
    for one, other in zip(whole, parted, strict=True):
        expected = [(str(place.line), 1) for place in places(one) if place.line]
        assert [(place.source, place.line) for place in places(other) if place.line] == expected


def test_what_the_end_of_the_log_finds_about_an_action_names_the_log_of_the_action() -> None:
    first = [action("pause handover=true a-9")]
    (report,) = run(("one", first), ("two", lines("NA entry a-1")), ("three", []))
    of_action = [f for f in report.findings if f.place.action is not None]
    addresses = [(f.code, f.place.action, f.place.source, f.place.line) for f in of_action]
    assert addresses == [(code, 0, "one", 1) for code in ("SG401", "SG403", "SG405")]


def test_what_a_close_finds_is_of_the_log_that_saw_the_conversation_last() -> None:
    reports = run(
        ("one", lines("NA entry a-1")),
        ("two", lines("NA entry a-1", conversation="c-2")),
        ("three", []),
    )
    assert [{f.place.source for f in report.findings} for report in reports] == [{"one"}, {"two"}]


def test_what_is_late_may_come_in_another_log() -> None:
    first, late = run(("one", lines(*CLEAN)), ("two", lines("user message", "END")))
    assert first.clean
    assert [(f.code, f.place.source, f.place.line) for f in late.findings] == [
        ("SG110", "two", 1),
        ("SG109", "two", 2),
    ]


def test_what_belongs_to_no_conversation_names_its_log_and_line() -> None:
    replayer = Replayer(ReplayOptions())
    replayer.change_source("one")
    stray = replayer.feed(b"{", 7)
    assert stray is not None
    assert (stray.findings[0].place.source, stray.findings[0].place.line) == ("one", 7)


def test_an_interrupted_replay_reports_what_is_open_as_it_stands() -> None:
    replayer = Replayer(ReplayOptions())
    for line in [*lines(*CLEAN), *lines("NA exit a-1", conversation="c-2"), body("END")]:
        replayer.feed(line)
    assert [(report.conversation_id, told(report)) for report in replayer.interrupt()] == [
        ("c-2", ["SG101 event 0"]),
        ("c-1", ["SG109 event 4"]),
    ]


def test_an_interrupted_close_forgets_nothing_and_repeats_nothing() -> None:
    replayer = Replayer(ReplayOptions())
    for name in ("a", "b", "c"):
        replayer.feed(body("NA entry a-1", conversation=name))
    assert next(replayer.close()).conversation_id == "a"
    assert [report.conversation_id for report in replayer.interrupt()] == ["b", "c"]


# What is chosen.


def test_only_the_conversations_asked_for_are_replayed() -> None:
    log = [*mixed(*(lines(*CLEAN, conversation=name) for name in ("c-1", "c-2", "c-3"))), b"{"]
    assert [name for name, _, _ in all_told(log, conversations={"c-3", "c-2"})] == ["c-2", "c-3"]
    assert all_told(log, conversations=()) == []


def test_since_is_included_and_until_is_not() -> None:
    log = [timed(second, text) for second, text in enumerate(CLEAN)]
    second, third = (NINE + timedelta(seconds=n) for n in (1, 2))
    (report,) = replay(log, since=second, partial="both")
    assert report.events == 3
    assert report.clean
    (report,) = replay(log, until=third, partial="end")
    assert report.events == 2
    assert report.clean
    (report,) = replay(log, since=second, until=third, partial="both")
    assert report.events == 1
    assert list(replay(log, since=NINE + timedelta(days=1))) == []


def test_what_has_no_readable_time_is_in_no_span_of_time() -> None:
    log = [body("NA entry a-1"), enveloped("NA exit a-1", received_at="soon"), b"{"]
    assert list(replay(log, until=NINE)) == []


def test_a_conversation_cut_off_by_since_begins_late() -> None:
    log = [timed(second, text) for second, text in enumerate(CLEAN)]
    since = NINE + timedelta(seconds=1)
    assert all_told(log, since=since) == [("c-1", False, ["SG101 event 0"])]
    assert all_told(log, since=since, partial="start") == [("c-1", False, [])]


# Sorter.


def test_sorting_by_time_puts_a_shuffled_log_right() -> None:
    log = [timed(second, text) for second, text in enumerate(CLEAN)]
    shuffled = [log[2], log[0], log[3], log[1]]
    assert all_told(shuffled)[0][2]
    assert all_told(shuffled, sort="received_at") == [("c-1", False, [])]


def test_sorting_is_stable_and_lines_without_a_time_keep_to_the_one_before() -> None:
    log = [timed(5, "END"), timed(0, "NA entry a-1"), body("NA exit a-1"), timed(0, "summary")]
    assert all_told(log, sort="received_at") == [("c-1", False, [])]


def test_lines_before_the_first_time_stay_first() -> None:
    log = [body("NA entry a-1"), b"", timed(5, "END"), timed(0, "NA exit a-1"), timed(1, "summary")]
    assert all_told(log, sort="received_at") == [("c-1", False, [])]


def test_a_sorted_line_keeps_its_number(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    log = [timed(1, "WARM exit a-2"), timed(0, "NA entry a-1")]
    path.write_bytes(gzip.compress(jsonl(log)))
    (report,) = replay(path, sort="received_at", partial="end")
    assert told(report) == ["SG201 event 1"]
    assert report.findings[0].place.line == 1


def test_several_logs_are_sorted_together_and_every_place_names_its_own() -> None:
    one = [timed(0, "NA entry a-1"), timed(4, "WARM exit a-3"), body("WARM exit a-4")]
    two = [timed(6, "END"), timed(2, "WARM entry a-2"), timed(3, "WARM exit a-2"), timed(5, "END")]
    replayer = Replayer(ReplayOptions())

    reports = [*replayer.feed_sorted([("one", one), ("two", two)]), *replayer.close()]

    addresses = [
        (
            f.code,
            f.place.event,
            f.place.source,
            f.place.line,
            [(c.place.source, c.place.line) for c in f.because],
        )
        for report in reports
        for f in report.findings
    ]
    assert addresses == [
        ("SG201", 3, "one", 2, [("one", 1)]),
        ("SG201", 4, "one", 3, [("one", 1)]),
        ("SG107", 5, "two", 4, [("one", 1)]),
        ("SG201", 3, "one", 2, [("one", 1)]),
        ("SG201", 4, "one", 3, [("one", 1)]),
        ("SG107", 5, "two", 4, [("one", 1)]),
        ("SG109", 6, "two", 1, [("two", 4)]),
    ]


def test_lines_of_one_time_keep_the_order_of_the_logs_they_are_in() -> None:
    one, two = [timed(0, "NA entry a-1")], [timed(0, "NA exit a-1"), timed(0, "END")]

    assert all(
        report.valid for report in Replayer(ReplayOptions()).feed_sorted([("", one), ("", two)])
    )
    (report, *_) = Replayer(ReplayOptions()).feed_sorted([("", two), ("", one)])
    assert told(report) == ["SG101 event 0"]


# Times.


def test_times_that_are_no_iso_8601_are_read() -> None:
    times = ["11/21/2026, 01:12:24 PM", 1795266745, "1795266746", "2026-11-21T13:12:27Z"]
    log = [enveloped(text, received_at=time) for text, time in zip(CLEAN, times, strict=True)]
    (report,) = replay(log)
    assert report.clean
    assert report.metrics.duration == timedelta(seconds=3)
    assert all_told(jsonl(log).splitlines()) == [("c-1", False, [])]


def test_times_without_a_zone_are_in_the_zone_of_the_log() -> None:
    log = [
        enveloped("NA entry a-1", received_at="2026-03-02T10:00:00"),
        enveloped("NA exit a-1", received_at="2026-03-02T09:00:01Z"),
    ]
    assert all_told(log, partial="end")[0][2] == ["SG602 event 1"]
    assert all_told(log, partial="end", time_zone=ZoneInfo("Europe/Berlin"))[0][2] == []


def test_the_order_of_day_and_month_is_that_of_the_log() -> None:
    log = [
        enveloped("NA entry a-1", received_at="02/03/2026 10:00:00"),
        enveloped("NA exit a-1", received_at="2026-02-04T10:00:00Z"),
    ]
    assert all_told(log, partial="end")[0][2] == []
    assert all_told(log, partial="end", day_first=True)[0][2] == ["SG602 event 1"]


def test_a_log_may_say_how_it_writes_times() -> None:
    log = [
        enveloped("NA entry a-1", received_at="02x03x2026 10.00.00"),
        enveloped("NA exit a-1", received_at="02x03x2026 09.59.59"),
        enveloped("END", received_at="2026-03-02T10:00:01Z"),
    ]
    assert all_told(log)[0][2] == ["SG509 event 0", "SG509 event 1"]
    assert all_told(log, time_format="%dx%mx%Y %H.%M.%S")[0][2] == ["SG602 event 1"]
    with pytest.raises(ConfigurationError, match="cannot be used"):
        all_told(log, time_format="%H:%M")


def test_an_unreadable_time_is_a_finding_and_the_delivery_counts() -> None:
    log = [enveloped("NA entry a-1", received_at="soon")]
    assert all_told(log, partial="end") == [("c-1", False, ["SG509 event 0"])]


def test_a_datetime_in_a_mapping_is_a_time() -> None:
    log = [enveloped(text, received_at=NINE + timedelta(seconds=n)) for n, text in enumerate(CLEAN)]
    (report,) = replay(log)
    assert report.metrics.duration == timedelta(seconds=3)


# Sources and arguments.


def test_text_bytes_mappings_and_deliveries_are_lines_alike() -> None:
    log = lines(*CLEAN)
    text = [json.dumps(line) for line in log]
    for source in (
        text,
        [line.encode() for line in text],
        [line + "\r\n" for line in text],
        [read_line(line) for line in text],
        iter(log),
    ):
        assert all_told(source) == [("c-1", False, [])]


def test_an_open_file_is_an_iterable_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(jsonl(lines(*CLEAN)))
    with path.open("rb") as binary, path.open() as text:
        assert all_told(binary) == all_told(text) == [("c-1", False, [])]


@pytest.mark.parametrize("source", [b"log.jsonl", bytearray(), {}, None, 5, body("END")], ids=repr)
def test_what_is_no_log_is_refused_at_once(source: Any) -> None:
    with pytest.raises(ConfigurationError, match="a log must be a path or an iterable of lines"):
        replay(source)


def test_a_path_among_lines_is_no_line() -> None:
    with pytest.raises(ConfigurationError, match=r"'a\.jsonl' is a path, not a line"):
        list(replay(iter([Path("a.jsonl")])))
    with pytest.raises(ConfigurationError, match=r"'a\.jsonl' is a path, not a line"):
        list(replay([Path("a.jsonl"), "{}"]))


def test_a_list_of_paths_is_several_logs_that_tell_one_story(tmp_path: Path) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    paths[0].write_bytes(jsonl(lines(*CLEAN[:2])))
    paths[1].write_bytes(jsonl(lines(*CLEAN[2:], "END")))
    read: list[int] = []

    whole, late = replay(paths, progress=read.append)

    assert (whole.clean, whole.events, late.late) == (True, 4, True)
    assert late.findings[0].place.source == str(paths[1])
    assert read == sorted(read)
    assert read[-1] == sum(path.stat().st_size for path in paths)
    assert all_told(tuple(paths)) == all_told(tuple(paths), sort="received_at")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"since": NINE.replace(tzinfo=None)},
            "`since` must .* got a datetime without a time zone",
        ),
        (
            {"until": NINE.replace(tzinfo=None)},
            "`until` must .* got a datetime without a time zone",
        ),
        ({"since": NINE.replace(tzinfo=Nowhere())}, "`since` must .* without a time zone"),
        ({"sort": "time"}, "`sort` must be 'received_at', 'newest_first' or None, got 'time'"),
        ({"partial": "middle"}, "`partial` must be 'start', 'end', 'both' or None, got 'middle'"),
        (
            {"conversations": "c-1"},
            r'`conversations` must be a list .*conversations=\["c-1"\], got str',
        ),
        ({"time_zone": "Europe/Berlin"}, "`time_zone` must be a tzinfo, .*, got str"),
        ({"time_zone": None}, "`time_zone` must be a tzinfo, .*, got NoneType"),
        ({"policy": {}}, "`policy` must be a Policy or None, .*, got dict"),
        (
            {"since": "2026-03-02"},
            "`since` must be a datetime with a time zone or None, .*, got str",
        ),
        ({"until": 1772452800}, "`until` must be a datetime with a time zone or None, .*, got int"),
        ({"race": 5}, "`race` must be a timedelta or None, .*, got int"),
        ({"conversations": 5}, "`conversations` must be a list of strings or None, .*, got int"),
        ({"time_format": 5}, "`time_format` must be a string or None, .*%d.*, got int"),
        ({"field_mapping": "kong"}, "`field_mapping` must be a FieldMapping or None, .*, got str"),
        ({"note": "x"}, "`note` must be a function or None, got str"),
        ({"on_delivery": "x"}, "`on_delivery` must be a function or None, got str"),
        ({"progress": 5}, "`progress` must be a function or None, got int"),
    ],
    ids=repr,
)
def test_arguments_that_cannot_be_meant_are_refused_at_once(
    options: dict[str, Any],
    message: str,
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        replay([], **options)


def test_a_policy_decides_what_is_reported_early_and_late() -> None:
    log = [*lines("NA entry a-1", "END"), body("END")]
    policy = Policy(ignore=("SG109",), severity={"SG107": "note"})
    first, late = replay(log, policy=policy)
    assert [(finding.code, finding.severity) for finding in first.findings] == [("SG107", "note")]
    assert [(finding.code, finding.severity) for finding in late.findings] == [("SG107", "note")]


def test_transcription_in_a_log_is_believed_whatever_the_policy() -> None:
    log = [*lines("NA entry a-1"), action("resume a-1")]
    for mode in ("enforce", "observe"):
        (report,) = replay(log, partial="end", policy=Policy(transcription=mode))
        assert told(report) == ["SG401 action 0"]
        assert report.transcription["state"] == "active"


# Memory.


@pytest.mark.thorough
def test_a_tombstone_takes_no_more_than_it_may() -> None:
    """At most 64 bytes a conversation, its key and the table they stand in included."""

    def taken(**envelope: Any) -> float:
        number = 3000
        replayer = Replayer(ReplayOptions(window=0))
        log = [
            json.dumps(enveloped("END", conversation=f"c-{n:09}", **envelope)).encode()
            for n in range(number)
        ]
        replayer.feed(log.pop())
        gc.collect()
        tracemalloc.start()
        try:
            for line in log:
                assert replayer.feed(line) is not None
            gc.collect()
            return tracemalloc.get_traced_memory()[0] / len(log)
        finally:
            tracemalloc.stop()

    assert taken() <= 64
    assert taken(delivery_id="d-1") <= 64


def test_a_tombstone_with_all_that_it_may_hold_takes_43_bytes() -> None:
    """9 for counts, 12 for a delivery id, 7 for transcription, 11 and 4 for call and transfer."""
    replayer = Replayer(ReplayOptions())
    replayer.feed(enveloped("NA entry a-1", delivery_id="d-1"))
    called = {"conversationId": "c-1", "botId": "b-1", "status": "answered"}
    replayer.feed({"endpoint": CALL_NOTIFICATIONS.name, "body": called})
    replayer.feed(action("start a-1"))
    replayer.feed(action("end a-1"))
    assert replayer.feed(enveloped("END", delivery_id="d-9")) is not None

    tombstone = replayer._ended.get("c-1")  # noqa: SLF001 - no report shows tombstones
    assert tombstone is not None
    assert len(tombstone) == 9 + 12 + 7 + 11 + 4


@pytest.mark.thorough
def test_memory_grows_by_tombstones_only() -> None:
    def peak(number: int) -> int:
        log = (
            json.dumps(body(text, conversation=f"c-{n}")).encode()
            for n in range(number)
            for text in CLEAN
        )
        gc.collect()
        tracemalloc.start()
        try:
            assert sum(1 for _ in replay(log, window=0)) == number
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(300)
    # Up to 3,000 conversations, lists of free tuples of the interpreter grow, too.
    assert peak(6000) - peak(3000) < 3000 * 64


def test_paths_may_be_any_path_like(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(jsonl(lines(*CLEAN)))

    class Somewhere(os.PathLike[str]):
        def __fspath__(self) -> str:
            return str(path)

    assert all_told(Somewhere()) == [("c-1", False, [])]


def test_progress_counts_the_bytes_of_all_logs(tmp_path: Path) -> None:
    paths = [tmp_path / "1.jsonl", tmp_path / "2.jsonl"]
    for path in paths:
        path.write_bytes(jsonl(lines(*CLEAN)))
    counts: list[int] = []

    list(replay(paths, progress=counts.append))

    assert counts == sorted(counts)
    assert counts[-1] == sum(path.stat().st_size for path in paths)


def test_what_came_before_the_damage_is_judged_first() -> None:
    def broken() -> Iterator[Any]:
        yield from lines(*CLEAN)
        msg = "gone"
        raise UnreadableLog(msg)

    reports = Replayer(ReplayOptions()).feed_all(broken(), batch_size=64)

    assert next(reports).conversation_id == "c-1"
    with pytest.raises(UnreadableLog, match="gone"):
        next(reports)


def test_of_lines_that_are_still_to_come_none_is_waited_for() -> None:
    given: list[Any] = []

    def live() -> Iterator[Any]:
        for line in mixed(lines(*CLEAN), lines(*CLEAN, conversation="c-2")):
            given.append(line)
            yield line

    next(replay(live()))

    assert len(given) == 2 * len(CLEAN) - 1


@pytest.mark.parametrize("as_line", [json.dumps, dict], ids=["text", "mapping"])
def test_an_empty_delivery_id_is_none(as_line: Any) -> None:
    """As in a table, and live."""
    log = [enveloped(text, delivery_id="") for text in CLEAN]
    assert all_told(map(as_line, log)) == [("c-1", False, [])]
    assert told(segue.check(log)) == []


@pytest.mark.parametrize("zone", [None, Nowhere()])
def test_a_delivery_whose_time_has_no_zone_is_refused(zone: Nowhere | None) -> None:
    delivery = read_line(lines("NA entry a-1")[0])
    delivery.received_at = datetime(2026, 3, 2, 9, tzinfo=zone)
    with pytest.raises(ConfigurationError, match="received_at has no time zone"):
        list(replay([delivery]))
