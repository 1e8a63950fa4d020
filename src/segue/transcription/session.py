"""One transcription session: what an action does to it, and what is remembered.

It decides what is a repeat, what is refused, who controls the transcription and which generation
runs; what is allowed stands in the table.  House rules: a session is made at the first action, and
a conversation without one needs none; an action is remembered only if it took effect, in one list
from which the state, the times and the evidence of the cross-checks are read; what was sent wrong
is a code in the `Outcome`, and nothing here raises.

A log may lack the start.  An action believed before any start is taken as part of generation 1,
and its agent as the controller, so that a missing start is one mistake.  After an end only a start
begins a new generation; a pause or resume believed there says that the end was none.

It refuses to know clocks, letter case of identities, and what the lifecycle allows: the caller
resolves agents and says how often they have entered.
"""

from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from segue.events import ActionKind, EventKind
from segue.transcription.table import TABLE, Command, State, allowed, classify

__all__ = [
    "Deed",
    "Outcome",
    "Session",
    "Sighting",
    "Spell",
    "act",
    "follow",
    "session_from_json",
    "session_to_dict",
    "session_to_json",
    "spells",
]

_IDLE: Final = State.IDLE
_ENDED: Final = State.ENDED
_STARTS: Final = frozenset({Command.START, Command.TAKEOVER})
_CONTROLS: Final = _STARTS | {Command.RESUME}
_OPENING: Final = frozenset({ActionKind.START, ActionKind.RESUME})
"""Actions that are an offence after END_OF_CONVERSATION; the others can only close."""


class Deed(NamedTuple):
    """An action that took effect, allowed or believed."""

    position: int
    command: Command
    agent: str
    stay: int
    """How many entries the agent had had: 1 in the first stay, 0 before it."""
    at: datetime | None
    to: State


class Sighting(NamedTuple):
    """A lifecycle event that does not fit the state it came in; judged when all is known."""

    event: int
    kind: EventKind
    agent: str
    stay: int | None
    """The stay whose handover pause, early or late, excuses it; None: nothing does."""
    state: State


class Spell(NamedTuple):
    """A time spent in one state."""

    state: State
    start: datetime | None
    end: datetime | None
    """Of the last spell always None, for it is open; of another: the time is not known."""


@dataclass(slots=True)
class Session:
    """The transcription of one conversation. Mutable."""

    controller: str = ""
    """Who last started or resumed; empty: nobody."""
    generation: int = 0
    """Which transcription of the conversation this is, counted from 1; 0: none yet."""
    position: int = 0
    """How many actions there were, repeats included, refused ones not."""
    deeds: list[Deed] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)

    @property
    def state(self) -> State:
        """Where the transcription stands."""
        return self.deeds[-1].to if self.deeds else _IDLE


class Outcome(NamedTuple):
    """What one action did."""

    code: str | None
    """SG401 (believed or refused), SG402, SG408, or None."""
    changed: bool
    """Whether state, controller or generation are others than before."""
    state_before: State
    state: State
    generation: int
    position: int
    """Of this action; a refused one leaves its position to the next."""
    agent: str
    controller_before: str
    controller: str
    ended: bool
    """The conversation has ended: nothing was allowed before."""

    @property
    def allowed_before(self) -> tuple[str, ...]:
        """Labels of the actions its agent could have sent."""
        return () if self.ended else allowed(self.state_before, self.agent, self.controller_before)

    @property
    def allowed(self) -> tuple[str, ...]:
        """Labels of the actions its agent may send next."""
        return allowed(self.state, self.agent, self.controller)


def act(  # noqa: PLR0913 - all that a caller knows about the moment
    session: Session,
    kind: ActionKind,
    agent: str,
    *,
    believe: bool,
    at: datetime | None,
    stay: int,
    ended: bool,
) -> Outcome:
    """Apply one processable action; `believe` what is not allowed, or refuse it.

    `stay`: how many entries the agent has had in the conversation.  `ended`: END_OF_CONVERSATION
    has come; whatever is sent then is believed.
    """
    before = state, controller, generation = session.state, session.controller, session.generation
    position = session.position
    command = classify(kind, agent, controller)
    cell = TABLE[state][command]
    code = None
    if ended:
        code = "SG408" if kind in _OPENING else None
    elif _repeats(session, command, agent):
        code = "SG402"
    elif not cell.allowed:
        code = "SG401"
    if code != "SG401" or believe:
        session.position += 1
        if code != "SG402":
            _apply(session, Deed(position, command, agent, stay, at, cell.to))
            state, generation = cell.to, session.generation
    return Outcome(
        code, before != (state, session.controller, generation), before[0], state, generation,
        position, agent, controller, session.controller, ended,
    )  # fmt: skip


def follow(
    session: Session,
    kind: ActionKind,
    agent: str,
    *,
    at: datetime | None,
    stay: int,
) -> bool:
    """Apply an action that is allowed where the session stands; False: nothing was done.

    What repeats the action before is never allowed.
    """
    command = classify(kind, agent, session.controller)
    cell = TABLE[session.state][command]
    if not cell.allowed:
        return False
    _apply(session, Deed(session.position, command, agent, stay, at, cell.to))
    session.position += 1
    return True


def _repeats(session: Session, command: Command, agent: str) -> bool:
    """Whether the last action that took effect was the same; whose start it is does not count."""
    if not session.deeds:
        return False
    last = session.deeds[-1]
    return last.agent == agent and last.command.label == command.label


def _apply(session: Session, deed: Deed) -> None:
    state = session.state
    if state is _IDLE or (state is _ENDED and deed.command in _STARTS):
        session.generation += 1
    if deed.command in _CONTROLS or not session.controller:
        session.controller = deed.agent
    session.deeds.append(deed)


def spells(session: Session) -> list[Spell]:
    """Return the times spent in each state since the first action, in order."""
    changes = [next(group) for _, group in groupby(session.deeds, key=attrgetter("to"))]
    ends = [*(deed.at for deed in changes[1:]), None]
    return [Spell(deed.to, deed.at, end) for deed, end in zip(changes, ends, strict=False)]


def session_to_dict(session: Session | None) -> dict[str, object]:
    """Return what a report says of the transcription; None: there was no action."""
    session = session or Session()
    return {
        "state": session.state.value,
        "controller": session.controller or None,
        "generation": session.generation,
        "actions": session.position,
    }


def session_to_json(session: Session) -> dict[str, Any]:
    """Return everything as plain JSON types; empty when nothing was done."""
    if session == Session():
        return {}
    return {
        "controller": session.controller,
        "generation": session.generation,
        "position": session.position,
        "deeds": [
            [position, command.value, agent, stay, at and at.isoformat(), to.value]
            for position, command, agent, stay, at, to in session.deeds
        ],
        "sightings": [
            [event, kind.value, agent, stay, state.value]
            for event, kind, agent, stay, state in session.sightings
        ],
    }


def session_from_json(value: dict[str, Any]) -> Session:
    """Return the session that `session_to_json` wrote."""
    if not value:
        return Session()
    return Session(
        controller=value["controller"],
        generation=value["generation"],
        position=value["position"],
        deeds=[
            Deed(
                position,
                Command(command),
                agent,
                stay,
                at and datetime.fromisoformat(at),
                State(to),
            )
            for position, command, agent, stay, at, to in value["deeds"]
        ],
        sightings=[
            Sighting(event, EventKind(kind), agent, stay, State(state))
            for event, kind, agent, stay, state in value["sightings"]
        ],
    )
