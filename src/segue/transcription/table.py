"""The transcription table: which action is allowed in which state, and where it leads.

House rules.  (1) Whatever decides legality stands in this file.  (2) The table has no holes and no
guards: what a pause says and who starts are folded into the `Command` first.  (3) Where an action
leads depends on the action alone, so an action that was not allowed but has happened (a replayed
log) is believed by the same cell.

The specification (Endpoints, E1) names the actions and says what `handover` means; the states, and
what is allowed in them, are ours.  This file refuses to know repeats, generations, times, and
which agents a conversation has.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from segue.events import ActionKind

__all__ = ["TABLE", "Cell", "Command", "State", "allowed", "classify"]


class State(StrEnum):
    """Where a transcription stands between two actions."""

    IDLE = "idle"
    """Not started yet."""
    ACTIVE = "active"
    HOLD = "hold"
    """Paused; the agent stays with the call."""
    HANDOVER = "handover"
    """Paused; the agent transfers the call."""
    ENDED = "ended"
    """Terminated; may be started again."""

    __hash__ = str.__hash__  # Enum's own is Python code, and every action looks a state up


class Command(StrEnum):
    """An action with everything folded in that the verdict on it may depend on."""

    START = "start"
    """A start by the controller, or when there is no controller to compare with."""
    TAKEOVER = "takeover"
    """A start by another agent than the controller."""
    HOLD = "hold"
    HANDOVER = "handover"
    RESUME = "resume"
    END = "end"

    __hash__ = str.__hash__  # as in State

    @property
    def label(self) -> str:
        """The action as people read it: `pause handover=true`. A takeover is sent as a start."""
        return _LABELS[self]


class Cell(NamedTuple):
    """The verdict on one command in one state, and how to go on."""

    to: State
    """Also when not allowed: the state that the action, once believed, leads to."""
    allowed: bool


_LABELS: Final = {
    Command.START: ActionKind.START.value,
    Command.TAKEOVER: ActionKind.START.value,
    Command.HOLD: ActionKind.PAUSE.value,
    Command.HANDOVER: ActionKind.HANDOVER.value,
    Command.RESUME: ActionKind.RESUME.value,
    Command.END: ActionKind.END.value,
}

_LEADS_TO: Final = {
    Command.START: State.ACTIVE,
    Command.TAKEOVER: State.ACTIVE,
    Command.HOLD: State.HOLD,
    Command.HANDOVER: State.HANDOVER,
    Command.RESUME: State.ACTIVE,
    Command.END: State.ENDED,
}

_ALLOWED: Final = {
    State.IDLE: {Command.START, Command.TAKEOVER},
    State.ACTIVE: {Command.HOLD, Command.HANDOVER, Command.END},
    State.HOLD: {Command.HANDOVER, Command.RESUME, Command.END},  # a hold may become a transfer
    State.HANDOVER: {Command.TAKEOVER, Command.RESUME, Command.END},  # the next agent starts
    State.ENDED: {Command.START, Command.TAKEOVER},
}

TABLE: Final = {
    state: {command: Cell(to, command in _ALLOWED[state]) for command, to in _LEADS_TO.items()}
    for state in State
}


def classify(kind: ActionKind, agent: str, controller: str) -> Command:
    """Return the command that an action is; `controller` is empty when there is none."""
    return _start(agent, controller) if kind is ActionKind.START else _COMMANDS[kind]


_COMMANDS: Final = {
    ActionKind.PAUSE: Command.HOLD,
    ActionKind.HANDOVER: Command.HANDOVER,
    ActionKind.RESUME: Command.RESUME,
    ActionKind.END: Command.END,
}


def allowed(state: State, agent: str, controller: str) -> tuple[str, ...]:
    """Labels of the actions that this agent may send in this state."""
    commands = (
        _start(agent, controller),
        Command.HOLD,
        Command.HANDOVER,
        Command.RESUME,
        Command.END,
    )
    return tuple(command.label for command in commands if TABLE[state][command].allowed)


def _start(agent: str, controller: str) -> Command:
    return Command.START if controller in ("", agent) else Command.TAKEOVER
