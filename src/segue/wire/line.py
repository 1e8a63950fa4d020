"""Read the lines of a log: where each path begins.

It decides which path is taken.  The most usual line, an envelope around one transfer without a
flaw, has a way of its own: it is most of most logs, and a call more costs it 3 %.  House rule: that
way gives up at the first thing that is not usual.  It does not know flaws.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from segue.events import Delivery, Event
from segue.wire.envelope import careful_line
from segue.wire.instant import ReadTime, read_iso_time
from segue.wire.limit import LIMITS, Limits
from segue.wire.model import LINE
from segue.wire.quick import (
    BACKSLASH,
    LESS,
    NO_IDS,
    QUICK_EXPERIENCES,
    QUICK_TRANSFERS,
    quick_record,
)
from segue.wire.reader import fits, utf8
from segue.wire.shape import INTERNAL_TRANSFER_EVENT
from segue.wire.strict import Text

__all__ = ["read_line"]

_MAX_BYTES: Final = LIMITS.max_line_bytes or 0
_IDS_AND_EVENTS: Final = 3

_NO_EVENTS: Final[tuple[dict[str, Any], ...]] = ()

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
    body = record.get("body")
    time = record.get("received_at")
    if type(body) is dict and len(body) == _IDS_AND_EVENTS and time:
        try:
            (value,) = body["events"] or _NO_EVENTS
            if value["name"] == INTERNAL_TRANSFER_EVENT:
                is_iso = read_time is read_iso_time
                received_at = _from_iso(time) if is_iso else read_time(time)
                conversation_id, bot_id = body["conversationId"], body["botId"]
                participant = value["participant"]
                agent = participant["identity"]
                keys = len(record) + _IDS_AND_EVENTS + len(value) + len(participant)
                if "customFields" in participant:
                    keys += len(participant["customFields"] or ())
                if (
                    raw.count(b":") == keys + time.count(":")
                    and received_at is not None
                    and received_at.tzinfo is not None
                    and "conversationId" not in record
                    and "events" not in record
                    and record.get("bot_id", bot_id) == bot_id
                    and record.get("endpoint") != "transcription"
                    and conversation_id not in NO_IDS
                    and bot_id not in NO_IDS
                    and agent not in NO_IDS
                    and BACKSLASH not in raw
                    and LESS not in raw
                ):
                    kind = QUICK_TRANSFERS[value["transfertype"], value["transition"]]
                    experience = QUICK_EXPERIENCES[value["experience"]]
                    event = Event(kind, agent, experience, value, "/events/0")
                    delivery_id = record.get("delivery_id")
                    return Delivery(  # by position: half the cost of names
                        conversation_id,
                        bot_id,
                        (event,),
                        None,
                        (),
                        delivery_id,
                        received_at,
                        line,
                        body,
                    )
        except (ValueError, TypeError, LookupError):
            pass
    delivery = quick_record(raw, record, read_time, line)
    return careful_line(raw, read_time, line, limits) if delivery is None else delivery


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
