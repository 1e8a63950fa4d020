"""Lines of a log on the careful path: bodies, bare or in an envelope that says more about them.

It decides what an envelope is and what of it is used.  House rules: (1) keys of an envelope that
are not in its shape are never looked at; (2) what is wrong with an envelope's own values leaves the
body readable.  It does not know files, nor other people's forms of lines.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from segue.events import HOOKS, INTAKES, Delivery, Flaw, Intake
from segue.wire import careful
from segue.wire.context import DeliveryContext
from segue.wire.examine import examine, shown
from segue.wire.limits import LIMITS, Limits
from segue.wire.shape import ENVELOPE
from segue.wire.strict import Text, Unreadable, decode, plain, top
from segue.wire.timestamps import ReadTime, read_instant

__all__ = ["careful_line", "endpoint_of", "is_envelope", "parse_line"]

_USED: Final = ("received_at", *(field.name for field in ENVELOPE.fields))


def is_envelope(record: Mapping[str, Any]) -> bool:
    """Whether a line holds a body rather than being one."""
    return "body" in record and "conversationId" not in record and "events" not in record


def endpoint_of(envelope: Mapping[str, Any]) -> Intake:
    """Return the intake that an envelope names, or the hook."""
    endpoint = envelope.get("endpoint")
    return INTAKES.get(endpoint, HOOKS) if isinstance(endpoint, str) else HOOKS


def parse_line(
    raw: Text,
    *,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Mapping[str, Any] | Delivery:
    """Parse a line of another form: an object to take parts from, or the delivery of a broken line.

    The parts, put into an envelope, go to `read_line`, which finds all that is wrong with them.
    """
    try:
        return _record(raw, _for_lines(limits))
    except Unreadable as error:
        return careful.unreadable(error.reason, DeliveryContext(line=line))


def careful_line(raw: object, read_time: ReadTime, line: int | None, limits: Limits) -> Delivery:
    """Read a line of a log, text or a mapping."""
    limits = _for_lines(limits)
    try:
        record = _record(raw, limits)
        if not is_envelope(record):
            return careful.hook(record, DeliveryContext(line=line), limits)
        used = {name: _value(record.get(name), limits) for name in _USED}
    except Unreadable as error:
        return careful.unreadable(error.reason, DeliveryContext(line=line))
    read = careful.READERS[endpoint_of(used).machine]
    return read(record["body"], _context(used, read_time, line), limits)


def _for_lines(limits: Limits) -> Limits:
    return replace(limits, max_bytes=limits.max_line_bytes)


def _record(raw: object, limits: Limits) -> dict[str, Any]:
    if isinstance(raw, bytes | bytearray | memoryview | str):
        return top(decode(raw, limits.max_bytes, limits.max_depth))
    return top(raw)


def _value(value: object, limits: Limits) -> object:
    # A mapping may have a time that has been read already.
    return (
        value if isinstance(value, datetime) else plain(value, limits.max_bytes, limits.max_depth)
    )


def _context(used: dict[str, Any], read_time: ReadTime, line: int | None) -> DeliveryContext:
    time = used["received_at"]
    received_at = None if time is None else _received_at(time, read_time)
    flaws = [flaw._replace(pointer="") for flaw in examine(ENVELOPE, used, "")]
    if time is not None and received_at is None:
        flaws.insert(0, Flaw("SG509", "", {"value": shown(time)}))
    return DeliveryContext(
        conversation_id=_text(used["conversation_id"]),
        bot_id=_text(used["bot_id"]),
        delivery_id=_text(used["delivery_id"]),
        received_at=received_at,
        line=line,
        flaws=tuple(flaws),
    )


def _received_at(time: object, read_time: ReadTime) -> datetime | None:
    try:
        when = read_instant(time, read_time)
    except (ValueError, TypeError):
        return None
    return when.replace(tzinfo=UTC) if when is not None and when.tzinfo is None else when


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
