"""Shapes, which describe a JSON object: its fields, their values, and the kind of event it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import product
from types import MappingProxyType, NoneType
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.events.kind import EventKind

BLANKS: Final = " \t\n\r"
"""The characters that are ignored before and after a word of a closed vocabulary."""
UNREAD_YEARS: Final = (1, 9999)
"""The first and the last year of the calendar. Times in these years are taken as unknown, because a
conversion to another time zone could leave the calendar.
"""


def letter_cases(word: str) -> Iterator[str]:
    """Yield every spelling of a word in small and capital letters: `no`, `nO`, `No`, `NO`."""
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
"""The boolean for every accepted spelling of a flag, such as `"TRUE"`."""


class FieldType(StrEnum):
    """The JSON type of a field."""

    STRING = "string"
    FLAG = "boolean"
    """A boolean, or a string that is a key of `FLAGS`."""
    OBJECT = "object"
    ARRAY = "array"
    NUMBER = "number"
    """A number, or a decimal number as text."""
    DATE_TIME = "date and time"
    """A text of the body that contains a day and a time. SG509 reports other texts."""
    TIME = "time"
    """A time of the envelope. SG509 reports a time that cannot be read."""
    BODY = "body"
    """A JSON object, or the text of one."""
    ANY = "any"
    """A value that is used if it has the right type, and that no finding is about."""


class Need(StrEnum):
    """Whether a field must be present. A field that is null counts as missing."""

    REQUIRED = "required"
    ADVISED = "advised"
    """A missing field is a warning."""
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Field:
    """The name, type and allowed values of one member of a JSON object."""

    name: str
    type: FieldType = FieldType.STRING
    need: Need = Need.OPTIONAL
    words: tuple[str, ...] = ()
    """The values that the field may have, in canonical spelling. Empty if any value is accepted."""
    is_exact: bool = False
    """Whether a value must be spelled as in `words`, with the same letter case and without blanks.
    """
    is_id: bool = False
    """Whether the field is an id. An empty id counts as missing, and blanks around an id are
    reported (SG510) and removed.
    """
    placeholder: str = "SG507"
    """The rule that reports a placeholder in the place of an id."""
    takes_integers: bool = False
    """Whether an integer is reported (SG503) and read as its decimal text."""
    is_sought: bool = False
    """Whether an optional field is also read if its key has another letter case (SG502). Required
    fields always are.
    """
    unknown: str = "SG505"
    """The rule that reports a value outside `words`. With SG504, a value that differs from a word
    only in letter case and blanks is reported, but read as that word.
    """
    fields: tuple["Field", ...] = ()
    """The members of the field if it is an object."""
    note: str = ""
    """A remark that the reference pages show."""
    other_names: tuple[str, ...] = ()
    """Further names of the field. They are used if `name` is absent or null. Such a field is read
    in any letter case without a finding, because the specification itself spells it variously.
    """

    @property
    def is_converted(self) -> bool:
        """Whether reading the field takes more than looking up `name` and checking the value.

        This is True for numbers and dates, which may have been sent as text, and for fields with
        `other_names`.
        """
        return self.type in _CONVERTED or bool(self.other_names)

    @property
    def spellings(self) -> Mapping[object, object]:
        """A mapping from each accepted spelling of a value to the canonical one.

        For example, `"Na"` is mapped to `"NA"`. The mapping is empty if the field accepts any
        value.
        """
        if self.type is FieldType.FLAG:
            return FLAGS
        if self.is_exact:
            return {word: word for word in self.words}
        return {spelling: word for word in self.words for spelling in letter_cases(word)}

    def word(self, found: object) -> object:
        """Return the canonical spelling of the value `found`, such as `"NA"` for `" na "`.

        Flags are converted to booleans. Return None if the field does not allow the value.
        """
        if self.type is FieldType.FLAG:
            return FLAGS.get(found) if type(found) in _FLAG else None
        if type(found) is not str or not found.isascii():
            return None
        if self.is_exact and self.unknown != "SG504":
            return found if found in self.words else None
        plain = found.strip(BLANKS).lower()
        return next((word for word in self.words if word.lower() == plain), None)


def key_of(value: Mapping[str, Any], name: str) -> str:
    """Return the key in `value` under which the field `name` was sent.

    This is the name itself unless its value is absent or null, and exactly one other key with a
    value differs from the name in letter case only.
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
    """A `Field` with its path, prepared for fast validation of JSON objects."""

    path: tuple[str, ...]
    """The keys that lead from the shape's object to the field, such as `("participant",
    "identity")`.
    """
    types: frozenset[type]
    """The types that the value may have. `NoneType` is among them if the field is optional."""
    spellings: Mapping[object, object]
    """The word for each accepted spelling without blanks. Empty if any value is accepted."""
    children: tuple["FieldRow", ...]
    """The rows of the field's members if it is an object."""
    field: Field
    """The field that the row describes."""


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
"""The Python types of the JSON values of a field, for types that the validator reads."""


def _rows(fields: tuple[Field, ...], parents: tuple[str, ...] = ()) -> Iterator[FieldRow]:
    """Yield a `FieldRow` for each field, with the path `(*parents, name)`."""
    for each in fields:
        if each.type in _TYPES:
            path = (*parents, each.name)
            types = _TYPES[each.type]
            if each.need is Need.OPTIONAL:
                types |= {NoneType}
            yield FieldRow(path, types, each.spellings, tuple(_rows(each.fields, path)), each)


@dataclass(frozen=True, eq=False)
class Shape:
    """A description of one kind of JSON object, such as a message or a transfer event.

    It lists the fields of the object and tells which of their values decide the kind of event.
    """

    of: str
    """The name of the object in findings, such as `message`."""
    fields: tuple[Field, ...]
    title: str = ""
    """The name of the object's JSON Schema. Empty for an object that is never without flaws."""
    about: str = ""
    """A description for the JSON Schema."""
    told_by: tuple[tuple[str, ...], ...] = ()
    """The paths of the fields whose words decide the kind of event."""
    kinds: tuple[tuple[tuple[object, ...], StrEnum], ...] = ()
    """Combinations of words of the `told_by` fields, each with the kind of event that they decide.
    """
    otherwise: StrEnum = EventKind.UNPROCESSABLE
    """The kind of event for all other combinations of words."""
    agent: tuple[str, ...] = ()
    """The path of the agent's id, such as `("agentId",)`. Empty if no field contains it."""
    needs_agent: bool = False
    """Whether the event cannot be processed without an agent."""
    told_apart: tuple[tuple[str, ...], ...] = ()
    """The paths of fields that may contradict each other."""
    contradictions: frozenset[tuple[object, ...]] = frozenset()
    """Combinations of words of the `told_apart` fields that SG209 reports. None means that the
    field is absent or has an unknown value.
    """

    @cached_property
    def rows(self) -> tuple[FieldRow, ...]:
        """The rows of the top-level fields. Each row contains the rows of its nested fields."""
        return tuple(_rows(self.fields))

    @cached_property
    def is_converted(self) -> bool:
        """Whether any field may need a conversion, see `Field.is_converted`."""
        return any(row.field.is_converted for row in self.every_row())

    @cached_property
    def experiences(self) -> Mapping[str, str]:
        """A mapping from each accepted spelling of the field `experience` to the canonical one."""
        words = [word for each in self.fields if each.name == "experience" for word in each.words]
        return {spelling: word for word in words for spelling in letter_cases(word)}

    @cached_property
    def kind_tree(self) -> object:
        """The kind of event for each combination of values, as nested dictionaries.

        Each level has the accepted spellings of one of the `told_by` fields as its keys. The
        innermost values are the kinds.
        """
        spellings = [self.row(path).spellings for path in self.told_by]
        return _tree(spellings, dict(self.kinds))

    def every_row(self) -> Iterator[FieldRow]:
        """Yield the rows of all fields, with the members of an object after the object."""
        rows = list(self.rows)
        while rows:
            yield (row := rows.pop(0))
            rows[:0] = row.children

    def row(self, path: tuple[str, ...]) -> FieldRow:
        """Return the row of the field at a path, such as `("participant", "identity")`.

        Raise `LookupError` if there is no such field.
        """
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
    """Several shapes that an object can have, one for each value of a certain field."""

    by: str
    """The name of the field that selects."""
    cases: tuple[tuple[str, "Form"], ...]
    """Words of the field, each with the shape or choice that it selects."""
    otherwise: Shape
    """The shape for all other values."""

    @cached_property
    def spelled(self) -> Mapping[object, "Form"]:
        """A mapping from each accepted spelling of the field `by` to the shape it selects.

        The value may also be another `Choice`.
        """
        cases = dict[object, Form](self.cases)
        spellings = self.field.spellings
        return {text: cases[word] for text, word in spellings.items() if word in cases}

    @property
    def field(self) -> Field:
        """The field whose value selects the shape. All shapes describe this field alike."""
        return self.otherwise.row((self.by,)).field


Form: TypeAlias = Shape | Choice
"""A shape, or a choice between shapes."""


def shape_of(form: Form, value: Mapping[str, Any]) -> Shape:
    """Return the shape that applies to the JSON object `value`.

    If `form` is a choice, the object's own fields select the shape. The letter case of their keys
    and values is ignored where the fields allow it.
    """
    while isinstance(form, Choice):
        word = form.field.word(value.get(key_of(value, form.by)))
        form = form.spelled.get(word, form.otherwise)
    return form


@dataclass(frozen=True)
class BodyFields:
    """The fields that request bodies to one endpoint may have."""

    title: str
    """The title of the JSON Schema."""
    ids: Shape
    """The fields with the ids, and the field `events` if the intake has one."""
    whole: Form
    """The shape of a body that is itself an event, such as a message."""
    whole_if: tuple[str, ...] = ()
    """The fields of which one must be present in a body that is itself an event. Empty if every
    body is an event.
    """
    listed: Form | None = None
    """The shape of the elements of `events`, or None if the intake has no such field."""
    unprocessable: StrEnum = EventKind.UNPROCESSABLE
    """The kind of an event that cannot be processed."""
    takes_any: bool = False
    """Whether the body may be any JSON value. A body that is not an object is converted to an
    object with the body under an empty key.
    """

    @cached_property
    def names(self) -> frozenset[str]:
        """The canonical names of all fields that a body without `events` may have."""
        return frozenset(each.name for each in (*self.ids.fields, *shape_of(self.whole, {}).fields))
