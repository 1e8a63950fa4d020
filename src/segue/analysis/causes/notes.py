"""What is kept of each delivery: when it came, and the attributes of its events.

Values are the sender's, cut to a length that nothing legitimate has.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from segue.analysis.causes.contexts import ACTIONS, MESSAGES
from segue.core.events import EXPERIENCES, TRANSFER_TYPES, TRANSITIONS, Event, EventKind
from segue.core.events.shapes import is_placeholder
from segue.logs import EventNote, EventNotes

ATTRIBUTES: Final = (
    *("file", "bot", "kind", "agent", "queue", "language", "experience", "isExtAD", "spelling"),
    "hour",
)
"""What mistakes may go together with."""

_LONGEST: Final = 128
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
"""Kinds that have no attributes but an agent."""
_value_of: Final = attrgetter("_value_")
"""Returns the word of a kind, without the detour of `value`."""


def note_of_event(event: Event) -> EventNote:
    """Return what is kept of an event.

    Of a message or an action its kind and its agent; of any other event, `kind` to `spelling` in
    the order of `ATTRIBUTES`.  What the event does not say is empty.
    """
    value, agent, kind = event.value, _agent_of(event), _value_of(event.kind)
    get = value.get
    transfer_type = get("transfertype")
    if kind in _PLAIN or not (transfer_type or "name" in value or "transfertype" in value):
        return kind, agent
    flag, language, experience = get("isExtAD"), get("language"), event.experience
    words = (transfer_type, get("transition"), get("experience"))
    try:  # an object or an array is not a spelling
        is_usual = words in _USUAL and type(flag) is not str
    except TypeError:
        is_usual = False
    return (
        kind,
        agent,
        _queue_of(get("participant")),
        language[:_LONGEST] if type(language) is str else "",
        experience,
        "true" if flag is True else "false" if flag is False else "",
        "" if is_usual else spelling_of(value),
    )


def _agent_of(event: Event) -> str:
    """Return the agent, whom an event that cannot be processed may name as well."""
    agent = event.agent
    if event.kind is EventKind.UNPROCESSABLE:
        sent = event.participant.get("identity")
        agent = sent if isinstance(sent, str) else ""
    return "" if is_placeholder(agent) else agent[:_LONGEST]


def cause_notes() -> EventNotes:
    """Return what takes note of what causes need, for one replay."""
    return EventNotes(note_of_event)


def _queue_of(participant: object) -> str:
    """Return the name of the queue, or its id, as far as they are sent."""
    fields = participant.get("customFields") if type(participant) is dict else None
    if type(fields) is not dict:
        return ""
    for name in ("queueName", "queueId"):
        sent = fields.get(name)
        if sent and isinstance(sent, str):
            return sent[:_LONGEST]
    return ""


def spelling_of(value: Mapping[str, object]) -> str:
    """Return how the words of an event are written; empty if as the specification has them."""
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
    """Return how an accepted word is written; empty for any other word."""
    if sent.strip().lower() not in {word.lower() for word in words}:
        return ""
    if sent != sent.strip():
        return "with blanks"
    return case_of(sent)


def case_of(word: str) -> str:
    """Return the letter case of a word, as a spelling names it."""
    return (
        "in lower case" if word.islower() else "in capitals" if word.isupper() else "in mixed case"
    )
