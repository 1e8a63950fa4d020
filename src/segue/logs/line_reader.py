"""Reads the lines of a log (text, bytes, mappings or deliveries) as deliveries.

A line that cannot be read gives a delivery with a flaw. A path in place of a line raises
`ConfigurationError`.
"""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Final

from segue.core.conversation import Keying
from segue.core.epoch import comparable, is_aware
from segue.core.errors import ConfigurationError
from segue.core.events import Delivery, Flaw
from segue.core.wire import read_line, time_reader, with_required
from segue.logs.field_mapping import FieldMapping, why_left_out
from segue.logs.keying import KEYS, Named, keying_of
from segue.logs.leavings import Leavings
from segue.logs.plan import ReplayOptions
from segue.logs.sources import LONGEST_LINE, is_overlong

_NEWLINE: Final = b"\r\n"
_OF_BODIES: Final = (
    (b"conversationId", b"events"),
    (b"conversationId", b"query", b"author"),
)
"""Keys of bodies that are together in no other line."""


class LineReader:
    """A parser of log lines, which applies the options of a replay."""

    def __init__(self, options: ReplayOptions) -> None:
        self._options = options
        self.field_mapping = options.field_mapping
        """The pointers to the fields of a line, or None if lines are bodies or envelopes."""
        self.keying: Keying | None = options.key
        """The way to identify conversations: `"bot"`, `"conversation"`, or None if undecided."""
        self.leavings = Leavings()
        """The lines that were not read."""
        self._is_filtered = options.is_filtered
        self._required = options.policy.require
        self._read_time = time_reader(
            options.time_zone, day_first=options.day_first, time_format=options.time_format
        )

    def read(self, raw: object, line: int | None) -> Delivery | None:
        """Parse a line, and return its delivery.

        Return None for a line that is blank, or that the options skip or filter out.
        """
        delivery = self.read_any(raw, line)
        if delivery is not None and delivery.conversation_id is None and _is_cut(delivery):
            is_last = isinstance(raw, bytes) and not raw.endswith(b"\n")
            self.leavings.cut_off(self._text_of(raw), line, is_last=is_last)
        if self._required and delivery is not None:
            delivery = with_required(delivery, self._required)
        if self._is_filtered and delivery is not None and not self._options.matches(delivery):
            return None
        return delivery

    def key_of(self, named: Named) -> str | None:
        """Return the key under which a replayer stores the conversation of `named`.

        Return None for a delivery, state or report without a conversation id.
        """
        return KEYS[self.keying or "conversation"](named)

    def read_any(self, raw: object, line: int | None) -> Delivery | None:
        """Parse a line like `read`, but ignore the filters by conversation and time."""
        delivery = self._read_one(raw, line)
        if self.keying is None and delivery is not None and delivery.conversation_id is not None:
            self.keying = keying_of(delivery)
        return delivery

    def _read_one(self, raw: object, line: int | None) -> Delivery | None:
        if isinstance(raw, Delivery):
            return _with_comparable_time(raw)
        if isinstance(raw, str):
            raw = raw.encode("utf-8", "surrogatepass")
        if isinstance(raw, bytes):
            if not raw or raw.isspace():
                return None
            if len(raw) > LONGEST_LINE and is_overlong(raw):  # without a call for each line
                return _unreadable("larger than 16 MiB", line)
        elif not isinstance(raw, Mapping):
            return _not_a_line(raw, line)
        return self._read_line(raw, line)

    def _read_line(self, raw: bytes | Mapping[str, object], line: int | None) -> Delivery | None:
        if self._options.field_mapping is not None:
            return self._read_mapped(self._options.field_mapping, raw, line)
        if len(raw) > LONGEST_LINE and isinstance(raw, bytes):
            raw = raw.rstrip(_NEWLINE)
        return read_line(raw, read_time=self._read_time, line=line)

    def _read_mapped(
        self, mapping: FieldMapping, raw: bytes | Mapping[str, object], line: int | None
    ) -> Delivery | None:
        envelope = mapping.read(raw, line)
        if envelope is None:
            return self._left_out(mapping, raw, line)
        if isinstance(envelope, Delivery):
            return envelope
        delivery = read_line(envelope, read_time=self._read_time, line=line)
        if envelope["body"] is None:
            missing = Flaw("SG501", "", {"reason": f"no body at {mapping.body_at}"})
            delivery.flaws = tuple(
                missing if flaw.code == missing.code else flaw for flaw in delivery.flaws
            )
        return delivery

    def _left_out(
        self, mapping: FieldMapping, raw: bytes | Mapping[str, object], line: int | None
    ) -> Delivery | None:
        """Count a line that the mapping skips, or return a finding if it looks like a delivery."""
        reason = why_left_out(mapping, raw)
        if reason == "without a body" and _seems_a_body(raw):
            return _unreadable(f"no body at {mapping.body_at}", line)
        self.leavings.leave_out(reason, line)
        return None

    def _text_of(self, raw: object) -> bytes:
        """Return the text of the body of a line that is cut off, or the line without one."""
        text = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
        if not isinstance(text, bytes):
            return b""
        mapping = self._options.field_mapping
        envelope = None if mapping is None else mapping.read(text)
        body = envelope["body"] if isinstance(envelope, dict) else None
        return body.encode("utf-8", "surrogatepass") if isinstance(body, str) else text.strip()


def _seems_a_body(raw: object) -> bool:
    return isinstance(raw, bytes) and any(all(key in raw for key in keys) for keys in _OF_BODIES)


def _is_cut(delivery: Delivery) -> bool:
    return any(flaw.facts.get("reason") == "cut off" for flaw in delivery.flaws)


def _with_comparable_time(delivery: Delivery) -> Delivery:
    at = delivery.received_at
    if at is not None and not is_aware(at):
        raise ConfigurationError("received_at has no time zone: pass an aware datetime")
    if at is None or (instant := comparable(at)) is at:
        return delivery
    return replace(delivery, received_at=instant)


def _not_a_line(raw: object, line: int | None) -> Delivery:
    if isinstance(raw, PathLike):
        msg = f"{str(raw)!r} is a path, not a line: pass a path, a list of paths, or lines"
        raise ConfigurationError(msg)
    return _unreadable("not an object", line)


def _unreadable(reason: str, line: int | None) -> Delivery:
    return Delivery(None, None, flaws=(Flaw("SG501", "", {"reason": reason}),), line=line)
