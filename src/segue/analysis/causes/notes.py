"""Notes on deliveries: the minute of receipt, and the attributes of each event.

The values of attributes are those that the sender wrote, truncated to 128 characters.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from segue.analysis.causes.contexts import ACTIONS, MESSAGES
from segue.core.events import EXPERIENCES, TRANSFER_TYPES, TRANSITIONS, Event, EventKind
from segue.core.events.ids import is_placeholder
from segue.logs.event_notes import EventNote, EventNotes

ATTRIBUTES: Final = (
    *("file", "bot", "kind", "agent", "queue", "language", "experience", "isExtAD", "spelling"),
    "hour",
)
"""The names of the attributes that a cause can have."""

LONGEST: Final = 128
"""The maximum length of a value in a note."""
_FLAGS: Final = ("true", "false")
_WORDS: Final = {
    "transfertype": TRANSFER_TYPES,
    "transition": TRANSITIONS,
    "experience": EXPERIENCES,
}
_USUAL: Final = frozenset(
    (transfer, transition, experience)
    for transfer in (*TRANSFER_TYPES, None)
    for transition in (*TRANSITIONS, None)
    for experience in (*EXPERIENCES, None)
)

_PLAIN: Final = ACTIONS | MESSAGES
"""The kinds of events whose only attribute is an agent."""
_value_of: Final = attrgetter("_value_")
"""A function that returns the value of an enum member. `_value_` is faster than `value`."""


def note_of_event(event: Event) -> EventNote:
    """Return the attributes of an event that are kept for the search for causes.

    The result is a tuple of strings, the note of the event. The note of a message or an action
    contains its kind and its agent. The note of any other event contains the attributes from `kind`
    to `spelling`, in the order of `ATTRIBUTES`. Missing values are empty strings.
    """
    value, agent, kind = event.value, _agent_of(event), _value_of(event.kind)
    get = value.get
    transfer_type = get("transfertype")
    if kind in _PLAIN or not (transfer_type or "name" in value or "transfertype" in value):
        return kind, agent
    flag, language, experience = get("isExtAD"), get("language"), event.experience
    words = (transfer_type, get("transition"), get("experience"))
    try:  # objects and arrays are unhashable
        is_usual = words in _USUAL and type(flag) is not str
    except TypeError:
        is_usual = False
    return (
        kind,
        agent,
        _queue_of(get("participant")),
        language[:LONGEST] if type(language) is str else "",
        experience,
        "true" if flag is True else "false" if flag is False else "",
        "" if is_usual else spelling_of(value),
    )


def _agent_of(event: Event) -> str:
    """Return the agent id of an event, or an empty string. The event may be unprocessable."""
    agent = event.agent
    if event.kind is EventKind.UNPROCESSABLE:
        sent = event.participant.get("identity")
        agent = sent if isinstance(sent, str) else ""
    return "" if is_placeholder(agent) else agent[:LONGEST]


def cause_notes() -> EventNotes:
    """Return a function to pass to `replay` as `note`, if causes are to be searched.

    The function keeps the attributes of each event. Create a new one for each replay.
    """
    return EventNotes(note_of_event)


def _queue_of(participant: object) -> str:
    """Return the name of the queue in a `participant` object.

    Return the id of the queue if it has no name, or an empty string if there is neither.
    """
    fields = participant.get("customFields") if type(participant) is dict else None
    if type(fields) is not dict:
        return ""
    for name in ("queueName", "queueId"):
        sent = fields.get(name)
        if sent and isinstance(sent, str):
            return sent[:LONGEST]
    return ""


def spelling_of(value: Mapping[str, object]) -> str:
    """Describe how the spelling of an event differs from the specification.

    An example is `transfertype in lower case`. Several differences are separated by commas. Return
    an empty string if there are none.
    """
    odd = []
    for name, words in _WORDS.items():
        sent = value.get(name)
        if sent is not None and sent not in words and isinstance(sent, str):
            style = _style_of(sent, words)
            odd += [f"{name} {style}"] if style else []
    flag = value.get("isExtAD")
    if isinstance(flag, str) and flag.strip().lower() in _FLAGS:
        odd.append("isExtAD as text")
    return ", ".join(odd)


def _style_of(sent: str, words: tuple[str, ...]) -> str:
    """Return the unusual style in which a word is written, such as `with blanks`.

    Return an empty string for words that are not in `words` in any letter case.
    """
    if sent.strip().lower() not in {word.lower() for word in words}:
        return ""
    if sent != sent.strip():
        return "with blanks"
    return case_of(sent)


def case_of(word: str) -> str:
    """Return `in lower case`, `in capitals` or `in mixed case` for a word."""
    return (
        "in lower case" if word.islower() else "in capitals" if word.isupper() else "in mixed case"
    )
