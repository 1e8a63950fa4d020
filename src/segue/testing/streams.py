"""Hypothesis strategies for conversations and for logs of several conversations.

A valid stream is a random walk over the legal events, followed by the shortest legal path to the
end. Simpler events come first, so that examples shrink to short stories with the agents a-1 and
a-2. Invalid arguments raise `ConfigurationError` when an example is drawn.
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
"""The average number of deliveries between two transcription actions, or two calls."""
_MOSTLY: Final = st.integers(0, 7).map(bool)
"""A strategy that generates True in seven of eight cases, and shrinks to False."""

_Move: TypeAlias = tuple[str, int]
"""A move: the label of an event, and the number of the `Situation` of its agent."""


class WalkOptions(NamedTuple):
    """The options for generating a conversation. They are the arguments of `valid_streams`."""

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
    """Generate complete conversations without errors and warnings.

    Each conversation is a `Story`, a list of E21 bodies with one event or message each. It is a
    random walk over the legal events, followed by the shortest path to its end. Some conversations
    have rarely used details: voice, an external directory, custom fields, or the reason of a
    redial. Examples shrink towards short conversations with few agents.

    Args:
        min_size: The minimum number of events before the path to the end.
        max_size: The maximum number of events before the path to the end.
        agents: The maximum number of agents, from 1 to 99. They are named `a-1`, `a-2` and so on.
        messages: Whether conversations may contain messages.
        notes: Whether conversations may contain legal events that are reported as notes, such as a
            callback or a warm handoff.

    Raises:
        ConfigurationError: An argument is invalid. This is raised when an example is drawn.

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
    """Generate legal events that follow `opening`, and the state after them.

    The result is a pair `(events, state)`, where `events` begins with `opening`. The conversation
    has not ended in this state.

    If messages are allowed, a third of the walks contain some. The others reach deeper states with
    the same number of events. Most walks are long, and most prefer pairs of successive moves that
    they have not made before. These preferences do not change the meaning of the drawn values, so
    they do not hinder shrinking.
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
    """Return the events to choose the next one from, as a pair `(transfers, messages)`.

    The transfers are the legal ones in `state`, the simplest first. There is one message of each
    kind, or none unless `talks` is true.
    """
    events = list(legal(state, options.agents, messages=talks, notes=options.notes))
    moves = [event for event in events if event.label in TRANSFERS]
    moves.sort(key=partial(_order, state))
    talk = {event.label: event for event in reversed(events) if event.is_message}
    return moves, [*talk.values()]


def _move(state: LifecycleState, event: StoryEvent) -> _Move:
    return event.label, state.situation(event)


def _order(state: LifecycleState, event: StoryEvent) -> tuple[int, int, int]:
    """Return a sort key for a legal event, by kind of transfer and role of the agent.

    Hypothesis draws an index into the sorted events. With this order, an index has a similar
    meaning in other states, which helps shrinking.
    """
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
    """Generate the first deliveries of conversations, up to and including all of them.

    Args:
        streams: The strategy for the conversations. The default is `valid_streams()`.
        min_size: The minimum number of deliveries.

    Raises:
        ConfigurationError: `min_size` is negative, or exceeds the length of a conversation. This is
            raised when an example is drawn.

    """
    whole = draw(valid_streams() if streams is None else streams)
    if not 0 <= min_size <= len(whole):
        msg = (
            f"`min_size` must be 0 to {len(whole)}, the length of the conversation, got {min_size}"
        )
        raise ConfigurationError(msg)
    return Story(whole[: draw(st.integers(min_size, len(whole)))])


def any_streams(*, max_size: int = 12, agents: int = 3) -> st.SearchStrategy[Story]:
    """Generate conversations with events in any order, which usually violate several rules.

    Up to two END events and two further events follow after the first `max_size` events.

    Args:
        max_size: The maximum number of events before an END event.
        agents: The number of agents. One more agent, `A-1`, differs from `a-1` only in letter case.

    """
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
    """Generate conversations as lists of envelopes.

    An envelope contains one delivery and the time of its receipt.

    Args:
        streams: The strategy for the deliveries. By default they may be legal or not.
        transcription: Whether to add transcription actions, which may be illegal.
        calls: Whether to add call notifications and transfer callbacks.
        conversation_id: The id of the conversation.

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
    """Generate logs of several interleaved conversations, as lists of JSON lines.

    The lines can be passed to `segue.replay`, or written to a file.

    Args:
        streams: The strategy for the deliveries of a conversation, as in `conversations`.
        max_conversations: The maximum number of conversations.
        calls: Whether to add call notifications and transfer callbacks.

    Raises:
        ConfigurationError: `max_conversations` is less than 1. This is raised when an example is
            drawn.

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
    """Insert legal transcription actions between the given events at random."""
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
