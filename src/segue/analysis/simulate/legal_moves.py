"""Possible and legal events of a conversation, their findings, and shortest paths to a state.

Everything is derived from the lifecycle table, so no generator can disagree with the check. Agents
appear in the order a-1, a-2, …, and the simplest events come first, so that failing examples shrink
to short stories.
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
"""Events that bring a conversation closer to its end, the shortest way first."""


class LifecycleState(NamedTuple):
    """The state of a conversation in the lifecycle."""

    presence: Presence = Presence()
    known: tuple[str, ...] = ()
    """The agents that transfers have named, in order of appearance."""
    spellings: frozenset[str] = frozenset()
    """Spellings already reported as differing in letter case."""
    absences: frozenset[str] = frozenset()
    """Absent agents whose messages have been reported."""
    previous: StoryEvent | None = None

    @property
    def phase(self) -> Phase:
        """The phase."""
        return self.presence.phase

    @property
    def primary(self) -> str | None:
        """The primary agent. Empty if no event named it, None if there is no primary."""
        return self._name(self.presence.primary)

    @property
    def consultants(self) -> tuple[str, ...]:
        """The consultants, in order of entry."""
        return tuple(self.known[number] for number in self.presence.consultants)

    @property
    def last(self) -> str | None:
        """The agent who was primary last."""
        return self._name(self.presence.last)

    def _name(self, number: int | None) -> str | None:
        return "" if number == UNNAMED else None if number is None else self.known[number]

    def _number(self, agent: str) -> int | None:
        if not agent:
            return None
        return self.known.index(agent) if agent in self.known else len(self.known)

    def situation(self, event: StoryEvent) -> int:
        """Return the number of the `Situation` that the table resolves an event's agent to."""
        return situation_of(self.presence, self._number(self.resolve(event)))

    def resolve(self, event: StoryEvent) -> str:
        """Return the agent of an event, in the spelling of its first appearance."""
        return resolve(dict.fromkeys(self.known, 0), event.kind, event.actor)

    def decision(self, kind: EventKind, agent: str) -> Decision:
        """Return the decision on an event of this kind by this agent."""
        return transition(self.presence, kind, self._number(agent))[1]

    def step(self, event: StoryEvent) -> tuple["LifecycleState", Codes]:
        """Return the state after an event, and the codes of the findings at it."""
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
        """Return the state after these events."""
        state = self
        for event in events:
            state, _ = state.step(event)
        return state

    def at_close(self) -> Codes:
        """Return the codes of the findings if the log is closed in this state."""
        if self.phase is Phase.ENDED:
            return ()
        code = self.decision(EventKind.CLOSE, "").reported_code
        return ("SG108",) if code is None else (code, "SG108")


def possible(state: LifecycleState, agents: int, *, messages: bool = False) -> Iterator[StoryEvent]:
    """Yield all events by known agents and at most one new one, the simplest first.

    Args:
        state: The state of the conversation.
        agents: The maximum number of agents.
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
    """Yield every possible event and message, and transfers that spell an agent in capitals."""
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
    """Return the shortest legal path to the end, from a state in which an agent has entered.

    With `notes`, the path may include legal events that are reported as notes.
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
    """Yield every reachable state with a shortest path to it, in breadth-first order.

    Args:
        state: The initial state, which is yielded first.
        events: Returns the events to follow from a state.
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
