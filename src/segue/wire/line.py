"""Read the lines of a log: where each path begins."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from segue.events import Delivery, Facts
from segue.wire.envelope import careful_line
from segue.wire.fast import fast_decode
from segue.wire.limits import LIMITS, Limits
from segue.wire.model import LINE
from segue.wire.quick import quick_record
from segue.wire.reader import fits, utf8
from segue.wire.strict import Text
from segue.wire.timestamps import ReadTime, read_iso_time
from segue.wire.usual import as_delivery, usual, usual_text

__all__ = ["glance", "read_line"]

_MAX_BYTES: Final = LIMITS.max_line_bytes or 0

_decode: Final = LINE.validator.validate_json

decoders: Final = (_decode,) if fast_decode is None else (fast_decode, _decode)
"""The reference comes last: what others refuse, and what is not usual, is what it says."""


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
    read = glance(raw, read_time, line)
    return read if isinstance(read, Delivery) else as_delivery(read, line)


def glance(raw: bytes, read_time: ReadTime, line: int | None) -> Facts | Delivery:
    """Read a line that is not too long; one that is usual comes back as its plain facts."""
    record = None
    for decode in decoders:
        try:
            record = decode(raw)
        except ValueError:
            record = None
            continue
        body = record.get("body")
        if type(body) is str:
            facts = usual_text(raw, record, decode, is_whole=decode is _decode)
        else:
            facts = usual(raw, record, body, is_whole=decode is _decode)
        if facts is not None:
            return facts
    delivery = None if record is None else quick_record(raw, record, read_time, line)
    return careful_line(raw, read_time, line, LIMITS) if delivery is None else delivery


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
