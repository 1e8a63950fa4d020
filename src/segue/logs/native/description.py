"""The description of the fields and of the kinds of events, as bytes for the accelerator.

It is made from the same rows that the reference reads by, so the two cannot differ.  What the
accelerator cannot be told is an error here, and then nothing is accelerated.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from segue.core.events import INTAKES, ActionKind, EventKind, IdSource, Intake
from segue.core.events.fields import ENVELOPE, FIELDS
from segue.core.events.ids import PLACEHOLDER_WORDS
from segue.core.events.kind import ENTRIES, EXPERIENCES
from segue.core.events.shapes import (
    Choice,
    Field,
    FieldType,
    Form,
    Need,
    Shape,
)
from segue.core.lifecycle import AGENTLESS_KINDS, INTRODUCING_KINDS, MESSAGES
from segue.logs.native.kept import ACTION

Path: TypeAlias = tuple[str, ...]
Words: TypeAlias = tuple[tuple[Path, object], ...]
"""Paths of keys, and the canonical word of each; None: it is absent or unknown."""

KINDS: Final[tuple[StrEnum, ...]] = (*EventKind, *ActionKind)
"""Kinds of events and actions by their numbers."""
EXPERIENCE_WORDS: Final = EXPERIENCES
"""Values of `experience` by their numbers."""
_NO_KIND: Final = 255
_PLAIN, _ESCAPED, _FLAG, _OBJECT, _ARRAY = (1 << kind for kind in range(5))
"""Kinds of values that a key may hold; a string is plain if it has no escapes."""
_TYPES: Final = {
    FieldType.STRING: _PLAIN | _ESCAPED,
    FieldType.FLAG: _PLAIN | _FLAG,
    FieldType.OBJECT: _OBJECT,
    FieldType.ARRAY: _ARRAY,
    FieldType.TIME: _PLAIN,
    # Of these the reference reads whatever is not null.
    FieldType.NUMBER: 0,
    FieldType.DATE_TIME: 0,
    FieldType.ANY: 0,
}
_ID, _EXACT, _BODY, _OTHER = (1 << bit for bit in range(8, 12))
_FLAG_WORDS: Final = ("false", "true")
_ALWAYS: Final = 1
"""Stands for a key that is always there."""
_BESIDE: Final = ("received_at", "bot_id", "conversation_id", "endpoint", "delivery_id")
"""Keys of the envelope that the accelerator knows, but for the body."""
_IDS: Final = ("bot_id", "conversation_id", "delivery_id")
"""Where one of these is odd, the line is left to the reference."""


def description() -> bytes:
    """Return the description. Raises ValueError for what the accelerator cannot be told."""
    fields = [
        replace(each, is_id=each.name in _IDS)
        if each.name in _BESIDE or each.type is FieldType.BODY
        else replace(each, type=FieldType.DATE_TIME)
        for each in ENVELOPE.fields
    ]
    envelope = KeyNumbers([Shape(ENVELOPE.of, tuple(fields))])
    groups = (INTRODUCING_KINDS, AGENTLESS_KINDS, MESSAGES, ENTRIES)
    return b"".join(
        (
            _list([*envelope.keys(), *map(_key_of_bodies, ("conversationId", "events"))]),
            *(_number(envelope[name,]) for name in _BESIDE),
            *(_number(_kinds(kinds)) for kinds in groups),
            _number(KINDS.index(EventKind.END)),
            _list(_body(intake, envelope) for intake in INTAKES.values()),
        )
    )


def _key_of_bodies(name: str) -> bytes:
    """Return a key that no envelope has."""
    return _text(name) + _number(0) + _number(_OTHER) + _list(()) + _list(())


def _body(intake: Intake, envelope: "KeyNumbers") -> bytes:
    fields = FIELDS[intake.name]
    ids = [fields.ids] if intake.ids is IdSource.BODY else []
    keys = KeyNumbers([*ids, *_shapes(fields.whole)], envelope.end)
    listed = KeyNumbers(() if fields.listed is None else _shapes(fields.listed), keys.end)
    sure = envelope.mask(envelope) | keys.mask(
        (each.name,) for shape in ids for each in shape.fields
    )
    whole_if = keys.mask((name,) for name in fields.whole_if) or _ALWAYS
    return b"".join(
        (
            _list(keys.keys({("events",): listed.keys()})),
            *(_number(keys[name,] if ids else 0) for name in ("conversationId", "botId")),
            _number(sure),
            _list(keys.cases(fields.whole)),
            _number(whole_if),
            _number(ACTION if whole_if == _ALWAYS else ACTION + 1),
            _list(() if fields.listed is None else listed.cases(fields.listed)),
        )
    )


def _shapes(form: Form) -> Iterator[Shape]:
    if isinstance(form, Shape):
        yield form
        return
    for _, case in form.cases:
        yield from _shapes(case)
    yield form.otherwise


class KeyNumbers:
    """The keys that objects of several shapes may have, by number."""

    def __init__(self, shapes: Iterable[Shape], first: int = 1) -> None:
        self._fields: dict[Path, Field] = {}
        for shape in shapes:
            for path, each in _paths(shape.fields):
                known = self._fields.setdefault(path, each)
                if _key(known) != _key(each):
                    raise ValueError(f"{'.'.join(path)} means different things")
        self._numbers = {path: number for number, path in enumerate(self._fields, first)}
        self.end = first + len(self._numbers)
        """The first number behind them."""

    def __getitem__(self, path: Path) -> int:
        return self._numbers[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._numbers)

    def mask(self, paths: Iterable[Path]) -> int:
        """Return keys as bits."""
        return sum({1 << self[path] for path in paths})

    def keys(
        self, members: Mapping[Path, Sequence[bytes]] = MappingProxyType({}), parent: Path = ()
    ) -> list[bytes]:
        """Return the keys of an object; `members` are those of the elements of arrays."""

        def key(path: Path) -> bytes:
            name, types, words = _key(self._fields[path])
            below = members[path] if path in members else self.keys(parent=path)
            numbers = _number(self[path]) + _number(types)
            return _text(name) + numbers + _list(map(_text, words)) + _list(below)

        return [key(path) for path in self if path[:-1] == parent]

    def cases(self, form: Form, chosen: Words = ()) -> Iterator[bytes]:
        """Yield what an object of a form is by its words; the first that fits counts."""
        if isinstance(form, Choice):
            for word, case in form.cases:
                yield from self.cases(case, (*chosen, ((form.by,), word)))
            yield from self.cases(form.otherwise, chosen)
            return
        for words in sorted(form.contradictions, key=repr):
            told = zip(form.told_apart, words, strict=True)
            yield self._case(form, (*chosen, *told), EventKind.UNPROCESSABLE)
        for words, kind in form.kinds:
            yield self._case(form, (*chosen, *zip(form.told_by, words, strict=True)), kind)
        yield self._case(form, chosen, form.otherwise)

    def _case(self, shape: Shape, words: Words, kind: StrEnum) -> bytes:
        has_experience = any(each.name == "experience" for each in shape.fields)
        told = (_number(self[path]) + _number(self._word(path, word)) for path, word in words)
        return b"".join(
            (
                _list(told),
                _number(_kind(kind)),
                _number(self.mask(path for path, _ in _paths(shape.fields))),
                _list(self._required(shape.fields)),
                _number(self[shape.agent] if shape.agent else 0),
                _number(self["experience",] if has_experience else 0),
                _text(shape.of),
                _list(self._leaves(shape.fields)),
            )
        )

    def _leaves(self, fields: tuple[Field, ...]) -> Iterator[bytes]:
        """Yield the fields that hold no others, each with the words that stand for it."""
        for path, each in _paths(fields):
            if not each.fields:
                words = () if each.is_id else _key(each)[2]
                yield _number(self[path]) + _list(map(_text, words))

    def _word(self, path: Path, word: object) -> int:
        if word is None:
            return 0
        words = [each.lower() for each in _key(self._fields[path])[2]]
        return words.index(str(word).lower()) + 1

    def _required(self, fields: tuple[Field, ...], holder: Path = ()) -> Iterator[bytes]:
        """Yield a key, and the keys that have to be there if it is."""
        required = [(*holder, each.name) for each in fields if each.need is not Need.OPTIONAL]
        if required:
            yield _number(self.mask([holder]) if holder else _ALWAYS) + _number(self.mask(required))
        for each in fields:
            yield from self._required(each.fields, (*holder, each.name))


def _paths(fields: tuple[Field, ...], parent: Path = ()) -> Iterator[tuple[Path, Field]]:
    for each in fields:
        path = (*parent, each.name)
        yield path, each
        yield from _paths(each.fields, path)


def _key(field: Field) -> tuple[str, int, tuple[str, ...]]:
    """Return name, types and words of a key."""
    if field.type is FieldType.BODY:
        return field.name, _BODY | _OBJECT, ()
    types = _TYPES[field.type]
    if field.is_id:
        return field.name, _PLAIN | _ID, PLACEHOLDER_WORDS
    if field.is_exact:
        types |= _EXACT
    words = _FLAG_WORDS if field.type is FieldType.FLAG else field.words
    return field.name, types & ~_ESCAPED if words else types, words


def _kind(kind: StrEnum) -> int:
    """Return the number of a kind; events of a kind without one are read by the reference."""
    is_numbered = isinstance(kind, EventKind | ActionKind) and kind.name != "UNPROCESSABLE"
    return KINDS.index(kind) if is_numbered else _NO_KIND


def _kinds(kinds: Iterable[EventKind]) -> int:
    return sum({1 << KINDS.index(kind) for kind in kinds})


def _number(number: int) -> bytes:
    return number.to_bytes(8, "little")


def _text(text: str) -> bytes:
    raw = text.encode()
    return _number(len(raw)) + raw


def _list(items: Iterable[bytes]) -> bytes:
    found = list(items)
    return _number(len(found)) + b"".join(found)
