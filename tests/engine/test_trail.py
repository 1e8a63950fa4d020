"""The trail keeps every moment, finds the latest of an agent, and survives being saved."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from segue.engine.history import REPEATED, SAID, SILENT, Entry, Moment, Told, Trail
from segue.events import EventKind
from segue.lifecycle import Decision, Effect, Phase

KNOWN = {"a-1": 0, "a-2": 1}
NINE = datetime(2026, 3, 2, 9, 0, 0, 123_456, tzinfo=UTC)

A_COMES = Decision(Phase.WAITING, EventKind.NA_ENTRY, Phase.ACTIVE, Effect.TAKE, None, True)  # noqa: FBT003
B_JOINS = Decision(Phase.ACTIVE, EventKind.WARM_ENTRY, Phase.CONSULTING, Effect.JOIN, None, True)  # noqa: FBT003
EARLY = Decision(Phase.CONSULTING, EventKind.SUMMARY, Phase.CONSULTING, Effect.NONE, "SG106", False)  # noqa: FBT003
A_GOES = Decision(Phase.CONSULTING, EventKind.NA_EXIT, Phase.RELEASED, Effect.RELEASE, None, False)  # noqa: FBT003


NOTHING: dict[str, Any] = {}


def told(**participant: Any) -> dict[str, Any]:
    return {"participant": participant, "language": "en"}


def trail() -> Trail:
    kept = Trail()
    first = told(identity="a-1", name="Ann", secret="x")  # noqa: S106
    kept.enter(0, 3, NINE, A_COMES.stamp, SILENT, 0, first, "chat")
    kept.user_messages += 2
    kept.agent_messages += 1
    kept.enter(4, None, None, B_JOINS.stamp, SILENT, 1, told(identity="a-2"), "chat")
    kept.aside(1)
    kept.aside(1)
    kept.enter(5, 9, None, EARLY.stamp, SAID, None, NOTHING, "")
    kept.enter(7, 11, None, A_GOES.stamp, SILENT, 0, first, "chat")
    kept.user_messages += 1
    return kept


def test_moments_come_back_as_they_went_in() -> None:
    assert list(trail().moments(KNOWN)) == [
        Moment(0, EventKind.NA_ENTRY, "a-1", 3),
        Moment(4, EventKind.WARM_ENTRY, "a-2", None),
        Moment(5, EventKind.SUMMARY, "", 9),
        Moment(7, EventKind.NA_EXIT, "a-1", 11),
    ]
    assert len(trail()) == 4


def test_the_latest_moment_of_each_agent_in_order() -> None:
    assert [moment.position for moment in trail().latest(KNOWN, "a-1", "a-2")] == [4, 7]
    assert [moment.position for moment in trail().latest(KNOWN, "a-2", None, "a-9")] == [4]
    assert trail().latest(KNOWN) == []


def test_the_last_moment_of_all() -> None:
    last = trail().last(KNOWN)

    assert last is not None
    assert last.position == 7
    assert Trail().last(KNOWN) is None


def test_a_moment_is_evidence() -> None:
    first, _, third, _ = trail().moments(KNOWN)

    assert (first.cause.text, first.cause.place.line) == ("NA entry of a-1", 3)
    assert third.cause.text == "TRIGGER_SUMMARY_EVENT"


def test_entries_say_what_was_decided_told_and_said() -> None:
    ann = Told({"identity": "a-1", "name": "Ann", "secret": "x"}, "en", "chat")
    bob = Told({"identity": "a-2"}, "en", "chat")

    assert list(trail().entries(KNOWN)) == [
        Entry(0, 0, [], 0, NINE, A_COMES, SILENT, "a-1", ann),
        Entry(2, 1, [], 4, None, B_JOINS, SILENT, "a-2", bob),
        Entry(0, 0, [("a-2", 2)], 5, None, EARLY, SAID, "", None),
        Entry(0, 0, [], 7, None, A_GOES, SILENT, "a-1", ann),
    ]
    assert trail().tail(KNOWN) == (1, 0, [])


def test_connections_are_counted_by_agent() -> None:
    assert [trail().stays(agent) for agent in (0, 1, 2)] == [1, 1, 0]


def test_connections_of_many_agents_are_counted() -> None:
    kept = Trail()
    for agent in (0, 1, 2, 2, 3):
        kept.enter(0, None, None, A_COMES.stamp, SILENT, agent, NOTHING, "")

    assert [kept.stays(agent) for agent in range(5)] == [1, 1, 2, 1, 0]


def test_what_an_agent_tells_is_news_for_this_agent_only() -> None:
    kept = Trail()
    for position, agent in enumerate((0, 1, 0, 1, 1, 0)):
        said = told(identity=f"a-{agent + 1}")
        kept.enter(position, None, None, A_COMES.stamp, SILENT, agent, said, "chat")

    assert list(kept.news) == [0, 1]


def test_a_decision_is_looked_up_by_its_stamp_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions are remembered by stamp: with agents in it, there would be no end of them."""
    kept, asked = Trail(), list[int]()
    for agent, verdict in ((0, SILENT), (1, SAID), (2, REPEATED), (None, SAID)):
        kept.enter(0, None, None, A_COMES.stamp, verdict, agent, NOTHING, "")

    def of(stamp: int) -> Decision:
        asked.append(stamp)
        return A_COMES

    monkeypatch.setattr(Decision, "of", of)
    names = {"a-1": 0, "a-2": 1, "a-3": 2}
    assert [entry.verdict for entry in kept.entries(names)] == [SILENT, SAID, REPEATED, SAID]
    assert [moment.agent for moment in kept.moments(names)] == ["a-1", "a-2", "a-3", ""]
    assert asked == [A_COMES.stamp] * 8


def test_only_news_are_kept_of_what_agents_tell() -> None:
    kept = Trail()
    for position, name in enumerate(("Ann", "Ann", "Anne", "Ann")):
        said = told(identity="a-1", name=name)
        kept.enter(position, None, None, A_COMES.stamp, SILENT, 0, said, "chat")

    assert list(kept.news) == [0, 2, 3]


def test_news_that_nobody_shows_are_not_saved() -> None:
    kept = Trail()
    for position, secret in enumerate("xy"):
        said = told(identity="a-1", secret=secret)
        kept.enter(position, None, None, A_COMES.stamp, SILENT, 0, said, "chat")

    assert len(kept.news) == 2
    assert kept.to_json()["told"] == [[0, {"identity": "a-1"}, "en", "chat"]]


def learned(identity: str) -> Told:
    kept = Trail()
    for _ in range(2):
        said = told(identity=identity, name="Bea")
        kept.enter(0, None, None, A_COMES.stamp, SILENT, 0, said, "chat")
    (news,) = kept.news.values()
    return news


def test_what_an_agent_tells_in_many_conversations_is_kept_once() -> None:
    first = learned("b")

    assert learned("b") is first
    for number in range(1_000):  # so many are remembered
        learned(f"b-{number}")
    assert learned("b") is not first
    assert learned("b") == first


def test_a_participant_that_is_none_tells_nothing() -> None:
    kept = Trail()
    kept.enter(0, None, None, A_COMES.stamp, SILENT, 0, {"participant": ["a-1"]}, "")

    assert kept.news == {0: Told({}, None, "")}


def test_times_at_the_ends_of_the_calendar_are_kept() -> None:
    last, first = datetime.max, datetime.min  # noqa: DTZ901 - made aware below
    west, east = timezone(timedelta(hours=-2)), timezone(timedelta(hours=2))
    for at, expected in (
        (last.replace(tzinfo=UTC), last),
        (first.replace(tzinfo=UTC), first),
        (last.replace(tzinfo=west), last),  # there is no later time in UTC
        (first.replace(tzinfo=east), first),
    ):
        kept = Trail()
        kept.enter(0, None, at, A_COMES.stamp, SILENT, 0, NOTHING, "")

        assert [entry.at for entry in kept.entries(KNOWN)] == [expected.replace(tzinfo=UTC)]


def test_a_saved_trail_is_the_same_but_for_what_nobody_shows() -> None:
    saved = trail().to_json()
    again = Trail.from_json(saved)

    assert list(again.moments(KNOWN)) == list(trail().moments(KNOWN))
    assert [again.stays(agent) for agent in (0, 1)] == [1, 1]
    assert again.tail(KNOWN) == (1, 0, [])
    assert next(again.entries(KNOWN)).told == Told({"identity": "a-1", "name": "Ann"}, "en", "chat")
    assert [entry._replace(told=None) for entry in again.entries(KNOWN)] == [
        entry._replace(told=None) for entry in trail().entries(KNOWN)
    ]
    assert again.to_json() == saved


def test_times_beyond_the_ends_of_the_calendar_are_its_ends() -> None:
    east, west = timezone(timedelta(hours=1)), timezone(-timedelta(hours=1))
    kept = Trail()
    for time in (datetime.max.replace(tzinfo=west), datetime.min.replace(tzinfo=east)):
        kept.enter(0, None, time, A_COMES.stamp, SILENT, 0, NOTHING, "")

    assert [entry.at for entry in kept.entries(KNOWN)] == [
        datetime.max.replace(tzinfo=UTC),
        datetime.min.replace(tzinfo=UTC),
    ]


def test_a_finding_looks_back_so_far_and_no_further() -> None:
    kept = Trail()
    kept.enter(0, None, None, A_COMES.stamp, SILENT, 0, NOTHING, "")
    for position in range(1, 1_000):
        kept.enter(position, None, None, B_JOINS.stamp, SILENT, 1, NOTHING, "")

    assert [moment.position for moment in kept.latest(KNOWN, "a-1", "a-2")] == [0, 999]
    kept.enter(1_000, None, None, B_JOINS.stamp, SILENT, 1, NOTHING, "")
    assert [moment.position for moment in kept.latest(KNOWN, "a-1", "a-2")] == [1_000]


def test_a_saved_trail_counts_the_connections_of_each_agent() -> None:
    kept = Trail()
    for agent in (0, 1, 0, 0, None):
        kept.enter(0, None, None, A_COMES.stamp, SILENT, agent, NOTHING, "")
    kept.enter(0, None, None, A_GOES.stamp, SILENT, 1, NOTHING, "")

    for each in (kept, Trail.from_json(kept.to_json())):
        assert [each.stays(agent) for agent in (0, 1)] == [3, 1]


def test_what_an_agent_tells_again_is_saved_once() -> None:
    kept = Trail()
    for position, (agent, secret) in enumerate([(0, "x"), (1, "x"), (0, "y"), (1, "y")]):
        name = f"a-{agent + 1}"
        decision = A_COMES if position < 2 else A_GOES
        said = told(identity=name, secret=secret)
        kept.enter(position, None, None, decision.stamp, SILENT, agent, said, "chat")

    assert list(kept.news) == [0, 1, 2, 3]
    assert [row for row, *_ in kept.to_json()["told"]] == [0, 1]
    again = Trail.from_json(kept.to_json())
    again.enter(9, None, None, A_GOES.stamp, SILENT, 1, told(identity="a-2"), "chat")
    assert list(again.news) == [0, 1]
