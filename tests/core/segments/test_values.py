"""Segments and connections as values: what they hold, hide and look like as JSON."""

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from tests.core.segments.story import START, Story, built, second

from segue.core.epoch import utc
from segue.core.events import EventKind
from segue.core.segments import Connection, Segment, for_agent


def told_by(*values: dict[str, Any]) -> Segment:
    """Return the segment of an agent who enters and drops in turn, with these events."""
    story = Story()
    kinds = [EventKind.NA_ENTRY, EventKind.NA_EXIT, EventKind.REDIAL_ENTRY]
    for kind, value in zip(kinds, values, strict=False):
        story.add(kind, "a", value=value)
    return story.segments[0]


def test_what_an_agent_never_tells_is_empty() -> None:
    segment = told_by({}, {"participant": {"name": "", "type": None}}, {})

    assert (segment.name, segment.type, segment.email) == ("", "", "")
    assert (segment.queue_id, segment.queue_name) == ("", "")
    assert (segment.experience, segment.language) == ("", "")


def test_a_segment_knows_its_agent() -> None:
    story = Story()
    story.add(
        EventKind.NA_ENTRY,
        "a",
        experience="voice",
        value={
            "language": "en",
            "participant": {
                "name": "Agent A",
                "type": "agent",
                "customFields": {"agentEmail": "a@x", "queueId": "q", "queueName": "Q", "n": 1},
            },
        },
    )
    (segment,) = story.segments
    assert (segment.agent, segment.name, segment.type) == ("a", "Agent A", "agent")
    assert (segment.email, segment.queue_id, segment.queue_name) == ("a@x", "q", "Q")
    assert (segment.experience, segment.language) == ("voice", "en")
    assert segment.custom_fields == {
        "agentEmail": "a@x", "queueId": "q", "queueName": "Q", "n": 1,
    }  # fmt: skip


def test_what_nobody_said_is_empty() -> None:
    segment = told_by({})
    assert (segment.name, segment.type, segment.email) == ("", "", "")
    assert (segment.queue_id, segment.queue_name) == ("", "")
    assert (segment.experience, segment.language) == ("", "")
    assert segment.custom_fields == {}
    assert (segment.user_messages, segment.agent_messages, segment.findings) == (0, 0, ())


def test_the_first_value_that_is_not_empty_wins_field_by_field() -> None:
    segment = told_by(
        {"participant": {"customFields": {"queueId": "", "a": 0, "b": None, "c": [], "d": {}}}},
        {"language": "en", "participant": {"name": "A", "customFields": {"queueId": "q", "a": 1}}},
        {
            "language": "de",
            "participant": {
                "name": "B",
                "type": "agent",
                "customFields": {"queueId": "r", "b": False, "c": [1], "d": {"x": 1}},
            },
        },
    )
    assert (segment.name, segment.type, segment.language) == ("A", "agent", "en")
    assert segment.queue_id == "q"
    assert segment.custom_fields == {
        "queueId": "q", "a": 0, "b": False, "c": [1], "d": {"x": 1},
    }  # fmt: skip


def test_fields_that_are_all_empty_are_none() -> None:
    segment = told_by({"participant": {"customFields": {"queueId": "", "x": None}}})
    assert segment.custom_fields == {}


def test_the_first_experience_wins() -> None:
    story = Story()
    story.add(EventKind.NA_ENTRY, "a", experience="chat")
    story.add(EventKind.NA_EXIT, "a", experience="voice")
    assert story.segments[0].experience == "chat"


def test_a_consumed_exit_tells_about_its_agent_too() -> None:
    story = built("NA entry a, NA entry b")
    story.add(EventKind.NA_EXIT, "a", value={"participant": {"name": "A"}})
    assert [segment.name for segment in story.segments] == ["A", ""]


def test_a_promotion_tells_about_its_agent_too() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a")
    story.add(EventKind.COLD_ENTRY, "b", value={"participant": {"name": "B"}})
    assert [segment.name for segment in story.segments] == ["", "B"]


def test_an_email_that_is_no_string_is_empty() -> None:
    segment = told_by({"participant": {"customFields": {"agentEmail": 5}}})
    assert segment.email == ""
    assert segment.custom_fields == {"agentEmail": 5}


def test_changing_a_handed_out_segment_does_not_change_the_builder() -> None:
    story = Story()
    story.add(EventKind.NA_ENTRY, "a", value={"participant": {"customFields": {"x": 1}}})
    fields = story.segments[0].custom_fields
    assert isinstance(fields, dict)
    fields["x"] = 2
    assert story.segments[0].custom_fields == {"x": 1}


def test_segments_do_not_change_after_they_were_handed_out() -> None:
    story = built("NA entry a")
    before = story.segments
    story.tell("user, NA exit a")
    assert before[0].is_open
    assert before[0].user_messages == 0
    with pytest.raises(FrozenInstanceError):
        before[0].name = "b"  # type: ignore[misc]


def test_a_segment_can_be_a_member_of_a_set() -> None:
    assert len({*built("NA entry a").segments, *built("NA entry a").segments}) == 1


def test_customer_data_never_shows_in_a_repr() -> None:
    segment = told_by(
        {
            "participant": {
                "customFields": {
                    "agentEmail": "secret-1",
                    "queueId": "secret-2",
                    "queueName": "secret-3",
                    "other": "secret-4",
                }
            }
        }
    )
    assert "secret" not in repr(segment)
    assert "secret" in str(segment.to_dict(include_custom_fields=True))
    assert "secret-4" not in str(segment.to_dict())


def test_codes_of_findings_are_kept_once_each_in_order() -> None:
    story = built("NA entry a, WARM entry b")
    for agent, code in [("b", "SG205"), ("a", "SG202"), ("b", "SG112"), ("b", "SG205")]:
        story.builder.flag(agent, code)
    story.builder.flag("x", "SG201")
    assert [segment.findings for segment in story.segments] == [("SG202",), ("SG205", "SG112")]


def test_a_finding_is_kept_with_the_latest_segment() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, WARM entry b")
    story.builder.flag("b", "SG202")
    assert [segment.findings for segment in story.segments] == [(), (), ("SG202",)]


def test_an_agent_sees_its_own_segments_only() -> None:
    story = built("NA entry a, WARM entry b, WARM entry A, WARM exit b, WARM entry b")
    assert [each.index for each in for_agent(story.segments, "b")] == [1, 3]
    assert [each.index for each in for_agent(story.segments, "a")] == [0]
    assert for_agent(story.segments, "x") == ()


def test_a_drop_gap_is_not_talk() -> None:
    story = built("NA entry a, NA exit a, redial entry a, NA exit a", [0, 60, 100, 130])
    (segment,) = story.segments
    assert segment.talk_time == segment.connected_time == timedelta(seconds=90)
    assert segment.to_dict()["talk_time"] == 90.0
    assert [each.connected_time for each in segment.connections] == [
        timedelta(seconds=60),
        timedelta(seconds=30),
    ]


@pytest.mark.parametrize("times", [[None, 10], [0, None], [None, None]])
def test_talk_time_needs_both_boundaries(times: list[float | None]) -> None:
    (segment,) = built("NA entry a, NA exit a", times).segments
    assert segment.talk_time is None
    assert segment.connected_time is None
    assert segment.connections[0].connected_time is None
    assert segment.to_dict()["talk_time"] is None


def test_talk_time_is_not_known_while_somebody_talks() -> None:
    (segment,) = built("NA entry a, NA exit a, redial entry a").segments
    assert segment.is_open
    assert segment.talk_time is None
    assert [each.is_open for each in segment.connections] == [False, True]


def test_the_json_of_a_connection() -> None:
    connection = Connection(2, "NA", START, 5, "COLD", second(1.5))
    assert list(connection.to_dict().items()) == [
        ("opened_by", 2),
        ("opened_kind", "NA"),
        ("started_at", "2024-05-01T12:00:00+00:00"),
        ("closed_by", 5),
        ("closed_kind", "COLD"),
        ("ended_at", "2024-05-01T12:00:01.500000+00:00"),
    ]
    assert Connection(2, "NA").to_dict() == {
        "opened_by": 2,
        "opened_kind": "NA",
        "started_at": None,
        "closed_by": None,
        "closed_kind": None,
        "ended_at": None,
    }


def test_the_json_of_a_segment() -> None:
    story = built("NA entry a, user, agent a, NA exit a, redial entry b", [None, 1, 2, 3, None])
    story.builder.flag("a", "SG205")
    first, other = (segment.to_dict() for segment in story.segments)
    assert list(first.items()) == [
        ("index", 0),
        ("agent", "a"),
        ("name", ""),
        ("type", ""),
        ("email", ""),
        ("kind", "NA"),
        ("role", "primary"),
        ("promoted_at", None),
        ("queue_id", ""),
        ("queue_name", ""),
        ("experience", ""),
        ("language", ""),
        ("previous", None),
        ("consult_of", None),
        ("resumes", None),
        ("outcome", "dropped"),
        ("connected_time", None),
        ("hold_time", None),
        ("talk_time", None),
        ("user_messages", 1),
        ("agent_messages", 1),
        ("response_times", {"count": 1, "median": 1.0, "longest": 1.0}),
        ("findings", ["SG205"]),
        (
            "connections",
            [
                {
                    "opened_by": 0,
                    "opened_kind": "NA",
                    "started_at": None,
                    "closed_by": 3,
                    "closed_kind": "NA",
                    "ended_at": "2024-05-01T12:00:03+00:00",
                }
            ],
        ),
    ]
    assert (other["previous"], other["resumes"], other["kind"]) == (0, 0, "redial")


def test_the_json_shows_custom_fields_on_demand() -> None:
    segment = told_by({"participant": {"customFields": {"x": 1}}})
    assert "custom_fields" not in segment.to_dict()
    assert segment.to_dict(include_custom_fields=True)["custom_fields"] == {"x": 1}
    keys = list(segment.to_dict(include_custom_fields=True))
    assert keys[keys.index("queue_name") + 1] == "custom_fields"


def test_a_time_near_the_end_of_the_calendar_stays_in_it() -> None:
    west = timezone(-timedelta(hours=2))
    last = datetime.max.replace(tzinfo=west)

    assert utc(last) == datetime.max.replace(tzinfo=UTC)


def test_a_hold_counts_for_every_agent_who_was_connected() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, NA exit a", [0, 25, 45, 100])
    holds = [
        ("active", second(0), second(20)),
        ("hold", second(20), second(40)),
        ("active", second(40), None),
    ]

    a, b = story.builder.segments(holds)

    assert (a.hold_time, a.talk_time) == (timedelta(seconds=20), timedelta(seconds=80))
    assert (b.hold_time, b.talk_time) == (timedelta(seconds=15), timedelta(seconds=5))
    assert a.to_dict()["hold_time"] == 20.0
