"""Hypothesis strategies for conversations: legal ones, any ones, and logs of several.

A legal stream is a walk: draw a length, sample among the kinds of events that are legal now, the
simplest first, then leave by the shortest legal way. That reaches deep states and shrinks to a
short story of a-1 and a-2. Arguments that make no sense are reported when a value is drawn.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from hypothesis import strategies as st

from segue.analysis.simulate.bodies import (
    ACTIONS,
    MESSAGE_LABELS,
    TRANSFERS,
    StoryEvent,
    delivery,
    detailed,
)
from segue.analysis.simulate.legal_moves import LifecycleState, legal, way_out
from segue.analysis.simulate.transcription import TranscriptionDrawer
from segue.core.errors import ConfigurationError
from segue.core.lifecycle import AgentRole, Phase, Situation
from segue.core.options import Bounds, check_option
from segue.testing.callbacks import callbacks
from segue.testing.payload import DETAILED
from segue.testing.stories import Story, story_of

NINE: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
_MOST_AGENTS: Final = 99
_ONE_IN: Final = 5
"""How many deliveries there are to a transcription action."""
_MOSTLY: Final = st.integers(0, 7).map(bool)
"""True in seven of eight cases, and shrinks to False."""

_Move: TypeAlias = tuple[str, int]
"""An event, and the situation of its agent."""


class WalkOptions(NamedTuple):
    """What a walk is like; the fields are the parameters of `valid_streams`."""

    min_size: int = 0
    max_size: int = 40
    agents: int = 3
    messages: bool = True
    notes: bool = True


def valid_streams(
    *,
    min_size: int = 0,
    max_size: int = 40,
    agents: int = 3,
    messages: bool = True,
    notes: bool = True,
) -> st.SearchStrategy[Story]:
    """Complete conversations without an error or a warning, as E21 bodies.

    They have `min_size` to `max_size` events, and then those that bring them to their end by the
    shortest way. `notes` includes what is legal and reported as a note: a callback, a warm handoff.
    Now and then they have what senders say less often: voice, an external directory, custom fields,
    the reason of a redial.
    """
    return _complete(WalkOptions(min_size, max_size, agents, messages, notes))


@st.composite
def _complete(draw: st.DrawFn, options: WalkOptions) -> Story:
    _require_sizes(options)
    taken, state = draw(walks(options))
    leaving = way_out(state, notes=options.notes)
    if draw(st.booleans()):
        leaving.insert(-1, StoryEvent("TRIGGER_SUMMARY_EVENT"))
    if options.notes and state.phase is Phase.WAITING and draw(st.booleans()):
        leaving = leaving[-1:]  # no agent ever enters
    details = draw(DETAILED)
    return Story(detailed(delivery(event), details) for event in [*taken, *leaving])


@st.composite
def walks(
    draw: st.DrawFn, options: WalkOptions, opening: Sequence[StoryEvent] = ()
) -> tuple[list[StoryEvent], LifecycleState]:
    """The events of a legal walk that is still going on, after an `opening`; and its state.

    A third of the walks that may have messages have some; the others get further in as many steps.
    Most walks are long, and most prefer a move that they have not made after the same move before.
    What is drawn means the same without these preferences, so a walk shrinks as if it had none.
    """
    taken, state = list(opening), LifecycleState().after(*opening)
    talks = options.messages and draw(st.integers(0, 2)) > 1
    is_long, seeks = draw(_MOSTLY), draw(_MOSTLY)
    stop = st.integers(0, max(1, options.max_size * 2))
    pairs: set[tuple[_Move, _Move]] = set()
    last: _Move = ("", 0)
    while True:
        stops, walked = draw(stop) == 0, len(taken) - len(opening)
        stops = stops and (not is_long or draw(stop) == 0)
        if walked == options.max_size or (stops and walked >= options.min_size):
            return taken, state
        moves, talk = _choices(state, options, talks=talks)
        chosen = st.sampled_from([*moves, *talk])
        new = {event for event in moves if (last, _move(state, event)) not in pairs}
        if seeks and new:
            chosen = chosen.filter(new.union(talk).__contains__)
        taken.append(draw(chosen))
        if taken[-1] not in talk:
            before, last = last, _move(state, taken[-1])
            pairs.add((before, last))
        state = state.after(taken[-1])


def _choices(
    state: LifecycleState, options: WalkOptions, *, talks: bool
) -> tuple[list[StoryEvent], list[StoryEvent]]:
    """Return the transfers that are legal now, the simplest first, and one message of each kind."""
    events = list(legal(state, options.agents, messages=talks, notes=options.notes))
    moves = [event for event in events if event.label in TRANSFERS]
    moves.sort(key=partial(_order, state))
    talk = {event.label: event for event in reversed(events) if event.is_message}
    return moves, [*talk.values()]


def _move(state: LifecycleState, event: StoryEvent) -> _Move:
    return event.label, state.situation(event)


def _order(state: LifecycleState, event: StoryEvent) -> tuple[int, int, int]:
    """Order moves by kind and role, not by name: a choice then means the same elsewhere."""
    agent = event.agent
    if agent in state.consultants:
        return TRANSFERS.index(event.label), 0, state.consultants.index(agent)
    role = Situation.of(state.situation(event)).role
    if agent in state.known:
        return TRANSFERS.index(event.label), 3 if role is AgentRole.ABSENT else 1, 0
    return TRANSFERS.index(event.label), 2, 0


@st.composite
def prefixes(
    draw: st.DrawFn, *, streams: st.SearchStrategy[Story] | None = None, min_size: int = 0
) -> Story:
    """Beginnings of conversations, from nothing at all (or `min_size` deliveries) to the whole."""
    whole = draw(valid_streams() if streams is None else streams)
    if not 0 <= min_size <= len(whole):
        msg = f"min_size={min_size} is longer than the {len(whole)} deliveries of the conversation"
        raise ConfigurationError(msg)
    return Story(whole[: draw(st.integers(min_size, len(whole)))])


def any_streams(*, max_size: int = 12, agents: int = 3) -> st.SearchStrategy[Story]:
    """Any order of events of some agents, likely with many offences, and what follows an end."""
    names = [f"a-{number}" for number in range(1, agents + 1)]
    agent = st.sampled_from([*names, "A-1"])
    languages = st.sampled_from(("", "", "", "de"))
    transfers = st.builds(StoryEvent, st.sampled_from(TRANSFERS), agent, languages)
    summaries = st.builds(StoryEvent, st.just("TRIGGER_SUMMARY_EVENT"), st.just(""), languages)
    messages = st.builds(StoryEvent, st.sampled_from(MESSAGE_LABELS), agent, st.just(""))
    events = st.one_of(transfers, summaries, messages)
    ends = st.lists(st.just(StoryEvent("END_OF_CONVERSATION", "a-1")), max_size=2)
    return st.builds(
        lambda *parts: story_of(event for part in parts for event in part),
        st.lists(events, max_size=max_size),
        ends,
        st.lists(events, max_size=2),
    )


@st.composite
def conversations(
    draw: st.DrawFn,
    *,
    streams: st.SearchStrategy[Story] | None = None,
    transcription: bool = True,
    calls: bool = False,
    conversation_id: str = "c-1",
) -> Story:
    """Conversations as a log has them: each delivery in an envelope that says when it came.

    Without `streams` they may be legal or not. `transcription` adds actions, allowed or not, and
    `calls` call notifications and transfer callbacks.
    """
    whole = draw(valid_streams() | any_streams() if streams is None else streams)
    at, lines = NINE, Story()
    for given in whole:
        if transcription and draw(st.integers(0, _ONE_IN - 1)) == _ONE_IN - 1:
            agent = draw(st.sampled_from(("a-1", "a-2")))
            action = delivery(StoryEvent(draw(st.sampled_from(ACTIONS)), agent), conversation_id)
            lines.append({"received_at": at.isoformat(), **action})
        if calls and draw(st.integers(0, _ONE_IN - 1)) == _ONE_IN - 1:
            lines.append({"received_at": at.isoformat(), **draw(callbacks(conversation_id))})
        at += timedelta(seconds=draw(st.integers(0, 90)))
        body = given | {"conversationId": conversation_id} if isinstance(given, dict) else given
        lines.append({"received_at": at.isoformat(), "body": body})
    return lines


@st.composite
def event_logs(
    draw: st.DrawFn,
    *,
    streams: st.SearchStrategy[Story] | None = None,
    max_conversations: int = 4,
    calls: bool = False,
) -> list[str]:
    """Logs of several conversations, interleaved, as lines for `segue.replay` or a file.

    `calls` adds call notifications and transfer callbacks.
    """
    check_option("max_conversations", max_conversations, int, bounds=Bounds(least=1))
    number = draw(st.integers(1, max_conversations))
    logs = [
        draw(conversations(streams=streams, calls=calls, conversation_id=f"c-{each}"))
        for each in range(1, number + 1)
    ]
    turns = [each for each, lines in enumerate(logs) for _ in lines]
    order = draw(st.permutations(turns)) if number > 1 else turns
    rests = [iter(lines) for lines in logs]
    return [
        json.dumps(next(rests[turn]) | {"received_at": (NINE + timedelta(seconds=at)).isoformat()})
        for at, turn in enumerate(order)
    ]


@st.composite
def transcribed(draw: st.DrawFn, events: Sequence[StoryEvent]) -> list[StoryEvent]:
    """Legal events with the transcription that belongs to them, without an offence."""
    drawer = TranscriptionDrawer(draw(st.randoms(use_true_random=False)))
    state, woven = LifecycleState(), list[StoryEvent]()
    for event in events:
        woven += drawer.before(event.kind, event.agent, state.primary or event.agent)
        woven.append(event)
        state = state.after(event)
        alone = state.phase is not Phase.CONSULTING
        woven += drawer.after(event.kind, state.primary or event.agent, alone=alone)
    return woven


def _require_sizes(options: WalkOptions) -> None:
    check_option("min_size", options.min_size, int, bounds=Bounds(0, options.max_size))
    check_option("agents", options.agents, int, bounds=Bounds(1, _MOST_AGENTS))
