"""What is wrong with an object, by the table of its shape.

It decides nothing: the rows do.  House rules: one mistake, one flaw (a parent that is absent or of
the wrong type speaks for its children); no customer text in a fact, and no fact longer than a line
of a report.  It does not know which shape an object should have.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from segue.events import Flaw
from segue.wire.shape import Field, Need, Shape, Wanted, flag
from segue.wire.strict import Unreadable, plain

__all__ = ["SENTINELS", "bot_mismatch", "examine", "is_sentinel", "shown", "wrong_type"]

SENTINELS: Final = frozenset({"undefined", "null", "None", "NaN"})
"""What programs write for an id they do not have."""

_MAX_SHOWN: Final = 40
_MAX_COPIED: Final = 1000
_FITS: Final[dict[Wanted, Callable[[object], bool]]] = {
    Wanted.STRING: lambda found: isinstance(found, str),
    Wanted.FLAG: lambda found: flag(found) is not None,
    Wanted.OBJECT: lambda found: isinstance(found, dict),
    Wanted.ARRAY: lambda found: isinstance(found, list),
}
_TYPES: Final[dict[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def examine(shape: Shape, value: Mapping[str, Any], pointer: str) -> tuple[Flaw, ...]:
    """Return the flaws of an object that stands at this pointer, in the order of the rows."""
    return tuple(_flaws(shape, value, pointer))


def wrong_type(name: str, of: str, found: object, wanted: str, pointer: str) -> Flaw:
    """Say that a value has another JSON type than it should (SG503)."""
    facts = {"field": name, "of": of, "found": _TYPES[type(found)], "wanted": wanted}
    return Flaw("SG503", pointer, facts)


def bot_mismatch(bot: str, other: str) -> Flaw:
    """Say that the body names another bot than its path or envelope (SG506)."""
    return Flaw("SG506", "/botId", {"bot": shown(bot), "other": shown(other)})


def is_sentinel(value: str) -> bool:
    """Whether an id is a placeholder that a program left behind."""
    return value in SENTINELS or (value.startswith("<") and value.endswith(">"))


def shown(value: object) -> str:
    """Shorten what a sender sent to what a finding may show."""
    text = value if isinstance(value, str) else _json(value)
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _json(value: object) -> str:
    try:
        return json.dumps(plain(value, _MAX_COPIED, _MAX_SHOWN), ensure_ascii=False)
    except Unreadable:
        return type(value).__name__


def _flaws(shape: Shape, value: Mapping[str, Any], pointer: str) -> Iterator[Flaw]:
    for field in shape.fields:
        parent = _parent(value, field.parents)
        if parent is not None:
            flaw = _flaw(field, shape.of, parent.get(field.key), pointer + field.pointer)
            if flaw is not None:
                yield flaw


def _parent(value: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any] | None:
    """Return the object a field stands in; None: its absence has been said, or is allowed."""
    found: object = value
    for step in path:
        found = found.get(step) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _flaw(field: Field, of: str, found: Any, pointer: str) -> Flaw | None:  # noqa: ANN401
    if found is None or (field.names and found == ""):
        return _missing(field, of, pointer)
    if not _FITS[field.wanted](found):
        return wrong_type(field.name, of, found, field.wanted.value, pointer)
    if field.allowed and not field.knows(found):
        return _unknown(field, of, found, pointer)
    if field.names and is_sentinel(found):
        return Flaw("SG507", pointer, {"field": field.name, "value": shown(found)})
    return None


def _missing(field: Field, of: str, pointer: str) -> Flaw | None:
    if field.need is Need.OPTIONAL:
        return None
    facts = {"field": field.name, "of": of}
    return Flaw("SG502", pointer, facts, is_warning=field.need is Need.ADVISED)


def _unknown(field: Field, of: str, found: str, pointer: str) -> Flaw:
    value = shown(found)
    if field.unknown == "SG504":
        return Flaw("SG504", pointer, {"value": value})
    allowed = ", ".join(field.allowed)
    facts = {"field": field.name, "of": of, "value": value, "allowed": allowed}
    return Flaw(field.unknown, pointer, facts)
