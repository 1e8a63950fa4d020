"""What the platform lists, held against a log: agents and queues, sessions, hours of operation."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.builders import Sender, message

import segue
from segue import ConfigurationError
from segue.analysis.compare import Statistics
from segue.analysis.compare.directory import Directory
from segue.analysis.compare.hours import OperatingHours
from segue.analysis.compare.sessions import SessionComparison

AGENTS = [
    {
        "id": "a-1",
        "userId": "u-1",
        "emailId": "Ada@desk.example",
        "firstName": "Ada",
        "lastName": "Lovelace",
        "queues": [{"id": "qu-1", "name": "Billing"}, {"id": 5}, "odd"],
    },
    {"id": "a-2", "nickName": "Ben", "queues": None},
]


def report(*told: tuple[str, str], queue: str = "", name: str = "c-1") -> segue.Report:
    """A conversation of agents without names: `NA entry a-1` at `09:00:00`."""
    lines = []
    for text, at in told:
        is_message = text == "user message"
        event = message("USER", "a-1") if is_message else Sender().event(text)
        if "participant" in event:
            fields = {"queueId": queue} if queue else {}
            event["participant"] = {**event["participant"], "name": "", "customFields": fields}
        told_by = event if is_message else {"events": [event]}
        body = {"conversationId": name, "botId": "st-1", **told_by}
        lines.append({"received_at": f"2026-03-02T{at}Z", "body": body})
    (found,) = segue.replay(lines, partial="end")
    return found


CALM = (("NA entry a-1", "09:00:00"), ("NA exit a-1", "09:05:00"), ("END", "09:05:10"))


# The directory.


@pytest.mark.parametrize("agent", ["a-1", "u-1", "ada@desk.EXAMPLE"])
def test_agents_and_queues_get_the_names_that_their_events_lack(agent: str) -> None:
    directory = Directory([{"results": AGENTS}], "agents.json")
    told = report((f"NA entry {agent}", "09:00:00"), queue="qu-1")

    directory.apply(told)

    (segment,) = told.segments
    assert (segment.name, segment.queue_name) == ("Ada Lovelace", "Billing")
    assert told.to_dict()["segments"][0]["name"] == "Ada Lovelace"
    assert list(directory.remarks()) == []


def test_who_is_not_listed_is_named_with_the_number_of_conversations() -> None:
    directory = Directory({"results": AGENTS}, "agents.json")
    for number in range(2):
        name = f"c-{number}"
        directory.apply(report(("NA entry a-7", "09:00:00"), queue="qu-9", name=name))
    directory.apply(report(("NA entry a-2", "09:00:00")))

    assert list(directory.remarks()) == [
        "1 agent not in agents.json, with conversations: a-7 (2)",
        "1 queue not in agents.json, with conversations: qu-9 (2)",
    ]


def test_of_many_who_are_not_listed_ten_are_named() -> None:
    directory = Directory([], "agents.json")
    for number in reversed(range(12)):
        directory.apply(report((f"NA entry b-{number:02}", "09:00:00"), queue="qu-1"))

    (remark,) = directory.remarks()
    assert remark.startswith("12 agents not in agents.json, with conversations: b-00 (1), b-01 (1)")
    assert remark.endswith("b-09 (1), and 2 more")


@pytest.mark.parametrize("document", [5, "text", None, [5], {"results": ["x"]}])
def test_a_file_of_something_else_is_refused(document: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"agents\.json"):
        Directory(document, "agents.json")


# Sessions.


def session(name: str, start: str, end: str, containment: str) -> dict[str, Any]:
    times = {"start_time": f"2026-03-02T{start}.000Z", "end_time": f"2026-03-02T{end}.000Z"}
    return {"sessionId": name, **times, "containmentType": containment}


def compared(*sessions: dict[str, Any], log: tuple[segue.Report, ...] = ()) -> dict[str, Any]:
    comparison = SessionComparison(timedelta(minutes=1))
    comparison.add_sessions({"sessions": list(sessions), "moreAvailable": False}, "sessions.json")
    for each in log or (report(*CALM),):
        comparison.add(each)
    found = {str(each.key.conversation_id): each.to_dict() for each in comparison.differences()}
    return {"same": comparison.same, **found}


def test_a_session_within_the_tolerance_is_the_same() -> None:
    assert compared(session("c-1", "08:59:30", "09:06:00", "agent")) == {"same": 1}


def test_conversations_of_two_bots_may_have_one_id() -> None:
    comparison = SessionComparison(timedelta(minutes=1))
    early = session("c-1", "09:00:00", "09:05:10", "agent") | {"botId": "st-1"}
    late = session("c-1", "11:00:00", "11:05:10", "agent") | {"botId": "st-2"}
    comparison.add_sessions([early, late], "sessions.json")
    for bot in ("st-1", "st-2"):
        one = report(*CALM)
        one.bot_id, one.keyed_by = bot, "bot"
        comparison.add(one)

    (found,) = comparison.differences()

    assert (found.key.bot_id, found.differs, comparison.same) == ("st-2", ("start", "end"), 1)


def test_the_bot_of_the_only_session_of_an_id_may_be_unknown() -> None:
    one = report(*CALM)
    one.bot_id, one.keyed_by = "st-1", "bot"

    assert compared(session("c-1", "09:00:00", "09:05:10", "agent"), log=(one,)) == {"same": 1}


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "x"])
def test_a_time_that_cannot_be_read_is_unknown(time: str) -> None:
    odd = {"sessionId": "c-1", "start_time": time, "end_time": time}

    assert compared(odd) == {"same": 1}


def test_what_only_one_side_has_is_listed() -> None:
    found = compared(session("c-2", "08:00:00", "08:10:00", "selfService"))

    assert found["same"] == 0
    assert (found["c-1"]["only_in"], found["c-1"]["session"]) == ("log", None)
    assert (found["c-2"]["only_in"], found["c-2"]["log"]) == ("sessions", None)
    assert found["c-2"]["session"] == {
        "start": "2026-03-02T08:00:00+00:00",
        "end": "2026-03-02T08:10:00+00:00",
        "has_agent": False,
    }


@pytest.mark.parametrize(
    ("start", "end", "containment", "differs"),
    [
        ("08:58:30", "09:05:10", "agent", ["start"]),
        ("09:00:00", "09:06:11", "agent", ["end"]),
        ("09:00:00", "09:05:10", "selfService", ["containment"]),
        ("09:00:00", "09:05:10", "dropOff", ["containment"]),
        ("08:00:00", "10:00:00", "dropOff", ["start", "end", "containment"]),
    ],
)
def test_start_end_and_containment_are_compared(
    start: str, end: str, containment: str, differs: list[str]
) -> None:
    assert compared(session("c-1", start, end, containment))["c-1"]["differs"] == differs


def test_a_conversation_without_an_agent_is_not_contained_by_one() -> None:
    alone = report(("user message", "09:00:00"), ("END", "09:01:00"))
    found = compared(session("c-1", "09:00:00", "09:01:00", "agent"), log=(alone,))

    assert found["c-1"]["differs"] == ["containment"]


def test_a_session_begins_with_the_first_message() -> None:
    told = report(("user message", "08:50:00"), *CALM)

    assert compared(session("c-1", "08:50:00", "09:05:10", "agent"), log=(told,)) == {"same": 1}


def test_what_a_session_does_not_say_does_not_differ() -> None:
    odd = {"sessionId": "c-1", "start_time": "soon", "end_time": None}

    assert compared(odd, {"sessionId": ""}, {}) == {"same": 1}


# Hours of operation.


def hours(*days: tuple[str, str, str], zone: str = "Europe/Berlin") -> OperatingHours:
    listed = [dict(zip(("day", "start", "end"), day, strict=True)) for day in days]
    document = {"timezone": zone, "standardDays": {"frequency": "WEEKLY", "days": listed}}
    return OperatingHours(document, "hours.json")


@pytest.mark.parametrize(
    ("at", "is_open"),
    [
        ("2026-03-02T07:59:59", False),  # a Monday; Berlin is an hour ahead
        ("2026-03-02T08:00:00", True),
        ("2026-03-02T16:29:59", True),
        ("2026-03-02T16:30:00", False),
        ("2026-03-03T10:00:00", False),
        ("2026-03-06T22:30:00", True),  # Friday night
        ("2026-03-07T00:59:59", True),
        ("2026-03-07T01:00:00", False),
        ("2026-07-06T07:00:00", True),  # summer time
    ],
)
def test_hours_are_of_their_days_in_their_zone(at: str, is_open: bool) -> None:  # noqa: FBT001
    week = hours(("MO", "09:00 AM", "5:30PM"), ("FR", "10 PM", "2:00 am"))

    assert (datetime.fromisoformat(at).replace(tzinfo=UTC) in week) is is_open


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "has no standardDays"),
        ({"standardDays": {"days": 5}}, "has no standardDays"),
        ({"standardDays": {"days": []}, "timezone": "Moon"}, "'Moon' is not a time zone"),
        ({"standardDays": {"days": []}}, "'' is not a time zone"),
        ({"standardDays": {"days": [5]}, "timezone": "UTC"}, "invalid standard day"),
        (
            {
                "standardDays": {"days": [{"day": "MO", "start": "x", "end": "y"}]},
                "timezone": "UTC",
            },
            "invalid standard day",
        ),
    ],
)
def test_hours_that_cannot_be_read_are_refused(document: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        OperatingHours(document, "hours.json")


def test_segments_that_begin_outside_hours_are_counted_by_queue() -> None:
    open_at_ten = hours(("MO", "10:00 AM", "11:00 AM"), zone="UTC")
    always = hours(("MO", "12:00 AM", "11:59 PM"), zone="UTC")
    statistics = Statistics(hours_of_queues={"": open_at_ten, "qu-1": always})
    for queue in ("qu-1", "qu-2", ""):
        statistics.add(report(*CALM, queue=queue))

    assert statistics.to_dict()["outside_hours"] == [
        {"queue": None, "segments": 1},
        {"queue": "qu-2", "segments": 1},
    ]
    assert "outside_hours" not in Statistics().to_dict()
