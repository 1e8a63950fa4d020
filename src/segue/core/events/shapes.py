"""Shapes: the fields of an object, their values, and the kind of event that such an object is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import product
from types import MappingProxyType, NoneType
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.events.kind import EventKind

PLACEHOLDERS: Final = frozenset({"undefined", "null", "None", "NaN"})
"""Texts that programs write for an id they do not have."""
BLANKS: Final = " \t\n\r"
"""Characters that are ignored around a word of a closed vocabulary."""
UNREAD_YEARS: Final = (1, 9999)
"""Years in which times are not read, because a time zone could leave the calendar."""


def is_placeholder(text: str) -> bool:
    """Return whether a text is a placeholder for a missing id, such as `<agent>`."""
    return text in PLACEHOLDERS or (text[:1] == "<" and text[-1:] == ">")


def letter_cases(word: str) -> Iterator[str]:
    """Yield every mixture of small and capital letters of a word."""
    letters = ((letter.lower(), letter.upper()) for letter in word)
    return ("".join(mixture) for mixture in product(*letters))


FLAGS: Final[Mapping[object, object]] = MappingProxyType(
    {
        True: True,
        False: False,
        **dict.fromkeys(letter_cases("true"), True),
        **dict.fromkeys(letter_cases("false"), False),
    }
)
"""Every accepted spelling of a flag, with its meaning."""


class FieldType(StrEnum):
    """The JSON type of a field."""

    STRING = "string"
    FLAG = "boolean"
    """A boolean, or a string in `FLAGS`."""
    OBJECT = "object"
    ARRAY = "array"
    NUMBER = "number"
    """A number, or its decimal text."""
    DATE_TIME = "date and time"
    """Text of the body in any form that names a day and a time. SG509 if it cannot be read."""
    TIME = "time"
    """A time of the envelope. SG509 if it cannot be read."""
    BODY = "body"
    """An object, or a string of its JSON."""


class Need(StrEnum):
    """The consequence of a missing field. Null counts as missing."""

    REQUIRED = "required"
    ADVISED = "advised"
    """Its absence is a warning."""
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Field:
    """One member of an object."""

    name: str
    type: FieldType = FieldType.STRING
    need: Need = Need.OPTIONAL
    words: tuple[str, ...] = ()
    """The closed vocabulary in canonical spelling. Empty if any value is accepted."""
    is_exact: bool = False
    """Whether letter case and blanks matter in `words`."""
    is_id: bool = False
    """Whether an empty value counts as absent and a placeholder is reported (SG507)."""
    is_agent: bool = False
    """Whether an integer is read as its decimal text (SG503)."""
    is_sought: bool = False
    """Whether the key is also read in another letter case (SG502), as keys of required fields are.
    """
    unknown: str = "SG505"
    """The rule for a value outside `words`. With SG504, the name of an event, a value that differs
    in letter case and blanks only is read all the same.
    """
    fields: tuple["Field", ...] = ()
    """The members, if it is an object."""
    note: str = ""
    """The remark in the reference."""
    other_names: tuple[str, ...] = ()
    """Other names of the field, which are read if `name` has no value."""

    @property
    def is_converted(self) -> bool:
        """Whether the meaning of the field can differ from the value that was sent."""
        return self.type in _CONVERTED or bool(self.other_names)

    @property
    def spellings(self) -> Mapping[object, object]:
        """The accepted values of a closed vocabulary, each with its canonical word."""
        if self.type is FieldType.FLAG:
            return FLAGS
        if self.is_exact:
            return {word: word for word in self.words}
        return {spelling: word for word in self.words for spelling in letter_cases(word)}

    def word(self, found: object) -> object:
        """Return the canonical word for a value, or None if it is not in the vocabulary."""
        if self.type is FieldType.FLAG:
            return FLAGS.get(found) if type(found) in _FLAG else None
        if type(found) is not str or not found.isascii():
            return None
        if self.is_exact and self.unknown != "SG504":
            return found if found in self.words else None
        plain = found.strip(BLANKS).lower()
        return next((word for word in self.words if word.lower() == plain), None)


def key_of(value: Mapping[str, Any], name: str) -> str:
    """Return the key of a field: its name or, if that has no value, another spelling of it.

    Another spelling counts if exactly one key with a value differs from the name in letter case
    alone.
    """
    if value.get(name) is not None:
        return name
    sought = name.lower()
    found = [
        key
        for key, item in value.items()
        if item is not None and key.isascii() and key.lower() == sought
    ]
    return found[0] if len(found) == 1 else name


class FieldRow(NamedTuple):
    """A field as the validator reads it."""

    path: tuple[str, ...]
    """The keys that lead to the field inside the shape, its own included."""
    types: frozenset[type]
    """The types that the value may have, with `NoneType` if it may be absent."""
    spellings: Mapping[object, object]
    """The accepted values of a closed vocabulary without blanks, each with its word. Empty if any
    value is accepted.
    """
    children: tuple["FieldRow", ...]
    field: Field


_FLAG: Final = frozenset({bool, str})
_CONVERTED: Final = frozenset({FieldType.NUMBER, FieldType.DATE_TIME})
_TYPES: Final[Mapping[FieldType, frozenset[type]]] = {
    FieldType.STRING: frozenset({str}),
    FieldType.FLAG: _FLAG,
    FieldType.OBJECT: frozenset({dict}),
    FieldType.ARRAY: frozenset({list}),
    FieldType.NUMBER: frozenset({int, float, str}),
    FieldType.DATE_TIME: frozenset({str}),
}
"""Python types of JSON values. Times and bodies are read elsewhere."""


def _rows(fields: tuple[Field, ...], parents: tuple[str, ...] = ()) -> Iterator[FieldRow]:
    for each in fields:
        if each.type in _TYPES:
            path = (*parents, each.name)
            types = _TYPES[each.type]
            if each.need is Need.OPTIONAL:
                types |= {NoneType}
            yield FieldRow(path, types, each.spellings, tuple(_rows(each.fields, path)), each)


@dataclass(frozen=True, eq=False)
class Shape:
    """The fields of one kind of object, and the kind of event that the object is."""

    of: str
    """The name in findings."""
    fields: tuple[Field, ...]
    title: str = ""
    """The name of its JSON Schema. Empty if it has no schema because every such object has a flaw.
    """
    about: str = ""
    told_by: tuple[tuple[str, ...], ...] = ()
    """Paths of the fields whose canonical words decide the kind."""
    kinds: tuple[tuple[tuple[object, ...], StrEnum], ...] = ()
    """Tuples of canonical words, each with the kind it decides."""
    otherwise: StrEnum = EventKind.UNPROCESSABLE
    """The kind if the words decide no other."""
    agent: tuple[str, ...] = ()
    """The path of the agent's id. Empty if no field names an agent."""
    needs_agent: bool = False
    """Whether the object is unprocessable without an agent."""
    told_apart: tuple[tuple[str, ...], ...] = ()
    """Paths of the fields that may contradict each other."""
    contradictions: frozenset[tuple[object, ...]] = frozenset()
    """Contradicting canonical words of these fields (SG209). None is a word that is absent or
    unknown.
    """

    @cached_property
    def rows(self) -> tuple[FieldRow, ...]:
        """The fields as the validator reads them."""
        return tuple(_rows(self.fields))

    @cached_property
    def is_converted(self) -> bool:
        """Whether an object without flaws may still differ from its meaning."""
        return any(row.field.is_converted for row in self.every_row())

    @cached_property
    def experiences(self) -> Mapping[str, str]:
        """The accepted spellings of `experience`, each with its canonical word."""
        words = [word for each in self.fields if each.name == "experience" for word in each.words]
        return {spelling: word for word in words for spelling in letter_cases(word)}

    @cached_property
    def kind_tree(self) -> object:
        """A tree that leads from the accepted spellings of each `told_by` field to the kind."""
        spellings = [self.row(path).spellings for path in self.told_by]
        return _tree(spellings, dict(self.kinds))

    def every_row(self) -> Iterator[FieldRow]:
        """Yield the rows of all fields, the members of an object after the object."""
        rows = list(self.rows)
        while rows:
            yield (row := rows.pop(0))
            rows[:0] = row.children

    def row(self, path: tuple[str, ...]) -> FieldRow:
        """Return the row of the field at a path. Raise `LookupError` if there is no such field."""
        rows = self.rows
        for name in path[:-1]:
            rows = {row.path[-1]: row for row in rows}[name].children
        return {row.path[-1]: row for row in rows}[path[-1]]


def _tree(
    spellings: Sequence[Mapping[object, object]], kinds: Mapping[tuple[object, ...], StrEnum]
) -> object:
    if not spellings:
        return kinds.get(())
    branches = {
        word: _tree(spellings[1:], {words[1:]: kinds[words] for words in kinds if words[0] == word})
        for word in {words[0] for words in kinds}
    }
    return {text: branches[word] for text, word in spellings[0].items() if word in branches}


@dataclass(frozen=True)
class Choice:
    """Several shapes, told apart by the word of one field."""

    by: str
    """The name of that field."""
    cases: tuple[tuple[str, "Form"], ...]
    """Canonical words, each with the form it selects."""
    otherwise: Shape

    @cached_property
    def spelled(self) -> Mapping[object, "Form"]:
        """The forms by every accepted spelling."""
        cases = dict[object, Form](self.cases)
        spellings = self.field.spellings
        return {text: cases[word] for text, word in spellings.items() if word in cases}

    @property
    def field(self) -> Field:
        """The field that selects, which is equal in all shapes."""
        return self.otherwise.row((self.by,)).field


Form: TypeAlias = Shape | Choice


def shape_of(form: Form, value: Mapping[str, Any]) -> Shape:
    """Return the shape that applies to an object, however it is spelled."""
    while isinstance(form, Choice):
        word = form.field.word(value.get(key_of(value, form.by)))
        form = form.spelled.get(word, form.otherwise)
    return form


@dataclass(frozen=True)
class BodyFields:
    """The parts of an intake's body."""

    title: str
    ids: Shape
    """The ids, and `events` if the intake has such a field."""
    whole: Form
    """The form of a body that is itself an event."""
    whole_if: tuple[str, ...] = ()
    """Fields of which a body must have one to be an event. Empty if it always is one."""
    listed: Form | None = None
    """The form of the elements of `events`, or None if the intake has no such field."""
    unprocessable: StrEnum = EventKind.UNPROCESSABLE
    """The kind of an event that cannot be placed."""
    takes_any: bool = False
    """Whether the body may be any JSON value. A body that is no object is stored under an empty
    key.
    """

    @cached_property
    def names(self) -> frozenset[str]:
        """The keys that a body without `events` may have, in canonical spelling."""
        return frozenset(each.name for each in (*self.ids.fields, *shape_of(self.whole, {}).fields))
