"""The transcription table: which action is allowed in which state, and where it leads.

The table has no holes and no guards: what a pause says and who starts are folded into the `Command`
first.  Where an action leads depends on the action alone, so an action that was not allowed but has
happened (in a replayed log) is believed by the same cell.

The specification (Endpoints, E1) names the actions and says what `handover` means; the states, and
what is allowed in them, are ours.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from segue.events import ActionKind


class TranscriptionState(StrEnum):
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

    __hash__ = str.__hash__  # as in TranscriptionState

    @property
    def kind(self) -> ActionKind:
        """The action that was sent; a takeover is sent as a start."""
        return _KINDS[self]

    @property
    def label(self) -> str:
        """The action as people read it: `pause handover=true`."""
        return _KINDS[self].value


class ActionCell(NamedTuple):
    """The verdict on one command in one state, and how to go on."""

    to: TranscriptionState
    """Also when not allowed: the state that the action, once believed, leads to."""
    code: str | None
    """The rule that reports it; None when the action is allowed."""


_KINDS: Final = {
    Command.START: ActionKind.START,
    Command.TAKEOVER: ActionKind.START,
    Command.HOLD: ActionKind.PAUSE,
    Command.HANDOVER: ActionKind.HANDOVER,
    Command.RESUME: ActionKind.RESUME,
    Command.END: ActionKind.END,
}
_STATE_AFTER: Final = {
    Command.START: TranscriptionState.ACTIVE,
    Command.TAKEOVER: TranscriptionState.ACTIVE,
    Command.HOLD: TranscriptionState.HOLD,
    Command.HANDOVER: TranscriptionState.HANDOVER,
    Command.RESUME: TranscriptionState.ACTIVE,
    Command.END: TranscriptionState.ENDED,
}
_STARTS: Final = {Command.START, Command.TAKEOVER}
_ALLOWED: Final = {
    TranscriptionState.IDLE: _STARTS,
    TranscriptionState.ACTIVE: {Command.HOLD, Command.HANDOVER, Command.END},
    # A hold may become a transfer.
    TranscriptionState.HOLD: {Command.HANDOVER, Command.RESUME, Command.END},
    # The next agent starts.
    TranscriptionState.HANDOVER: {Command.TAKEOVER, Command.RESUME, Command.END},
    TranscriptionState.ENDED: _STARTS,
}

TABLE: Final = {
    state: {
        command: ActionCell(to, None if command in _ALLOWED[state] else "SG401")
        for command, to in _STATE_AFTER.items()
    }
    for state in TranscriptionState
}


def classify(kind: ActionKind, agent: str, controller: str) -> Command:
    """Fold an action into a command; `controller` is empty when there is none."""
    if kind is ActionKind.START and controller not in {"", agent}:
        return Command.TAKEOVER
    return _COMMANDS[kind]


_COMMANDS: Final = {kind: command for command, kind in reversed(_KINDS.items())}


def allowed(state: TranscriptionState, agent: str, controller: str) -> tuple[str, ...]:
    """Return the labels of the actions that this agent may send in this state."""
    kinds = [kind for kind in ActionKind if kind is not ActionKind.UNPROCESSABLE]
    return tuple(
        kind.value for kind in kinds if TABLE[state][classify(kind, agent, controller)].code is None
    )
