"""The attributes that events are counted under.

An attribute that an event does not give is inherited from the events before it in the conversation.
"""

from collections.abc import Iterable
from typing import Final

from segue.core import lifecycle
from segue.core.conversation import Note
from segue.core.events import HOOKS, INTAKES, ActionKind, CallKind, EventKind
from segue.core.events.fields import FIELDS
from segue.logs.event_notes import EventNote

CONVERSATION: Final = "conversation"
RECORDED: Final = "recorded conversation"
"""Kinds of findings about a whole conversation, without and with transcription actions."""
UNREADABLE: Final = EventKind.UNPROCESSABLE.value
"""The kind of unreadable events. They might have been of any kind in no other group."""
ACTIONS: Final = frozenset(kind.value for kind in ActionKind)
CALLS: Final = frozenset(kind.value for kind in CallKind)
NOUNS: Final = {
    kind.value: INTAKES[name].noun
    for name, fields in FIELDS.items()
    if name != HOOKS.name
    for kind in type(fields.unprocessable)
}
"""The series that events of a kind are numbered in, if it is not that of ordinary events."""
MESSAGES: Final = frozenset(kind.value for kind in lifecycle.MESSAGES)
"""Kinds of messages. They cannot be wrong by themselves and are not counted."""
NO_EVENTS: Final = frozenset({CONVERSATION, RECORDED, *NOUNS, *MESSAGES})
"""Kinds that an unreadable event cannot have been."""

_SHORT: Final = 2
"""The length of the note of a message or an action."""
_SPELLING: Final = 6
_NOTHING: Final[EventNote] = ("",) * 7


def beginning(kind: str, notes: Iterable[Note] = ()) -> EventNote:
    """Return the attributes that a conversation of a kind begins with.

    Events before the first lifecycle event are counted under the attributes of that event.
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
    """Return whether an event inherits no attribute."""
    return is_lifecycle(event) and "" not in event[1:_SPELLING]


def step(event: EventNote, kind: str, last: EventNote) -> tuple[EventNote, str, EventNote]:
    """Return the attributes of an event, and the context of the next one.

    A context is the kind of the conversation so far, and the attributes of its last lifecycle
    event: `kind` and `last`.
    """
    if len(event) > _SHORT:
        here = filled(event, last) if "" in event[1:_SPELLING] else event
        return here, kind, here
    return (*event, *last[_SHORT:]), RECORDED if event[0] in ACTIONS else kind, last


def filled(event: EventNote, last: EventNote) -> EventNote:
    """Return an event whose empty attributes are filled from another."""
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
