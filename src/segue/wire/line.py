"""Lines of a log: bare bodies of E21, or bodies in an envelope that says more about them.

It decides what an envelope is and what of it is used.  House rules: (1) keys of an envelope that
are not in the table below are never looked at; (2) an envelope that cannot be used leaves its body
usable.  It does not know files, nor other people's forms of lines.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from segue.events import Delivery, Flaw
from segue.wire import careful
from segue.wire.examine import examine, shown
from segue.wire.given import Given
from segue.wire.limit import LIMITS, Limits
from segue.wire.quick import quick_line
from segue.wire.reader import fits, utf8
from segue.wire.shape import ENVELOPE
from segue.wire.time import read_iso_time
from segue.wire.strict import Text, Unreadable, decode, plain, top

__all__ = ["ReadTime", "careful_line", "is_envelope", "parse_line", "read_iso_time", "read_line"]

ReadTime: TypeAlias = Callable[[object], datetime | None]
"""Reads the time of an envelope; None: it cannot be read. A naive time is taken as UTC."""

_NAMES: Final = tuple(field.name for field in ENVELOPE.fields)


def read_line(
    raw: Text | Mapping[str, Any],
    *,
    read_time: ReadTime = read_iso_time,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Delivery:
    """Read a line of a log, whatever it is; what is wrong with it is in the flaws.

    Of the sizes only `max_line_bytes` counts: a body in a log was accepted by somebody.  A mapping
    is a line that has been parsed; its `received_at` may be whatever `read_time` reads.
    """
    if type(raw) is bytes and limits is LIMITS and len(raw) <= 16777216:
        text=raw
        delivery = quick_line(text, read_time, line)
        if delivery is not None:
            return delivery
        return careful_line(raw, read_time, line, limits)
    text = utf8(raw)
    if text is not None and fits(text, limits.max_line_bytes, limits):
        delivery = quick_line(text, read_time, line)
        if delivery is not None:
            return delivery
    return careful_line(raw, read_time, line, limits)


def careful_line(raw: object, read_time: ReadTime, line: int | None, limits: Limits) -> Delivery:
    """Read a line of a log on the careful path."""
    limits = replace(limits, max_bytes=limits.max_line_bytes)
    try:
        record = _record(raw, limits)
        if not is_envelope(record):
            return careful.hook(record, Given(line=line), limits)
        used = _used(record, limits)
    except Unreadable as error:
        return careful.unreadable(error.reason, Given(line=line))
    read = careful.control if used["endpoint"] == "transcription" else careful.hook
    return read(record["body"], _given(used, read_time, line), limits)


def parse_line(
    raw: Text, *, line: int | None = None, limits: Limits = LIMITS
) -> Mapping[str, Any] | Delivery:
    """Parse a line of another form: an object to take an envelope's parts from, or why not.

    The parts make an envelope for `read_line`, which finds all that is wrong with them.
    """
    try:
        return _record(raw, replace(limits, max_bytes=limits.max_line_bytes))
    except Unreadable as error:
        return careful.unreadable(error.reason, Given(line=line))


def is_envelope(record: Mapping[str, Any]) -> bool:
    """Whether a line holds a body rather than being one."""
    return "body" in record and "conversationId" not in record and "events" not in record


def _record(raw: object, limits: Limits) -> dict[str, Any]:
    if isinstance(raw, bytes | bytearray | memoryview | str):
        return top(decode(raw, limits.max_bytes, limits.max_depth))
    return top(raw)


def _used(record: dict[str, Any], limits: Limits) -> dict[str, Any]:
    used = {name: record.get(name) for name in ("received_at", *_NAMES)}
    return {
        name: value
        if isinstance(value, datetime)
        else plain(value, limits.max_bytes, limits.max_depth)
        for name, value in used.items()
    }


def _given(used: dict[str, Any], read_time: ReadTime, line: int | None) -> Given:
    flaws = [flaw._replace(pointer="") for flaw in examine(ENVELOPE, used, "")]
    time, when = used["received_at"], None
    if time is not None:
        when = read_time(time)
        if when is None:
            flaws.insert(0, Flaw("SG509", "", {"value": shown(time)}))
        elif when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
    conversation_id, bot_id, delivery_id = (
        _text(used["conversation_id"]),
        _text(used["bot_id"]),
        _text(used["delivery_id"]),
    )
    return Given(conversation_id, bot_id, delivery_id, when, line, tuple(flaws))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
