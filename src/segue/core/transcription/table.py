"""The transcription table: the actions that each state allows, and the state they lead to.

The table has no holes and no conditions. `classify` first turns an action and its agent into a
`Command`. The state after an action depends on the action alone, so the same cell says how to go on
when an action was not allowed but has happened (in a replayed log).

The specification (Endpoints, E1) names the actions and defines `handover`. The states, and the
actions that they allow, are Segue's reading of it.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, Literal, NamedTuple

from segue.core.events import ActionKind


class TranscriptionState(StrEnum):
    """The state of a transcription between two actions."""

    IDLE = "idle"
    """Before the first start."""
    ACTIVE = "active"
    """Running."""
    HOLD = "hold"
    """Paused while the agent stays with the call."""
    HANDOVER = "handover"
    """Paused while the agent transfers the call."""
    ENDED = "ended"
    """Ended. It may be started again."""

    __hash__ = str.__hash__  # faster than Enum's, and every action looks a state up


class Command(StrEnum):
    """An action, with all facts about its agent that the verdict depends on.

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
    END = "end"

    __hash__ = str.__hash__  # as in TranscriptionState

    @property
    def label(self) -> str:
        """The label of the action for people: `pause handover=true`."""
        return _KINDS[self].value


class ActionCell(NamedTuple):
    """The verdict on one command in one state, and how the check goes on."""

    to: TranscriptionState
    """The state after the action, also if it was not allowed but is believed."""
    code: str | None
    """The rule that reports the action, or None if it is allowed."""


class AllowedAction(NamedTuple):
    """An action that a transcription allows, and the agents who may send it."""

    action: str
    """`start`, `pause`, `resume` or `end`."""
    handover: bool | None
    """Whether a pause must be for a handover. None unless the action is `pause`."""
    agents: Literal["any", "not-controller"] | tuple[str, ...]
    """Every agent, every agent but the controller, or the agents with these identities."""

    def to_dict(self) -> dict[str, Any]:
        """Return the action as a JSON object."""
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
"""The states of a transcription that was started and not ended."""


def _code(state: TranscriptionState, command: Command) -> str | None:
    if command in _ALLOWED[state]:
        return None
    is_done = state is TranscriptionState.ACTIVE and command is Command.RESTART
    return "SG402" if is_done else "SG401"


def _code_after_end(state: TranscriptionState, command: Command) -> str | None:
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
"""The cells by state and command, before and after END_OF_CONVERSATION."""


def classify(
    kind: ActionKind, agent: str, controller: str, successors: Sequence[str] = ()
) -> Command:
    """Return the command of an action. `controller` is empty if there is none."""
    if agent in successors and kind in _BY_SUCCESSOR:
        return _BY_SUCCESSOR[kind]
    if kind is ActionKind.START:
        return Command.RESTART if agent == controller else Command.START
    return _COMMANDS[kind]


def allowed(
    row: Mapping[Command, ActionCell], successors: Sequence[str]
) -> tuple[AllowedAction, ...]:
    """Return the actions that a row of the table allows, and to whom."""
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
