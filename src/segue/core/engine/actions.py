"""Machines whose events are single actions, one a delivery, with positions of their own."""

from collections.abc import Callable
from enum import StrEnum
from functools import cache, partial
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from segue.core.engine.checks import DELIVERY_CHECKS, EVENT_CHECKS, run_checks
from segue.core.engine.history import HistoryEvent, events_of
from segue.core.engine.json_shapes import Shape
from segue.core.engine.lifecycle_events import by_code, findings_of
from segue.core.engine.machine import ApplyResult, ControlOutcome, MachineOutcome
from segue.core.engine.state import Facts, State
from segue.core.engine.truncation import short
from segue.core.events import Delivery, Event, EventKind, Json
from segue.core.findings import Finding, Place, find
from segue.core.lifecycle import Decision, PresenceEffect, resolve
from segue.core.transcription import (
    AllowedAction,
    Moment,
    Session,
    TranscriptionState,
    contradictions,
    saw_cold_exit,
    saw_warm_entry,
)


class ActionSession(Protocol):
    """What an `ActionMachine` knows of one conversation. Mutable."""

    position: int
    """How many actions there were; the position of the next one."""

    def __init__(self, position: int = 0) -> None:
        """Begin behind so many actions."""

    def apply(self, kind: StrEnum, agent: str, moment: Moment, *, enforce: bool) -> MachineOutcome:
        """Apply one processable action; with `enforce` refuse what is not allowed."""

    def to_json(self) -> Json:
        """Return everything as plain JSON types.

        Lists in a mapping under `history` may be kept elsewhere until it is closed: they only grow,
        and nothing before the close looks at what they had before.
        """

    @classmethod
    def from_json(cls, value: Json) -> Self:
        """Return the session that `to_json` wrote."""


class ControlSession(ActionSession, Protocol):
    """A session whose senders are told where it stands and what they may send."""

    @property
    def generation(self) -> int:
        """How many times it was started; 0 before the first."""

    @property
    def state(self) -> str:
        """Where it stands."""

    def allowed(self, moment: Moment) -> tuple[AllowedAction, ...]:
        """Return the actions that are allowed at a moment, and to whom."""


Hashed: TypeAlias = Callable[[str], bytes]
SessionT = TypeVar("SessionT", bound=ActionSession)
ControlT = TypeVar("ControlT", bound=ControlSession)


class ActionMachine(Generic[SessionT]):
    """Applies actions to a session, which is made at the first one."""

    mark_size = 0
    """Bytes of what is kept of a session when its conversation has ended, beside its position."""

    def __init__(self, name: str, session_type: type[SessionT], shape: Shape = object) -> None:
        self.name = name
        self.shape = shape
        """What the JSON of a session looks like."""
        self._session_type = session_type

    def session(self, state: State) -> SessionT:
        """Return the session of a conversation; a new one if there was no action."""
        session: SessionT | None = state.sessions.get(self.name)
        return self._session_type() if session is None else session

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply the action of a delivery."""
        session = self.session(state)
        if self.name not in state.sessions:
            self._keep(state, session)
        facts, kept = Facts(state, delivery, None, session.position), state.kept
        found = findings_of(delivery.flaws, facts)
        if not state.ended:
            run_checks(facts, DELIVERY_CHECKS.get(self.name, ()), found)
        outcome: MachineOutcome | None = None
        for event in delivery.events:
            found += findings_of(event.flaws, facts)
            if event.kind.name == "UNPROCESSABLE":
                continue
            meant = partial(_meant, state)
            agent = meant(event.agent)
            connection, successors = state.connection_count(agent), self._successors(state)
            moment = Moment(
                connection,
                state.ended,
                delivery.received_at,
                delivery.line,
                successors,
                meant,
                event.value,
                delivery.asked_at,
            )
            outcome = session.apply(event.kind, agent, moment, enforce=enforce)
            if not state.ended:
                facts.event, facts.agent = event, agent
                run_checks(facts, EVENT_CHECKS.get(self.name, ()), found)
            found = self._findings(outcome, event, agent, facts) + by_code(found)
        if outcome is not None and outcome.is_refused:
            state.kept = kept
        else:
            state.bot_id = state.bot_id or delivery.bot_id
            state.add_findings(found)
        return ApplyResult(tuple(found), outcome=outcome)

    def _findings(
        self,
        outcome: Any,  # noqa: ANN401 - of the session
        event: Event,
        agent: str,
        facts: Facts,
    ) -> list[Finding]:
        """Return the findings of an action's own rules: none."""
        del outcome, event, agent, facts
        return []

    def _successors(self, state: State) -> tuple[str, ...]:
        """Return who may succeed the controller: nobody."""
        del state  # whatever it is
        return ()

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Take no note of lifecycle events."""

    def close(self, state: State, place: Place) -> None:
        """Report nothing at the end."""

    def from_json(self, state: State, value: Json) -> None:
        """Restore the session."""
        self._keep(state, self._session_type.from_json(value))

    def foresee(self, state: State, delivery: Delivery) -> tuple[str, ...]:
        """Return nothing: between two endpoints there is no order."""
        del state, delivery
        return ()

    def position(self, state: State) -> int:
        """Return how many actions there were."""
        return self.session(state).position if self.name in state.sessions else 0

    def skip(self, state: State, events: int) -> None:
        """Begin behind so many actions, of which only their number is known."""
        if events:
            self._keep(state, self._session_type(events))

    def mark(self, state: State, before: bytes, hashed: Hashed) -> bytes:
        """Return what is kept of a session, beside its position; `before` is what was kept of it.

        `hashed` shortens a text to some bytes.
        """
        del state, before, hashed
        return b""

    def restore_mark(self, state: State, mark: bytes, delivery: Delivery, hashed: Hashed) -> None:
        """Put back what `mark` returned, before a delivery that comes after the end."""

    def _keep(self, state: State, session: SessionT) -> None:
        state.sessions = {**state.sessions, self.name: session}


def _meant(state: State, agent: str) -> str:
    """Return the agent that the id in an action means, as far as agents are known."""
    return resolve(state.agents, EventKind.MESSAGE, agent)


def _finding(code: str, outcome: ControlOutcome, action: tuple[str, str], place: Place) -> Finding:
    """Return the finding of an action (label and agent) that was not allowed, or too late."""
    label, agent = action
    facts = {
        "action": label,
        "agent": short(agent),
        "state": outcome.state_before,
        "allowed": ", ".join(outcome.expected) or "none",
    }
    return find(code, place, facts, expected=outcome.expected)


class ControlMachine(ActionMachine[ControlT]):
    """Applies actions whose senders wait for the answer."""

    def _findings(
        self, outcome: ControlOutcome, event: Event, agent: str, facts: Facts
    ) -> list[Finding]:
        """Return the finding of an action that was not allowed, or too late."""
        if outcome.code is None:
            return []
        return [_finding(outcome.code, outcome, (event.kind.value, agent), facts.place)]

    def allowed(self, state: State) -> tuple[AllowedAction, ...]:
        """Return the actions that are allowed now, and to whom."""
        moment = Moment(has_ended=state.ended, successors=self._successors(state))
        return self.session(state).allowed(moment)


class TranscriptionMachine(ControlMachine[Session]):
    """Transcription (E1), which is also held against the lifecycle."""

    def __init__(self) -> None:
        super().__init__("transcription", Session)

    def _successors(self, state: State) -> tuple[str, ...]:
        """Return who may succeed the controller: the agents present, once it has left.

        An agent whom lifecycle events have named, and who is neither present nor awaited (excused
        or owed), has left by an exit of its own.
        """
        presence, controller = state.presence, self.session(state).controller
        number = state.number_of(_meant(state, controller))
        present = presence.present
        if number is None or number in present or number in dict(presence.pending_exits):
            return ()
        names = tuple(state.agents)
        return tuple(names[each] for each in present)

    def _findings(
        self, outcome: ControlOutcome, event: Event, agent: str, facts: Facts
    ) -> list[Finding]:
        """Return the findings of an action; of the first, a log that begins late has the start."""
        is_first = outcome.state_before is TranscriptionState.IDLE
        if outcome.code == "SG401" and is_first and facts.state.begins_late:
            return []
        return super()._findings(outcome, event, agent, facts)

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Take note of a COLD exit or a WARM entry that does not fit the state."""
        session, agent, position = self.session(facts.state), facts.agent, facts.position or 0
        if decision.kind is EventKind.COLD_EXIT and decision.effect is not PresenceEffect.CONSUME:
            saw_cold_exit(session, agent, facts.state.connection_count(agent), position)
        elif decision.kind is EventKind.WARM_ENTRY:
            saw_warm_entry(session, agent, position)

    def close(self, state: State, place: Place) -> None:
        """Report where transcription and lifecycle contradict each other."""
        if not state.processable:
            return
        meant = partial(_meant, state)

        @cache
        def events() -> dict[int, HistoryEvent]:
            return {event.position: event for event in events_of(state)}

        def has_departed(agent: str) -> bool:
            exits = (each for each in events().values() if each.kind is EventKind.COLD_EXIT)
            return any(each.agent == meant(agent) for each in exits)

        def is_known(agent: str) -> bool:
            return state.begins_late or meant(agent) in state.agents

        for found in contradictions(self.session(state), is_known, has_departed):
            where = place
            if found.action is not None:
                where = Place(action=found.action.position, line=found.action.moment.line)
            elif found.event is not None:
                where = Place(event=found.event, line=events()[found.event].line)
            facts = {key: short(value) for key, value in found.facts.items()}
            state.add_findings([find(found.code, where, facts)])
