"""State machines whose deliveries contain one action each, such as transcription.

Actions have positions of their own, apart from the positions of lifecycle events.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeAlias, TypeVar

from segue.core.engine.checks import DELIVERY_CHECKS, EVENT_CHECKS, run_checks
from segue.core.engine.entries import lifecycle_entries
from segue.core.engine.lifecycle_events import by_code, findings_of
from segue.core.engine.machine import ApplyResult, ControlOutcome, MachineOutcome
from segue.core.engine.state import Facts, State
from segue.core.events import Delivery, Event, EventKind, Json
from segue.core.events.ids import one_spelling, short
from segue.core.findings import Finding, Place, find
from segue.core.lifecycle import Decision, PresenceEffect, resolve
from segue.core.transcription import (
    OPEN,
    AllowedAction,
    Moment,
    Session,
    TranscriptionState,
    contradictions,
    saw_cold_exit,
)

if TYPE_CHECKING:
    from segue.core.engine.json_shapes import Shape


class ActionSession(Protocol):
    """The state that an `ActionMachine` keeps for one conversation. Mutable."""

    position: int
    """The number of actions so far, which is also the position of the next action."""

    def __init__(self, position: int = 0) -> None:
        """Create a session in which `position` actions have already happened."""

    def apply(self, kind: StrEnum, agent: str, moment: Moment, *, enforce: bool) -> MachineOutcome:
        """Apply one processable action and return its effect.

        With `enforce` an action that is not allowed is refused.
        """

    def to_json(self) -> Json:
        """Return the session as a JSON value, from which `from_json` restores the session.

        If the value is an object with the key `history`, the lists in it may be stored elsewhere
        until the close. They only grow, and their earlier elements are not read before the close.
        """

    @classmethod
    def from_json(cls, value: Json) -> Self:
        """Return the session that `to_json` converted to a JSON value."""


class ControlSession(ActionSession, Protocol):
    """A session whose senders receive its state and the actions that they may send."""

    @property
    def generation(self) -> int:
        """The number of times that the session was started anew."""

    @property
    def state(self) -> str:
        """The current state, such as `active`."""

    def allowed(self, moment: Moment) -> tuple[AllowedAction, ...]:
        """Return the actions that are allowed now, each with the agents who may send it."""


Hashed: TypeAlias = Callable[[str], bytes]
"""A function that shortens a text to a hash of some bytes."""
SessionT = TypeVar("SessionT", bound=ActionSession)
ControlT = TypeVar("ControlT", bound=ControlSession)


class ActionMachine(Generic[SessionT]):
    """A state machine that applies actions to the session of a conversation.

    A session begins with the first action.
    """

    mark_size = 0
    """The size of the result of `mark` in bytes."""

    def __init__(self, name: str, session_type: type[SessionT], shape: "Shape" = object) -> None:
        self.name = name
        self.shape = shape
        """The description of the session's JSON, by which a stored session is validated."""
        self._session_type = session_type

    def session(self, state: State) -> SessionT:
        """Return the session of a conversation. Before the first action it is a new one."""
        session: SessionT | None = state.sessions.get(self.name)
        return self._session_type() if session is None else session

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply the action of a delivery, and return its findings and its effect.

        With `enforce` an action that is not allowed is refused.
        """
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
        """Return the findings of the machine's own rules about an action.

        Subclasses override this.
        """
        del outcome, event, agent, facts
        return []

    def _successors(self, state: State) -> tuple[str, ...]:
        """Return the agents who may succeed the controller. Subclasses override this."""
        del state
        return ()

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Do nothing. Subclasses override this if lifecycle events concern them."""

    def close(self, state: State, place: Place) -> None:
        """Report no findings at the end of the conversation. Subclasses override this."""

    def from_json(self, state: State, value: Json) -> None:
        """Restore the session from the JSON value that its `to_json` returned."""
        self._keep(state, self._session_type.from_json(value))

    def foresee(self, state: State, delivery: Delivery) -> tuple[str, ...]:
        """Return an empty tuple, because events of different endpoints have no defined order."""
        del state, delivery
        return ()

    def position(self, state: State) -> int:
        """Return the number of actions so far."""
        return self.session(state).position if self.name in state.sessions else 0

    def skip(self, state: State, events: int) -> None:
        """Begin with a session in which `events` actions have already happened."""
        if events:
            self._keep(state, self._session_type(events))

    def mark(self, state: State, before: bytes, hashed: Hashed) -> bytes:
        """Return the bytes that are stored of a session after its conversation has ended.

        The position is stored separately. `before` is the previous mark.
        """
        del state, before, hashed
        return b""

    def restore_mark(self, state: State, mark: bytes, delivery: Delivery, hashed: Hashed) -> None:
        """Restore the session from its mark, before a delivery after the end is applied."""

    def _keep(self, state: State, session: SessionT) -> None:
        state.sessions = {**state.sessions, self.name: session}


def _meant(state: State, agent: str) -> str:
    """Return the known agent whom the id in an action means.

    For example, the id may differ in letter case. An unknown agent is returned in the spelling that
    all equal ids share.
    """
    known = resolve(state.agents, EventKind.MESSAGE, agent)
    return known if known in state.agents else one_spelling(known)


def _finding(code: str, outcome: ControlOutcome, action: tuple[str, str], place: Place) -> Finding:
    """Return the finding about an action that was not allowed or came too late.

    `action` is the label of the action and the agent who sent it.
    """
    label, agent = action
    facts = {
        "action": label,
        "agent": short(agent),
        "state": outcome.state_before,
        "allowed": ", ".join(outcome.expected) or "none",
    }
    return find(code, place, facts, expected=outcome.expected)


class ControlMachine(ActionMachine[ControlT]):
    """A state machine for actions whose senders wait for the answer."""

    def _findings(
        self, outcome: ControlOutcome, event: Event, agent: str, facts: Facts
    ) -> list[Finding]:
        """Return the finding about an action that was not allowed or came too late, if any."""
        if outcome.code is None:
            return []
        return [_finding(outcome.code, outcome, (event.kind.value, agent), facts.place)]

    def allowed(self, state: State) -> tuple[AllowedAction, ...]:
        """Return the actions that are allowed now, each with the agents who may send it."""
        moment = Moment(has_ended=state.ended, successors=self._successors(state))
        return self.session(state).allowed(moment)


class TranscriptionMachine(ControlMachine[Session]):
    """The state machine of transcription (E1), which compares actions with lifecycle events."""

    def __init__(self) -> None:
        super().__init__("transcription", Session)

    def _successors(self, state: State) -> tuple[str, ...]:
        """Return the agents present if the controller has left, otherwise an empty tuple.

        The controller has left if lifecycle events have named it, it is not present, and its exit
        is not awaited.
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
        """Return the finding about an action, if there is one.

        In a log that begins late, an action without a start is not reported.
        """
        is_first = outcome.state_before is TranscriptionState.IDLE
        if outcome.code == "SG401" and is_first and facts.state.begins_late:
            return []
        return super()._findings(outcome, event, agent, facts)

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply the action of a delivery, and return its findings and its effect.

        An `end` after END_OF_CONVERSATION closes the session, and the findings include those of the
        close.
        """
        if state.ended and self.name not in state.sessions:
            self._keep(state, Session(is_closed=True))  # nothing was open at END
        is_awaited, before = self.awaits_end(state), len(state.findings)
        applied = super().apply(state, delivery, enforce=enforce)
        if not is_awaited or self.session(state).state in OPEN:
            return applied
        self._close(state)
        return applied._replace(findings=tuple(state.findings[before:]))

    def awaits_end(self, state: State) -> bool:
        """Return whether the conversation has ended, and its transcription may still be ended.

        The `end` may come later, because actions and events have no defined order.
        """
        if not state.ended or self.name not in state.sessions:
            return False
        session = self.session(state)
        return session.state in OPEN and not session.is_closed

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Record a COLD exit that does not fit the state of the transcription."""
        if decision.kind is EventKind.COLD_EXIT and decision.effect is not PresenceEffect.CONSUME:
            agent, position = facts.agent, facts.position or 0
            connection = facts.state.connection_count(agent)
            saw_cold_exit(self.session(facts.state), agent, connection, position)

    def close(self, state: State, place: Place) -> None:
        """Report contradictions between transcription actions and lifecycle events.

        A transcription that is open at END is not closed before the log is.
        """
        del place  # END is the last event
        if state.processable and (state.closed or not self.awaits_end(state)):
            self._close(state)

    def _close(self, state: State) -> None:
        meant, session = partial(_meant, state), self.session(state)
        session.is_closed = True

        @cache
        def lines() -> dict[int, int | None]:
            events = lifecycle_entries(state.entries, state.ended_at)
            return {event.position: event.line_number for event in events}

        def handed_over(agent: str) -> int:
            record = state.agents.get(meant(agent))
            return -1 if record is None or record.left is None else record.left

        def is_known(agent: str) -> bool:
            return state.begins_late or meant(agent) in state.agents

        end = state.last if state.ended else None
        for found in contradictions(session, is_known, handed_over):
            where = Place() if end is None else Place(event=end.position, line=end.line_number)
            if found.action is not None:
                where = Place(action=found.action.position, line=found.action.moment.line)
            elif found.event is not None:
                where = Place(event=found.event, line=lines()[found.event])
            facts = {key: short(value) for key, value in found.facts.items()}
            state.add_findings([find(found.code, where, facts)])
