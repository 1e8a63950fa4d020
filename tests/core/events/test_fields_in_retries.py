"""Each field of each body: a retry in another spelling is a retry, and with another value is not.

The bodies, spellings and values are made from the field table, so that a field that is added to it
is tested, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from tests.families import family

import segue
from segue.core.events import same
from segue.core.events.fields import FIELDS
from segue.core.events.shapes import Field, FieldType, Form, Need, Shape
from segue.core.wire import read_line

UUID = "0b6a1c39-7f0f-4d6e-9a3e-2f1d6c0a1e55"
TIME = "5/8/2026, 11:32:49 AM"
OF_FORM = {"SG502", "SG503", "SG504", "SG507", "SG510", "SG511", "SG513"}
"""Rules about the form of a body that is read all the same."""

VALUES: Mapping[FieldType, tuple[Any, Any]] = {
    FieldType.STRING: ("Text", "Text."),
    FieldType.FLAG: (True, False),
    FieldType.NUMBER: (60, 61),
    FieldType.DATE_TIME: (TIME, "5/8/2026, 11:32:48 AM"),
}
"""A value of each type, and another one."""

Way = tuple[str, ...]
"""The keys that lead to a field of an event."""


def shapes(form: Form, forced: tuple[tuple[str, str], ...] = ()) -> Iterator[tuple[Shape, Any]]:
    """Yield each shape, with the words that select it."""
    if isinstance(form, Shape):
        yield form, dict(forced)
        return
    for word, case in form.cases:
        yield from shapes(case, (*forced, (form.by, word)))
    if form.otherwise.title:
        yield from shapes(form.otherwise, forced)


def filled(fields: tuple[Field, ...]) -> dict[str, Any]:
    """Return an object with a value in every field."""
    return {each.name: value_of(each) for each in fields}


def value_of(field: Field) -> Any:
    if field.fields:
        return filled(field.fields)
    if field.is_id:
        return UUID
    return field.words[0] if field.words else VALUES[field.type][0]


def of_intake(name: str) -> Iterator[tuple[str, str, dict[str, Any], tuple[Field, ...], Way]]:
    """Yield the bodies of an intake: an id, the body, its fields and the way to them."""
    fields = FIELDS[name]
    ids = {each.name: value_of(each) for each in fields.ids.fields if each.is_id}
    named = tuple(each for each in fields.ids.fields if each.is_id)
    for shape, forced in shapes(fields.whole):
        yield shape.title, name, ids | filled(shape.fields) | forced, (*named, *shape.fields), ()
    for shape, forced in shapes(fields.listed) if fields.listed else ():
        event = filled(shape.fields) | forced
        yield shape.title, name, ids | {"events": [event]}, shape.fields, ("events", 0)  # type: ignore[misc]


BODIES = {
    title: (endpoint, body, named, way)
    for name, fields in FIELDS.items()
    if not fields.takes_any
    for title, endpoint, body, named, way in of_intake(name)
}
"""Every body that is not any JSON value: its endpoint, the body, its fields and the way to them."""


def ways(fields: tuple[Field, ...], above: Way = ()) -> Iterator[tuple[Way, Field]]:
    for each in fields:
        yield (*above, each.name), each
        yield from ways(each.fields, (*above, each.name))


PLACES = [
    (title, (*start, *way), field)
    for title, (_, _, fields, start) in BODIES.items()
    for way, field in ways(fields)
]


def put(body: Any, way: Way, *values: Any, key: str = "") -> Any:
    """Return a copy of a body with another value at a place, under another key or without it."""
    copy = deepcopy(body)
    holder: Any = copy
    for step in way[:-1]:
        holder = holder[step]
    old = holder.pop(way[-1])
    for value in values or ((old,) if key else ()):
        holder[key or way[-1]] = value
    return copy


def at(body: Any, way: Way) -> Any:
    for step in way:
        body = body[step]
    return body


def spelled(field: Field, value: Any) -> Iterator[Any]:
    """Yield the value of a field in other spellings."""
    if field.words and (not field.is_exact or field.unknown == "SG504"):
        yield from (value.upper(), value.lower(), f" {value}\t")
    if field.type is FieldType.FLAG:
        yield from ("true", "TRUE", "True")
    if field.type is FieldType.NUMBER:
        yield from (60.0, "60", " 60.0 ")
    if field.type is FieldType.DATE_TIME:
        yield from ("5/8/2026,11:32:49AM", "2026-05-08T11:32:49", " 5/8/2026 11:32:49 am ")
    if field.is_id:
        yield from (f" {UUID}\n", UUID.upper(), f"{{{UUID}}}")


def in_other_words(title: str, way: Way, field: Field) -> Iterator[Any]:
    """Yield the body with a field in other spellings, and with more that Segue does not read."""
    body = BODIES[title][1]
    yield from (put(body, way, value) for value in spelled(field, at(body, way)))
    if field.need is Need.REQUIRED or field.is_sought:
        yield put(body, way, key=way[-1].swapcase())
    for key in field.other_names:
        yield from (put(body, way, key=each) for each in (key, key.upper(), key.lower()))


def without(title: str, way: Way) -> Iterator[Any]:
    """Yield the body without a field: absent, null and empty."""
    body = BODIES[title][1]
    yield from (put(body, way), put(body, way, None), put(body, way, ""))


def changed(title: str, way: Way, field: Field) -> Any:
    """Return the body with another value of a field."""
    body = BODIES[title][1]
    if field.fields:
        return put(body, way, filled(field.fields) | {field.fields[0].name: None})
    if field.is_id:
        return put(body, way, f"{UUID[:-1]}6")
    others = (*field.words, *VALUES[field.type])
    return put(body, way, next(each for each in others if each != at(body, way)))


def read(title: str, body: Any) -> Any:
    return read_line({"endpoint": BODIES[title][0], "body": body})


def verdict(title: str, bodies: list[Any], ids: str | None) -> list[str]:
    endpoint = BODIES[title][0]
    said = [{"endpoint": endpoint, "delivery_id": ids, "body": each} for each in bodies]
    found = segue.check(said, partial="both").findings
    return [each.code for each in found if each.code not in OF_FORM]


@family("place", PLACES, ids=lambda place: f"{place[0]}.{'.'.join(map(str, place[1]))}")
def test_a_retry_in_another_spelling_gets_the_verdict_of_the_identical_one(place: Any) -> None:
    title, way, field = place
    body = BODIES[title][1]
    for other in in_other_words(title, way, field):
        assert same(read(title, body), read(title, other)), other
        for delivery_id in ("d-1", None):
            expected = verdict(title, [body, body], delivery_id)
            assert verdict(title, [body, other], delivery_id) == expected, other
            assert verdict(title, [other, body], delivery_id) == expected, other


@family("place", PLACES, ids=lambda place: f"{place[0]}.{'.'.join(map(str, place[1]))}")
def test_absent_null_and_empty_are_one(place: Any) -> None:
    title, way, _ = place
    first, *others = without(title, way)
    for other in others:
        assert same(read(title, first), read(title, other)), other
        assert "SG603" not in verdict(title, [first, other], "d-1")


@family("place", PLACES, ids=lambda place: f"{place[0]}.{'.'.join(map(str, place[1]))}")
def test_another_value_is_another_event(place: Any) -> None:
    title, way, field = place
    body = BODIES[title][1]
    for other in (changed(title, way, field), next(without(title, way))):
        assert not same(read(title, body), read(title, other)), other
        if field.placeholder != "SG512":
            assert "SG603" in verdict(title, [body, other], "d-1"), other
