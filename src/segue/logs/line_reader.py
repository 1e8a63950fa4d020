"""Lines of a log, of whatever type and layout, read into deliveries.

It decides what a line may be: JSON text, a mapping, a `Delivery`; ours, or somebody else's of which
a layout says where they keep what an envelope holds.  House rule: a line that is none is a delivery
with a flaw; only what our user cannot mean, a path among lines, is an error.
"""

from collections.abc import Mapping
from os import PathLike
from typing import Final

from segue.errors import ConfigurationError
from segue.events import Delivery, Flaw
from segue.logs.field_mapping import FieldMapping
from segue.logs.options import ReplayOptions
from segue.logs.sources import LONGEST_LINE
from segue.logs.times import reader
from segue.wire import parse_line, read_line

__all__ = ["Lines", "is_blank"]

_NEWLINE: Final = b"\r\n"


class Lines:
    """How the lines of a log are read."""

    __slots__ = ("_field_mapping", "read_time")

    def __init__(self, options: ReplayOptions) -> None:
        self._field_mapping = options.field_mapping
        self.read_time = reader(options.time_zone, day_first=options.day_first)

    def read(self, raw: object, line: int | None) -> Delivery | None:
        """Read a line of any type; None: it is blank."""
        if isinstance(raw, Delivery):
            return raw
        if isinstance(raw, str):
            raw = raw.encode("utf-8", "surrogatepass")
        if isinstance(raw, bytes):
            raw = raw.rstrip(_NEWLINE)
            if len(raw) > LONGEST_LINE:
                return _unreadable("larger than 16 MiB", line)
            if not raw.strip():
                return None
        elif not isinstance(raw, Mapping):
            return _nothing(raw, line)
        if self._field_mapping is not None:
            return self._read_foreign(self._field_mapping, raw, line)
        return read_line(raw, read_time=self.read_time, line=line)

    def _read_foreign(
        self, field_mapping: FieldMapping, raw: bytes | Mapping[str, object], line: int | None
    ) -> Delivery:
        record = parse_line(raw, line=line) if isinstance(raw, bytes) else raw
        if isinstance(record, Delivery):
            return record
        envelope = field_mapping.envelope(record)
        delivery = read_line(envelope, read_time=self.read_time, line=line)
        if envelope["body"] is None:
            missing = Flaw("SG501", "", {"reason": f"no body at {field_mapping.body_at}"})
            delivery.flaws = tuple(
                missing if flaw.code == missing.code else flaw for flaw in delivery.flaws
            )
        return delivery


def is_blank(raw: object, delivery: Delivery) -> bool:
    """Whether this was read of a line with nothing in it."""
    return delivery.body is None and isinstance(raw, bytes) and not raw.strip()


def _nothing(raw: object, line: int | None) -> Delivery:
    if isinstance(raw, PathLike):
        msg = f"a log is one path or an iterable of lines, and {str(raw)!r} is no line"
        raise ConfigurationError(msg)
    return _unreadable("not an object", line)


def _unreadable(reason: str, line: int | None) -> Delivery:
    return Delivery(None, None, flaws=(Flaw("SG501", "", {"reason": reason}),), line=line)
