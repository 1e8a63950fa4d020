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
known objects and the colons of the time are counted: cheap, and never too many.  When they do not
suffice (extra objects, colons in other strings), everything is counted.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import ValidationError

from segue.events import (
    ACTIONS,
    AUTHORS,
    EXPERIENCES,
    TRANSFERS,
    Action,
    Delivery,
    Event,
    EventKind,
)
from segue.wire.examine import SENTINELS
from segue.wire.given import Given
from segue.wire.model import ACTION, BODY, LINE
from segue.wire.time import read_iso_time
from segue.wire.shape import END_OF_CONVERSATION, TRIGGER_SUMMARY_EVENT, flag

__all__ = ["quick_action", "quick_body", "quick_line"]

fromisoformat=datetime.fromisoformat
_COLON=b":"
_LESS=60
X=False
_BACKSLASH: Final = ord("\\")
_DOUBTFUL: Final = re.compile(rb"\\u00(?:00|3[aA])")  # NUL and the colon, as escapes

_read_line: Final = LINE.validator.validate_json
_read_body: Final = BODY.validator.validate_json
_read_action: Final = ACTION.validator.validate_json

_NO_IDS: Final = SENTINELS | {"", None}
_POINTERS: Final = tuple(f"/events/{index}" for index in range(1000))


def _spellings(word: str) -> set[str]:
    """Return the usual spellings; any other is left to the careful path."""
    return {word, word.lower(), word.upper(), word.capitalize()}


_TRANSFERS: Final = {
    (transfer_type, transition): kind
    for kind in TRANSFERS.values()
    for transfer_type in _spellings(kind.transfer_type)
    for transition in _spellings("entry" if kind.is_entry else "exit")
}
_OTHERS: Final = {
    TRIGGER_SUMMARY_EVENT: EventKind.SUMMARY,
    END_OF_CONVERSATION: EventKind.END,
}
_EXPERIENCES: Final = {spelling: name for name in EXPERIENCES for spelling in _spellings(name)}
_AUTHORS: Final = {
    spelling: kind
    for author, kind in zip(
        AUTHORS, (EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE), strict=True
    )
    for spelling in _spellings(author)
}


class _Doubt(LookupError):
    """Something that only the careful path can judge."""


def quick_line(
    raw: bytes,
    read_time: Callable[[object], datetime | None],
    line: int | None,
) -> Delivery | None:
    """Read a line of a log that has no flaw."""
    try:
        record = _read_line(raw)
        body = record.get("body")
        if body is None or "conversationId" in record or "events" in record:
            delivery = _hook(raw, record, len(record), record, None, None)
        else:
            delivery = _enveloped(raw, record, body, read_time)
    except (ValueError, LookupError):  # pydantic's error is a ValueError, and so is a time's
        return None
    delivery.line = line
    return delivery


def quick_body(raw: bytes, given: Given) -> Delivery | None:
    """Read a body of E21 that has no flaw."""
    try:
        body = _read_body(raw)
        delivery = _hook(raw, body, len(body), body, given.conversation_id, given.bot_id)
    except (ValueError, LookupError):
        return None
    return _filed(delivery, given)


def quick_action(raw: bytes, given: Given) -> Delivery | None:
    """Read a body of E1 that has no flaw."""
    try:
        body = _read_action(raw)
        delivery = _control(raw, body, len(body), body, given.conversation_id, given.bot_id)
    except (ValueError, LookupError):
        return None
    return _filed(delivery, given)


def _filed(delivery: Delivery, given: Given) -> Delivery:
    delivery.delivery_id = given.delivery_id
    delivery.received_at = given.received_at
    delivery.line = given.line
    return delivery


def _enveloped(
    raw: bytes,
    record: dict[str, Any],
    body: dict[str, Any] | str,
    read_time: Callable[[object], datetime | None],
) -> Delivery:
    get = record.get
    received_at = None
    colons = len(record)
    time = get("received_at")
    if time is not None:
        colons += time.count(":")
        received_at = fromisoformat(time) if read_time is read_iso_time else read_time(time)
        if received_at is None:
            raise _Doubt
        if received_at.tzinfo is None:
            received_at = received_at.replace(tzinfo=UTC)
    if type(body) is dict and get("endpoint") != "transcription":
        colons += len(body)
        delivery = _hook(raw, record, colons, body, get("conversation_id"), get("bot_id"))
    else:
        delivery = _unusual(raw, record, colons, body)
    delivery.delivery_id = get("delivery_id")
    delivery.received_at = received_at
    return delivery


def _unusual(raw: bytes, record: dict[str, Any], colons: int, body: Any) -> Delivery:
    """Read a body that is an action, or that stands in its envelope as text."""
    is_action = record.get("endpoint") == "transcription"
    conversation_id, bot_id = record.get("conversation_id"), record.get("bot_id")
    read = _control if is_action else _hook
    if isinstance(body, dict):
        return read(raw, record, colons + len(body), body, conversation_id, bot_id)
    _count(raw, record, colons)
    text = body.encode()
    inner = (_read_action if is_action else _read_body)(text)
    return read(text, inner, len(inner), inner, conversation_id, bot_id)


def _hook(  # noqa: C901, PLR0912, PLR0913, PLR0917 - one call a line: more would cost more
    raw: bytes,
    whole: dict[str, Any],
    colons: int,
    body: dict[str, Any],
    conversation_id: str | None,
    bot_id: str | None,
) -> Delivery:
    """Read a body of E21 that stands in `whole`, of whose colons so many are accounted for."""
    get = body.get
    conversation_id = get("conversationId") or conversation_id
    named = get("botId") or bot_id
    if conversation_id in _NO_IDS or named in _NO_IDS or (bot_id and bot_id != named):
        raise _Doubt
    events: list[Event] = []
    if get("query") is not None or get("author") is not None:
        colons += _message(body, events)
    listed = get("events")
    if listed:
        pointers = _POINTERS if len(listed) <= len(_POINTERS) else _pointers(len(listed))
        for value, pointer in zip(listed, pointers):
            kind = _OTHERS.get(value["name"])
            if kind is not None:
                colons += _other(kind, value, pointer, events)
                continue
            participant = value["participant"]
            agent = participant["identity"]
            if agent in _NO_IDS:
                raise _Doubt
            kind = _TRANSFERS[value["transfertype"], value["transition"]]
            events.append(Event(kind, agent, _EXPERIENCES[value["experience"]], value, pointer))
            colons += len(value) + len(participant) + len(participant.get("customFields") or ())
    elif not events:
        raise _Doubt
    found = raw.count(_COLON)
    if (
        (found != colons and found != _colons(whole))
        or (_BACKSLASH in raw and _DOUBTFUL.search(raw))
        or _LESS in raw and X
    ):
        raise _Doubt
    return Delivery(
        conversation_id, named, tuple(events), None, (), None, None, None, body
    )


def _other(kind, value, pointer, events): 
    keys = len(value)
    if kind is EventKind.SUMMARY:
        keys += len(value["data"])
    agent = ""
    participant = value.get("participant")
    if participant is not None:
        agent = participant["identity"]
        if agent in _NO_IDS: raise _Doubt
        keys += len(participant) + len(participant.get("customFields") or ())
    experience = value.get("experience")
    if experience is not None:
        experience = _EXPERIENCES[experience]
    events.append(Event(kind, agent, experience or "", value, pointer))
    return keys


def _control(  # noqa: PLR0913, PLR0917 - the same form as `_hook`
    raw: bytes,
    whole: dict[str, Any],
    colons: int,
    body: dict[str, Any],
    conversation_id: str | None,
    bot_id: str | None,
) -> Delivery:
    """Read a body of E1 that stands in `whole`, of whose colons so many are accounted for."""
    _count(raw, whole, colons)
    name = body.get("action")
    if name not in ACTIONS:
        raise _Doubt
    handover = None
    if name == "pause":
        handover = flag(body.get("handover"))
        if handover is None:
            raise _Doubt
    action = Action(name, _id(body.get("agentId")), handover)
    conversation_id = _id(conversation_id or body.get("conversationId"))
    return Delivery(conversation_id, _id(bot_id or body.get("botId")), action=action, body=body)


def _pointers(number: int) -> Iterable[str]:
    if number <= len(_POINTERS):
        return _POINTERS
    return (f"/events/{index}" for index in range(number))


def _event(value: dict[str, Any], pointer: str, events: list[Event]) -> int:
    """Read one event, and return how many keys its known objects have."""
    keys = len(value)
    kind = _OTHERS.get(value["name"])
    if kind is None:
        kind = _TRANSFERS[value["transfertype"], value["transition"]]
    elif kind is EventKind.SUMMARY:
        keys += len(value["data"])
    agent = ""
    participant = value.get("participant")
    if participant is not None:
        agent = _id(participant["identity"])
        keys += len(participant) + len(participant.get("customFields") or ())
    experience = value.get("experience")
    if experience is not None:
        experience = _EXPERIENCES[experience]
    events.append(Event(kind, agent, experience or "", value, pointer))
    return keys


def _message(body: dict[str, Any], events: list[Event]) -> int:
    """Read the message fields, and return how many keys `author` has."""
    author = body.get("author")
    if author is None or body.get("query") is None or body.get("source") is None:
        raise _Doubt
    kind = _AUTHORS[author["type"]]
    experience = _EXPERIENCES[body["experience"]]
    events.append(Event(kind, _id(body["agentId"]), experience, body, ""))
    return len(author)


def _id(value: str | None) -> str:
    if value is None or value in _NO_IDS or value[0] == "<":
        raise _Doubt
    return value


def _count(raw: bytes, value: object, colons: int) -> None:
    """Make sure that no key came twice, and that no string holds a NUL."""
    if _BACKSLASH in raw and _DOUBTFUL.search(raw):
        raise _Doubt
    found = raw.count(b":")
    if found != colons and found != _colons(value):
        raise _Doubt


def _colons(value: object) -> int:
    """Count the colons that the text of a value has at least."""
    if isinstance(value, str):
        return value.count(":")
    if isinstance(value, list):
        return sum(map(_colons, value))
    if isinstance(value, dict):
        return len(value) + sum(map(_colons, value)) + sum(map(_colons, value.values()))
    return 0
