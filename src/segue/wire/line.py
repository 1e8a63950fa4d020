"""Read the lines of a log: where each path begins.

It decides which path is taken.  The most usual lines, an envelope around one message, one transfer
or the end, with a time in ISO 8601 and without a flaw, have a way of their own: they are most of
most logs, and a call more costs them 3 %.  House rule: that way gives up at the first thing that is
not usual.  It does not know flaws.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from segue.events import Delivery, Event, EventKind
from segue.wire.envelope import careful_line
from segue.wire.instant import FOREVER, NEVER, ReadTime, read_iso_time
from segue.wire.limit import LIMITS, Limits
from segue.wire.model import LINE
from segue.wire.quick import (
    BACKSLASH,
    LESS,
    NO_IDS,
    QUICK_AUTHORS,
    QUICK_EXPERIENCES,
    QUICK_TRANSFERS,
    quick_record,
)
from segue.wire.reader import fits, utf8
from segue.wire.shape import END_OF_CONVERSATION, INTERNAL_TRANSFER_EVENT
from segue.wire.strict import Text

__all__ = ["read_line"]

_MAX_BYTES: Final = LIMITS.max_line_bytes or 0
_TIME_AND_BODY: Final = 2
_IDS_AND_EVENTS: Final = 3
_ENDS: Final = {END_OF_CONVERSATION: EventKind.END}

_decode: Final = LINE.validator.validate_json
_from_iso: Final = datetime.fromisoformat


def read_line(
    raw: Text | Mapping[str, Any],
    *,
    read_time: ReadTime = read_iso_time,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Delivery:
    """Read a line of a log, whatever it is; what is wrong with it is in the flaws.

    Of the sizes only `max_line_bytes` counts: a body in a log was accepted by somebody.  A mapping
    is a line that has been parsed; its `received_at` may be a datetime.
    """
    if type(raw) is not bytes or limits is not LIMITS or len(raw) > _MAX_BYTES:
        return _read(raw, read_time, line, limits)
    try:
        record = _decode(raw)
    except ValidationError:
        return careful_line(raw, read_time, line, limits)
    body, time = record.get("body"), record.get("received_at")
    if type(body) is dict and time and BACKSLASH not in raw and LESS not in raw:
        try:
            received_at = _from_iso(time)
            conversation_id, bot_id = body["conversationId"], body["botId"]
            colons = len(record) + len(body) + time.count(":")
            events = body.get("events")
            if events is None:
                author, query, agent = body["author"], body["query"], body["agentId"]
                colons += len(author) + query.count(":")
                kind = QUICK_AUTHORS[author["type"]]
                value, pointer = body, ""
                is_usual = body["source"] is not None
            else:
                (value,) = events
                pointer = "/events/0"
                participant = value["participant"]
                agent = participant["identity"]
                colons += len(value) + len(participant)
                if "customFields" in participant:
                    colons += len(participant["customFields"])
                name = value["name"]
                kind = (
                    QUICK_TRANSFERS[value["transfertype"], value["transition"]]
                    if name == INTERNAL_TRANSFER_EVENT
                    else _ENDS[name]
                )
                is_usual = len(body) == _IDS_AND_EVENTS
            if (
                raw.count(b":") == colons
                and is_usual
                and received_at.tzinfo is not None
                and NEVER < received_at.year < FOREVER
                and conversation_id not in NO_IDS
                and bot_id not in NO_IDS
                and agent not in NO_IDS
                and (len(record) == _TIME_AND_BODY or _is_hook(record, bot_id))
            ):
                experience = QUICK_EXPERIENCES[value["experience"]]
                event = Event(kind, agent, experience, value, pointer)
                return Delivery(  # by position: half the cost of names
                    conversation_id,
                    bot_id,
                    (event,),
                    None,
                    (),
                    record.get("delivery_id"),
                    received_at,
                    line,
                    body,
                )
        except (ValueError, TypeError, LookupError, AttributeError):
            pass
    delivery = quick_record(raw, record, read_time, line)
    return careful_line(raw, read_time, line, limits) if delivery is None else delivery


def _is_hook(record: dict[str, Any], bot_id: str) -> bool:
    """Whether an envelope says nothing else of its body than the body itself."""
    return (
        "conversationId" not in record
        and "events" not in record
        and record.get("bot_id", bot_id) == bot_id
        and record.get("endpoint") != "transcription"
    )


def _read(raw: object, read_time: ReadTime, line: int | None, limits: Limits) -> Delivery:
    """Read what is no bytes, or has limits of its own."""
    text = utf8(raw)
    if text is not None and fits(text, limits.max_line_bytes, limits):
        try:
            delivery = quick_record(text, _decode(text), read_time, line)
        except ValidationError:
            delivery = None
        if delivery is not None:
            return delivery
    return careful_line(raw, read_time, line, limits)
