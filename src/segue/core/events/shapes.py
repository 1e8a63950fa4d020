"""Shapes: fields, what they may hold, and what kind of event an object of these fields is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import product
from types import MappingProxyType, NoneType
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.events.kind import EventKind

PLACEHOLDERS: Final = frozenset({"undefined", "null", "None", "NaN"})
"""What programs write for an id they do not have."""
BLANKS: Final = " \t\n\r"
"""What may stand around a word of a closed vocabulary."""
UNREAD_YEARS: Final = (1, 9999)
"""Years of times that are not read: a zone might lead out of the calendar."""


def is_placeholder(text: str) -> bool:
    """Return whether a text stands for an id that a program does not have, as `<agent>` does."""
    return text in PLACEHOLDERS or (text[:1] == "<" and text[-1:] == ">")


def letter_cases(word: str) -> Iterator[str]:
    """Yield a word in every mixture of small letters and capitals."""
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
"""Every accepted spelling of a flag, and what it means."""


class FieldType(StrEnum):
    """The JSON type of a field."""

    STRING = "string"
    FLAG = "boolean"
    """Or a string of `FLAGS`."""
    OBJECT = "object"
    ARRAY = "array"
    NUMBER = "number"
    """Or its decimal text."""
    DATE_TIME = "date and time"
    """A text of the body, in any form that names a day and a time (SG509 if it cannot be read)."""
    TIME = "time"
    """Of the envelope, read by the reader of times (SG509 if it cannot be read)."""
    BODY = "body"
    """An object, or its JSON as a string."""


class Need(StrEnum):
    """What the absence of a field is; null is absence."""

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
    """The closed vocabulary in canonical spelling; empty: any value."""
    is_exact: bool = False
    """Whether letter case and blanks count in `words`."""
    is_id: bool = False
    """Whether an empty value counts as absent, and a placeholder is odd (SG507)."""
    is_agent: bool = False
    """Whether a whole number is read as its decimal text (SG503)."""
    is_sought: bool = False
    """Whether the key is read in another letter case (SG502), as those of required fields are."""
    unknown: str = "SG505"
    """The code of a value outside `words`; SG504 is the name of an event, read all the same if only
    letter case and blanks are wrong."""
    fields: tuple["Field", ...] = ()
    """The members of an object."""
    note: str = ""
    """What the reference says of it."""
    other_names: tuple[str, ...] = ()
    """Names that mean the same; looked at where nothing stands under `name`."""

    @property
    def is_converted(self) -> bool:
        """Whether what it means is not what was sent."""
        return self.type in _CONVERTED or bool(self.other_names)

    @property
    def spellings(self) -> Mapping[object, object]:
        """Every accepted value of a closed vocabulary, and the canonical word it stands for."""
        if self.type is FieldType.FLAG:
            return FLAGS
        if self.is_exact:
            return {word: word for word in self.words}
        return {spelling: word for word in self.words for spelling in letter_cases(word)}

    def word(self, found: object) -> object:
        """Return the canonical word that a value stands for, or None."""
        if self.type is FieldType.FLAG:
            return FLAGS.get(found) if type(found) in _FLAG else None
        if type(found) is not str or not found.isascii():
            return None
        if self.is_exact and self.unknown != "SG504":
            return found if found in self.words else None
        plain = found.strip(BLANKS).lower()
        return next((word for word in self.words if word.lower() == plain), None)


def key_of(value: Mapping[str, Any], name: str) -> str:
    """Return the key of a field: its name or, if nothing stands there, its one other spelling.

    That is the only key with something in it that differs from the name in letter case alone.
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
    """A field as the validator looks at it."""

    path: tuple[str, ...]
    """The keys that lead to it inside the shape, its own included."""
    types: frozenset[type]
    """Types that the value may have; `NoneType` if it may be absent."""
    spellings: Mapping[object, object]
    """Accepted values of a closed vocabulary but for blanks, and the word each stands for; empty:
    any value."""
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
"""Types of JSON values as Python has them; times and bodies are read elsewhere."""


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
    """The fields of one kind of object, and what kind of event it is."""

    of: str
    """What findings call it."""
    fields: tuple[Field, ...]
    title: str = ""
    """Name of its schema; empty: it has none, because nothing of this shape is flawless."""
    about: str = ""
    told_by: tuple[tuple[str, ...], ...] = ()
    """Paths of the fields whose canonical words tell the kind."""
    kinds: tuple[tuple[tuple[object, ...], StrEnum], ...] = ()
    """Canonical words, and the kind they tell."""
    otherwise: StrEnum = EventKind.UNPROCESSABLE
    """The kind where the words tell none."""
    agent: tuple[str, ...] = ()
    """Path of the agent's id; empty: nothing names an agent."""
    needs_agent: bool = False
    """Whether the object is unprocessable without an agent."""
    told_apart: tuple[tuple[str, ...], ...] = ()
    """Paths of the fields that may contradict each other."""
    contradictions: frozenset[tuple[object, ...]] = frozenset()
    """Their canonical words that do (SG209); None stands for a word that is absent or unknown."""

    @cached_property
    def rows(self) -> tuple[FieldRow, ...]:
        """The fields as the validator looks at them."""
        return tuple(_rows(self.fields))

    @cached_property
    def is_converted(self) -> bool:
        """Whether an object without a flaw may still differ from what it means."""
        return any(row.field.is_converted for row in self.every_row())

    @cached_property
    def experiences(self) -> Mapping[str, str]:
        """Accepted spellings of `experience`, and the word each stands for."""
        words = [word for each in self.fields if each.name == "experience" for word in each.words]
        return {spelling: word for word in words for spelling in letter_cases(word)}

    @cached_property
    def kind_tree(self) -> object:
        """Kinds by the accepted spellings of the first field that tells them, the second, etc."""
        spellings = [self.row(path).spellings for path in self.told_by]
        return _tree(spellings, dict(self.kinds))

    def every_row(self) -> Iterator[FieldRow]:
        """Yield the rows of all fields, those of members after that of their object."""
        rows = list(self.rows)
        while rows:
            yield (row := rows.pop(0))
            rows[:0] = row.children

    def row(self, path: tuple[str, ...]) -> FieldRow:
        """Return the row of the field at a path. Raises LookupError if there is none."""
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
    """Forms that differ by the word of one field."""

    by: str
    """Name of the field."""
    cases: tuple[tuple[str, "Form"], ...]
    """Canonical words and what they choose."""
    otherwise: Shape

    @cached_property
    def spelled(self) -> Mapping[object, "Form"]:
        """What every accepted spelling chooses."""
        cases = dict[object, Form](self.cases)
        spellings = self.field.spellings
        return {text: cases[word] for text, word in spellings.items() if word in cases}

    @property
    def field(self) -> Field:
        """The field that chooses; it is the same in all shapes."""
        return self.otherwise.row((self.by,)).field


Form: TypeAlias = Shape | Choice


def shape_of(form: Form, value: Mapping[str, Any]) -> Shape:
    """Return the shape that an object should have, whatever spellings it has."""
    while isinstance(form, Choice):
        word = form.field.word(value.get(key_of(value, form.by)))
        form = form.spelled.get(word, form.otherwise)
    return form


@dataclass(frozen=True)
class BodyFields:
    """What a body of an intake consists of."""

    title: str
    ids: Shape
    """The ids, and `events` where there is one."""
    whole: Form
    """The event that the body itself is."""
    whole_if: tuple[str, ...] = ()
    """It is one only if it has one of these fields; empty: always."""
    listed: Form | None = None
    """What the elements of `events` are; None: there is no `events`."""
    unprocessable: StrEnum = EventKind.UNPROCESSABLE
    """The kind of an event that cannot be placed."""
    takes_any: bool = False
    """Whether the body may be any JSON value; no object stands under an empty key then."""

    @cached_property
    def names(self) -> frozenset[str]:
        """The keys that a body without `events` may have, spelled as they should be."""
        return frozenset(each.name for each in (*self.ids.fields, *shape_of(self.whole, {}).fields))
