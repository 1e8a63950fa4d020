"""`trace`: processes, threads, slices, instants and arrows of the Chrome trace event format."""

import json
from datetime import UTC, datetime
from typing import Any

from tests.report.export.story import COLD, SAMPLE, WARM, converted, timed

import segue
from segue.core.conversation.current import current_reports

NINE = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()) * 1_000_000
SECOND = 1_000_000


def events(lines: list[str] | list[bytes], **given: Any) -> list[dict[str, Any]]:
    document = json.loads(converted(lines, "trace", **given))
    assert document["displayTimeUnit"] == "ms"
    return list(document["traceEvents"])


def of(lines: list[str], phase: str, category: str = "") -> list[dict[str, Any]]:
    return [
        each for each in events(lines) if each["ph"] == phase and category in ("", each.get("cat"))
    ]


def test_a_conversation_is_a_process_and_an_agent_a_thread() -> None:
    assert of([*COLD, *(each.replace("c-1", "c-2") for each in WARM)], "M") == [
        {"ph": "M", "name": "process_name", "tid": 1, "args": {"name": "c-1"}, "pid": 1},
        {"ph": "M", "name": "process_labels", "tid": 1, "args": {"labels": "st-1"}, "pid": 1},
        {"ph": "M", "name": "thread_name", "tid": 1, "args": {"name": "conversation"}, "pid": 1},
        {"ph": "M", "name": "thread_name", "tid": 3, "args": {"name": "Ada (a-1)"}, "pid": 1},
        {"ph": "M", "name": "thread_name", "tid": 4, "args": {"name": "Ben (a-2)"}, "pid": 1},
        {"ph": "M", "name": "process_name", "tid": 1, "args": {"name": "c-2"}, "pid": 2},
        {"ph": "M", "name": "process_labels", "tid": 1, "args": {"labels": "st-1"}, "pid": 2},
        {"ph": "M", "name": "thread_name", "tid": 1, "args": {"name": "conversation"}, "pid": 2},
        {"ph": "M", "name": "thread_name", "tid": 2, "args": {"name": "transcription"}, "pid": 2},
        {"ph": "M", "name": "thread_name", "tid": 3, "args": {"name": "Ada (a-1)"}, "pid": 2},
        {"ph": "M", "name": "thread_name", "tid": 4, "args": {"name": "Ben (a-2)"}, "pid": 2},
    ]


def test_a_connection_is_a_slice() -> None:
    first, second = of(COLD, "X")

    assert first == {
        "ph": "X",
        "name": "primary",
        "cat": "connection",
        "tid": 3,
        "ts": NINE + 10 * SECOND,
        "dur": 50 * SECOND,
        "args": {"segment": 0, "opened_by": "NA", "closed_by": "COLD", "outcome": "transferred"},
        "pid": 1,
    }
    assert (second["tid"], second["ts"], second["dur"]) == (4, NINE + 65 * SECOND, 55 * SECOND)


def test_a_consultant_who_becomes_the_primary_has_a_slice_as_each() -> None:
    exported = [
        (each["name"], each["tid"], (each["ts"] - NINE) // SECOND, each["dur"] // SECOND)
        for each in of(WARM, "X", "connection")
    ]

    assert exported == [("primary", 3, 0, 80), ("consultant", 4, 40, 40), ("primary", 4, 80, 40)]


def test_states_of_the_transcription_are_slices_of_their_own() -> None:
    states = [
        (each["name"], each["tid"], (each["ts"] - NINE) // SECOND, each["dur"] // SECOND)
        for each in of(WARM, "X", "transcription")
    ]

    assert states == [
        ("active", 2, 5, 25),
        ("hold", 2, 30, 30),
        ("active", 2, 60, 50),
        ("ended", 2, 110, 20),
    ]


def test_events_messages_and_actions_are_instants() -> None:
    exported = [(each["cat"], each["name"], each["tid"], each["args"]) for each in of(COLD, "i")]

    assert exported == [
        ("message", "user message", 1, {"position": 0}),
        ("lifecycle", "NA entry", 3, {"position": 1}),
        ("message", "agent message", 3, {"position": 2}),
        ("lifecycle", "COLD exit", 3, {"position": 3}),
        ("lifecycle", "COLD entry", 4, {"position": 4}),
        ("lifecycle", "NA exit", 4, {"position": 5}),
        ("lifecycle", "END_OF_CONVERSATION", 1, {"position": 6}),
    ]
    assert [each["name"] for each in of(WARM, "i", "action")] == [
        "start",
        "pause handover=false",
        "resume",
        "end",
    ]


def test_texts_are_told_on_demand_only() -> None:
    [said, *_] = [each for each in events(COLD, include_text=True) if each.get("cat") == "message"]

    assert said["args"] == {"position": 0, "text": "Hello"}


def test_a_finding_is_an_instant_at_its_event() -> None:
    lines = timed("09:00:00 NA entry a-1", "09:01:00 COLD entry a-2", "09:02:00 NA exit a-2")
    early, missing = of(lines, "i", "finding")

    assert (early["name"], early["ts"]) == ("SG103 cold-entry-before-exit", NINE + 60 * SECOND)
    assert early["args"]["severity"] == "error"
    assert early["args"]["help"]
    assert "line" not in early["args"]
    assert (missing["name"], missing["ts"]) == ("SG108 missing-end", NINE + 120 * SECOND)


def test_a_transfer_is_an_arrow_between_two_slices() -> None:
    shared = {"name": "COLD transfer", "cat": "transfer", "id": 1}

    assert of(COLD, "s") == [{"ph": "s", **shared, "tid": 3, "ts": NINE + 10 * SECOND, "pid": 1}]
    assert of(COLD, "f") == [
        {"ph": "f", "bp": "e", **shared, "tid": 4, "ts": NINE + 65 * SECOND, "pid": 1}
    ]
    assert of(WARM, "s")[0]["name"] == "WARM transfer"


def test_who_has_not_left_stays_to_the_last_time_known() -> None:
    lines = timed("09:00:00 NA entry a-1", "09:01:00 user message")

    [stay] = of(lines, "X")

    assert (stay["dur"], stay["args"]["closed_by"]) == (60 * SECOND, "implied")


def test_an_empty_log_is_an_empty_list() -> None:
    assert events([]) == []


def test_the_sample_keeps_to_the_format() -> None:
    lines = SAMPLE.read_bytes().splitlines()
    exported = events(lines)

    starts = {each["id"]: each for each in exported if each["ph"] == "s"}
    ends = {each["id"]: each for each in exported if each["ph"] == "f"}
    assert starts.keys() == ends.keys() == set(range(1, len(starts) + 1))
    for number, start in starts.items():
        assert start["pid"] == ends[number]["pid"]
        assert start["ts"] <= ends[number]["ts"]
    for each in exported:
        assert each["ph"] in "MXisf"
        assert {"name", "pid", "tid"} <= each.keys()
        assert each["ph"] == "M" or each["ts"] >= NINE - 3600 * SECOND
        assert each["ph"] != "X" or each["dur"] >= 0
    names = {each["pid"] for each in exported if each["name"] == "process_name"}
    assert names == {each["pid"] for each in exported} == set(range(1, len(names) + 1))
    findings = sum(each.get("cat") == "finding" for each in exported)
    assert findings == sum(
        len(report.findings)
        for report in current_reports(segue.replay(SAMPLE))
        if report.conversation_id not in (None, "c-00054")
    )
