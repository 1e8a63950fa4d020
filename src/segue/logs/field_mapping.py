"""Maps log lines of any JSON format to envelopes, by JSON Pointers (RFC 6901).

An envelope is a dictionary with the `body` of a delivery and its metadata, such as `received_at`. A
pointer without a match gives None, which is an error only for the body. A pointer can continue into
a string that contains JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from segue.core.errors import ConfigurationError
from segue.core.events import Delivery
from segue.core.options import check_choice
from segue.core.wire import is_envelope, parse_line
from segue.core.wire.address import address_in
from segue.logs.body_places import is_body
from segue.logs.body_text import first_time, object_text, text_around, text_of, text_record
from segue.logs.json_pointer import follow, is_pointer, pointer_path
from segue.logs.leavings import Reason
from segue.logs.platforms import PLATFORMS
from segue.logs.typed_json import without_types

_PARTS: Final = {
    "body_at": "body",
    "time_at": "received_at",
    "bot_at": "bot_id",
    "conversation_at": "conversation_id",
    "delivery_at": "delivery_id",
    "endpoint_at": "endpoint",
}

ENVELOPE: Final = tuple(_PARTS.values())
"""The keys of an envelope, such as `body` and `received_at`."""

LINES: Final = ("json", "text", "csv", "docker")
LineForm: TypeAlias = Literal["json", "text", "csv", "docker"]
"""The format of lines: JSON, text that contains JSON, rows of a CSV table, or JSON of Docker, whose
long lines are in pieces.
"""

_URL: Final = "url_at"


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """JSON Pointers to the body and the metadata of a delivery in each line of a log.

    Use it to read a log whose lines have a format of their own:

        replay("app.jsonl", field_mapping=FieldMapping(body_at="/payload", time_at="/ts"))

    An attribute is None if lines do not have this field. Raises `ConfigurationError` for a string
    that is not a JSON Pointer.
    """

    body_at: str = ""
    """The pointer to the body, such as `/payload`. The body is an object or its JSON text, which
    may be escaped, in base64, or surrounded by other text. An empty pointer means that the whole
    line is the body or an envelope.
    """
    time_at: str | None = None
    """The pointer to the time at which the delivery was received."""
    bot_at: str | None = None
    """The pointer to the bot id."""
    conversation_at: str | None = None
    """The pointer to the conversation id."""
    delivery_at: str | None = None
    """The pointer to the delivery id."""
    endpoint_at: str | None = None
    """The pointer to the endpoint. The body of the endpoint `transcription` is an action."""
    url_at: str | None = None
    """The pointer to a URL, path or request line. The endpoint, the bot and sometimes the
    conversation are taken from it. Lines whose URL is not one of the known endpoints are skipped.
    """
    records_at: str | None = None
    """The pointer to a list of records in each line or in the whole document. Each record is then
    read as a line. The key `*` leads through every element of a list. An empty pointer means that
    the line itself is a list or has several values. In text, it means objects over several lines.
    """
    lines: LineForm = "json"
    """The format of lines. A line of text is read as an envelope with the keys `body`, `text` (the
    text around the JSON object) and `received_at` (the first time in that text). Lines of text
    without a JSON object are skipped. A CSV row is read as an object with the columns as keys. The
    pieces of a long line that Docker writes are joined, and the last piece is the line.
    """

    skip_others: bool = False
    """Whether to skip lines that have no body, or an object without the keys of a body."""

    platform: str | None = None
    """The name of the platform whose export format is converted to envelopes, or None."""

    _paths: Mapping[str, tuple[str, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Parse all pointers, so that an invalid pointer raises an error here."""
        paths = {
            part: _path(name, pointer)
            for name, part in {**_PARTS, _URL: _URL}.items()
            if (pointer := getattr(self, name)) is not None
        }
        if "body" not in paths:
            msg = "body_at must be a JSON Pointer; use '' if the line itself is the body"
            raise ConfigurationError(msg)
        check_choice("lines", self.lines, LINES)
        if self.platform is not None:
            check_choice("platform", self.platform, PLATFORMS)
        object.__setattr__(self, "_paths", paths)
        if self.records_at is not None:
            _path("records_at", self.records_at)

    @property
    def records_path(self) -> tuple[str, ...] | None:
        """The keys in `records_at`, such as `("data", "items")`, or None if lines are records."""
        return None if self.records_at is None else _path("records_at", self.records_at)

    @property
    def is_framed(self) -> bool:
        """Whether the file must be converted before it can be read line by line.

        This applies to lists of records, CSV tables, pieces of lines, and exports of other
        platforms.
        """
        return (
            self.records_at is not None
            or self.lines in {"csv", "docker"}
            or self.platform is not None
        )

    @property
    def body_key(self) -> str | None:
        """The first key of the path to the body, or None if the whole line is the body."""
        return next(iter(self._paths["body"]), None)

    @property
    def keys(self) -> frozenset[str] | None:
        """The top-level keys that the mapping reads from a line, or None if it may read any key."""
        firsts = [path[0] for path in self._paths.values() if path]
        return frozenset(firsts) if len(firsts) == len(self._paths) else None

    def read(
        self, raw: bytes | Mapping[str, Any], line: int | None = None
    ) -> dict[str, Any] | Delivery | None:
        """Convert a line to an envelope: a dictionary with the body and its metadata.

        Return None if the mapping skips the line, and a `Delivery` with an error if its JSON is
        invalid.

        Args:
            raw: The line as bytes or as a decoded object.
            line: The line number to report in case of an error.

        """
        record = self.record(raw, line)
        return record if record is None or isinstance(record, Delivery) else self.envelope(record)

    def record(
        self, raw: bytes | Mapping[str, Any], line: int | None = None
    ) -> Mapping[str, Any] | Delivery | None:
        """Decode a line of JSON or text, without applying the pointers.

        Return None if the mapping skips the line, and a `Delivery` with an error if its JSON is
        invalid.
        """
        if not isinstance(raw, bytes):
            return raw
        return text_record(raw) if self.lines == "text" else parse_line(raw, line=line)

    def present(self, record: Mapping[str, Any]) -> frozenset[str]:
        """Return the names of the pointers, such as `time_at`, that lead to a value in `record`."""
        return frozenset(
            name
            for name, part in {**_PARTS, _URL: _URL}.items()
            if part in self._paths and follow(record, self._paths[part]) is not None
        )

    def _around(self, text: str) -> dict[str, str | None]:
        """Return the time and the URL in the text around a body, if the mapping says so."""
        if self.body_at not in (self.time_at, self.url_at) or not self.body_at:
            return {}
        around = text_around(text)
        found = {"received_at": first_time(around)} if self.time_at == self.body_at else {}
        return found | ({_URL: around} if self.url_at == self.body_at else {})

    def leaves_out(self, line: object) -> bool:
        """Return whether the mapping skips this decoded line."""
        return self.envelope(line) is None

    def envelope(self, line: object) -> dict[str, Any] | None:
        """Apply the pointers to a decoded line, and return the envelope.

        The `body` of the envelope is None if the line has no body. Return None if the mapping skips
        the line.
        """
        found = {part: follow(line, path) for part, path in self._paths.items()}
        if not self.body_at and isinstance(line, Mapping) and is_envelope(line):
            known = {part: at for part, at in found.items() if part != "body" and at is not None}
            found = {part: line[part] for part in ENVELOPE if part in line} | known
        if (text := text_of(found["body"])) is not None:
            found |= self._around(text)
            found["body"] = object_text(text)
        found["body"] = without_types(found["body"])
        if self.skip_others and _is_other(found["body"]):
            return None
        url = found.pop(_URL, None)
        return _routed(found, url) if isinstance(url, str) else found


def why_left_out(mapping: FieldMapping, raw: bytes | Mapping[str, Any]) -> Reason:
    """Return the reason why a mapping skips a line."""
    record = mapping.record(raw)
    if record is None:
        return "without JSON"
    is_elsewhere = replace(mapping, url_at=None).envelope(record) is not None
    return "of another URL" if is_elsewhere else "without a body"


def _is_other(body: object) -> bool:
    """Return whether a value is not the body of a delivery. A truncated object counts as a body."""
    if isinstance(body, str):
        record = parse_line(body)
        return (
            not ("{" in body or "conversationId" in body)
            if isinstance(record, Delivery)
            else not is_body(record)
        )
    return not is_body(body)


def _routed(found: dict[str, Any], url: str) -> dict[str, Any] | None:
    """Add the endpoint, bot id and conversation id in `url` to the envelope `found`.

    Values that the envelope already contains take precedence. Return None if the URL belongs to no
    known endpoint.
    """
    route = address_in(url)
    if route is None:
        return None
    said = {
        "endpoint": route.intake.name,
        "bot_id": route.bot_id,
        "conversation_id": route.conversation_id,
    }
    return found | {part: each for part, each in said.items() if each and found.get(part) is None}


def _path(name: str, pointer: object) -> tuple[str, ...]:
    if not isinstance(pointer, str) or not is_pointer(pointer):
        raise ConfigurationError(
            f"{name} must be a JSON Pointer such as /payload or /records/0/body, not {pointer!r}: "
            "it starts with /, and ~ and / within a key are written ~0 and ~1"
        )
    return pointer_path(pointer)
