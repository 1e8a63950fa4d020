"""The law of logs that begin late: no slice of a legal conversation has an error."""

from collections.abc import Sequence
from random import Random

import pytest
from tests.core.lifecycle.walker import Walker
from tests.streams import KINDS, clean_streams, errors

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState, legal, way_out
from segue.core.lifecycle import Phase, Presence

Stream = Sequence[StoryEvent]


def test_no_slice_of_a_clean_conversation_has_an_error() -> None:
    """Every slice of every clean conversation up to 9 events over 3 agents, declared partial."""
    slices = 0
    for stream in clean_streams(9):
        for start in range(1, len(stream)):
            walker = Walker.truncated_start()
            found = [walker.take(KINDS[event.kind], event.agent, event) for event in stream[start:]]
            assert not any(map(errors, found)), (stream, start)
            slices += len(stream) - start
    assert slices > 3_900


@pytest.mark.parametrize("count", [1_000, pytest.param(20_000, marks=pytest.mark.thorough)])
def test_the_slices_of_a_legal_conversation_with_an_error_are_listed(count: int) -> None:
    """Also with hand-overs to consultants, callbacks, redials and returns, which are notes.

    A slice has an error only after an event whose meaning is open, because the slice has not named
    all agents who are present: a consultant reconnects, or a primary hands over to consultants.
    """
    random, slices, faulty = Random(45), 0, 0
    for _ in range(count):
        stream = _conversation(random)
        states = [LifecycleState().after(*stream[:number]) for number in range(len(stream))]
        for start in range(1, len(stream)):
            slices += len(stream) - start
            at = _first_error(stream[start:])
            if at is not None:
                faulty += len(stream) - start - at
                assert _is_listed(stream, states, start, start + at), (stream, start)
    assert slices > 10 * count
    assert faulty < 0.005 * slices


def _conversation(random: Random) -> Stream:
    state, stream = LifecycleState(), []
    for _ in range(random.randint(3, 12)):
        moves: dict[str, list[StoryEvent]] = {}
        for event in legal(state, 4):
            moves.setdefault(event.label, []).append(event)
        event = random.choice(moves[random.choice(sorted(moves))])
        stream.append(event)
        state = state.after(event)
        if state.phase is Phase.ENDED:
            return stream
    return [*stream, *way_out(state, notes=True)]


def _first_error(events: Stream) -> int | None:
    """Return the index of the first event with an error in a log that begins late."""
    state = LifecycleState(Presence.truncated_start())
    for number, event in enumerate(events):
        state, codes = state.step(event)
        if errors(codes):
            return number
    return None


def _is_listed(stream: Stream, states: Sequence[LifecycleState], start: int, end: int) -> bool:
    return any(_is_ambiguous(stream, states, start, at) for at in range(start, end))


def _is_ambiguous(stream: Stream, states: Sequence[LifecycleState], start: int, at: int) -> bool:
    """Return whether an event has two meanings in a slice, as it lacks entries of agents present.

    A consultant who reconnects looks like a primary after a drop if the primary was not named. A
    primary who hands over looks like a consultant if not named, and a consultant who was not named
    is not among those who may be the next primary.
    """
    here = states[at]
    seen = {event.agent for event in stream[start:at]}
    _, codes = here.step(stream[at])
    if "SG123" in codes:
        return here.primary not in seen
    return "SG119" in codes and not seen.issuperset({here.primary, *here.consultants})
