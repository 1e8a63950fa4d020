"""Minimal examples: for each rule a shortest story whose whole report is exactly that rule.

They are computed, the shortest first: for a rule of the table from all that can happen, for the
others from the parts of the example log of the rule's page, and of its corrected log with a broken
field. The check decides which of them offends the rule.
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
    """Return a shortest story whose report is one finding, and that of this rule.

    Its length counts deliveries of one event each. Raises `UnknownRule` unless one rule has this
    code or name.
    """
    code, *others = sorted(codes((rule,)))
    if others:
        raise UnknownRule(f"{rule!r} are {len(others) + 1} rules: name one of them")
    return Story(_offended(code) if code in targets() else _part(code))


@cache
def _offended(code: str) -> Story:
    """Search everything the table judges, the shortest first."""
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
    """Search the parts of what the rule's page has, the shortest first."""
    streams = list(mistaken_pages(code))
    return next(
        Story(part)
        for length in range(1, max(map(len, streams)) + 1)
        for stream in streams
        for part in combinations(stream, length)
        if is_only(code, part)
    )
