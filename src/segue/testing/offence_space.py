"""Every way the table lets a rule be offended in an otherwise clean conversation.

There is one target for each rule, phase, kind of event and situation that a clean conversation of
three agents leads to, if the conversation can be brought to its end without another finding. The
shortest come first. What is wrong with a body's shape is not in the table.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState, legal, reachable, tempting
from segue.core.lifecycle import Phase

AGENTS: Final = 3
"""Enough agents for every situation that a clean conversation leads to but one: two consultants
beside a third."""
_LONGEST: Final = 8
"""A way to a target or to the end has at most this many events."""


class Target(NamedTuple):
    """One way to offend a rule."""

    code: str
    phase: Phase
    label: str
    """Of the event that offends; empty if the log ends there."""
    situation: int


def silent(state: LifecycleState) -> Iterator[StoryEvent]:
    """Yield the events that give no finding."""
    return legal(state, AGENTS, notes=False)


def offence(state: LifecycleState, target: Target) -> StoryEvent | None:
    """Return the event that offends as the target says; None if there is none here."""
    if state.phase is not target.phase:
        return None
    for event in tempting(state, AGENTS):
        if (
            event.label == target.label
            and state.situation(event) == target.situation
            and state.step(event)[1] == (target.code,)
        ):
            return event
    return None


def way_to(state: LifecycleState, target: Target) -> list[StoryEvent] | None:
    """Return a shortest way without a finding to where the target can be hit; None: no way."""

    def is_there(here: LifecycleState) -> bool:
        if target.label:
            return offence(here, target) is not None
        return here.phase is target.phase and here.at_close() == (target.code,)

    return _way(state, is_there)


def ending(state: LifecycleState) -> list[StoryEvent] | None:
    """Return a shortest way to the end that gives no finding; None if there is none."""
    return _way(state, lambda here: here.phase is Phase.ENDED)


def _way(
    state: LifecycleState, is_there: Callable[[LifecycleState], bool]
) -> list[StoryEvent] | None:
    ways = reachable(state, silent, _LONGEST)
    return next((taken for here, taken in ways if is_there(here)), None)


@cache
def targets() -> dict[str, tuple[Target, ...]]:
    """Return the targets of every rule that the table can report."""
    found: dict[str, dict[Target, None]] = {}
    for state, _ in reachable(LifecycleState(), silent):
        if state.known and state.at_close() == ("SG108",):
            found.setdefault("SG108", {}).setdefault(Target("SG108", state.phase, "", 0))
        for event in tempting(state, AGENTS):
            there, codes = state.step(event)
            if len(codes) != 1:
                continue
            target = Target(codes[0], state.phase, event.label, state.situation(event))
            if target not in found.get(target.code, ()) and ending(there) is not None:
                found.setdefault(target.code, {}).setdefault(target)
    return {code: tuple(each) for code, each in sorted(found.items())}
