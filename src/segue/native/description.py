"""The description of the fields and of the kinds of events, as bytes for the accelerator.

It is made from the same rows that the reference reads by, so the two cannot differ.  What the
accelerator cannot be told is an error here, and then nothing is accelerated.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, TypeVar

from segue.events import INTAKES, ActionKind, EventKind, IdSource, Intake
from segue.events.fields import ENVELOPE, FIELDS
from segue.events.kind import ENTRIES, EXPERIENCES
from segue.events.shapes import (
    PLACEHOLDERS,
    Field,
    FieldType,
    Form,
    Need,
    Shape,
)
from segue.lifecycle import AGENTLESS_KINDS, INTRODUCING_KINDS, MESSAGES

T = TypeVar("T")
Path = tuple[str, ...]

KINDS: Final[tuple[StrEnum, ...]] = (*EventKind, *ActionKind)
"""Kinds of events and actions by their numbers."""
EXPERIENCE_WORDS: Final = EXPERIENCES
"""Values of `experience` by their numbers."""
_NO_KIND: Final = 255
_TYPES: Final = {
    FieldType.STRING: 1,
    FieldType.FLAG: 2,
    FieldType.OBJECT: 4,
    FieldType.ARRAY: 8,
    FieldType.BODY: 64,
    FieldType.TIME: 128 | 1,
    FieldType.NUMBER: 1,  # of events that the reference reads
    FieldType.DATE_TIME: 1,
}
_ID: Final = 16
_EXACT: Final = 32
_FLAG_WORDS: Final = ("false", "true")


def description() -> bytes:
    """Return the description. Raises ValueError for what the accelerator cannot be told."""
    ids = {"bot_id", "conversation_id", "delivery_id"}  # an odd one is left to the reference
    fields = [replace(each, is_id=each.name in ids) for each in ENVELOPE.fields]
    envelope = KeyNumbers([Shape(ENVELOPE.of, tuple(fields))])
    names = ("received_at", "bot_id", "conversation_id", "endpoint", "delivery_id")
    groups = (INTRODUCING_KINDS, AGENTLESS_KINDS, MESSAGES, ENTRIES)
    return b"".join(
        (
            envelope.keys(),
            envelope.shape(ENVELOPE),
            *(_number(envelope[name,]) for name in names),
            *(_kinds(kinds) for kinds in groups),
            _number(KINDS.index(EventKind.END)),
            _list(list(INTAKES.values()), _body),
        )
    )


def _body(intake: Intake) -> bytes:
    fields = FIELDS[intake.name]
    keys = KeyNumbers([fields.ids, *_shapes(fields.whole)])
    events = b"" if fields.listed is None else KeyNumbers(_shapes(fields.listed)).keys()
    listed = _number(0)
    if fields.listed is not None:
        listed = _number(1) + KeyNumbers(_shapes(fields.listed)).form(fields.listed)
    return b"".join(
        (
            _number(intake.ids is IdSource.BODY),
            _number(not fields.whole_if),
            keys.keys({("events",): events}),
            keys.shape(fields.ids),
            *(_number(keys[name,]) for name in ("conversationId", "botId")),
            keys.form(fields.whole),
            keys.mask([(name,) for name in fields.whole_if]),
            listed,
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

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self._fields: dict[Path, Field] = {}
        for shape in shapes:
            for path, each in _paths(shape.fields):
                known = self._fields.setdefault(path, each)
                if _key(known) != _key(each):
                    raise ValueError(f"{'.'.join(path)} means different things")
        self._numbers = {path: number for number, path in enumerate(self._fields)}

    def __getitem__(self, path: Path) -> int:
        return self._numbers[path]

    def mask(self, paths: Iterable[Path]) -> bytes:
        """Return keys as bits."""
        return sum({1 << self[path] for path in paths}).to_bytes(8, "little")

    def keys(self, members: dict[Path, bytes] | None = None, parent: Path = ()) -> bytes:
        """Return the keys of an object; `members` are those of the elements of arrays."""
        members = members or {}
        paths = [path for path in self._fields if path[:-1] == parent]

        def key(path: Path) -> bytes:
            name, types, words = _key(self._fields[path])
            below = members[path] if path in members else self.keys(parent=path)
            head = _text(name) + _number(self[path]) + _number(types)
            return head + _list(words, _text) + below

        return _list(paths, key)

    def form(self, form: Form) -> bytes:
        """Return a shape, or a choice of forms."""
        if isinstance(form, Shape):
            return _number(0) + self.shape(form)
        words = _key(self._fields[form.by,])[2]

        def case(item: tuple[str, Form]) -> bytes:
            return _word(words.index(item[0])) + self.form(item[1])

        return (
            _number(1)
            + _number(self[form.by,])
            + _list(form.cases, case)
            + self.form(form.otherwise)
        )

    def shape(self, shape: Shape) -> bytes:
        """Return which keys a shape has, and what they say of an event."""

        def words(paths: Sequence[Path]) -> Callable[[tuple[object, ...]], bytes]:
            return lambda found: _list(
                range(len(found)), lambda at: self._word(paths[at], found[at])
            )

        def kind(item: tuple[tuple[object, ...], StrEnum]) -> bytes:
            return words(shape.told_by)(item[0]) + _kind(item[1])

        has_experience = any(each.name == "experience" for each in shape.fields)
        return b"".join(
            (
                _list(list(_groups(shape.fields)), self._group),
                _list(shape.told_by, lambda path: _number(self[path])),
                _list(shape.kinds, kind),
                _kind(shape.otherwise),
                _number(self[shape.agent] + 1 if shape.agent else 0),
                _number(self["experience",] + 1 if has_experience else 0),
                _list(shape.told_apart, lambda path: _number(self[path])),
                _list(sorted(shape.contradictions, key=repr), words(shape.told_apart)),
            )
        )

    def _word(self, path: Path, word: object) -> bytes:
        if word is None:
            return _word(-1)
        text = str(word).lower() if isinstance(word, bool) else str(word)
        words = _key(self._fields[path])[2]
        return _word([each.lower() for each in words].index(text.lower()))

    def _group(self, group: tuple[Path, tuple[Field, ...]]) -> bytes:
        holder, fields = group
        paths: dict[bool, list[Path]] = {True: [], False: []}
        for each in fields:
            paths[each.need is Need.OPTIONAL].append((*holder, each.name))
        return (
            self.mask([holder] if holder else []) + self.mask(paths[False]) + self.mask(paths[True])
        )


def _paths(fields: tuple[Field, ...], parent: Path = ()) -> Iterator[tuple[Path, Field]]:
    for each in fields:
        path = (*parent, each.name)
        yield path, each
        yield from _paths(each.fields, path)


def _groups(
    fields: tuple[Field, ...], holder: Path = ()
) -> Iterator[tuple[Path, tuple[Field, ...]]]:
    yield holder, fields
    for each in fields:
        if each.fields:
            yield from _groups(each.fields, (*holder, each.name))


def _key(field: Field) -> tuple[str, int, tuple[str, ...]]:
    """Return name, types and words of a key."""
    types = _TYPES[field.type]
    if field.is_id:
        return field.name, types | _ID, tuple(sorted(PLACEHOLDERS))
    if field.is_exact:
        types |= _EXACT
    return field.name, types, _FLAG_WORDS if field.type is FieldType.FLAG else field.words


def _kind(kind: StrEnum) -> bytes:
    """Return the number of a kind; events of a kind without one are read by the reference."""
    is_numbered = isinstance(kind, EventKind | ActionKind) and kind.name != "UNPROCESSABLE"
    return _number(KINDS.index(kind) if is_numbered else _NO_KIND)


def _kinds(kinds: Iterable[EventKind]) -> bytes:
    return sum({1 << KINDS.index(kind) for kind in kinds}).to_bytes(8, "little")


def _number(number: int) -> bytes:
    return number.to_bytes(2, "little")


def _word(word: int) -> bytes:
    return _number(word + 1)


def _text(text: str) -> bytes:
    raw = text.encode()
    return _number(len(raw)) + raw


def _list(items: Sequence[T], one: Callable[[T], bytes]) -> bytes:
    return _number(len(items)) + b"".join(map(one, items))
