"""Maps lines of another format to envelopes, by JSON Pointers (RFC 6901).

A text that is not a JSON Pointer raises an error at once. A pointer without a match counts as null,
which is an error only for the body. A pointer can continue into a string that contains JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from segue.core.errors import ConfigurationError
from segue.core.events import Delivery
from segue.core.wire import is_envelope, parse_line
from segue.core.wire.address import address_in
from segue.logs.body_places import is_body
from segue.logs.body_text import object_text, text_record
from segue.logs.json_pointer import follow, is_pointer, pointer_path
from segue.logs.platforms import PLATFORMS

_PARTS: Final = {
    "body_at": "body",
    "time_at": "received_at",
    "bot_at": "bot_id",
    "conversation_at": "conversation_id",
    "delivery_at": "delivery_id",
    "endpoint_at": "endpoint",
}

ENVELOPE: Final = tuple(_PARTS.values())
"""The keys of an envelope."""

LINES: Final = ("json", "text", "csv")
LineForm: TypeAlias = Literal["json", "text", "csv"]
"""The form of lines: JSON, text that contains JSON, or rows of a table with a header."""

_URL: Final = "url_at"


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """JSON Pointers to the parts of an envelope in a line. None for parts that lines do not have.

    Raises `ConfigurationError` for a text that is not a JSON Pointer.
    """

    body_at: str = ""
    """The body: an object or its JSON text, which may be escaped, in base64, or surrounded by other
    text. The empty pointer means that the line is the body or an envelope.
    """
    time_at: str | None = None
    """The time of receipt."""
    bot_at: str | None = None
    """The bot id."""
    conversation_at: str | None = None
    """The conversation id."""
    delivery_at: str | None = None
    """The delivery id."""
    endpoint_at: str | None = None
    """The endpoint. If its value is `transcription`, the body is a transcription action."""
    url_at: str | None = None
    """The URL, path or request line, which gives the endpoint, the bot and sometimes the
    conversation. Lines with any other address are skipped.
    """
    records_at: str | None = None
    """The list of records in a line or document. Each record is then read as a line. The empty
    pointer means that the line itself is a list or has several values.
    """
    lines: LineForm = "json"
    """The form of lines. A line of text becomes an envelope with the keys `body`, `text` (the text
    around the JSON object) and `received_at` (the first time in that text). It is skipped if it has
    no object. The columns of a row become keys.
    """

    skip_others: bool = False
    """Whether to skip lines without a body, or with an object that has none of a body's keys."""

    platform: str | None = None
    """The platform whose events are converted to envelopes."""

    _paths: Mapping[str, tuple[str, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Parse the pointers once, so that an invalid one fails here."""
        paths = {
            part: _path(name, pointer)
            for name, part in {**_PARTS, _URL: _URL}.items()
            if (pointer := getattr(self, name)) is not None
        }
        if "body" not in paths:
            msg = "body_at must be a JSON Pointer; use '' if the line itself is the body"
            raise ConfigurationError(msg)
        if self.lines not in LINES:
            raise ConfigurationError(f"lines must be one of {', '.join(LINES)}, not {self.lines!r}")
        if self.platform not in (None, *PLATFORMS):
            known = ", ".join(PLATFORMS)
            raise ConfigurationError(f"platform must be one of {known}, not {self.platform!r}")
        object.__setattr__(self, "_paths", paths)
        if self.records_at is not None:
            _path("records_at", self.records_at)

    @property
    def records_path(self) -> tuple[str, ...] | None:
        """The keys that lead to the list of records, or None if each line is a record."""
        return None if self.records_at is None else _path("records_at", self.records_at)

    @property
    def is_framed(self) -> bool:
        """Whether records differ from the lines of the file."""
        return self.records_at is not None or self.lines == "csv" or self.platform is not None

    @property
    def body_key(self) -> str | None:
        """The key of a line that contains the body, or None if the line is the body."""
        return next(iter(self._paths["body"]), None)

    @property
    def keys(self) -> frozenset[str] | None:
        """The keys of a line that are used, or None for all of them."""
        firsts = [path[0] for path in self._paths.values() if path]
        return frozenset(firsts) if len(firsts) == len(self._paths) else None

    def read(
        self, raw: bytes | Mapping[str, Any], line: int | None = None
    ) -> dict[str, Any] | Delivery | None:
        """Return the envelope for a line.

        Returns a `Delivery` for a broken line, and None for a line that is skipped.
        """
        record = self.record(raw, line)
        return record if record is None or isinstance(record, Delivery) else self.envelope(record)

    def record(
        self, raw: bytes | Mapping[str, Any], line: int | None = None
    ) -> Mapping[str, Any] | Delivery | None:
        """Return the decoded line to which the pointers apply, or a result as for `read`."""
        if not isinstance(raw, bytes):
            return raw
        return text_record(raw) if self.lines == "text" else parse_line(raw, line=line)

    def present(self, record: Mapping[str, Any]) -> frozenset[str]:
        """Return the names of the pointers that have a match in a decoded line."""
        return frozenset(
            name
            for name, part in {**_PARTS, _URL: _URL}.items()
            if part in self._paths and follow(record, self._paths[part]) is not None
        )

    def leaves_out(self, line: object) -> bool:
        """Return whether a decoded line is skipped."""
        return self.envelope(line) is None

    def envelope(self, line: object) -> dict[str, Any] | None:
        """Return the envelope for a decoded line. Its `body` is None if the line has no body.

        Returns None for a line that is skipped.
        """
        found = {part: follow(line, path) for part, path in self._paths.items()}
        if not self.body_at and isinstance(line, Mapping) and is_envelope(line):
            known = {part: at for part, at in found.items() if part != "body" and at is not None}
            found = {part: line[part] for part in ENVELOPE if part in line} | known
        if isinstance(found["body"], str):
            found["body"] = object_text(found["body"])
        if self.skip_others and _is_other(found["body"]):
            return None
        url = found.pop(_URL, None)
        return _routed(found, url) if isinstance(url, str) else found


def _is_other(body: object) -> bool:
    """Return whether a value is not a body. A truncated object counts as a body."""
    if isinstance(body, str):
        record = parse_line(body)
        return "{" not in body if isinstance(record, Delivery) else not is_body(record)
    return not is_body(body)


def _routed(found: dict[str, Any], url: str) -> dict[str, Any] | None:
    """Return an envelope with missing parts taken from a URL, or None for an unknown URL."""
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
