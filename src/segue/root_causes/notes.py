"""What is kept of each delivery: when it came, and the attributes of its events.

Values are the sender's, cut to a length that nothing legitimate has.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from segue.events import EXPERIENCES, TRANSFER_TYPES, TRANSITIONS, Delivery, Event, EventKind
from segue.findings import Finding

ATTRIBUTES: Final = (
    *("file", "bot", "kind", "agent", "queue", "language", "experience", "isExtAD", "spelling"),
    "hour",
)
"""What mistakes may go together with."""

_LONGEST: Final = 128
_USER, _AGENT = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
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

EventNote: TypeAlias = tuple[str, ...]
"""Kind and agent of a message or an action; of any other event, `kind` to `spelling` in the order
of `ATTRIBUTES`.  Empty where the event does not say it."""
DeliveryNote: TypeAlias = tuple[int | None, tuple[EventNote, ...]]
"""The minute since 1970 in which a delivery came, or None, and its events."""


def note_of(delivery: Delivery, found: Sequence[Finding]) -> DeliveryNote | None:
    """Return what is kept of a delivery: of messages, which are most, nothing without a finding."""
    events = delivery.events
    if len(events) == 1:  # as most have
        kind = events[0].kind
        if not found and (kind is _USER or kind is _AGENT):
            return None
        notes: tuple[EventNote, ...] = (_note_of_event(events[0]),)
    else:
        notes = tuple([_note_of_event(event) for event in events])
    at = delivery.received_at
    return None if at is None else int(at.timestamp() // 60), notes


def _note_of_event(event: Event) -> EventNote:
    value, agent = event.value, event.agent[:_LONGEST]
    get = value.get
    transfer_type = get("transfertype")
    if transfer_type is None and "name" not in value and "transfertype" not in value:
        return event.kind.value, agent
    queue, flag, language, participant = "", get("isExtAD"), get("language"), get("participant")
    if type(participant) is dict and "customFields" in participant:
        queue = (event.queue_name or event.queue_id)[:_LONGEST]
    words = (transfer_type, get("transition"), get("experience"))
    try:  # an object or an array is no spelling
        is_usual = words in _USUAL and type(flag) is not str
    except TypeError:
        is_usual = False
    return (
        event.kind.value,
        agent,
        queue,
        language[:_LONGEST] if type(language) is str else "",
        event.experience,
        "true" if flag is True else "false" if flag is False else "",
        "" if is_usual else spelling_of(value),
    )


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
    return (
        "in lower case" if sent.islower() else "in capitals" if sent.isupper() else "in mixed case"
    )
