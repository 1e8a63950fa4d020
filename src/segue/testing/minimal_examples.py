"""Minimal examples: for each rule a shortest conversation that violates only that rule.

For rules of the lifecycle table, all conversations are searched breadth-first. For other rules,
parts of the example log on the rule's page are tried, and parts of its corrected log with a
mistake.
"""

from collections import deque
from functools import cache
from itertools import combinations
from typing import Final

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import Codes, LifecycleState, tempting
from segue.core.errors import UnknownRule
from segue.core.findings import codes
from segue.testing.mistaken_stories import is_only, mistaken_pages
from segue.testing.offence_space import targets
from segue.testing.stories import Story, story_of

_AGENTS: Final = 2


def shortest_witness(rule: str) -> Story:
    """Return a shortest conversation whose only finding is a violation of this rule.

    Args:
        rule: The code or name of the rule.

    Returns:
        A story with the smallest number of deliveries, each with one event.

    Raises:
        UnknownRule: No rule or more than one rule has this code or name.

    """
    code, *others = sorted(codes((rule,)))
    if others:
        raise UnknownRule(f"{rule!r} matches {len(others) + 1} rules: give the code of one of them")
    return Story(_offended(code) if code in targets() else _part(code))


@cache
def _offended(code: str) -> Story:
    """Return a shortest story that violates a rule of the lifecycle table, and no other rule."""
    queue: deque[tuple[LifecycleState, tuple[StoryEvent, ...], Codes]] = deque(
        [(LifecycleState(), (), ())]
    )
    seen: set[object] = set()
    while True:
        state, taken, earlier = queue.popleft()
        if taken and (*earlier, *state.at_close()) == (code,):
            return story_of(taken)
        for event in tempting(state, _AGENTS):
            there, found = state.step(event)
            now = (*earlier, *found)
            if now in ((), (code,)) and (now, there) not in seen:
                seen.add((now, there))
                queue.append((there, (*taken, event), now))


@cache
def _part(code: str) -> Story:
    """Return a shortest part of a story on the rule's page that violates only that rule."""
    streams = list(mistaken_pages(code))
    return next(
        Story(part)
        for length in range(1, max(map(len, streams)) + 1)
        for stream in streams
        for part in combinations(stream, length)
        if is_only(code, part)
    )
