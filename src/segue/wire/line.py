"""Lines of a log: bare bodies of E21, or bodies in an envelope that says more about them.

It decides what an envelope is and what of it is used.  House rules: (1) keys of an envelope that
are not in the table below are never looked at; (2) an envelope that cannot be used leaves its body
usable.  It does not know files, nor other people's forms of lines.
"""

from collections.abc import Callable, Mapping
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
from segue.wire.strict import Text, Unreadable, decode, inspect, plain

__all__ = ["ReadTime", "is_envelope", "read_iso_time", "read_line", "read_parsed"]

ReadTime: TypeAlias = Callable[[object], datetime | None]
"""Reads the time of an envelope; None: it cannot be read. A naive time is taken as UTC."""

_IDS: Final = ("conversation_id", "bot_id", "delivery_id")
_USED: Final = ("received_at", "endpoint", *_IDS)


def read_iso_time(value: object) -> datetime | None:
    """Read ISO 8601, or take a datetime as it is; a time without an offset is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


def read_line(
    raw: Text | Mapping[str, Any],
    *,
    read_time: ReadTime = read_iso_time,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Delivery:
    """Read a line of a log, whatever it is; what is wrong with it is in the flaws.

    Only `max_line_bytes` limits its size: a body that has been logged was accepted by somebody.
    """
    text = utf8(raw)
    if text is not None and fits(text, limits.max_line_bytes, limits):
        delivery = quick_line(text, read_time, line)
        if delivery is not None:
            return delivery
    return careful_line(raw, read_time, line, limits)


def read_parsed(
    record: Mapping[str, Any],
    *,
    read_time: ReadTime = read_iso_time,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Delivery: ...
