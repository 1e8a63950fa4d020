"""The state of one transcription, and the effect of actions on it.

A session begins with the first action. It stores only actions that took effect. The state, the
times and the evidence for contradictions are computed from this list.

A log may lack the start. An action that is believed before any start belongs to generation 1 and
makes its agent the controller, so a missing start is one mistake. After an end only a start begins
a new generation. If a pause or resume is believed there, the end is taken not to have happened.

The caller resolves agents, counts their connections, and decides who may succeed the controller.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from segue.core.events import ActionKind
from segue.core.transcription.table import (
    TABLE,
    TABLE_AFTER_END,
    ActionCell,
    AllowedAction,
    Command,
    TranscriptionState,
    allowed,
    allowed_labels,
    classify,
)


class Moment(NamedTuple):
    """The circumstances in which an action arrives, such as its time and the agents present.

    The caller passes them to `Session.apply` with the action.
    """

    connection: int = 0
    """The number of connections that the agent has had so far, including the current one. 0 before
    the first.
    """
    has_ended: bool = False
    """Whether END_OF_CONVERSATION came before the action."""
    at: datetime | None = None
    """The time of receipt, or None if unknown."""
    line: int | None = None
    """The line of the log, or None."""
    successors: tuple[str, ...] = ()
    """The agents who may succeed the controller: those present if the controller has left. Not
    stored.
    """
    meant: Callable[[str], str] = str
    """A function that returns the identity of the agent whom an id in an earlier action means now.
    Not stored.
    """
    value: Mapping[str, Any] = {}
    """The JSON object of the action. Not stored."""
    asked_at: datetime | None = None
    """The time of the host's request that the action answers, or None if unknown. Not stored."""

    @property
    def remembered(self) -> "Moment":
        """A copy in which the fields that are not stored have their defaults."""
        return Moment(*self[:4]) if self.successors or self.meant is not str else self

    def to_json(self) -> list[Any]:
        """Return the stored fields as a list of JSON values."""
        return [*self[:2], self.at and self.at.isoformat(), self.line]

    @classmethod
    def from_json(cls, value: list[Any]) -> "Moment":
        """Return the moment stored as a list by `to_json`."""
        connection, has_ended, at, line = value
        return cls(connection, has_ended, at and datetime.fromisoformat(at), line)


class AppliedAction(NamedTuple):
    """An action that took effect, because it was allowed or had already happened."""

    position: int
    """The position among the actions of the conversation, from 0."""
    kind: ActionKind
    agent: str
    """The identity of the agent. Empty if unknown."""
    moment: Moment
    to: TranscriptionState
    """The state after the action."""

    def to_json(self) -> list[Any]:
        """Return the action as a list of JSON values."""
        position, kind, agent, moment, to = self
        return [position, kind.value, agent, moment.to_json(), to.value]

    @classmethod
    def from_json(cls, value: list[Any]) -> "AppliedAction":
        """Return the action stored as a list by `to_json`."""
        position, kind, agent, moment, to = value
        at = Moment.from_json(moment)
        return cls(position, ActionKind(kind), agent, at, TranscriptionState(to))


class SuspectExit(NamedTuple):
    """A COLD exit that does not fit the transcription's state at that time.

    `contradictions` decides when the session is closed whether to report the exit, because a later
    action may excuse it.
    """

    event: int
    """The position of the exit."""
    agent: str
    connection: int
    """The number of the agent's connection. A handover pause in the same one excuses the exit."""
    state: TranscriptionState
    """The state of the transcription when the exit came."""


class StateInterval(NamedTuple):
    """A period that a transcription spent in one state, such as `hold`."""

    state: TranscriptionState
    """The state during the period."""
    start: datetime | None
    """The time when the state began, with a time zone, or None if the log has no times."""
    end: datetime | None
    """The time when the state ended, with a time zone. None for the last period and if unknown."""


class ActionOutcome(NamedTuple):
    """The effect of one action on a `Session`."""

    code: str | None
    """The rule that reports the action (SG401, SG402 or SG408), or None if it was allowed."""
    changed: bool
    """Whether the action changed the state, the controller or the generation."""
    state_before: TranscriptionState
    """The state before the action."""
    state: TranscriptionState
    """The state after the action."""
    position: int
    """The position of the action. A refused action has the position that the next action gets."""
    sender: tuple[Mapping[Command, ActionCell], str, str, tuple[str, ...]]
    """The table row of the state, the action's agent, the controller, and the successors.

    All of them are as they were before the action.
    """
    is_refused: bool = False
    """Whether the action was refused, so that it had no effect."""

    @property
    def expected(self) -> tuple[str, ...]:
        """The labels of the actions that the agent was allowed to send, such as `resume`."""
        return allowed_labels(*self.sender)


@dataclass(slots=True)
class Session:
    """The state of a conversation's transcription, which `apply` updates with each action."""

    position: int = 0
    """The number of actions so far, including repeats but without refused actions."""
    controller: str = ""
    """The identity of the agent who last started or resumed. Empty if there is no such agent."""
    generation: int = 0
    """The number of times that transcription was started anew. 0 before the first action."""
    actions: list[AppliedAction] = field(default_factory=list)
    """The actions that took effect, in order, without repeats."""
    suspects: list[SuspectExit] = field(default_factory=list)
    """The COLD exits that did not fit the state, in order."""
    before: AppliedAction | None = None
    """The last action that took effect, if the list of actions is stored elsewhere, otherwise None.
    """
    is_closed: bool = False
    """Whether the contradictions to the lifecycle were reported."""

    @property
    def state(self) -> TranscriptionState:
        """The current state. It is `IDLE` before the first action."""
        last = self.last
        return TranscriptionState.IDLE if last is None else last.to

    @property
    def last(self) -> AppliedAction | None:
        """The last action that took effect, or None before the first action."""
        return self.actions[-1] if self.actions else self.before

    def restore_last(self, state: TranscriptionState, kind: ActionKind, agent: str) -> None:
        """Replace the list of actions by a single last action, known only by these values.

        This restores a session that was closed and stored without its actions.
        """
        self.is_closed = True
        self.actions = [AppliedAction(self.position - 1, kind, agent, Moment(), state)]

    def allowed(self, moment: Moment) -> tuple[AllowedAction, ...]:
        """Return the actions that are allowed now, each with the agents who may send it."""
        return allowed(self._row(moment), moment.successors)

    def apply(self, kind: StrEnum, agent: str, moment: Moment, *, enforce: bool) -> ActionOutcome:
        """Apply one processable action and return its effect.

        With `enforce` an action that is not allowed is refused and has no effect. Without it the
        action is reported and takes effect, because it has already happened.
        """
        before = self.state, self.controller, self.generation
        position, row, successors = self.position, self._row(moment), moment.successors
        kind, controller = ActionKind(kind), moment.meant(self.controller)
        command = classify(kind, agent, controller, successors)
        code = self._verdict(kind, agent, moment, row[command].code)
        is_refused = enforce and code not in {None, "SG402"}
        if not is_refused:
            self.position += 1
            if code != "SG402":
                to = row[command].to
                self._remember(AppliedAction(position, kind, agent, moment.remembered, to))
        changed = before != (self.state, self.controller, self.generation)
        sender = row, agent, controller, successors
        return ActionOutcome(code, changed, before[0], self.state, position, sender, is_refused)

    def _row(self, moment: Moment) -> Mapping[Command, ActionCell]:
        """Return the table cell of each command in the current state."""
        return (TABLE_AFTER_END if moment.has_ended else TABLE)[self.state]

    def _verdict(
        self, kind: ActionKind, agent: str, moment: Moment, code: str | None
    ) -> str | None:
        """Return the rule that reports an action, or None. `code` is that of the table.

        An exact repeat is reported before the table. A start of the controller while transcription
        is active is legal if the controller has reconnected since the last action.
        """
        is_restart = code == "SG402"
        if not (is_restart or self._repeats(kind, agent, moment)):
            return code
        is_active = self.state is TranscriptionState.ACTIVE and not moment.has_ended
        if kind is ActionKind.START and is_active and self.last is not None:
            is_reconnected = moment.connection > max(self.last.moment.connection, 1)
            return None if is_reconnected else "SG402"
        return "SG402"

    def _repeats(self, kind: ActionKind, agent: str, moment: Moment) -> bool:
        """Return whether the action has the same kind and agent as the last action."""
        last = self.last
        return last is not None and (moment.meant(last.agent), last.kind) == (agent, kind)

    def _remember(self, action: AppliedAction) -> None:
        """Append an action that takes effect, and update `generation` and `controller`."""
        kind = action.kind
        begins = kind is ActionKind.START and self.state is TranscriptionState.ENDED
        if self.state is TranscriptionState.IDLE or begins:
            self.generation += 1
        if kind in {ActionKind.START, ActionKind.RESUME} or not self.controller:
            self.controller = action.agent
        self.actions.append(action)

    def intervals(self) -> tuple[StateInterval, ...]:
        """Return the periods that the transcription spent in each state, in order of time.

        The first period begins with the first action, and the last one has no end.
        """
        changes = [next(group) for _, group in groupby(self.actions, key=attrgetter("to"))]
        ends = [*(action.moment.at for action in changes[1:]), None]
        return tuple(
            StateInterval(action.to, action.moment.at, end)
            for action, end in zip(changes, ends, strict=False)
        )

    def form(self, connections: Callable[[str], int], departed: Mapping[str, int]) -> Hashable:
        """Return a hashable summary. Sessions with equal summaries judge all later actions alike.

        The summary contains the last action, the controller, the agents who sent actions, their
        handover pauses, and the suspect exits. It contains no positions or times.

        Args:
            connections: A function that returns the number of connections that an agent has had so
                far.
            departed: For each agent who left by COLD or WARM exit, the number of its connections
                since the one that it last left in this way.

        """
        last = self.last
        announced = frozenset(
            (
                each.agent,
                since := connections(each.agent) - each.moment.connection,
                departed.get(each.agent, since + 1) <= since,
            )
            for each in self.actions
            if each.kind is ActionKind.HANDOVER
        )
        suspects = frozenset(
            (each.agent, connections(each.agent) - each.connection, each.state)
            for each in self.suspects
        )
        latest = last and (
            (last.kind, last.agent, last.to),
            connections(last.agent) > max(last.moment.connection, 1),
        )
        actors = frozenset(each.agent for each in self.actions)
        return latest, self.controller, actors, announced, suspects

    def copy(self) -> "Session":
        """Return an independent copy of the session."""
        return replace(self, actions=[*self.actions], suspects=[*self.suspects])

    def to_dict(self) -> dict[str, object]:
        """Return the transcription as a JSON object with the keys of the report schema."""
        return {
            "state": self.state.value,
            "controller": self.controller or None,
            "generation": self.generation,
            "actions": self.position,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the session as a JSON object, to be stored and passed to `from_json`.

        The key `history` contains the lists of actions and suspect exits, which may be stored
        elsewhere.
        """
        return {
            "position": self.position,
            "controller": self.controller,
            "generation": self.generation,
            "last": self.last and self.last.to_json(),
            "is_closed": self.is_closed,
            "history": {
                "actions": [action.to_json() for action in self.actions],
                "suspects": [
                    [event, agent, connection, state.value]
                    for event, agent, connection, state in self.suspects
                ],
            },
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Session":
        """Return the session stored as a JSON object by `to_json`.

        The lists in `history` may be empty. The session then judges further actions, but has no
        record of the earlier ones.
        """
        actions = [AppliedAction.from_json(action) for action in value["history"]["actions"]]
        return cls(
            value["position"],
            value["controller"],
            value["generation"],
            actions,
            [
                SuspectExit(event, agent, connection, TranscriptionState(state))
                for event, agent, connection, state in value["history"]["suspects"]
            ],
            AppliedAction.from_json(value["last"]) if value["last"] and not actions else None,
            value["is_closed"],
        )
