"""The equality of events and deliveries, and the fingerprint by which it is decided.

Two events are the same if they agree in every field of the field table (`fields`), in canonical
spelling. An absent field, null and an empty text are equal. A value that cannot be read is compared
as it was sent. Fields outside the table and the order of keys make no difference. Events are
compared after reading, so what the reader corrects makes no difference either.
"""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

from segue.core.events.fields import FIELDS
from segue.core.events.ids import one_spelling
from segue.core.events.kind import EventKind, Json
from segue.core.events.shapes import FieldRow, FieldType, Form, Shape, shape_of

_UNUSUAL: Final = (LookupError, TypeError, AttributeError)
_BETWEEN: Final = "\0"
"""The character between two fields. The reader refuses texts that contain it."""


class Compared(Protocol):
    """An event or a delivery."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint that it shares with everything that is the same."""


def same(one: Compared | str | None, other: Compared | str | None) -> bool:
    """Return whether two events, or two deliveries, agree in all that Segue reads.

    Either may be given as its fingerprint. None is not the same as anything.
    """
    return one is not None and other is not None and _of(one) == _of(other)


def fingerprint(value: Mapping[str, Any], kind: StrEnum = EventKind.UNPROCESSABLE) -> str:
    """Return a digest of 24 hexadecimal characters that all events share that are the same.

    It is stored in place of the event, so that no customer text is kept.

    Args:
        value: The JSON object of the event, as the reader corrected it, see `Event.value`.
        kind: The kind of the event. By default the object itself tells it among lifecycle events.

    """
    return text_digest(canonical_text(value, kind))


def canonical_text(value: Mapping[str, Any], kind: StrEnum = EventKind.UNPROCESSABLE) -> str:
    """Return a text that all events share that are the same.

    It consists of the name of the shape and the values of its fields in canonical spelling,
    separated by NUL. If a value cannot be read or is not a text, it is the JSON text of an object
    with the fields that are not empty. The arguments are those of `fingerprint`.
    """
    form = _FORMS[kind]
    shape = form if type(form) is Shape else shape_of(form, value)
    if not shape.rows:
        return json_text(value)
    if not shape.title:
        return json_text(_canonical(_EVERY_ROW, value))
    try:
        return _usual_text(shape, value)
    except _UNUSUAL:
        found = _canonical(shape.rows, value)
    try:
        return _usual_text(shape, found)
    except _UNUSUAL:
        return json_text(found)


def json_text(value: object) -> str:
    """Return a JSON text that equal JSON values share, with the keys of objects in order.

    `1` and `1.0` are equal, but `1` and `true` are not. Parts that are not JSON values are
    converted to text.
    """
    try:
        text = _dumps(value)
    except TypeError:
        text = ".0"
    # This may be a float that is a whole number. Searching for one character is faster than for
    # two.
    if ".0" in text or ("+" in text and "e+" in text):
        return _dumps(_plain(value))
    return text


def text_digest(text: bytes | bytearray | memoryview | str) -> str:
    """Return a digest of 24 hexadecimal characters that equal texts share."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return blake2b(raw, digest_size=12).hexdigest()


class Leaf(NamedTuple):
    """A field as `_usual_text` writes it."""

    name: str
    words: Mapping[object, str] | None
    """The canonical text for each spelling, or None if all are allowed.

    Booleans are left out, because 1 equals True.
    """
    members: tuple["Leaf", ...]
    """The members of the field if it is an object."""
    is_id: bool


def _usual_text(shape: Shape, value: Mapping[str, Any]) -> str:
    """Return the texts of the fields of a shape.

    Raise `LookupError`, `TypeError` or `AttributeError` if a value is not spelled as usual.
    """
    texts = [shape.of]
    _append_texts(_leaves_of(shape), value, texts)
    return _BETWEEN.join(texts)


def _append_texts(leaves: tuple[Leaf, ...], value: Mapping[str, Any], texts: list[str]) -> None:
    get = value.get
    for name, words, members, is_id in leaves:
        item = get(name)
        if members:
            _append_texts(members, _EMPTY if item is None or item == "" else item, texts)
        elif words is None:
            text = "" if item is None else item
            texts.append(one_spelling(text) if is_id else text)
        elif item is False:
            texts.append(words["false"])
        else:
            texts.append(words["true" if item is True else item])


@lru_cache(maxsize=100)
def _leaves_of(shape: Shape) -> tuple[Leaf, ...]:
    return _leaves(shape.rows)


def _leaves(rows: tuple[FieldRow, ...]) -> tuple[Leaf, ...]:
    return tuple(
        Leaf(row.path[-1], _words(row), _leaves(row.children), row.field.is_id) for row in rows
    )


def _words(row: FieldRow) -> Mapping[object, str] | None:
    if not row.spellings:
        return None
    is_flag = row.field.type is FieldType.FLAG
    words: dict[object, str] = {
        said: str(word).lower() if is_flag else str(word)
        for said, word in row.spellings.items()
        if type(said) is str
    }
    return {None: "", "": "", **words}


_EMPTY: Final[Mapping[str, Any]] = {}
_dumps: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":")
).encode


def _shapes(form: Form) -> Iterator[Shape]:
    if isinstance(form, Shape):
        yield form
        return
    for _, case in form.cases:
        yield from _shapes(case)
    yield form.otherwise


def _forms() -> Mapping[StrEnum, Form]:
    """Return the shape of the events of each kind, and the choice of those not processable."""
    found: dict[StrEnum, Form] = {}
    for fields in FIELDS.values():
        for form in (fields.whole, fields.listed):
            for shape in () if form is None else _shapes(form):
                found |= dict.fromkeys((*dict(shape.kinds).values(), shape.otherwise), shape)
        found[fields.unprocessable] = fields.listed or fields.whole
    return MappingProxyType(found)


_FORMS: Final = _forms()
_EVERY_ROW: Final = tuple(
    {
        row.path: row for shape in _shapes(_FORMS[EventKind.UNPROCESSABLE]) for row in shape.rows
    }.values()
)
"""The rows of all lifecycle events, by which an event of an unknown name is compared."""


def _canonical(rows: tuple[FieldRow, ...], value: Mapping[str, Any]) -> dict[str, Json]:
    """Return the fields of an object that are not empty, in canonical spelling if they have one."""
    found = {}
    for (*_, name), _, spellings, children, field in rows:
        item = value.get(name)
        if children and isinstance(item, Mapping):
            item = _canonical(children, item) or None
        elif spellings and (word := field.word(item)) is not None:
            item = word
        elif field.is_id and isinstance(item, str):
            item = one_spelling(item)
        if item is not None and item != "":
            found[name] = item
    return found


def _of(one: Compared | str) -> str:
    return one if isinstance(one, str) else one.fingerprint


def _plain(value: object) -> object:
    """Return an equal value in which whole floats are integers and foreign types are text."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)
