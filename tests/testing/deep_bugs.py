"""How deep the strategies dig: `python -m tests.testing.deep_bugs [SEEDS]`.

A deep bug shows only when one move comes directly after another, each in a phase and by an agent in
a certain role, somewhere in a valid conversation.  All such pairs are enumerated, with the length
of the shortest conversation that has them; each is then looked for with Hypothesis's default
budget, once for each seed.  Found is found, and shrunk is shrunk to that length.
"""

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from hypothesis import HealthCheck, Phase as Stage, given, seed, settings

from segue.analysis.simulate.bodies import StoryEvent, read_delivery
from segue.analysis.simulate.legal_moves import LifecycleState, legal
from segue.core.lifecycle import Phase, Situation
from segue.testing import Story, valid_streams

__all__ = ["DEEP", "Hunt", "Pair", "campaign", "hunt", "met", "open_led", "planted"]

DEEP: Final = 6
"""A bug that shows in a shorter conversation is not deep."""
_LONGEST: Final = 9
_AGENTS: Final = 3

Move = tuple[str, str, str]
Pair = tuple[Move, Move]


class Hunt(NamedTuple):
    """What became of a hunt for one bug."""

    is_found: bool
    is_shortest: bool
    tries: int
    excess: int = 0
    """How many events longer than the shortest the story is."""


def moves(events: Iterable[StoryEvent]) -> Iterator[Move]:
    """Yield the moves of a conversation: phase, kind and the role of the agent who made it."""
    state = LifecycleState()
    for event in events:
        if not event.is_message:
            role = Situation.of(state.situation(event)).role.name
            yield state.phase.value, event.label, role
        state = state.after(event)


@cache
def planted() -> dict[Pair, int]:
    """Return every pair of moves, with the length of the shortest valid conversation having it.

    Pairs that need a conversation in which it is open who leads are left out, see `open_led`.
    """
    return _pairs(is_open_led=False)


@cache
def open_led() -> dict[Pair, int]:
    """Return the pairs only of conversations in which it is open for a time who leads.

    The primary has left several consultants by a WARM exit. The strategies draw few of these.
    """
    known = planted().keys()
    return {pair: n for pair, n in _pairs(is_open_led=True).items() if pair not in known}


def _pairs(*, is_open_led: bool) -> dict[Pair, int]:
    found: dict[Pair, int] = {}
    queue: deque[tuple[LifecycleState, tuple[StoryEvent, ...]]] = deque([(LifecycleState(), ())])
    while queue:
        state, taken = queue.popleft()
        if state.phase is Phase.ENDED:
            for pair in pairwise(moves(taken)):
                found.setdefault(pair, len(taken))
        elif len(taken) < _LONGEST:
            for event in legal(state, _AGENTS):
                after = state.after(event)
                if is_open_led or after.primary != "":
                    queue.append((after, (*taken, event)))
    return {pair: length for pair, length in found.items() if length >= DEEP}


def hunt(pair: Pair, length: int, number: int) -> Hunt:
    """Look for a bug with the default budget."""
    seen: list[Story] = []
    tries = 0

    @seed(number)
    @settings(settings.get_profile("default"), database=None, deadline=None)
    @given(valid_streams())
    def is_without(stream: Story) -> None:
        nonlocal tries
        tries += 1
        events = (event for event in map(read_delivery, stream) if event is not None)
        if pair in pairwise(moves(events)):
            seen.append(stream)
            raise AssertionError

    try:
        is_without()
    except AssertionError:
        excess = len(seen[-1]) - length
        return Hunt(is_found=True, is_shortest=not excess, tries=tries, excess=excess)
    return Hunt(is_found=False, is_shortest=False, tries=tries)


def met(number: int) -> set[Pair]:
    """Return the pairs that the default number of examples meet, without shrinking any."""
    found: set[Pair] = set()

    @seed(number)
    @settings(
        settings.get_profile("default"),
        database=None,
        deadline=None,
        phases=[Stage.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(valid_streams())
    def look(stream: Story) -> None:
        events = (event for event in map(read_delivery, stream) if event is not None)
        found.update(pairwise(moves(events)))

    look()
    return found


def campaign(number: int) -> dict[Pair, Hunt]:
    """Hunt every bug, with seeds that belong to this number."""
    return {
        pair: hunt(pair, length, 1000 * number + each)
        for each, (pair, length) in enumerate(sorted(planted().items()))
    }


def main(seeds: int) -> None:
    """Hunt every bug so many times and say how it went."""
    for number in range(1, seeds + 1):
        outcomes = campaign(number)
        found = sum(outcome.is_found for outcome in outcomes.values())
        shortest = sum(outcome.is_shortest for outcome in outcomes.values())
        tries = sum(outcome.tries for outcome in outcomes.values()) // len(outcomes)
        sys.stdout.write(
            f"seed {number}: {len(outcomes)} deep bugs, {found} found, "
            f"{shortest} shrunk to the true minimum, {tries} tries a bug\n"
        )
        for pair, outcome in outcomes.items():
            if not outcome.is_shortest:
                sys.stdout.write(f"  {'longer' if outcome.is_found else 'missed'}: {pair}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
