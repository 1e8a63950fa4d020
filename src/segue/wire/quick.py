"""The fast path: a flawless body at little more than the cost of its decoding, or no answer.

It decides only that nothing needs a second look; None means "read it with care", never "wrong".
House rules: (1) whatever is accepted here, the careful path accepts without a flaw and reads alike
(a law of the tests); (2) what is rare is left to the careful path.  It does not know flaws.

A key that came twice is lost in decoding, so keys are counted.  Every key of a text is followed by
exactly one colon outside strings, hence

    colons in the text = keys in the text + colons inside the strings of the text.

Of a key that came twice all but one occurrence are gone after decoding, each with its colon at
least.  So when the decoded keys and the colons inside decoded strings account for all colons of the
text, no key was lost.  A colon in a string is taken for a colon of the text, which it is unless
written as an escape; text with that escape is left to the careful path.  First only the keys of the
known objects and the colons of the time and message are counted: cheap, and never too many.  When
they do not account for all (extra objects, colons in other strings), everything is counted, by way
of Python's own notation, which has just these colons: one a key, and those in strings.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC
from typing import Any, Final

from segue.events import (
    AUTHORS,
    EXPERIENCES,
    TRANSCRIPTION,
    TRANSFERS,
    ActionKind,
    Delivery,
    Event,
    EventKind,
)
from segue.wire.context import DeliveryContext
from segue.wire.envelope import endpoint_of
from segue.wire.examine import SENTINELS
from segue.wire.model import ACTION, BODY
from segue.wire.shape import END_OF_CONVERSATION, TRIGGER_SUMMARY_EVENT, flag
from segue.wire.timestamps import ReadTime, read_instant

__all__ = [
    "BACKSLASH",
    "DOUBTFUL",
    "LESS",
    "NO_IDS",
    "QUICK_ACTIONS",
    "QUICK_AUTHORS",
    "QUICK_EXPERIENCES",
    "QUICK_TRANSFERS",
    "quick_action",
    "quick_body",
    "quick_record",
]

BACKSLASH: Final = ord("\\")
LESS: Final = ord("<")  # may open a placeholder for an id
DOUBTFUL: Final = re.compile(rb"\\u00(?:00|3[aAcC])")  # as escapes: NUL, colon, less-than

_read_body: Final = BODY.validator.validate_json
_read_action: Final = ACTION.validator.validate_json

NO_IDS: Final = frozenset({*SENTINELS, "", None})
_POINTERS: Final = tuple(f"/events/{index}" for index in range(1000))


def _spellings(word: str) -> set[str]:
    """Return the usual spellings; any other is left to the careful path."""
    return {word, word.lower(), word.upper(), word.capitalize()}


QUICK_TRANSFERS: Final = {
    (transfer_type, transition): kind
    for kind in TRANSFERS.values()
    for transfer_type in _spellings(kind.transfer_type)
    for transition in _spellings("entry" if kind.is_entry else "exit")
}
QUICK_ACTIONS: Final = {
    (kind.action, kind.handover): kind
    for kind in ActionKind
    if kind is not ActionKind.UNPROCESSABLE
}
QUICK_EXPERIENCES: Final = {spelling: name for name in EXPERIENCES for spelling in _spellings(name)}
QUICK_AUTHORS: Final = {
    spelling: kind
    for author, kind in zip(AUTHORS, (EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE), strict=True)
    for spelling in _spellings(author)
}


class _Doubt(LookupError):  # noqa: N818 - it is none
    """Something that only the careful path can judge. So is any failed lookup in this module."""


def quick_body(raw: bytes, context: DeliveryContext) -> Delivery | None:
    """Read a body of E21 that has no flaw."""
    try:
        delivery = _text_body(raw, context.conversation_id, context.bot_id, _hook)
    except (ValueError, LookupError):  # pydantic's error is a ValueError
        return None
    return _filed(delivery, context)


def quick_action(raw: bytes, context: DeliveryContext) -> Delivery | None:
    """Read a body of E1 that has no flaw."""
    try:
        delivery = _text_body(raw, context.conversation_id, context.bot_id, _control)
    except (ValueError, LookupError):  # pydantic's error is a ValueError
        return None
    return _filed(delivery, context)


def quick_record(
    raw: bytes,
    record: dict[str, Any],
    read_time: ReadTime,
    line: int | None,
) -> Delivery | None:
    """Read a line of a log that has no flaw and has been decoded."""
    try:
        get = record.get
        body = get("body")
        if body is None or "conversationId" in record or "events" in record:
            delivery = _hook(raw, record, len(record), record, None, None)
            delivery.line = line
            return delivery
        colons = len(record)
        time = get("received_at")
        received_at = None
        if time is not None:
            colons += time.count(":")
            received_at = read_instant(time, read_time)
            if received_at is None:
                return None
            if received_at.tzinfo is None:
                received_at = received_at.replace(tzinfo=UTC)
        if type(body) is dict and endpoint_of(record) is not TRANSCRIPTION:
            colons += len(body)
            delivery = _hook(raw, record, colons, body, get("conversation_id"), get("bot_id"))
        else:
            delivery = _unusual(raw, record, colons, body)
    except (ValueError, TypeError, LookupError):  # the first two as a reader of times raises them
        return None
    delivery.delivery_id = get("delivery_id")
    delivery.received_at = received_at
    delivery.line = line
    return delivery


def _filed(delivery: Delivery, context: DeliveryContext) -> Delivery:
    delivery.delivery_id = context.delivery_id
    delivery.received_at = context.received_at
    delivery.line = context.line
    return delivery


def _unusual(
    raw: bytes,
    record: dict[str, Any],
    colons: int,
    body: dict[str, Any] | str,
) -> Delivery:
    """Read a body that is an action, or text in its envelope."""
    read = _control if endpoint_of(record) is TRANSCRIPTION else _hook
    conversation_id, bot_id = record.get("conversation_id"), record.get("bot_id")
    if isinstance(body, dict):
        return _control(raw, record, colons + len(body), body, conversation_id, bot_id)
    if _is_doubtful(raw, record, colons):
        raise _Doubt
    return _text_body(body.encode(), conversation_id, bot_id, read)


def _text_body(
    raw: bytes,
    conversation_id: str | None,
    bot_id: str | None,
    read: Callable[..., Delivery],
) -> Delivery:
    # Ids from elsewhere than this text are not looked for in it.
    if (conversation_id or "").startswith("<") or (bot_id or "").startswith("<"):
        raise _Doubt
    body = _read_action(raw) if read is _control else _read_body(raw)
    return read(raw, body, len(body), body, conversation_id, bot_id)


def _hook(  # noqa: PLR0913, PLR0917 - called once a line
    raw: bytes,
    whole: dict[str, Any],
    colons: int,
    body: dict[str, Any],
    conversation_id: str | None,
    bot_id: str | None,
) -> Delivery:
    """Read a body of E21 that is `whole` or stands in it.

    So many `colons` of the text are accounted for: those of the members of both, and of the time.
    """
    get = body.get
    named = get("botId") or bot_id
    conversation_id = get("conversationId") or conversation_id
    if named in NO_IDS or conversation_id in NO_IDS or (bot_id and bot_id != named):
        raise _Doubt
    events: list[Event] = []
    if get("query") is not None or get("author") is not None:
        colons += _message(body, events)
    listed = get("events")
    if listed:
        for value, pointer in zip(listed, _pointers(len(listed)), strict=False):
            colons += _event(value, pointer, events)
    elif not events:
        raise _Doubt
    if _is_doubtful(raw, whole, colons) or (
        LESS in raw and _have_placeholder(conversation_id, named, *(e.agent for e in events))
    ):
        raise _Doubt
    return Delivery(conversation_id, named, tuple(events), (), None, None, None, body)


def _message(body: dict[str, Any], events: list[Event]) -> int:
    """Read the message fields, and return how many colons `author` and `query` have."""
    author, query, agent = body["author"], body["query"], body["agentId"]
    if author is None or query is None or body["source"] is None or agent in NO_IDS:
        raise _Doubt
    kind = QUICK_AUTHORS[author["type"]]
    events.append(Event(kind, agent, QUICK_EXPERIENCES[body["experience"]], body, ""))
    return len(author) + int(query.count(":"))


def _event(value: dict[str, Any], pointer: str, events: list[Event]) -> int:
    """Read one event, and return how many keys its known objects have."""
    name = value["name"]
    if name == TRIGGER_SUMMARY_EVENT:
        return _summary(value, pointer, events)
    participant = value["participant"]
    agent = participant["identity"]
    if agent in NO_IDS:
        raise _Doubt
    kind = (
        EventKind.END
        if name == END_OF_CONVERSATION
        else QUICK_TRANSFERS[value["transfertype"], value["transition"]]
    )
    events.append(Event(kind, agent, QUICK_EXPERIENCES[value["experience"]], value, pointer))
    return len(value) + _participant_keys(participant)


def _summary(value: dict[str, Any], pointer: str, events: list[Event]) -> int:
    keys = len(value) + len(value["data"])
    agent = experience = ""
    participant = value.get("participant")
    if participant is not None:
        keys += _participant_keys(participant)
        agent = participant["identity"]
        if agent in NO_IDS:
            raise _Doubt
    if value.get("experience") is not None:
        experience = QUICK_EXPERIENCES[value["experience"]]
    events.append(Event(EventKind.SUMMARY, agent, experience, value, pointer))
    return keys


def _participant_keys(participant: dict[str, Any]) -> int:
    return len(participant) + len(participant.get("customFields") or ())


def _pointers(number: int) -> Iterable[str]:
    if number <= len(_POINTERS):
        return _POINTERS
    return (f"/events/{index}" for index in range(number))


def _control(  # noqa: PLR0913, PLR0917 - in the form of `_hook`
    raw: bytes,
    whole: dict[str, Any],
    colons: int,
    body: dict[str, Any],
    conversation_id: str | None,
    bot_id: str | None,
) -> Delivery:
    """Read a body of E1 that is `whole` or stands in it, as `_hook` does."""
    name, agent = body["action"], body.get("agentId", "")
    conversation_id = conversation_id or body.get("conversationId")
    bot_id = bot_id or body.get("botId")
    handover = flag(body.get("handover")) if name == "pause" else None
    kind = QUICK_ACTIONS[name, handover]
    if (
        (agent in NO_IDS or conversation_id in NO_IDS or bot_id in NO_IDS)
        or _is_doubtful(raw, whole, colons)
        or (LESS in raw and _have_placeholder(conversation_id, bot_id, agent))
    ):
        raise _Doubt
    event = Event(kind, agent, "", body, "")
    return Delivery(conversation_id, bot_id, (event,), body=body, intake=TRANSCRIPTION)


def _have_placeholder(*ids: str | None) -> bool:
    return any(value and value[0] == "<" for value in ids)


def _is_doubtful(raw: bytes, value: dict[str, Any], colons: int) -> bool:
    """Whether a key came twice, or an escape hides what is sought in the text."""
    found = raw.count(b":")
    if found != colons and found != repr(value).count(":"):
        return True
    return BACKSLASH in raw and DOUBTFUL.search(raw) is not None
