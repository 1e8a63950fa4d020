"""JSON Schemas (2020-12) of request bodies, for documents, OpenAPI and other validators.

The schemas accept bodies without flaws, including all accepted spellings and additional fields. A
schema cannot express placeholders for ids (SG507, SG512), flags of a message that contradict its
author (SG209), and ids that are not sent in the body.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from segue.core.events import IdSource, Intake
from segue.core.events.fields import FIELDS
from segue.core.events.shapes import Choice, Field, FieldType, Form, Need, Shape
from segue.core.wire.conversions import NUMBER

_Json: TypeAlias = dict[str, Any]
_Words: TypeAlias = Mapping[str, Sequence[str]]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_NULL: Final[_Json] = {"type": "null"}
_NOT_NULL: Final[_Json] = {"type": ["array", "boolean", "number", "object", "string"]}
_TEXT: Final = FieldType.STRING.value
_BLANK: Final = "[ \\t\\n\\r]"
_END: Final = "(?![\\s\\S])"
"""A pattern for the end of a text. In contrast to `$` it does not match before a line break."""


def schema_of(intake: Intake) -> _Json:
    """Return a JSON Schema of the request bodies of an intake. It accepts bodies without flaws."""
    fields = FIELDS[intake.name]
    if fields.takes_any:
        return {"$schema": _DIALECT, "title": fields.title}
    ids = fields.ids.fields if intake.ids is IdSource.BODY else ()
    wholes = {
        shape.title: _object((*ids, *shape.fields), shape.about, words)
        for shape, words in _variants(fields.whole, {})
    }
    listed = {}
    if fields.listed is not None:
        listed = {
            shape.title: _object(shape.fields, shape.about, words)
            for shape, words in _variants(fields.listed, {})
        }
        items = {"anyOf": [_ref(title) for title in listed]}
        for whole in wholes.values():
            whole["properties"]["events"] = {"type": ["array", "null"], "items": items}
        wholes["EventDelivery"] = _events_alone(ids, items, fields.whole_if)
    return {
        "$schema": _DIALECT,
        "title": fields.title,
        "$defs": wholes | listed,
        "anyOf": [_ref(title) for title in wholes],
    }


def _events_alone(ids: tuple[Field, ...], items: _Json, without: Sequence[str]) -> _Json:
    """Return the schema of a body that has the list `events` but is not a message.

    Args:
        ids: The fields of the body except `events`.
        items: The schema of the elements of `events`.
        without: The names of the fields of a message, which must be absent or null.

    """
    alone = _object(ids, "Events only.", {})
    # Generators of clients cannot handle a property that is always null, but they ignore `not`.
    present = [{"properties": {name: _NOT_NULL}, "required": [name]} for name in without]
    alone["not"] = {"anyOf": present}
    alone["properties"]["events"] = {"type": "array", "items": items, "minItems": 1}
    alone["required"].append("events")
    return alone


def _variants(form: Form, words: _Words) -> Iterator[tuple[Shape, _Words]]:
    """Yield a `(shape, words)` pair for each shape that `form` can select.

    `words` maps the names of the selecting fields to the values that select the shape. Shapes
    without a title are left out, because objects of these shapes always have flaws.
    """
    if isinstance(form, Choice):
        for word, case in form.cases:
            yield from _variants(case, {**words, form.by: (word,)})
        known = [word for word, _ in form.cases]
        others = [word for word in form.field.words if word not in known]
        yield from _variants(form.otherwise, {**words, form.by: others})
    elif form.title:
        yield form, words


def _object(fields: Sequence[Field], about: str, words: _Words) -> _Json:
    """Return the schema of an object with these fields and the description `about`.

    `words` contains the allowed values of some fields by name. Other fields allow their own
    `words`.
    """
    properties = {
        name: _member(field, words.get(field.name, field.words))
        for field in fields
        for name in (field.name, *field.other_names)
    }
    required = [field.name for field in fields if field.need is Need.REQUIRED]
    described = {"description": about} if about else {}
    return {**described, "type": "object", "properties": properties, "required": required}


def _member(field: Field, words: Sequence[str]) -> _Json:
    """Return the schema of one field. `words` are its allowed values, or empty for any value."""
    is_required = field.need is Need.REQUIRED
    if field.type is FieldType.FLAG:
        text = {"type": "string", "pattern": f"^({_any_case('true')}|{_any_case('false')}){_END}"}
        return {"anyOf": [{"type": "boolean"}, text, *([] if is_required else [_NULL])]}
    if field.type is FieldType.NUMBER:
        text = {"type": "string", "pattern": f"^{_BLANK}*{NUMBER}{_BLANK}*{_END}"}
        return {"anyOf": [{"type": "number"}, text, *([] if is_required else [_NULL])]}
    if field.is_exact:
        return {"enum": [*words] if is_required else [*words, None]}
    described: _Json = {}
    if field.fields:
        described = _object(field.fields, field.note, {})
    elif words:
        described = {
            "description": f"{', '.join(words)}; in any letter case, blanks around it allowed.",
            "pattern": f"^{_BLANK}*({'|'.join(map(_any_case, words))}){_BLANK}*{_END}",
            "examples": list(words),
        }
    elif field.note:
        described = {"description": field.note}
    if field.is_id and is_required:
        described["minLength"] = 1
    kind = _TEXT if field.type is FieldType.DATE_TIME else field.type.value
    return {**described, "type": kind if is_required else [kind, "null"]}


def _any_case(word: str) -> str:
    """Return a pattern that matches a word in any letter case. JSON Schema has no flag for this."""
    return "".join(f"[{letter.upper()}{letter.lower()}]" for letter in word)


def _ref(title: str) -> _Json:
    """Return a reference to the definition with this title."""
    return {"$ref": f"#/$defs/{title}"}
