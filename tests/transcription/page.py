"""The table of transcription states, typed by hand from the page that decides it.

Read a line as: in STATE, COMMAND is allowed (`True`) or not, and the transcription goes on as
what follows, when the command was not allowed because it is believed.
"""

from __future__ import annotations

from typing import TypeAlias

from segue.events import ActionKind
from segue.transcription import (
    TABLE,
    ActionCell,
    ActionOutcome,
    AppliedAction,
    Command,
    Moment,
    Session,
    TranscriptionState,
)

PAGE: dict[tuple[str, str], tuple[bool, str]] = {
    ("idle", "start"): (True, "active"),
    ("idle", "takeover"): (True, "active"),
    ("idle", "hold"): (False, "hold"),
    ("idle", "handover"): (False, "handover"),
    ("idle", "resume"): (False, "active"),
    ("idle", "end"): (False, "ended"),
    ("active", "start"): (False, "active"),
    ("active", "takeover"): (False, "active"),
    ("active", "hold"): (True, "hold"),
    ("active", "handover"): (True, "handover"),
    ("active", "resume"): (False, "active"),
    ("active", "end"): (True, "ended"),
    ("hold", "start"): (False, "active"),
    ("hold", "takeover"): (False, "active"),
    ("hold", "hold"): (False, "hold"),
    ("hold", "handover"): (True, "handover"),
    ("hold", "resume"): (True, "active"),
    ("hold", "end"): (True, "ended"),
    ("handover", "start"): (False, "active"),
    ("handover", "takeover"): (True, "active"),
    ("handover", "hold"): (False, "hold"),
    ("handover", "handover"): (False, "handover"),
    ("handover", "resume"): (True, "active"),
    ("handover", "end"): (True, "ended"),
    ("ended", "start"): (True, "active"),
    ("ended", "takeover"): (True, "active"),
    ("ended", "hold"): (False, "hold"),
    ("ended", "handover"): (False, "handover"),
    ("ended", "resume"): (False, "active"),
    ("ended", "end"): (False, "ended"),
}

CONTROLLER, OTHER = "a-1", "a-2"

Sent: TypeAlias = tuple[ActionKind, str]

SENT: dict[str, tuple[Sent, ...]] = {
    "start": ((ActionKind.START, CONTROLLER),),
    "takeover": ((ActionKind.START, OTHER),),
    "hold": ((ActionKind.PAUSE, CONTROLLER), (ActionKind.PAUSE, OTHER)),
    "handover": ((ActionKind.HANDOVER, CONTROLLER), (ActionKind.HANDOVER, OTHER)),
    "resume": ((ActionKind.RESUME, CONTROLLER), (ActionKind.RESUME, OTHER)),
    "end": ((ActionKind.END, CONTROLLER), (ActionKind.END, OTHER)),
}
"""What an agent sends to give the command; two when it does not matter who."""


def session_in(state: str) -> Session:
    """Return a session in this state, whose last action nobody here repeats."""
    session = Session(controller=CONTROLLER)
    if state != "idle":
        to = TranscriptionState(state)
        session.actions.append(AppliedAction(0, Command.END, "a-9", Moment(1), to))
        session.generation = session.position = 1
    return session


def send(session: Session, action: Sent, *, believe: bool, ended: bool = False) -> ActionOutcome:
    return session.apply(*action, Moment(1, ended), enforce=not believe)


def differences() -> set[tuple[str, str]]:
    """Cells of the table that are not what the page says."""
    return {
        (state, command)
        for (state, command), (allowed, to) in PAGE.items()
        if TABLE[TranscriptionState(state)][Command(command)]
        != ActionCell(TranscriptionState(to), None if allowed else "SG401")
    }


def misbehaviours() -> set[tuple[str, str]]:
    """The same, seen through what a session does when it is sent the action."""
    return {
        (state, command)
        for (state, command), (allowed, to) in PAGE.items()
        for action in SENT[command]
        for outcome in (send(session_in(state), action, believe=True),)
        if (outcome.code, outcome.state) != (None if allowed else "SG401", to)
    }
