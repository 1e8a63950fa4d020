"""Segments from entries are those of a builder that saw every event."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.core.segments.story import Story
from tests.oracle.by_hand import log
from tests.oracle.oracle import Ev
from tests.strategies import streams
from tests.streams import KINDS, body

import segue
from segue.core.engine import State, apply, finish, new
from segue.core.engine.entry_replay import judged_events, past_of, replay_told
from segue.core.events import Event
from segue.core.lifecycle import MESSAGES, Phase, Presence
from segue.core.segments import EventTime, SegmentBuilder, measure
from segue.core.wire import read_line
from segue.testing import story

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
PARTIAL = st.sampled_from((None, "start", "end", "both"))


def segments_of(state: State) -> SegmentBuilder:
    return replay_told(past_of(state))


def told_to_a_builder(stream: list[Ev], times: list[datetime | None], partial: Any) -> Story:
    """Tell a builder each event as it happens."""
    story = Story(midway=partial in ("start", "both"))
    respelled: set[str] = set()
    for said, at in zip(stream, times, strict=True):
        kind, agent = KINDS[said.kind], said.agent
        value = body(said)
        whole = value["events"][0] if "events" in value else value
        move = story.move(kind, agent, whole)
        if kind in MESSAGES:
            first = EventTime(story.position - 1, at)
            story.builder.message(kind, move.agent, move.primary, move.present, first)
            story.builder.messages += move.phase_before is not Phase.ENDED
        else:
            told = Event(kind, agent, "chat" if agent else "", whole, "")
            story.builder.record(move, told, story.position - 1, at)
        if move.code is not None and move.agent and move.phase_before is not Phase.ENDED:
            story.builder.flag(move.agent, move.code)
        if agent != move.agent and agent not in respelled and move.phase_before is not Phase.ENDED:
            respelled.add(agent)
            if kind not in MESSAGES:
                story.builder.flag(move.agent, "SG206")
    return story


@given(streams(), st.lists(st.none() | st.integers(0, 60), min_size=40, max_size=40), PARTIAL)
def test_the_account_is_the_builder(stream: list[Ev], gaps: list[int | None], partial: Any) -> None:
    at, times, state = NINE, [], new("c-1", partial=partial)
    for said, gap in zip(stream, gaps, strict=False):
        at += timedelta(seconds=gap or 0)
        times.append(None if gap is None else at)
        time = {} if gap is None else {"received_at": at.isoformat()}
        apply(state, read_line({**time, "body": body(said)}))
    story = told_to_a_builder(stream, times, partial)
    story.builder.experience = "chat"  # of all bodies

    assert segments_of(state).segments() == story.segments
    finish(state)
    if not state.ended and state.processable:
        story.close(partial_end=partial in ("end", "both"))
    assert segments_of(state).segments() == story.segments
    assert measure(segments_of(state)) == measure(story.builder)


def received(*lines: tuple[int | None, Any], partial: Any = None) -> State:
    """Feed bodies, each received so many seconds after nine; None: without a time."""
    state = new("c-1", partial=partial)
    for seconds, said in lines:
        at = None if seconds is None else (NINE + timedelta(seconds=seconds)).isoformat()
        apply(state, read_line({"received_at": at, "body": said}))
    return state


def test_a_repeat_is_among_the_findings_of_its_agents_segment() -> None:
    entry = body(Ev("NA entry", "a"))
    (segment,) = segments_of(received((0, entry), (1, entry))).segments()

    assert segment.findings == ("SG601",)
    assert len(segment.connections) == 1


def test_the_customer_is_answered_from_the_first_message() -> None:
    user, entry = body(Ev("user message", "a")), body(Ev("NA entry", "a"))

    waited = received((0, user), (10, user), (30, entry), (40, user))
    assert measure(segments_of(waited)).answer_time == timedelta(seconds=30)
    assert measure(segments_of(waited)).messages == 3
    for untimed in (received((None, user), (30, entry)), received((30, entry), (40, user))):
        assert measure(segments_of(untimed)).answer_time is None


@pytest.mark.parametrize(
    ("partial", "outcome", "closed_kind"),
    [
        (None, "implied", "implied"),
        ("start", "implied", "implied"),
        ("end", "open", None),
        ("both", "open", None),
    ],
)
def test_a_log_that_stops_leaves_its_agents_in_if_more_is_to_come(
    partial: Any, outcome: str, closed_kind: str | None
) -> None:
    state = received((0, body(Ev("NA entry", "a"))), partial=partial)
    finish(state)
    (segment,) = segments_of(state).segments()

    assert segment.outcome == outcome
    assert segment.connections[-1].closed_kind == closed_kind


def test_messages_count_for_whoever_was_there() -> None:
    state = received(
        *(
            (second, body(Ev(kind, agent)))
            for second, (kind, agent) in enumerate(
                [
                    ("user message", "a"),
                    ("NA entry", "a"),
                    ("user message", "b"),
                    ("WARM entry", "b"),
                    ("agent message", "b"),
                    ("user message", "a"),
                    ("user message", "a"),
                    ("agent message", "a"),
                    ("agent message", "a"),
                    ("COLD exit", "a"),
                    ("user message", "a"),
                    ("agent message", "a"),
                ]
            )
        )
    )

    segments = segments_of(state).segments()
    counts = [(each.agent, each.user_messages, each.agent_messages) for each in segments]
    assert counts == [("a", 3, 3), ("b", 1, 1)]


@pytest.mark.parametrize(
    ("story", "codes"),
    [
        ("N+a C+b N-b", [("a", ()), ("b", ("SG103",))]),
        ("C+a N+b N-b", [("a", ("SG101",)), ("b", ())]),  # the late NA entry is silenced
        ("N+a W+b N-b N-a", [("a", ()), ("b", ("SG202",))]),
        ("N+a R+a R+a N-a", [("a", ("SG112", "SG601"))]),
    ],
)
def test_a_segment_has_the_findings_that_were_reported_of_its_agent(
    story: str, codes: list[tuple[str, tuple[str, ...]]]
) -> None:
    state = received(*((None, body(event)) for event in log(story)))

    assert [(each.agent, each.findings) for each in segments_of(state).segments()] == codes


def test_a_transfer_that_is_open_at_the_close_was_abandoned() -> None:
    state = received((0, body(Ev("NA entry", "a"))), (9, body(Ev("COLD exit", "a"))))
    finish(state)

    assert [segment.outcome for segment in segments_of(state).segments()] == ["abandoned"]


@pytest.mark.parametrize(("partial", "counted"), [(None, 1), ("start", 0), ("both", 0)])
def test_where_a_log_begins_late_somebody_else_may_be_there(partial: Any, counted: int) -> None:
    joins, exits = body(Ev("WARM entry", "a")), body(Ev("COLD exit", "b"))
    said = body(Ev("user message", "a"))
    events = (joins, said) if partial else (joins, exits, said)
    state = received(*((None, each) for each in events), partial=partial)

    assert segments_of(state).segments()[0].user_messages == counted


def test_what_is_found_about_an_agent_stands_in_the_segment_at_messages_too() -> None:
    events = (
        *("NA entry by a-1", "WARM entry by a-2", "agent message by a-2", "WARM exit by a-2"),
        *("agent message by a-2", "agent message by a-2", "WARM entry by a-2", "WARM exit by A-2"),
        *("NA exit by a-1", "agent message by a-1", "END_OF_CONVERSATION by a-1"),
    )
    report = segue.check(story(*events))

    assert [each.code for each in report.findings] == ["SG205", "SG206", "SG205"]
    assert [(each.agent, each.findings) for each in report.segments] == [
        ("a-1", ("SG205",)),
        ("a-2", ("SG205",)),
        ("a-2", ("SG206",)),
    ]


@given(streams(), PARTIAL)
def test_presences_are_those_that_events_were_judged_in(stream: list[Ev], partial: Any) -> None:
    state = new("c-1", partial=partial)
    seen = [state.presence]
    for said in stream:
        before = state.last
        apply(state, read_line({"body": body(said)}))
        if state.last is not before:
            seen.append(state.presence)

    found = [state.first_presence, *(judged.after for judged in judged_events(state))]
    assert [_placed(each) for each in found] == [_placed(each) for each in seen]


def _placed(presence: Presence) -> tuple[Any, ...]:
    """What of a presence is shown."""
    return presence.phase, presence.primary, presence.consultants, presence.agents
