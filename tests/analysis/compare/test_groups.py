"""Metrics by agent, queue, bot and hour, and agents in two voice conversations at once."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.builders import body, end, message, transfer

import segue
from segue.analysis.compare import Figures, Grouping, Statistics


def line(at: str, *events: Any, conversation: str = "c-1", bot: str = "st-1") -> dict[str, Any]:
    said = {**body(*events), "conversationId": conversation, "botId": bot}
    return {"received_at": f"2026-03-02T{at}Z", "body": said}


def stay(
    agent: str, start: str, leave: str, queue: str = "", *, kind: str = "voice", **ids: str
) -> list[dict[str, Any]]:
    """Return a conversation that one agent holds, and that ends with it."""
    fields = {"queueId": queue} if queue else {}
    participant = {"identity": agent, "name": "", "type": "agent", "customFields": fields}
    more = {"participant": participant, "experience": kind}
    return [
        line(start, transfer("NA entry", agent, **more), **ids),
        line(leave, transfer("NA exit", agent, **more), **ids),
        line(leave, end(experience=kind), **ids),
    ]


def counted(
    lines: list[Any],
    by: Grouping | None = None,
    zone: str = "UTC",
    figures: Figures = "best",
) -> dict[str, Any]:
    statistics = Statistics(time_zone=ZoneInfo(zone), by=by, figures=figures)
    for report in segue.replay(lines):
        statistics.add(report)
    return statistics.to_dict()


LOG = [
    *stay("a-1", "09:00:00", "09:01:00", "q-1", conversation="c-1"),
    *stay("a-1", "10:00:00", "10:03:00", "q-2", conversation="c-2"),
    *stay("a-2", "10:30:00", "10:30:20", conversation="c-3", bot="st-2"),
]


@pytest.mark.parametrize(
    ("by", "zone", "groups"),
    [
        ("agent", "UTC", [("a-1", 2, 120), ("a-2", 1, 20)]),
        ("queue", "UTC", [(None, 1, 20), ("q-1", 1, 60), ("q-2", 1, 180)]),
        ("bot", "UTC", [("st-1", 2, 120), ("st-2", 1, 20)]),
        ("hour", "UTC", [(9, 1, 60), (10, 2, 100)]),
        ("hour", "Asia/Tokyo", [(18, 1, 60), (19, 2, 100)]),
    ],
)
def test_conversations_are_measured_by_what_they_have_in_common(
    by: Grouping, zone: str, groups: list[Any]
) -> None:
    found = counted(LOG, by, zone)
    measured = [
        (
            each[by],
            each["conversations"],
            next(one["mean"] for one in each["metrics"] if one["metric"] == "duration"),
        )
        for each in found["groups"]
    ]
    assert (found["by"], measured) == (by, groups)


def test_an_agent_without_a_queue_leaves_a_conversation_in_the_queue_of_the_others() -> None:
    lines = stay("a-1", "09:00:00", "09:05:00", "q-1")
    lines.insert(1, line("09:01:00", transfer("WARM entry", "a-2")))
    groups = counted(lines, "queue")["groups"]
    assert [(each["queue"], each["conversations"]) for each in groups] == [("q-1", 1)]


def test_a_conversation_counts_for_each_of_its_agents() -> None:
    lines = [
        line("09:00:00", transfer("NA entry", "a-1")),
        line("09:00:10", transfer("COLD exit", "a-1")),
        line("09:00:12", transfer("COLD entry", "a-2")),
    ]
    groups = counted(lines, "agent")["groups"]
    assert [(each["agent"], each["conversations"]) for each in groups] == [("a-1", 1), ("a-2", 1)]


def test_a_conversation_without_an_agent_or_a_time_is_a_group_of_its_own() -> None:
    lines = [{"body": body(message("USER", "")) | {"conversationId": "c-1", "botId": "st-1"}}]
    for by in ("agent", "queue", "hour"):
        assert [(each[by], each["conversations"]) for each in counted(lines, by)["groups"]] == [
            (None, 1)
        ]


def test_without_a_grouping_there_are_no_groups() -> None:
    assert "groups" not in counted(LOG)


def overlaps(*lines: list[dict[str, Any]], figures: Figures = "best") -> list[Any]:
    log = [each for some in lines for each in some]
    found = counted(log, figures=figures)["voice_overlaps"]
    return [
        (
            each["agent"],
            [name["conversation_id"] for name in each["conversations"]],
            each["start"][11:19],
            each["end"][11:19],
            each["seconds"],
        )
        for each in found
    ]


def test_an_agent_in_two_voice_conversations_is_listed() -> None:
    found = overlaps(
        stay("a-1", "09:00:00", "09:10:00", conversation="c-1"),
        stay("a-1", "09:08:00", "09:09:00", conversation="c-2"),
        stay("a-1", "09:10:00", "09:12:00", conversation="c-3"),
        stay("a-2", "09:00:00", "09:10:00", conversation="c-4"),
    )
    assert found == [("a-1", ["c-1", "c-2"], "09:08:00", "09:09:00", 60)]


def test_chats_at_the_same_time_are_not_listed() -> None:
    chat = stay("a-1", "09:00:00", "09:10:00", kind="chat", conversation="c-1")
    assert overlaps(chat, stay("a-1", "09:01:00", "09:02:00", conversation="c-2")) == []


def test_a_connection_without_an_exit_is_in_no_overlap() -> None:
    open_ended = stay("a-1", "09:00:00", "09:10:00", conversation="c-1")
    del open_ended[1]
    assert overlaps(open_ended, stay("a-1", "09:01:00", "09:02:00", conversation="c-2")) == []


def test_a_stay_that_an_early_end_cut_off_counts_as_mended() -> None:
    """END came at the drop: the second connection of a-1 is after it, as told."""
    told = stay("a-1", "09:00:00", "09:10:00", conversation="c-1")
    again = line("09:12:00", transfer("redial entry", "a-1", experience="voice"))
    left = line("09:20:00", transfer("NA exit", "a-1", experience="voice"))
    early = [*told, again, left, line("09:20:00", end(experience="voice"))]
    other = stay("a-1", "09:15:00", "09:16:00", conversation="c-2")

    found = [("a-1", ["c-1", "c-2"], "09:15:00", "09:16:00", 60)]
    assert overlaps(early, other) == overlaps(early, other, figures="mended") == found
    assert overlaps(early, other, figures="told") == []


def closed(seconds: list[float], bot: str = "st-1") -> list[dict[str, Any]]:
    """Return conversations whose END comes so many seconds after the exit."""
    lines = []
    for number, wait in enumerate(seconds):
        ids = {"conversation": f"{bot}/{number}", "bot": bot}
        lines += stay("a-1", "09:00:00", "09:01:00", kind="chat", **ids)[:2]
        lines.append(line(f"09:01:{wait:09.6f}", end(experience="chat"), **ids))
    return lines


def told(found: dict[str, Any]) -> dict[str, float]:
    return {each["metric"]: each["mean"] for each in found["metrics"]}


def test_a_sender_whose_end_comes_with_the_exit_does_not_tell_of_wrap_up() -> None:
    found = counted(closed([0, 1] * 10))

    assert found["untold"] == ["wrapup_time"]
    assert "wrapup_time" not in told(found)
    assert told(found)["handle_time"] == 60.5


@pytest.mark.parametrize(
    ("seconds", "mean"), [([0, 1] * 9 + [0], 9 / 19), ([0] * 19 + [1.5], 0.075), ([30] * 20, 30)]
)
def test_wrap_up_is_told_by_a_later_end_and_by_few_conversations(
    seconds: list[float], mean: float
) -> None:
    found = counted(closed(seconds))

    assert found["untold"] == []
    assert told(found)["wrapup_time"] == pytest.approx(mean, abs=1e-6)


def test_each_bot_has_habits_of_its_own() -> None:
    found = counted(closed([0] * 20) + closed([30] * 20, "st-2"), by="bot")

    assert found["untold"] == []
    assert [(each["bot"], each["untold"]) for each in found["groups"]] == [
        ("st-1", ["wrapup_time"]),
        ("st-2", []),
    ]
