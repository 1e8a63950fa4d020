"""All ways to violate a rule of the lifecycle table in an otherwise clean conversation.

Each way is called a target, and is a combination of rule, phase, kind of event and situation of its
agent. A clean conversation of three agents can reach every target, and continue from there to its
end without another finding. Rules about the shape of bodies are not in the table.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState, legal, reachable, tempting
from segue.core.lifecycle import Phase

AGENTS: Final = 3
"""The number of agents, enough for all situations except those with three consultants."""
_LONGEST: Final = 8
"""The maximum number of events in a path to a target, or to the end of the conversation."""


class Target(NamedTuple):
    """One way to violate a rule of the lifecycle table."""

    code: str
    """The code of the rule, such as `SG103`."""
    phase: Phase
    """The phase of the conversation before the violation."""
    label: str
    """The label of the violating event, such as `COLD entry`.

    It is an empty string if the rule is violated by the end of the log.
    """
    situation: int
    """The number of the `Situation` of the event's agent before the violation."""


def silent(state: LifecycleState) -> Iterator[StoryEvent]:
    """Yield the events that are legal in a state and not even reported as notes."""
    return legal(state, AGENTS, notes=False)


def offence(state: LifecycleState, target: Target) -> StoryEvent | None:
    """Return an event that violates the target's rule in this state, in the target's situation.

    Return None if there is no such event.
    """
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
    """Return a shortest list of events after which the target can be hit.

    The events have no findings. Return None if eight such events do not lead to the target.
    """

    def is_there(here: LifecycleState) -> bool:
        if target.label:
            return offence(here, target) is not None
        return here.phase is target.phase and here.at_close() == (target.code,)

    return _way(state, is_there)


def ending(state: LifecycleState) -> list[StoryEvent] | None:
    """Return a shortest list of events without findings that ends the conversation.

    Return None if eight such events do not lead to the end.
    """
    return _way(state, lambda here: here.phase is Phase.ENDED)


def _way(
    state: LifecycleState, is_there: Callable[[LifecycleState], bool]
) -> list[StoryEvent] | None:
    ways = reachable(state, silent, _LONGEST)
    return next((taken for here, taken in ways if is_there(here)), None)


@cache
def targets() -> dict[str, tuple[Target, ...]]:
    """Return all targets of each rule, by the code of the rule."""
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
