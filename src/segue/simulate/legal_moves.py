"""What may come next in a conversation, what is found there, and the shortest way to a state.

Everything is asked of the lifecycle table, so no generator can disagree with the check. Agents
appear in the order a-1, a-2, …, and the simplest event comes first, so that whatever is drawn
shrinks to a short story.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from segue.events import EventKind
from segue.lifecycle import (
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
from segue.simulate.bodies import MESSAGES as TALK
from segue.simulate.bodies import TRANSFERS, StoryEvent

__all__ = ["Codes", "LifecycleState", "legal", "possible", "reachable", "tempting", "way_out"]

Codes: TypeAlias = tuple[str, ...]

_SUMMARY, _END = EventKind.SUMMARY.value, EventKind.END.value
_CLOSING: Final = (_END, "NA exit", "WARM exit", "COLD entry", "NA entry")
"""What brings a conversation nearer to its end, the shortest way first."""


class _Fields(NamedTuple):
    """Everything that what may come depends on."""

    presence: Presence = Presence()
    known: tuple[str, ...] = ()
    spellings: frozenset[str] = frozenset()
    """Spellings already reported as differing in letter case."""
    previous: StoryEvent | None = None


class LifecycleState:
    """A conversation after some events, as the lifecycle sees it. It never changes."""

    def __init__(self, fields: _Fields | None = None) -> None:
        self._fields = fields = fields or _Fields()
        self.phase = fields.presence.phase
        self.primary = self._name(fields.presence.primary)
        self.consultants = tuple(fields.known[number] for number in fields.presence.consultants)
        self.last = self._name(fields.presence.last)
        self.known = fields.known
        """The agents that transfers have named, in order of appearance."""

    def _name(self, number: int | None) -> str | None:
        """Return the name of an agent; empty for one that no event named."""
        if number is None:
            return None
        return "" if number == UNNAMED else self._fields.known[number]

    def _number(self, agent: str) -> int | None:
        if not agent:
            return None
        known = self._fields.known
        return known.index(agent) if agent in known else len(known)

    def situation(self, event: StoryEvent) -> int:
        """Return the number of the `Situation` that the table resolves an event's agent to."""
        return situation_of(self._fields.presence, self._number(self.resolve(event)))

    def resolve(self, event: StoryEvent) -> str:
        """Return the agent that an event means, in the spelling it is known by."""
        return resolve(dict.fromkeys(self.known, 0), event.kind, event.actor)

    def decision(self, kind: EventKind, agent: str) -> Decision:
        """Return what would be decided on an event of this kind by this agent."""
        return transition(self._fields.presence, kind, self._number(agent))[1]

    def step(self, event: StoryEvent) -> tuple["LifecycleState", Codes]:
        """Return the state after an event, and the codes of what is found at it."""
        before, agent = self._fields, self.resolve(event)
        number = self._number(agent)
        after, decision = transition(before.presence, event.kind, number)
        if can_repeat(decision) and event == before.previous:
            return self, ("SG601",)
        code = decision.reported_code
        found = () if code is None else (code,)
        fields = before._replace(presence=after)
        if self.phase is not Phase.ENDED:
            if agent != event.actor and event.actor not in before.spellings:
                found = (*found, "SG206")
                fields = fields._replace(spellings=before.spellings | {event.actor})
            if event.kind not in MESSAGES:
                is_new = number == len(self.known)
                known = (*self.known, agent) if is_new else self.known
                fields = fields._replace(known=known, previous=event)
        return LifecycleState(fields), found

    def after(self, *events: StoryEvent) -> "LifecycleState":
        """Return the state after these events."""
        state = self
        for event in events:
            state, _ = state.step(event)
        return state

    def at_close(self) -> Codes:
        """Return the codes of what is found if the log is closed here."""
        if self.phase is Phase.ENDED:
            return ()
        code = self.decision(EventKind.CLOSE, "").reported_code
        return ("SG108",) if code is None else (code, "SG108")

    def __eq__(self, other: object) -> bool:
        """Return whether what may come is the same for two states."""
        return isinstance(other, LifecycleState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> object:
        return self._fields._replace(spellings=frozenset())


def possible(state: LifecycleState, agents: int, *, messages: bool = False) -> Iterator[StoryEvent]:
    """Yield every event by the agents so far and one more (of `agents`), the simplest first."""
    following = (f"a-{number}" for number in range(1, agents + 1))
    newcomer = next((name for name in following if name not in state.known), None)
    names = state.known if newcomer is None else (*state.known, newcomer)
    for label in (*TRANSFERS, *(TALK if messages else ())):
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
    """Yield the events that the specification allows now, the simplest first.

    Args:
        state: where the conversation is.
        agents: how many agents may take part.
        messages: include messages.
        notes: include what is legal and reported as a note.

    """
    for event in possible(state, agents, messages=messages):
        decision = state.decision(event.kind, event.actor)
        if (
            is_legal(decision.code)
            and (notes or decision.code is None)
            and (
                event.kind in MESSAGES
                or event.actor == ""
                or decision.effect is not PresenceEffect.NONE
            )
        ):
            yield event


def way_out(state: LifecycleState) -> list[StoryEvent]:
    """Return the shortest legal way to the end."""
    taken: list[StoryEvent] = []
    while state.phase is not Phase.ENDED:
        options = {event.label: event for event in [*legal(state, 9, notes=False)][::-1]}
        taken.append(next(options[label] for label in _CLOSING if label in options))
        state = state.after(taken[-1])
    return taken


def reachable(
    state: LifecycleState,
    events: Callable[[LifecycleState], Iterable[StoryEvent]],
    longest: int | None = None,
) -> Iterator[tuple[LifecycleState, list[StoryEvent]]]:
    """Yield every state that these events lead to, with a shortest way, the nearest first.

    Args:
        state: where to begin; it is yielded first.
        events: returns the events to go on with from a state.
        longest: how many events a way has at most (None: any number).

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
