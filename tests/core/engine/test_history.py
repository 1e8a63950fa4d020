"""The trail keeps every moment, finds the latest of an agent, and survives being saved."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from segue.core.engine import State, new
from segue.core.engine.agents import HEAD, ParticipantInfo
from segue.core.engine.history import (
    HistoryEvent,
    HistoryRow,
    MessageRun,
    events_of,
    last_event,
    latest_events,
    rows_of,
    runs_of,
)
from segue.core.engine.snapshot import dump, forget_history, load
from segue.core.engine.state import DUPLICATE, REPORTED, UNREPORTED, Facts
from segue.core.events import Delivery, Event, EventKind
from segue.core.lifecycle import Decision, Phase, Presence, PresenceEffect
from segue.core.lifecycle.table import Cell

NINE = datetime(2026, 3, 2, 9, 0, 0, 123_456, tzinfo=UTC)
LATER = NINE + timedelta(minutes=1)


def decided(
    phase: Phase,
    kind: EventKind,
    to: Phase,
    effect: PresenceEffect,
    code: str | None,
    *,
    connects: bool,
) -> Decision:
    cell = Cell(to, code, effect, doubts=False, connects=connects)
    return Decision.make(phase, kind, cell, is_reported=True)


def known(*agents: str) -> State:
    """Return a state that knows agents, and nothing of them."""
    state = new("c-1")
    for number, agent in enumerate(agents):
        state.agents[agent] = HEAD.pack(number, 0, 0)
    return state


def enter(  # noqa: PLR0913, PLR0917 - the columns of a row
    state: State,
    position: int,
    line: int | None,
    at: datetime | None,
    decision: Decision,
    verdict: int,
    agent: int | None,
    value: dict[str, Any],
    experience: str,
) -> None:
    event = Event(decision.kind, "", experience, value, "")
    state.latest = at
    delivery = Delivery("c-1", "st-1", (event,), received_at=at, line=line)
    name = "" if agent is None else tuple(state.agents)[agent]
    facts = Facts(state, delivery, position, agent=name, number=agent)
    facts.kind, facts.delivery_number = decision.kind, -1 if line is None else line
    state.append(facts, event, decision, verdict)


def says(
    state: State,
    position: int,
    kind: EventKind,
    agent: int | None,
    at: datetime | None = None,
    *,
    name: str = "",
) -> None:
    """Add a message."""
    state.latest = at
    sent = Event(kind, name, "chat", {}, "")
    delivery = Delivery("c-1", "st-1", (sent,), received_at=at)
    facts = Facts(state, delivery, position, kind=kind, agent=name, number=agent)
    facts.delivery_number = ~position
    state.add_message(facts)


def restored(state: State) -> State:
    return load(dump(state))


def saved_of_agents(state: State) -> list[list[Any]]:
    """Return what is saved of agents: number of the row, participant, language, experience."""
    saved: list[list[Any]] = json.loads(dump(state)[8:])["history"]["participants"]
    return saved


def news(state: State) -> list[int]:
    """Return the numbers of the rows that bring something new of an agent."""
    return [row for row, *_ in saved_of_agents(state)]


A_COMES = decided(
    Phase.WAITING, EventKind.NA_ENTRY, Phase.ACTIVE, PresenceEffect.TAKE, None, connects=True
)
B_JOINS = decided(
    Phase.ACTIVE, EventKind.WARM_ENTRY, Phase.CONSULTING, PresenceEffect.JOIN, None, connects=True
)
EARLY = decided(
    Phase.CONSULTING,
    EventKind.SUMMARY,
    Phase.CONSULTING,
    PresenceEffect.NONE,
    "SG106",
    connects=False,
)
A_GOES = decided(
    Phase.CONSULTING,
    EventKind.NA_EXIT,
    Phase.RELEASED,
    PresenceEffect.RELEASE,
    None,
    connects=False,
)


NOTHING: dict[str, Any] = {}


def told(**participant: Any) -> dict[str, Any]:
    return {"participant": participant, "language": "en"}


def history() -> State:
    kept = known("a-1", "a-2")
    first = told(identity="a-1", name="Ann", secret="x")  # noqa: S106
    enter(kept, 0, 3, NINE, A_COMES, UNREPORTED, 0, first, "chat")
    kept.presence = Presence(Phase.CONSULTING, primary=0, consultants=(1,), agents=2)
    says(kept, 1, EventKind.USER_MESSAGE, None, NINE)
    says(kept, 2, EventKind.AGENT_MESSAGE, 0)
    says(kept, 3, EventKind.USER_MESSAGE, 1)
    enter(kept, 4, None, None, B_JOINS, UNREPORTED, 1, told(identity="a-2"), "chat")
    says(kept, 5, EventKind.AGENT_MESSAGE, 1, NINE)
    says(kept, 6, EventKind.AGENT_MESSAGE, 1, LATER)
    says(kept, 7, EventKind.AGENT_MESSAGE, 2, name="a-3")  # no lifecycle event has named it
    says(kept, 8, EventKind.MESSAGE, None)
    says(kept, 9, EventKind.MESSAGE, 0)  # whose author is not known
    enter(kept, 10, 9, None, EARLY, REPORTED, None, NOTHING, "")
    enter(kept, 12, 11, None, A_GOES, UNREPORTED, 0, first, "chat")
    says(kept, 13, EventKind.USER_MESSAGE, None)
    return kept


def test_moments_come_back_as_they_went_in() -> None:
    assert list(events_of(history())) == [
        HistoryEvent(0, EventKind.NA_ENTRY, "a-1", 3),
        HistoryEvent(4, EventKind.WARM_ENTRY, "a-2", ~0),
        HistoryEvent(10, EventKind.SUMMARY, "", 9),
        HistoryEvent(12, EventKind.NA_EXIT, "a-1", 11),
    ]
    assert history().messages == 9


def test_the_latest_moment_of_each_agent_in_order() -> None:
    assert [moment.position for moment in latest_events(history(), "a-1", "a-2")] == [4, 12]
    assert [moment.position for moment in latest_events(history(), "a-2", "", "a-9")] == [4]
    assert latest_events(history()) == []


def test_the_last_moment_of_all() -> None:
    last = last_event(history())

    assert last is not None
    assert last.position == 12
    assert last_event(new("c-1")) is None


def test_a_moment_is_evidence() -> None:
    first, _, third, _ = events_of(history())

    assert (first.cause.text, first.cause.place.line) == ("NA entry of a-1", 3)
    assert third.cause.text == "TRIGGER_SUMMARY_EVENT"


def test_entries_say_what_was_decided_told_and_said() -> None:
    ann = ParticipantInfo({"identity": "a-1", "name": "Ann"}, "en", "chat")
    bob = ParticipantInfo({"identity": "a-2"}, "en", "chat")

    assert list(rows_of(history())) == [
        HistoryRow(0, NINE, A_COMES, UNREPORTED, "a-1", ann),
        HistoryRow(4, None, B_JOINS, UNREPORTED, "a-2", bob),
        HistoryRow(10, None, EARLY, REPORTED, "", None),
        HistoryRow(12, None, A_GOES, UNREPORTED, "a-1", ann),
    ]


RUNS = [
    MessageRun(EventKind.USER_MESSAGE, "", 1, 1, ~1, NINE, NINE),
    MessageRun(EventKind.AGENT_MESSAGE, "a-1", 2, 1, ~2, None, None),
    MessageRun(EventKind.USER_MESSAGE, "", 3, 1, ~3, None, None),
    MessageRun(EventKind.AGENT_MESSAGE, "a-2", 5, 2, ~5, NINE, LATER),
    MessageRun(EventKind.AGENT_MESSAGE, "a-3", 7, 1, ~7, None, None),
    MessageRun(EventKind.MESSAGE, "", 8, 2, ~8, None, None),
    MessageRun(EventKind.USER_MESSAGE, "", 13, 1, ~13, None, None),
]


def test_consecutive_messages_of_one_author_are_a_run() -> None:
    assert list(runs_of(history())) == RUNS
    assert history().run_count == 7


def test_connections_are_counted_by_agent() -> None:
    assert [history().connection_count(f"a-{number}") for number in (1, 2, 3)] == [1, 1, 0]


def test_connections_of_many_agents_are_counted() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4")
    for agent in (0, 1, 2, 2, 3):
        enter(kept, 0, None, None, A_COMES, UNREPORTED, agent, NOTHING, "")

    assert [kept.connection_count(f"a-{number}") for number in range(1, 6)] == [1, 1, 2, 1, 0]


def test_what_an_agent_tells_is_news_for_this_agent_only() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for position, agent in enumerate((0, 1, 0, 1, 1, 0)):
        said = told(identity=f"a-{agent + 1}")
        enter(kept, position, None, None, A_COMES, UNREPORTED, agent, said, "chat")

    assert news(kept) == [0, 1]


def test_rows_keep_their_verdict_and_their_agent() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for agent, verdict in ((0, UNREPORTED), (1, REPORTED), (2, DUPLICATE), (None, REPORTED)):
        enter(kept, 0, None, None, A_COMES, verdict, agent, NOTHING, "")

    verdicts = [UNREPORTED, REPORTED, DUPLICATE, REPORTED]
    assert [row.verdict for row in rows_of(kept)] == verdicts
    assert [event.agent for event in events_of(kept)] == ["a-1", "a-2", "a-3", ""]
    assert {row.decision for row in rows_of(kept)} == {A_COMES}


def test_a_duplicate_connects_nobody() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for verdict in (UNREPORTED, DUPLICATE):
        enter(kept, 0, None, None, A_COMES, verdict, 0, NOTHING, "")

    for each in (kept, restored(kept)):
        assert each.connection_count("a-1") == 1


def test_only_news_are_kept_of_what_agents_tell() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for position, name in enumerate(("Ann", "Ann", "Anne", "Ann")):
        said = told(identity="a-1", name=name)
        enter(kept, position, None, None, A_COMES, UNREPORTED, 0, said, "chat")

    assert news(kept) == [0, 2, 3]


def test_news_that_nobody_shows_are_not_saved() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for position, secret in enumerate("xy"):
        said = told(identity="a-1", secret=secret)
        enter(kept, position, None, None, A_COMES, UNREPORTED, 0, said, "chat")

    assert saved_of_agents(kept) == [[0, {"identity": "a-1"}, "en", "chat"]]


def test_a_participant_that_is_none_tells_nothing() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    enter(kept, 0, None, None, A_COMES, UNREPORTED, 0, {"participant": ["a-1"]}, "")

    assert [row.info for row in rows_of(kept)] == [ParticipantInfo({}, None, "")]
    assert saved_of_agents(kept) == [[0, {}, None, ""]]


def test_times_at_the_ends_of_the_calendar_are_kept() -> None:
    last, first = datetime.max, datetime.min  # noqa: DTZ901 - made aware below
    west, east = timezone(timedelta(hours=-2)), timezone(timedelta(hours=2))
    for at, expected in (
        (last.replace(tzinfo=UTC), last),
        (first.replace(tzinfo=UTC), first),
        (last.replace(tzinfo=west), last),  # there is no later time in UTC
        (first.replace(tzinfo=east), first),
    ):
        kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
        enter(kept, 0, None, at, A_COMES, UNREPORTED, 0, NOTHING, "")

        assert [entry.at for entry in rows_of(kept)] == [expected.replace(tzinfo=UTC)]


def test_a_saved_history_is_the_same() -> None:
    saved = dump(history())
    again = load(saved)

    assert list(rows_of(again)) == list(rows_of(history()))
    assert list(events_of(again)) == list(events_of(history()))
    assert [again.connection_count(agent) for agent in ("a-1", "a-2")] == [1, 1]
    assert list(runs_of(again)) == RUNS
    assert next(rows_of(again)).info == ParticipantInfo(
        {"identity": "a-1", "name": "Ann"}, "en", "chat"
    )
    assert dump(again) == saved


def test_times_beyond_the_ends_of_the_calendar_are_its_ends() -> None:
    east, west = timezone(timedelta(hours=1)), timezone(-timedelta(hours=1))
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for time in (datetime.max.replace(tzinfo=west), datetime.min.replace(tzinfo=east)):
        enter(kept, 0, None, time, A_COMES, UNREPORTED, 0, NOTHING, "")

    assert [entry.at for entry in rows_of(kept)] == [
        datetime.max.replace(tzinfo=UTC),
        datetime.min.replace(tzinfo=UTC),
    ]


def test_a_finding_looks_back_as_far_as_it_has_to() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    enter(kept, 0, None, None, A_COMES, UNREPORTED, 0, NOTHING, "")
    for position in range(1, 2_000):
        enter(kept, position, None, None, B_JOINS, UNREPORTED, 1, NOTHING, "")

    assert [moment.position for moment in latest_events(kept, "a-1", "a-2")] == [0, 1_999]


def test_the_latest_moments_are_known_when_the_trail_is_elsewhere() -> None:
    kept = history()
    forget_history(kept)
    assert [moment.position for moment in latest_events(kept, "a-1", "a-2")] == [4, 12]
    assert last_event(kept) == HistoryEvent(12, EventKind.NA_EXIT, "a-1", 11)
    assert list(runs_of(kept)) == []

    enter(kept, 14, None, None, B_JOINS, UNREPORTED, 1, told(identity="a-2"), "chat")

    assert [moment.position for moment in latest_events(kept, "a-1", "a-2")] == [12, 14]
    assert last_event(kept) == HistoryEvent(14, EventKind.WARM_ENTRY, "a-2", ~0)
    assert len(list(events_of(kept))) == 1


def test_a_saved_trail_counts_the_connections_of_each_agent() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for agent in (0, 1, 0, 0, None):
        enter(kept, 0, None, None, A_COMES, UNREPORTED, agent, NOTHING, "")
    enter(kept, 0, None, None, A_GOES, UNREPORTED, 1, NOTHING, "")

    for each in (kept, restored(kept)):
        assert [each.connection_count(agent) for agent in ("a-1", "a-2")] == [3, 1]


def test_what_an_agent_tells_again_is_saved_once() -> None:
    kept = known("a-1", "a-2", "a-3", "a-4", "a-5")
    for position, (agent, secret) in enumerate([(0, "x"), (1, "x"), (0, "y"), (1, "y")]):
        name = f"a-{agent + 1}"
        decision = A_COMES if position < 2 else A_GOES
        said = told(identity=name, secret=secret)
        enter(kept, position, None, None, decision, UNREPORTED, agent, said, "chat")

    assert news(kept) == [0, 1]
    again = restored(kept)
    enter(again, 9, None, None, A_GOES, UNREPORTED, 1, told(identity="a-2"), "chat")
    assert news(again) == [0, 1]
