"""`segments`: the platform's own shape."""

import json
from typing import Any

from tests.report.export.story import COLD, REDIAL, SAMPLE, WARM, converted, timed
from tests.report.story import line

import segue
from segue.core.conversation.current import current_reports


def rows(lines: list[str], **given: Any) -> list[dict[str, Any]]:
    document = json.loads(converted(lines, "segments", **given))
    assert document["numResults"] == len(document["data"])
    assert document["hasMore"] is False
    return list(document["data"])


def test_a_cold_transfer_makes_two_segments() -> None:
    first, second = rows(COLD)

    assert first == {
        "conversationID": "c-1",
        "botId": "st-1",
        "channel": "chat",
        "segmentID": first["segmentID"],
        "segmentStartTime": "2026-03-02T09:00:10.000Z",
        "segmentEndTime": "2026-03-02T09:01:00.000Z",
        "agent": {"agentId": "a-1", "name": "Ada"},
        "queueInfo": {},
    }
    assert list(first) == [
        "conversationID",
        "botId",
        "channel",
        "segmentID",
        "segmentStartTime",
        "segmentEndTime",
        "agent",
        "queueInfo",
    ]
    assert second["agent"] == {"agentId": "a-2", "name": "Ben"}
    assert second["segmentStartTime"] == "2026-03-02T09:01:05.000Z"
    assert second["segmentEndTime"] == "2026-03-02T09:02:00.000Z"


def test_a_consultation_is_a_segment_and_a_redial_is_none() -> None:
    spans = [
        (row["agent"]["name"], row["segmentStartTime"][11:19], row["segmentEndTime"][11:19])
        for row in [*rows(WARM), *rows(REDIAL)]
    ]

    assert spans == [
        ("Ada", "09:00:00", "09:01:20"),
        ("Ben", "09:00:40", "09:02:00"),
        ("Ada", "09:00:00", "09:08:00"),
    ]


def test_ids_begin_as_the_platforms_and_never_change() -> None:
    ids = [row["segmentID"] for row in rows(COLD)]

    assert ids == [
        "ac-640d2567-fe76-8c71-8ae7-faf4daf78eba",
        "ac-e10b81b8-bbec-8059-94b2-70ba1dacafa0",
    ]


def test_the_queue_is_told() -> None:
    who = {"identity": "a-1", "name": "Ada", "type": "agent"}
    who |= {"customFields": {"queueId": "qu-1", "queueName": "Orders", "agentEmail": "a@b.example"}}  # type: ignore[dict-item]

    [row] = rows([line("NA entry a-1", at="09:00:00", participant=who)], partial="end")

    assert row["queueInfo"] == {"queueId": "qu-1", "queueName": "Orders"}
    assert row["agent"] == {"agentId": "a-1", "name": "Ada"}


def test_an_end_that_nobody_told_is_null() -> None:
    [row] = rows(timed("09:00:00 NA entry a-1"), partial="end")

    assert row["segmentEndTime"] is None


def test_an_exit_that_came_late_is_the_end_and_one_that_never_came_is_where_another_entered() -> (
    None
):
    entries = ("09:00:00 NA entry a-1", "09:01:00 COLD entry a-2")

    late = rows(timed(*entries, "09:01:20 COLD exit a-1", "09:02:00 NA exit a-2", "09:02:10 END"))
    never = rows(timed(*entries, "09:02:00 NA exit a-2", "09:02:10 END"))

    assert [row["segmentEndTime"][11:19] for row in late] == ["09:01:20", "09:02:00"]
    assert [row["segmentEndTime"][11:19] for row in never] == ["09:01:00", "09:02:00"]


def test_times_are_in_utc_and_cut_to_milliseconds() -> None:
    body = json.loads(line("NA entry a-1", at="09:00:00"))
    body["received_at"] = "2026-03-02T09:00:00.987654+02:00"

    [row] = rows([json.dumps(body)])

    assert row["segmentStartTime"] == "2026-03-02T07:00:00.987Z"


def test_a_log_without_segments_is_an_empty_list() -> None:
    assert rows([]) == []
    assert rows([line("user message", at="09:00:00")]) == []


def test_every_segment_of_the_sample_is_told() -> None:
    data = json.loads(converted(SAMPLE.read_bytes().splitlines(), "segments"))["data"]

    exported = [(row["conversationID"], row["agent"]["agentId"]) for row in data]
    assert exported == [
        (report.conversation_id, segment.agent)
        for report in current_reports(segue.replay(SAMPLE))
        for segment in report.segments
    ]
    assert len({row["segmentID"] for row in data}) == len(data) == 124
