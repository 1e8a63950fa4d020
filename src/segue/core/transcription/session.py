"""The state of one transcription, and the effect of actions on it.

A session begins with the first action. It keeps only actions that took effect, in one list from
which the state, the times and the evidence of the consistency rules are derived.

A log may lack the start. An action that is believed before any start belongs to generation 1 and
makes its agent the controller, so a missing start is one mistake. After an end only a start begins
a new generation. A pause or resume that is believed there means that there was no end.

The caller resolves agents, counts their connections, and decides who may succeed the controller.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from segue.core.events import ActionKind, EventKind
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
    """The circumstances of an action, provided by the caller."""

    connection: int = 0
    """The number of the agent's connections so far: 1 during the first, 0 before it."""
    has_ended: bool = False
    """Whether END_OF_CONVERSATION came before the action."""
    at: datetime | None = None
    line: int | None = None
    successors: tuple[str, ...] = ()
    """The agents present if the controller has left, else empty. Not stored."""
    meant: Callable[[str], str] = str
    """A function that returns the agent that the id of an earlier action means now. Not stored."""
    value: Mapping[str, Any] = {}
    """The action as it was sent. Not stored."""
    asked_at: datetime | None = None
    """The time of the host's request that the action answers. Not stored."""

    @property
    def remembered(self) -> "Moment":
        """The moment with only the fields that are stored."""
        return Moment(*self[:4]) if self.successors or self.meant is not str else self

    def to_json(self) -> list[Any]:
        """Return the stored fields as plain JSON types."""
        return [*self[:2], self.at and self.at.isoformat(), self.line]

    @classmethod
    def from_json(cls, value: list[Any]) -> "Moment":
        """Return the moment that `to_json` wrote."""
        connection, has_ended, at, line = value
        return cls(connection, has_ended, at and datetime.fromisoformat(at), line)


class AppliedAction(NamedTuple):
    """An action that took effect, allowed or believed."""

    position: int
    kind: ActionKind
    agent: str
    moment: Moment
    to: TranscriptionState

    def to_json(self) -> list[Any]:
        """Return the action as plain JSON types."""
        position, kind, agent, moment, to = self
        return [position, kind.value, agent, moment.to_json(), to.value]

    @classmethod
    def from_json(cls, value: list[Any]) -> "AppliedAction":
        """Return the action that `to_json` wrote."""
        position, kind, agent, moment, to = value
        at = Moment.from_json(moment)
        return cls(position, ActionKind(kind), agent, at, TranscriptionState(to))


class SuspectEvent(NamedTuple):
    """A lifecycle event that does not fit the state in which it came, judged at the end."""

    event: int
    kind: EventKind
    agent: str
    connection: int | None
    """The connection whose handover pause excuses the event, or None if no pause can."""
    state: TranscriptionState


class StateInterval(NamedTuple):
    """A period that a transcription spent in one state."""

    state: TranscriptionState
    """The state between `start` and `end`."""
    start: datetime | None
    """The aware time when the state began, or None if the log has no times."""
    end: datetime | None
    """The aware time when the state ended. None for the last interval and if the time is unknown.
    """


class ActionOutcome(NamedTuple):
    """The result of one action."""

    code: str | None
    """SG401, SG402, SG408, or None."""
    changed: bool
    """Whether the action changed the state, the controller or the generation."""
    state_before: TranscriptionState
    state: TranscriptionState
    position: int
    """The position of the action. A refused action leaves its position to the next one."""
    sender: tuple[Mapping[Command, ActionCell], str, str, tuple[str, ...]]
    """The row of the table, the action's agent, and the controller and successors before the
    action.
    """
    is_refused: bool = False
    """Whether the action was not allowed and had no effect."""

    @property
    def expected(self) -> tuple[str, ...]:
        """Labels of the actions that its agent could have sent."""
        return allowed_labels(*self.sender)


@dataclass(slots=True)
class Session:
    """The transcription of one conversation. Mutable."""

    position: int = 0
    """The number of actions, including repeats but not refused ones."""
    controller: str = ""
    """The agent who last started or resumed. Empty if there is none."""
    generation: int = 0
    """The number of the transcription within the conversation, from 1. 0 before the first."""
    actions: list[AppliedAction] = field(default_factory=list)
    suspects: list[SuspectEvent] = field(default_factory=list)
    before: AppliedAction | None = None
    """The last action, if the list of actions is stored elsewhere."""

    @property
    def state(self) -> TranscriptionState:
        """The current state."""
        last = self.last
        return TranscriptionState.IDLE if last is None else last.to

    @property
    def last(self) -> AppliedAction | None:
        """The last action that took effect."""
        return self.actions[-1] if self.actions else self.before

    def restore_last(self, state: TranscriptionState, kind: ActionKind, agent: str) -> None:
        """Restore the last action of a session that is not stored otherwise."""
        self.actions = [AppliedAction(self.position - 1, kind, agent, Moment(), state)]

    def allowed(self, moment: Moment) -> tuple[AllowedAction, ...]:
        """Return the actions that are allowed at a moment, and to whom."""
        return allowed(self._row(moment), moment.successors)

    def apply(self, kind: StrEnum, agent: str, moment: Moment, *, enforce: bool) -> ActionOutcome:
        """Apply one processable action.

        With `enforce` an action that is not allowed is refused and has no effect. Otherwise it is
        believed.
        """
        before = self.state, self.controller, self.generation
        position, row, successors = self.position, self._row(moment), moment.successors
        kind, controller = ActionKind(kind), moment.meant(self.controller)
        command = classify(kind, agent, controller, successors)
        code = "SG402" if self._repeats(kind, agent, moment) else row[command].code
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
        return (TABLE_AFTER_END if moment.has_ended else TABLE)[self.state]

    def _repeats(self, kind: ActionKind, agent: str, moment: Moment) -> bool:
        """Return whether the action repeats the last one, whose agent is resolved again."""
        last = self.last
        return last is not None and (moment.meant(last.agent), last.kind) == (agent, kind)

    def _remember(self, action: AppliedAction) -> None:
        kind = action.kind
        begins = kind is ActionKind.START and self.state is TranscriptionState.ENDED
        if self.state is TranscriptionState.IDLE or begins:
            self.generation += 1
        if kind in {ActionKind.START, ActionKind.RESUME} or not self.controller:
            self.controller = action.agent
        self.actions.append(action)

    def intervals(self) -> tuple[StateInterval, ...]:
        """Return the periods spent in each state since the first action, in order."""
        changes = [next(group) for _, group in groupby(self.actions, key=attrgetter("to"))]
        ends = [*(action.moment.at for action in changes[1:]), None]
        return tuple(
            StateInterval(action.to, action.moment.at, end)
            for action, end in zip(changes, ends, strict=False)
        )

    def form(self, connections: Callable[[str], int]) -> Hashable:
        """Return the part of the session that later verdicts depend on.

        It contains the last action with its state, the controller, the agents who acted, and the
        evidence for and against COLD exits and WARM entries. Connections are counted back from the
        agent's current one, which `connections` returns.
        """
        last = self.last
        announced = frozenset(
            (each.agent, connections(each.agent) - each.moment.connection)
            for each in self.actions
            if each.kind is ActionKind.HANDOVER
        )
        suspects = frozenset(
            (each.kind, each.agent, _since(each, connections), each.state) for each in self.suspects
        )
        latest = last and (last.kind, last.agent, last.to)
        actors = frozenset(each.agent for each in self.actions)
        return latest, self.controller, actors, announced, suspects

    def copy(self) -> "Session":
        """Return an independent copy of the session."""
        return replace(self, actions=[*self.actions], suspects=[*self.suspects])

    def to_dict(self) -> dict[str, object]:
        """Return the transcription as a JSON object, as the report schema describes it."""
        return {
            "state": self.state.value,
            "controller": self.controller or None,
            "generation": self.generation,
            "actions": self.position,
        }

    def to_json(self) -> dict[str, Any]:
        """Return the session as plain JSON types. Judging does not need `history`."""
        return {
            "position": self.position,
            "controller": self.controller,
            "generation": self.generation,
            "last": self.last and self.last.to_json(),
            "history": {
                "actions": [action.to_json() for action in self.actions],
                "suspects": [
                    [event, kind.value, agent, connection, state.value]
                    for event, kind, agent, connection, state in self.suspects
                ],
            },
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Session":
        """Return the session that `to_json` wrote. Its history may be stored elsewhere."""
        actions = [AppliedAction.from_json(action) for action in value["history"]["actions"]]
        return cls(
            value["position"],
            value["controller"],
            value["generation"],
            actions,
            [
                SuspectEvent(event, EventKind(kind), agent, connection, TranscriptionState(state))
                for event, kind, agent, connection, state in value["history"]["suspects"]
            ],
            AppliedAction.from_json(value["last"]) if value["last"] and not actions else None,
        )


def _since(suspect: SuspectEvent, connections: Callable[[str], int]) -> int | None:
    """Return the number of connections that the agent has had since a suspect event."""
    if suspect.connection is None:
        return None
    return connections(suspect.agent) - suspect.connection
