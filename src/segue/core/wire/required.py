"""Fields that a policy requires of transfer events and END events (`Policy.require`)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from segue.core.events import TRANSFERS, Delivery, Event, EventKind, Json
from segue.core.wire.validate import absent

_KINDS: Final = frozenset({*TRANSFERS, EventKind.END})
_PARENT: Final = ("participant", "customFields")


def with_required(delivery: Delivery, names: Sequence[str]) -> Delivery:
    """Return a delivery with a flaw (SG502) for each required field that one of its events lacks.

    `names` are the fields, such as `language` or `customFields.queueId`. The flaw is not added if
    the same field, or the object that contains it, already has a flaw.
    """
    if not names or _KINDS.isdisjoint([event.kind for event in delivery.events]):
        return delivery
    events = tuple([_checked(event, names) for event in delivery.events])
    return replace(delivery, events=events)


def _checked(event: Event, names: Sequence[str]) -> Event:
    """Return an event with a flaw for each required field that it lacks."""
    if event.kind not in _KINDS:
        return event
    flaws = list(event.flaws)
    for name in sorted(names, key=len):  # an object comes before its members
        holder, _, key = name.partition(".")
        path = (*_PARENT, key) if key else _PARENT if holder == _PARENT[-1] else (name,)
        pointer = event.pointer + "".join(
            "/" + each.replace("~", "~0").replace("/", "~1") for each in path
        )
        is_said = any(
            f"{pointer}/".startswith(f"{flaw.pointer}/") for flaw in flaws if not flaw.is_believed
        )
        if not is_said and _value_at(event.value, path) is None:
            flaws.append(absent(".".join(path), str(event.value.get("name")), pointer))
    return replace(event, flaws=tuple(flaws))


def _value_at(value: Json, path: Sequence[str]) -> object:
    """Return the value at a path of keys, or None."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
