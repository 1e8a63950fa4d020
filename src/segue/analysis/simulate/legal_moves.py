"""Possible and legal events of a conversation, their findings, and shortest paths to a state.

Everything is derived from the lifecycle table of the check, so generated events always agree with
the check. Agents appear in the order a-1, a-2, …, and the simplest events are yielded first.
Failing examples of property tests therefore shrink to short conversations.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from segue.analysis.simulate.bodies import MESSAGE_LABELS, TRANSFERS, StoryEvent
from segue.core.events import EventKind
from segue.core.lifecycle import (
    MESSAGES,
    UNNAMED,
    Decision,
    Phase,
    Presence,
    PresenceEffect,
    can_repeat,
    is_legal,
    resolve,
    situation_of,
    transition,
)

Codes: TypeAlias = tuple[str, ...]

_SUMMARY, _END = EventKind.SUMMARY.value, EventKind.END.value
_CLOSING: Final = (_END, "NA exit", "WARM exit", "COLD entry", "NA entry")
"""Events that bring a conversation closer to its end. The event of the shortest way is first."""


class LifecycleState(NamedTuple):
    """The state of a conversation: the agents present, and what has been reported already."""

    presence: Presence = Presence()
    known: tuple[str, ...] = ()
    """The ids of the agents named by transfers, in order of appearance."""
    spellings: frozenset[str] = frozenset()
    """Agent ids that have been reported because their letter case differs (SG206)."""
    absences: frozenset[str] = frozenset()
    """Agents who have been reported for a message while they were absent (SG205)."""
    previous: StoryEvent | None = None
    """The last event that was not a message, to recognize repetitions."""

    @property
    def phase(self) -> Phase:
        """The phase of the conversation, such as `Phase.ACTIVE`."""
        return self.presence.phase

    @property
    def primary(self) -> str | None:
        """The id of the primary agent, or None if there is no primary.

        The id is an empty string if no event has named the agent.
        """
        return self._name(self.presence.primary)

    @property
    def consultants(self) -> tuple[str, ...]:
        """The ids of the consultants, in order of entry."""
        return tuple(self.known[number] for number in self.presence.consultants)

    @property
    def last(self) -> str | None:
        """The id of the agent who was primary last, with the same special values as `primary`."""
        return self._name(self.presence.last)

    def _name(self, number: int | None) -> str | None:
        return "" if number == UNNAMED else None if number is None else self.known[number]

    def _number(self, agent: str) -> int | None:
        if not agent:
            return None
        return self.known.index(agent) if agent in self.known else len(self.known)

    def situation(self, event: StoryEvent) -> int:
        """Return the number of the `Situation` that an event's agent is in."""
        return situation_of(self.presence, self._number(self.resolve(event)))

    def resolve(self, event: StoryEvent) -> str:
        """Return the agent id of an event, in the letter case of its first appearance."""
        return resolve(dict.fromkeys(self.known, 0), event.kind, event.actor)

    def decision(self, kind: EventKind, agent: str) -> Decision:
        """Return the lifecycle table's decision on an event of this kind by this agent."""
        return transition(self.presence, kind, self._number(agent))[1]

    def step(self, event: StoryEvent) -> tuple["LifecycleState", Codes]:
        """Return the state after an event, and the codes of its findings, such as `("SG103",)`."""
        agent = self.resolve(event)
        number = self._number(agent)
        presence, decision = transition(self.presence, event.kind, number)
        if can_repeat(decision) and event == self.previous:
            return self, ("SG601",)
        code = decision.reported_code
        after = self._replace(presence=presence)
        if code == "SG205":
            code = None if agent in self.absences else code
            after = after._replace(absences=self.absences | {agent})
        found = () if code is None else (code,)
        if self.phase is not Phase.ENDED:
            if agent != event.actor and event.actor not in self.spellings:
                found = (*found, "SG206")
                after = after._replace(spellings=self.spellings | {event.actor})
            if event.kind not in MESSAGES:
                known = (*self.known, agent) if number == len(self.known) else self.known
                absences = self.absences - {agent} if event.kind.is_entry else self.absences
                after = after._replace(known=known, previous=event, absences=absences)
        return after, found

    def after(self, *events: StoryEvent) -> "LifecycleState":
        """Return the state after several events in order."""
        state = self
        for event in events:
            state, _ = state.step(event)
        return state

    def at_close(self) -> Codes:
        """Return the codes of the findings that the end of the log would give in this state."""
        if self.phase is Phase.ENDED:
            return ()
        code = self.decision(EventKind.CLOSE, "").reported_code
        return ("SG108",) if code is None else (code, "SG108")


def possible(state: LifecycleState, agents: int, *, messages: bool = False) -> Iterator[StoryEvent]:
    """Yield all events that known agents and one new agent could send, the simplest first.

    The events need not be legal.

    Args:
        state: The state of the conversation.
        agents: The number of agents beyond which no new agent appears.
        messages: Whether to include messages.

    """
    following = (f"a-{number}" for number in range(1, agents + 1))
    newcomer = next((name for name in following if name not in state.known), None)
    names = state.known if newcomer is None else (*state.known, newcomer)
    for label in (*TRANSFERS, *(MESSAGE_LABELS if messages else ())):
        for agent in names:
            yield StoryEvent(label, agent)
    yield StoryEvent(_SUMMARY)
    if state.phase is Phase.SUMMARIZED:
        yield StoryEvent(_SUMMARY, language="de")
    yield StoryEvent(_END, state.last or state.primary or "a-1")


def tempting(state: LifecycleState, agents: int) -> Iterator[StoryEvent]:
    """Yield every possible event and message, and transfers with the agent id in capitals."""
    for event in possible(state, agents, messages=True):
        yield event
        if event.agent in state.known and (event.kind.is_exit or event.kind.is_entry):
            capitals = event._replace(agent=event.agent.upper())
            if state.resolve(capitals) == event.agent:
                yield capitals


def legal(
    state: LifecycleState, agents: int, *, messages: bool = False, notes: bool = True
) -> Iterator[StoryEvent]:
    """Yield the events that the specification allows in a state, the simplest first.

    Args:
        state: The state of the conversation.
        agents: The maximum number of agents.
        messages: Whether to include messages.
        notes: Whether to include legal events that are reported as notes.

    """
    for event in possible(state, agents, messages=messages):
        decision = state.decision(event.kind, event.actor)
        is_allowed = decision.code is None or (notes and is_legal(decision.code))
        is_move = event.actor and event.kind not in MESSAGES
        if is_allowed and not (is_move and decision.effect is PresenceEffect.NONE):
            yield event


def way_out(state: LifecycleState, *, notes: bool = False) -> list[StoryEvent]:
    """Return the shortest list of legal events that ends the conversation.

    An agent must have entered. With `notes`, the list may include legal events that are reported as
    notes.
    """
    taken: list[StoryEvent] = []
    while state.phase is not Phase.ENDED:
        allowed = legal(state, 9, notes=notes and state.phase is not Phase.WAITING)
        options = {event.label: event for event in [*allowed][::-1]}
        taken.append(next(options[label] for label in _CLOSING if label in options))
        state = state.after(taken[-1])
    return taken


def reachable(
    state: LifecycleState,
    events: Callable[[LifecycleState], Iterable[StoryEvent]],
    longest: int | None = None,
) -> Iterator[tuple[LifecycleState, list[StoryEvent]]]:
    """Yield `(state, events)` for every reachable state, in breadth-first order.

    The events are a shortest path from the initial state.

    Args:
        state: The initial state, which is yielded first.
        events: A function that returns the events to try in a state.
        longest: The maximum number of events in a path, or None for any number.

    """
    queue: deque[tuple[LifecycleState, list[StoryEvent]]] = deque([(state, [])])
    seen = {state}
    while queue:
        here, taken = queue.popleft()
        yield here, taken
        for event in events(here) if len(taken) != longest else ():
            there = here.after(event)
            if there not in seen:
                seen.add(there)
                queue.append((there, [*taken, event]))
