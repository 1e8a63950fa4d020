"""What may come next in a conversation, what is found there, and the shortest way to a state.

Everything is asked of the lifecycle table, so no generator can disagree with the check. Agents
appear in the order a-1, a-2, …, and the simplest event comes first, so that whatever is drawn
shrinks to a short story.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from operator import eq
from typing import Final, TypeAlias

from segue.events import EventKind
from segue.lifecycle import MESSAGES, TABLE, Cell, Effect, Phase, Roster, advance, is_legal
from segue.simulate.bodies import MESSAGES as TALK
from segue.simulate.bodies import TRANSFERS, StoryEvent

__all__ = ["Codes", "LifecycleState", "legal", "possible", "reachable", "tempting", "way_out"]

Codes: TypeAlias = tuple[str, ...]

_SUMMARY, _END = EventKind.SUMMARY.value, EventKind.END.value
_CLOSING: Final = (_END, "NA exit", "WARM exit", "COLD entry", "NA entry")
"""What brings a conversation nearer to its end, the shortest way first."""


class LifecycleState:
    """A conversation after some events, as the lifecycle sees it. It never changes."""

    def __init__(self, roster: Roster | None = None) -> None:
        self._roster = Roster() if roster is None else roster
        self.phase = self._roster.phase
        self.primary = self._roster.primary
        self.consultants = self._roster.consultants
        self.last = self._roster.last
        self.known = tuple(self._roster.known)
        """The agents that transfers have named, in order of appearance."""

    def situation(self, event: StoryEvent) -> int:
        """Return the number of the `Situation` that the table resolves an event's agent to."""
        return self._roster.situate(self.resolve(event))

    def resolve(self, event: StoryEvent) -> str:
        """Return the agent that an event means, in the spelling it is known by."""
        return self._roster.resolve(event.kind, event.actor)

    def cell(self, kind: EventKind, agent: str) -> Cell:
        """Return the cell of the table for an event of this kind by this agent."""
        cell = TABLE[self.phase][kind][self._roster.situate(agent)]
        assert cell is not None, "the table has a cell for every situation"  # noqa: S101
        return cell

    def step(self, event: StoryEvent) -> tuple["LifecycleState", Codes]:
        """Return the state after an event, and the codes of what is found at it."""
        roster = self._copy()
        move = advance(roster, event.kind, event.actor, event, same=eq)
        own = () if move.code is None else (move.code,)
        found = (*own, "SG206") if move.respelled and move.code != "SG601" else own
        return LifecycleState(roster), found

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
        move = advance(self._copy(), EventKind.CLOSE, "")
        return ("SG108",) if move.code is None else (move.code, "SG108")

    def _copy(self) -> Roster:
        roster = copy(self._roster)
        roster.marks = dict(roster.marks)
        roster.reliefs = dict(roster.reliefs)
        roster.known = dict(roster.known)
        return roster

    def _key(self) -> object:
        roster = self._roster
        return (
            roster.phase, roster.primary, roster.consultants, roster.last, roster.doubted,
            roster.early_summary, roster.na_entered, roster.told, roster.previous, self.known,
            tuple(sorted(roster.marks.items())), tuple(sorted(roster.reliefs.items())),
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """Whether nothing that may come can tell the two states apart."""
        return isinstance(other, LifecycleState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


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
        cell = state.cell(event.kind, event.actor)
        if (
            is_legal(cell.code)
            and (notes or cell.code is None)
            and (event.kind in MESSAGES or event.actor == "" or cell.effect is not Effect.NONE)
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
