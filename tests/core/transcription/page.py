"""The table of transcription states, typed by hand from the page that decides it.

Read a line as: in STATE, COMMAND gives this code (None: it is allowed), and the transcription goes
on as what follows, when the command was not allowed because it is believed. `start` is a start by
an agent who is neither the controller nor a successor, `restart` one by the controller; `succeed`
and `succeed by resume` come of an agent who is present when the controller has left.
"""

from __future__ import annotations

from typing import TypeAlias

from segue.core.events import ActionKind
from segue.core.transcription import TABLE, Moment, Session, TranscriptionState
from segue.core.transcription.session import ActionOutcome, AppliedAction
from segue.core.transcription.table import TABLE_AFTER_END, ActionCell, Command

Page: TypeAlias = dict[tuple[str, str], tuple[str | None, str]]

PAGE: Page = {
    ("idle", "start"): (None, "active"),
    ("idle", "restart"): (None, "active"),
    ("idle", "succeed"): (None, "active"),
    ("idle", "hold"): ("SG401", "hold"),
    ("idle", "handover"): ("SG401", "handover"),
    ("idle", "resume"): ("SG401", "active"),
    ("idle", "succeed by resume"): ("SG401", "active"),
    ("idle", "end"): ("SG401", "ended"),
    ("active", "start"): ("SG401", "active"),
    ("active", "restart"): ("SG402", "active"),
    ("active", "succeed"): (None, "active"),
    ("active", "hold"): (None, "hold"),
    ("active", "handover"): (None, "handover"),
    ("active", "resume"): ("SG401", "active"),
    ("active", "succeed by resume"): (None, "active"),
    ("active", "end"): (None, "ended"),
    ("hold", "start"): ("SG401", "active"),
    ("hold", "restart"): ("SG401", "active"),
    ("hold", "succeed"): (None, "active"),
    ("hold", "hold"): ("SG401", "hold"),
    ("hold", "handover"): (None, "handover"),
    ("hold", "resume"): (None, "active"),
    ("hold", "succeed by resume"): (None, "active"),
    ("hold", "end"): (None, "ended"),
    ("handover", "start"): (None, "active"),
    ("handover", "restart"): ("SG401", "active"),
    ("handover", "succeed"): (None, "active"),
    ("handover", "hold"): ("SG401", "hold"),
    ("handover", "handover"): ("SG401", "handover"),
    ("handover", "resume"): (None, "active"),
    ("handover", "succeed by resume"): (None, "active"),
    ("handover", "end"): (None, "ended"),
    ("ended", "start"): (None, "active"),
    ("ended", "restart"): (None, "active"),
    ("ended", "succeed"): (None, "active"),
    ("ended", "hold"): ("SG401", "hold"),
    ("ended", "handover"): ("SG401", "handover"),
    ("ended", "resume"): ("SG401", "active"),
    ("ended", "succeed by resume"): ("SG401", "active"),
    ("ended", "end"): ("SG401", "ended"),
}

_LATE = {
    "start": ("SG408", "active"),
    "restart": ("SG408", "active"),
    "succeed": ("SG408", "active"),
    "hold": ("SG408", "hold"),
    "handover": ("SG408", "handover"),
    "resume": ("SG408", "active"),
    "succeed by resume": ("SG408", "active"),
}

AFTER_END: Page = {
    **{(state, command): late for state in TranscriptionState for command, late in _LATE.items()},
    ("idle", "end"): ("SG401", "ended"),
    ("active", "end"): (None, "ended"),
    ("hold", "end"): (None, "ended"),
    ("handover", "end"): (None, "ended"),
    ("ended", "end"): ("SG401", "ended"),
}
"""The same after END_OF_CONVERSATION."""

PAGES = {False: (TABLE, PAGE), True: (TABLE_AFTER_END, AFTER_END)}
"""The table and its page, before and after END_OF_CONVERSATION."""

CONTROLLER, OTHER = "a-1", "a-2"

Sent: TypeAlias = tuple[ActionKind, str]

SENT: dict[str, tuple[Sent, ...]] = {
    "start": ((ActionKind.START, OTHER),),
    "restart": ((ActionKind.START, CONTROLLER),),
    "succeed": ((ActionKind.START, OTHER),),
    "hold": ((ActionKind.PAUSE, CONTROLLER), (ActionKind.PAUSE, OTHER)),
    "handover": ((ActionKind.HANDOVER, CONTROLLER), (ActionKind.HANDOVER, OTHER)),
    "resume": ((ActionKind.RESUME, CONTROLLER), (ActionKind.RESUME, OTHER)),
    "succeed by resume": ((ActionKind.RESUME, OTHER),),
    "end": ((ActionKind.END, CONTROLLER), (ActionKind.END, OTHER)),
}
"""What an agent sends to give the command; two when it does not matter who."""


def session_in(state: str) -> Session:
    """Return a session in this state, whose last action nobody here repeats."""
    session = Session(controller=CONTROLLER)
    if state != "idle":
        to = TranscriptionState(state)
        session.actions.append(AppliedAction(0, ActionKind.END, "a-9", Moment(1), to))
        session.generation = session.position = 1
    return session


def successors(command: str) -> tuple[str, ...]:
    """Who may succeed the controller when the command is given."""
    return (OTHER,) if command.startswith("succeed") else ()


def send(
    session: Session, command: str, action: Sent, *, believe: bool, ended: bool = False
) -> ActionOutcome:
    """Send an action, in circumstances that make it the command."""
    moment = Moment(1, ended, successors=successors(command))
    return session.apply(*action, moment, enforce=not believe)


def differences() -> set[tuple[bool, str, str]]:
    """Cells of the tables that are not what the page says."""
    return {
        (ended, state, command)
        for ended, (table, page) in PAGES.items()
        for (state, command), (code, to) in page.items()
        if table[TranscriptionState(state)][Command(command)]
        != ActionCell(TranscriptionState(to), code)
    }


def misbehaviours() -> set[tuple[bool, str, str]]:
    """The same, seen through what a session does when it is sent the action."""
    return {
        (ended, state, command)
        for ended, (_, page) in PAGES.items()
        for (state, command), expected in page.items()
        for action in SENT[command]
        for outcome in (send(session_in(state), command, action, believe=True, ended=ended),)
        if (outcome.code, outcome.state) != expected
    }
