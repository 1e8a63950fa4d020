"""The attributes by which events are counted.

If an event lacks an attribute, such as the queue, it inherits the value from earlier events of the
conversation.
"""

from collections.abc import Iterable
from typing import Final

from segue.core import lifecycle
from segue.core.conversation import Note
from segue.core.events import HOOKS, INTAKES, ActionKind, CallKind, EventKind
from segue.core.events.fields import FIELDS
from segue.logs.event_notes import EventNote

CONVERSATION: Final = "conversation"
"""The kind of findings about a whole conversation without transcription actions."""
RECORDED: Final = "recorded conversation"
"""The kind of findings about a whole conversation with transcription actions."""
UNREADABLE: Final = EventKind.UNPROCESSABLE.value
"""The kind of events that cannot be read. They could have been of any kind not in `NO_EVENTS`."""
ACTIONS: Final = frozenset(kind.value for kind in ActionKind)
CALLS: Final = frozenset(kind.value for kind in CallKind)
NOUNS: Final = {
    kind.value: INTAKES[name].noun
    for name, fields in FIELDS.items()
    if name != HOOKS.name
    for kind in type(fields.unprocessable)
}
"""The noun of the numbering of actions and notifications, such as `call notification`, by kind.

Other events have a common numbering.
"""
MESSAGES: Final = frozenset(kind.value for kind in lifecycle.MESSAGES)
"""The kinds of messages. Messages are not counted as opportunities."""
NO_EVENTS: Final = frozenset({CONVERSATION, RECORDED, *NOUNS, *MESSAGES})
"""The kinds that an unreadable event cannot have been."""

_SHORT: Final = 2
"""The length of the note of a message or an action, which has only a kind and an agent."""
_SPELLING: Final = 6
_NOTHING: Final[EventNote] = ("",) * 7


def beginning(kind: str, notes: Iterable[Note] = ()) -> EventNote:
    """Return the initial attributes of a conversation, which its first events inherit.

    They are the attributes of the first lifecycle event in `notes`, or empty strings without one.
    `kind` is the kind of the conversation.
    """
    for _, _, (_, events) in notes:
        for event in events:
            if is_lifecycle(event):
                return kind, *event[1:]
    return kind, *_NOTHING[1:]


def is_lifecycle(event: EventNote) -> bool:
    """Return whether a note is that of an event other than a message or an action."""
    return len(event) > _SHORT


def is_complete(event: EventNote) -> bool:
    """Return whether an event has values for all attributes that it could inherit."""
    return is_lifecycle(event) and "" not in event[1:_SPELLING]


def step(event: EventNote, kind: str, last: EventNote) -> tuple[EventNote, str, EventNote]:
    """Return the attributes of an event with inherited values, and the context of the next event.

    A context consists of the kind of the conversation so far (`kind`) and the attributes of its
    last lifecycle event (`last`).
    """
    if len(event) > _SHORT:
        here = filled(event, last) if "" in event[1:_SPELLING] else event
        return here, kind, here
    return (*event, *last[_SHORT:]), RECORDED if event[0] in ACTIONS else kind, last


def filled(event: EventNote, last: EventNote) -> EventNote:
    """Return the attributes of an event, with empty ones replaced by those of `last`."""
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
