"""What is wrong with an object, by the rows of its shape (SG502 to SG505, SG507).

One mistake gives one flaw: a parent that is absent or of the wrong type speaks for its children.
Facts have no customer text and fit on a line of a report.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from types import NoneType
from typing import Any, Final, TypeAlias

from segue.events import Flaw
from segue.events.shapes import FLAGS, PLACEHOLDERS, Field, FieldRow, FieldType, Need, Shape
from segue.wire.strict_json import UnreadableError, plain

__all__ = ["bot_mismatch", "flaws_of", "shown", "teller", "told", "wrong_type"]

Told: TypeAlias = tuple[StrEnum, str, str]
"""Kind, agent and experience of an event."""

_WORDS: Final = frozenset({str, bool})
_MAX_SHOWN: Final = 40
_MAX_COPIED: Final = 1000
_TYPES: Final[dict[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def flaws_of(shape: Shape, value: Mapping[str, Any], pointer: str) -> tuple[Flaw, ...]:
    """Return the flaws of an object that stands at this pointer, in the order of the rows."""
    return tuple(_flaws(shape.rows, value, shape.of, pointer))


def wrong_type(name: str, of: str, found: object, wanted: FieldType, pointer: str) -> Flaw:
    """Return the flaw of a value that has another JSON type than it should (SG503)."""
    facts = {"field": name, "of": of, "found": _TYPES[type(found)], "wanted": wanted.value}
    return Flaw("SG503", pointer, facts)


def bot_mismatch(bot: str, other: str) -> Flaw:
    """Return the flaw of a body that names another bot than its path or envelope (SG506)."""
    return Flaw("SG506", "/botId", {"bot": shown(bot), "other": shown(other)})


def shown(value: object) -> str:
    """Shorten what a sender sent to what a finding may show."""
    text = value if isinstance(value, str) else _json(value)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _json(value: object) -> str:
    try:
        return json.dumps(plain(value, _MAX_COPIED, _MAX_SHOWN), ensure_ascii=False)
    except UnreadableError:
        return type(value).__name__


def told(shape: Shape, value: Mapping[str, Any]) -> Told:
    """Return kind, agent and experience of an object, whatever it is."""
    found: Any = shape.kind_tree
    for path in shape.told_by:
        word = _at(value, path)
        found = found.get(word) if type(word) in _WORDS else None
        if found is None:
            break
    agent, experience = _at(value, shape.agent), value.get("experience")
    return (
        found or shape.otherwise,
        agent if isinstance(agent, str) else "",
        shape.experiences.get(experience, "") if isinstance(experience, str) else "",
    )


def _at(value: object, path: tuple[str, ...]) -> object:
    """Return what stands at a path of keys, or None."""
    for key in path:
        value = value.get(key) if type(value) is dict else None
    return value


@lru_cache(maxsize=100)
def teller(shape: Shape) -> Callable[[Mapping[str, Any]], Told | None]:
    """Compile the rows of a shape to one expression that gives what `told` does.

    It gives None for an object that may have a flaw, or whose spellings are rare, and raises
    TypeError where an object or array stands for a word. Asking the rows one by one takes three
    times as long.
    """
    known: dict[str, object] = {
        "ODD": frozenset({*PLACEHOLDERS, ""}),
        "FLAGS": FLAGS,
        "ABSENT": {},
        "EXPERIENCES": shape.experiences,
        "OTHERWISE": shape.otherwise,
        "KINDS": shape.kind_tree,
    }
    names: dict[tuple[str, ...], str] = {(): "value"}

    def test(row: FieldRow, holder: str) -> str:
        name = names[row.path] = f"x{len(names)}"
        known[name.upper()] = frozenset(
            (*row.spellings, None) if NoneType in row.types else row.spellings
        )
        found = f"({name} := {holder}.get({row.path[-1]!r}))"
        if row.field.words:
            return f"{found} in {name.upper()}"
        or_absent = f"{found} is None or " if NoneType in row.types else ""
        value = name if or_absent else found
        if row.field.is_id:
            return f"({or_absent}type({value}) is str and {name} not in ODD and {name}[0] != '<')"
        if row.field.type is FieldType.FLAG:
            return f"({or_absent}type({value}) is bool or type({name}) is str and {name} in FLAGS)"
        [kind] = row.types - {NoneType}
        members = "".join(f" and {test(child, name)}" for child in row.children)
        return f"({or_absent}type({value}) is {kind.__name__}{members})"

    tests = " and ".join(test(row, "value") for row in shape.rows)
    kind = "KINDS" if shape.told_by else "OTHERWISE"
    for path in shape.told_by:
        kind += f".get({names[path]}, {'OTHERWISE' if path is shape.told_by[-1] else 'ABSENT'})"
    # The holder of an agent's id may be absent.
    agent, holder = "''", shape.agent[:-1]
    if shape.agent:
        agent = f"({names[holder]} or ABSENT).get({shape.agent[-1]!r}) or ''"
    experience = f"EXPERIENCES.get({names.get(('experience',))}, '')"
    text = f"({kind}, {agent}, {experience}) if {tests} else None"
    compiled: Callable[[Mapping[str, Any]], Told | None] = eval(f"lambda value: {text}", known)  # noqa: S307 - the rows are ours
    return compiled


def _flaws(
    rows: tuple[FieldRow, ...], value: Mapping[str, Any], of: str, pointer: str
) -> Iterator[Flaw]:
    for row in rows:
        found = value.get(row.path[-1])
        flaw = _flaw(row, of, found, f"{pointer}/{'/'.join(row.path)}")
        if flaw is not None:
            yield flaw
        elif found is not None:
            yield from _flaws(row.children, found, of, pointer)


def _flaw(row: FieldRow, of: str, found: Any, pointer: str) -> Flaw | None:  # noqa: ANN401 - any JSON value
    field, name = row.field, ".".join(row.path)
    if found is None or (field.is_id and found == ""):
        if field.need is Need.OPTIONAL:
            return None
        is_warning = field.need is Need.ADVISED
        return Flaw("SG502", pointer, {"field": name, "of": of}, is_warning=is_warning)
    if type(found) not in row.types or (field.type is FieldType.FLAG and found not in FLAGS):
        return wrong_type(name, of, found, field.type, pointer)
    if field.words and found not in row.spellings:
        return _unknown(field, name, of, found, pointer)
    if field.is_id and (found in PLACEHOLDERS or (found[0] == "<" and found[-1] == ">")):
        return Flaw("SG507", pointer, {"field": name, "value": shown(found)})
    return None


def _unknown(field: Field, name: str, of: str, found: str, pointer: str) -> Flaw:
    facts = {"value": shown(found)}
    if field.unknown == "SG505":
        facts = {"field": name, "of": of, **facts, "allowed": ", ".join(field.words)}
    return Flaw(field.unknown, pointer, facts)
