"""What events count for: what they leave out, those of their conversation before them have said."""

from collections.abc import Iterable
from typing import Final

from segue.core import lifecycle
from segue.core.conversation import Note
from segue.core.events import HOOKS, INTAKES, ActionKind, CallKind, EventKind
from segue.core.events.fields import FIELDS
from segue.logs import EventNote

CONVERSATION: Final = "conversation"
RECORDED: Final = "recorded conversation"
"""Kinds of findings about a conversation as a whole, without and with transcription actions."""
UNREADABLE: Final = EventKind.UNPROCESSABLE.value
"""A finding at such an event might have been at any event that is not a message."""
ACTIONS: Final = frozenset(kind.value for kind in ActionKind)
CALLS: Final = frozenset(kind.value for kind in CallKind)
NOUNS: Final = {
    kind.value: INTAKES[name].noun
    for name, fields in FIELDS.items()
    if name != HOOKS.name
    for kind in type(fields.unprocessable)
}
"""What is counted in the position of a kind that is not numbered among the events."""
MESSAGES: Final = frozenset(kind.value for kind in lifecycle.MESSAGES)
"""Nothing can go wrong in them by themselves: they are not counted."""
NO_EVENTS: Final = frozenset({CONVERSATION, RECORDED, *NOUNS, *MESSAGES})
"""Kinds that an unreadable event cannot have been."""

_SHORT: Final = 2
"""Parts of the note of a message or an action."""
_SPELLING: Final = 6
_NOTHING: Final[EventNote] = ("",) * 7


def beginning(kind: str, notes: Iterable[Note] = ()) -> EventNote:
    """Return what a conversation of a kind, of which these notes are, counts for at first.

    What comes before the first lifecycle event counts for what that says.
    """
    for _, _, (_, events) in notes:
        for event in events:
            if is_lifecycle(event):
                return kind, *event[1:]
    return kind, *_NOTHING[1:]


def is_lifecycle(event: EventNote) -> bool:
    """Return whether an event is neither a message nor an action."""
    return len(event) > _SHORT


def is_complete(event: EventNote) -> bool:
    """Return whether an event counts for the same whatever was said before it."""
    return is_lifecycle(event) and "" not in event[1:_SPELLING]


def step(event: EventNote, kind: str, last: EventNote) -> tuple[EventNote, str, EventNote]:
    """Return what an event counts for; then of which kind its conversation is, and what was last.

    `kind` and `last` say that of what came before: the kind of the conversation, and what its last
    lifecycle event counts for.
    """
    if len(event) > _SHORT:
        here = filled(event, last) if "" in event[1:_SPELLING] else event
        return here, kind, here
    return (*event, *last[_SHORT:]), RECORDED if event[0] in ACTIONS else kind, last


def filled(event: EventNote, last: EventNote) -> EventNote:
    """Return an event with what another says where it says nothing."""
    kind, agent, queue, language, experience, flag, spelling = event
    return (
        kind,
        agent or last[1],
        queue or last[2],
        language or last[3],
        experience or last[4],
        flag or last[5],
        spelling or ("" if flag else last[6]),  # only transfers have the flag
    )
