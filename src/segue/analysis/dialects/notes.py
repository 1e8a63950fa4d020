"""Notes on deliveries: the kind, spelling and optional fields of each event."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from segue.analysis.causes import spelling_of
from segue.core.events import TRANSFERS, Delivery, Event, EventKind
from segue.core.findings import Finding

OPTIONAL: Final = ("language", "reason")
MOST_KEYS: Final = 32
"""The maximum number of custom fields that are examined in an event."""
_LONGEST: Final = 64
_WITH_FIELDS: Final = frozenset({*TRANSFERS, EventKind.END})


class EventForm(NamedTuple):
    """The kind of an event, with its unusual spellings and optional fields."""

    kind: str
    spellings: tuple[str, ...] = ()
    """Differences from the spelling in the specification, such as `isExtAD as text`."""
    fields: tuple[str, ...] = ()
    """The names of the optional fields in the event, such as `customFields.agentEmail`."""


def dialect_note_of(delivery: Delivery, _: Sequence[Finding]) -> tuple[EventForm, ...]:
    """Return an `EventForm` for each event of a delivery.

    Pass this function to `replay` as `note`.
    """
    return tuple(map(_form_of, delivery.events))


def _form_of(event: Event) -> EventForm:
    if event.kind not in _WITH_FIELDS:
        return EventForm(event.kind.value)
    spelling = spelling_of(event.value)
    return EventForm(
        event.kind.value, tuple(spelling.split(", ")) if spelling else (), _fields_of(event.value)
    )


def _fields_of(value: Mapping[str, object]) -> tuple[str, ...]:
    named = [name for name in OPTIONAL if value.get(name) is not None]
    participant = value.get("participant")
    custom = participant.get("customFields") if isinstance(participant, Mapping) else None
    keys = list(custom)[:MOST_KEYS] if isinstance(custom, Mapping) else []
    return (*named, *(f"customFields.{key}" for key in keys if 0 < len(key) <= _LONGEST))
