"""Maps lines of another format to envelopes, by JSON Pointers (RFC 6901).

A text that is not a JSON Pointer is an error at once.  A pointer that finds nothing counts as one
that finds null, which matters for the body only.  A pointer goes on in a string that holds JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from segue.core.errors import ConfigurationError
from segue.core.events import Delivery
from segue.core.options import check_choice
from segue.core.wire import address_in, is_envelope, parse_line
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
"""JSON, text with JSON in it, or rows of a table with a header."""

_URL: Final = "url_at"


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """JSON Pointers into a line; None for what its lines do not have.

    Raises `ConfigurationError` for a text that is not a JSON Pointer.
    """

    body_at: str = ""
    """The body, an object or its JSON text, which may be escaped, in base64, or have other text
    around it; the empty pointer means that the line is the body, or an envelope."""
    time_at: str | None = None
    """The time of receipt."""
    bot_at: str | None = None
    """The bot id."""
    conversation_at: str | None = None
    """The conversation id."""
    delivery_at: str | None = None
    """The delivery id."""
    endpoint_at: str | None = None
    """The endpoint; where it is `transcription`, the body is a transcription action."""
    url_at: str | None = None
    """The URL, path or request line, which names endpoint, bot and perhaps the conversation; lines
    with any other address are left out."""
    records_at: str | None = None
    """The list of records in a line or document, each of which is then a line; the empty pointer
    means that a line has several."""
    lines: LineForm = "json"
    """How lines become JSON: a line of text becomes an envelope with the keys `body`, `text` (what
    is around the JSON object) and `received_at` (the first time in that); without an object it is
    left out. The columns of a row become keys."""

    skip_others: bool = False
    """Whether lines without a body, or with an object that has no key of one, are left out."""

    platform: str | None = None
    """The platform whose events the lines are; they become envelopes."""

    _paths: Mapping[str, tuple[str, ...]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Split the pointers once, so that a wrong one fails here and not in every line."""
        paths = {
            part: _path(name, pointer)
            for name, part in {**_PARTS, _URL: _URL}.items()
            if (pointer := getattr(self, name)) is not None
        }
        if "body" not in paths:
            msg = "body_at is a JSON Pointer; the empty one means the line itself"
            raise ConfigurationError(msg)
        check_choice("lines", self.lines, LINES)
        if self.platform is not None:
            check_choice("platform", self.platform, PLATFORMS)
        object.__setattr__(self, "_paths", paths)
        if self.records_at is not None:
            _path("records_at", self.records_at)

    @property
    def records_path(self) -> tuple[str, ...] | None:
        """The keys that lead to the list of records, or None if a line is one."""
        return None if self.records_at is None else _path("records_at", self.records_at)

    @property
    def is_framed(self) -> bool:
        """Whether what is read as a line need not be one in the file."""
        return self.records_at is not None or self.lines == "csv" or self.platform is not None

    @property
    def body_key(self) -> str | None:
        """The key of a line below which the body is, or None if the line is the body."""
        return next(iter(self._paths["body"]), None)

    @property
    def keys(self) -> frozenset[str] | None:
        """The keys of a line that are used, or None for all of them."""
        firsts = [path[0] for path in self._paths.values() if path]
        return frozenset(firsts) if len(firsts) == len(self._paths) else None

    def read(
        self, raw: bytes | Mapping[str, Any], line: int | None = None
    ) -> dict[str, Any] | Delivery | None:
        """Return the envelope that a line stands for.

        Returns the delivery of a broken line, and None for a line that is not of a delivery.
        """
        record = self.record(raw, line)
        return record if record is None or isinstance(record, Delivery) else self.envelope(record)

    def record(
        self, raw: bytes | Mapping[str, Any], line: int | None = None
    ) -> Mapping[str, Any] | Delivery | None:
        """Return the decoded line that the pointers lead into, or what `read` returns instead."""
        if not isinstance(raw, bytes):
            return raw
        return text_record(raw) if self.lines == "text" else parse_line(raw, line=line)

    def present(self, record: Mapping[str, Any]) -> frozenset[str]:
        """Return the names of the pointers that find something in a decoded line."""
        return frozenset(
            name
            for name, part in {**_PARTS, _URL: _URL}.items()
            if part in self._paths and follow(record, self._paths[part]) is not None
        )

    def leaves_out(self, line: object) -> bool:
        """Return whether a decoded line is left out."""
        return self.envelope(line) is None

    def envelope(self, line: object) -> dict[str, Any] | None:
        """Return the envelope that a decoded line stands for; its `body` is None if it has none.

        Returns None for a line that is left out.
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
    """Return whether this is not a body, as far as it can be read; one cut short is a body."""
    if isinstance(body, str):
        record = parse_line(body)
        return "{" not in body if isinstance(record, Delivery) else not is_body(record)
    return not is_body(body)


def _routed(found: dict[str, Any], url: str) -> dict[str, Any] | None:
    """Return an envelope with what a URL says and nothing else did."""
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
            f"{name} is a JSON Pointer such as /payload or /records/0/body, not {pointer!r}: "
            "it starts with /, and ~ and / within a key are written ~0 and ~1"
        )
    return pointer_path(pointer)
