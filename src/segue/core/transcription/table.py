"""The transcription table: the actions that each state allows, and the state after each action.

The table has a cell for every state and command. `classify` first converts an action and its agent
to a `Command`. The state after an action depends on the action alone. An action that was not
allowed but has happened, as in a replayed log, therefore leads to the same state.

The specification (Endpoints, E1) names the actions and defines `handover`. The states, and the
actions that they allow, are Segue's interpretation of it.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, Literal, NamedTuple

from segue.core.events import ActionKind


class TranscriptionState(StrEnum):
    """The state of a transcription between two actions."""

    IDLE = "idle"
    """The transcription has not been started."""
    ACTIVE = "active"
    """The transcription is running."""
    HOLD = "hold"
    """The transcription is paused while the agent stays with the call."""
    HANDOVER = "handover"
    """The transcription is paused while the agent transfers the call."""
    ENDED = "ended"
    """The transcription has ended. It may be started again."""

    __hash__ = str.__hash__  # faster than Enum's, and every action looks a state up


class Command(StrEnum):
    """An action together with all facts about its agent that decide whether the action is allowed.

    The controller is the agent who last started or resumed. A successor is an agent who is present
    after the controller has left.
    """

    START = "start"
    """A start by an agent who is neither the controller nor a successor."""
    RESTART = "restart"
    """A start by the controller."""
    SUCCEED = "succeed"
    """A start by a successor."""
    HOLD = "hold"
    HANDOVER = "handover"
    RESUME = "resume"
    """A resume by an agent who is not a successor."""
    SUCCEED_BY_RESUME = "succeed by resume"
    """A resume by a successor."""
    END = "end"

    __hash__ = str.__hash__  # as in TranscriptionState

    @property
    def label(self) -> str:
        """The label of the action in messages, such as `pause handover=true`."""
        return _KINDS[self].value


class ActionCell(NamedTuple):
    """The table's entry for one command in one state."""

    to: TranscriptionState
    """The state after the action, even if the action was not allowed."""
    code: str | None
    """The rule that reports the action, or None if it is allowed."""


class AllowedAction(NamedTuple):
    """An action that the transcription allows, and the agents who may send it."""

    action: str
    """The value of the field `action`: `start`, `pause`, `resume` or `end`."""
    handover: bool | None
    """The value of the field `handover` that a pause must have. None for other actions."""
    agents: Literal["any", "not-controller"] | tuple[str, ...]
    """The agents who may send the action: `any`, `not-controller` (every agent except the
    controller), or a tuple of identities.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the action as a JSON object with the keys `action`, `handover` and `agents`."""
        agents = self.agents if isinstance(self.agents, str) else list(self.agents)
        return {"action": self.action, "handover": self.handover, "agents": agents}


_KINDS: Final = {
    Command.START: ActionKind.START,
    Command.RESTART: ActionKind.START,
    Command.SUCCEED: ActionKind.START,
    Command.HOLD: ActionKind.PAUSE,
    Command.HANDOVER: ActionKind.HANDOVER,
    Command.RESUME: ActionKind.RESUME,
    Command.SUCCEED_BY_RESUME: ActionKind.RESUME,
    Command.END: ActionKind.END,
}
_COMMANDS: Final = {kind: command for command, kind in reversed(_KINDS.items())}
_BY_SUCCESSOR: Final = {
    ActionKind.START: Command.SUCCEED,
    ActionKind.RESUME: Command.SUCCEED_BY_RESUME,
}
_STATE_AFTER: Final = {
    ActionKind.START: TranscriptionState.ACTIVE,
    ActionKind.PAUSE: TranscriptionState.HOLD,
    ActionKind.HANDOVER: TranscriptionState.HANDOVER,
    ActionKind.RESUME: TranscriptionState.ACTIVE,
    ActionKind.END: TranscriptionState.ENDED,
}
_STARTS: Final = {Command.START, Command.RESTART, Command.SUCCEED}
_RESUMES: Final = {Command.RESUME, Command.SUCCEED_BY_RESUME}
_ALLOWED: Final = {
    TranscriptionState.IDLE: _STARTS,
    TranscriptionState.ACTIVE: {
        Command.SUCCEED, Command.SUCCEED_BY_RESUME, Command.HOLD, Command.HANDOVER, Command.END,
    },
    # A hold may become a transfer.
    TranscriptionState.HOLD: {Command.SUCCEED, Command.HANDOVER, Command.END, *_RESUMES},
    # The next agent starts.
    TranscriptionState.HANDOVER: {Command.START, Command.SUCCEED, Command.END, *_RESUMES},
    TranscriptionState.ENDED: _STARTS,
}  # fmt: skip

OPEN: Final = frozenset(
    {TranscriptionState.ACTIVE, TranscriptionState.HOLD, TranscriptionState.HANDOVER}
)
"""The states of a transcription that was started and has not ended."""


def _code(state: TranscriptionState, command: Command) -> str | None:
    """Return the rule for a command in a state before the conversation has ended."""
    if command in _ALLOWED[state]:
        return None
    is_done = state is TranscriptionState.ACTIVE and command is Command.RESTART
    return "SG402" if is_done else "SG401"


def _code_after_end(state: TranscriptionState, command: Command) -> str | None:
    """Return the rule for a command in a state after the conversation has ended."""
    if command is not Command.END:
        return "SG408"
    return None if state in OPEN else "SG401"


TABLE, TABLE_AFTER_END = (
    {
        state: {
            command: ActionCell(_STATE_AFTER[kind], code_of(state, command))
            for command, kind in _KINDS.items()
        }
        for state in TranscriptionState
    }
    for code_of in (_code, _code_after_end)
)
"""The tables before and after END_OF_CONVERSATION, with cells as `TABLE[state][command]`."""


def classify(
    kind: ActionKind, agent: str, controller: str, successors: Sequence[str] = ()
) -> Command:
    """Return the command for an action of an agent. `controller` is empty if there is none."""
    if agent in successors and kind in _BY_SUCCESSOR:
        return _BY_SUCCESSOR[kind]
    if kind is ActionKind.START:
        return Command.RESTART if agent == controller else Command.START
    return _COMMANDS[kind]


def allowed(
    row: Mapping[Command, ActionCell], successors: Sequence[str]
) -> tuple[AllowedAction, ...]:
    """Return the actions that a row of the table allows, each with the agents who may send it."""
    found = []
    for kind in _STATE_AFTER:
        agents: Literal["any", "not-controller"] | tuple[str, ...] = ()
        if row[_COMMANDS[kind]].code is None:
            is_for_all = kind is not ActionKind.START or row[Command.RESTART].code is None
            agents = "any" if is_for_all else "not-controller"
        elif kind in _BY_SUCCESSOR and row[_BY_SUCCESSOR[kind]].code is None:
            agents = tuple(successors)
        if agents:
            found.append(AllowedAction(kind.action, kind.handover, agents))
    return tuple(found)


def allowed_labels(
    row: Mapping[Command, ActionCell], agent: str, controller: str, successors: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the labels of the actions that a row of the table allows to one agent."""
    commands = {kind: classify(kind, agent, controller, successors) for kind in _STATE_AFTER}
    return tuple(kind.value for kind, command in commands.items() if row[command].code is None)
