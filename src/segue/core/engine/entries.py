"""The past of a conversation as a list of entries.

An entry is a lifecycle event, a run of messages of one author, an event that could not be read, or
a delivery that was dropped. Segments, figures, explanations, reports and exports are derived from
the list, and snapshots and stores contain it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from segue.core.epoch import from_iso
from segue.core.events import Event, EventKind, Json, json_text, quoted
from segue.core.events.kind import JUDGED
from segue.core.findings import Cause, Place, split_line
from segue.core.lifecycle import MESSAGES
from segue.core.reprs import shows

MOST_RUNS: Final = 10_000
"""The maximum number of runs of messages of a conversation. Further messages are only counted."""
COUNTED: Final = -1
"""The number of the delivery of messages that are only counted, see `Entry.is_counted`."""
_NOTHING: Final[Mapping[str, Any]] = {}
_SHOWN: Final = ("identity", "name", "type", "customFields")
"""The members of a participant that segments show, in the order of the first `EventDetails`."""


class EventDetails(NamedTuple):
    """The facts that an event contains about its agent. Absent ones are None."""

    identity: Json
    """`participant.identity` as it was sent."""
    name: Json
    """`participant.name`."""
    type: Json
    """`participant.type`."""
    custom_fields: Json
    """`participant.customFields`."""
    language: Json
    """The field `language` of the event."""
    experience: str
    """`chat` or `voice`, or an empty string."""

    def __repr__(self) -> str:
        """Return the identity and the experience."""
        return _shown_details(self)

    def __hash__(self) -> int:
        """Return a hash of the texts, because JSON objects have none."""
        return hash(tuple([each for each in self if isinstance(each, str)]))

    @classmethod
    def of(cls, event: Event, known: "EventDetails | None" = None) -> "EventDetails":
        """Return the facts of an event.

        If they are the same as `known`, return that. Otherwise they share nothing with the event.
        """
        value = event.value
        sent = value.get("participant")
        said = sent if isinstance(sent, (dict, Mapping)) else _NOTHING
        get = said.get
        parts = (
            *(get("identity"), get("name"), get("type"), get("customFields")),
            value.get("language"),
            event.experience,
        )
        if known is not None and parts == known and all(map(_is_text, parts)):
            return known
        found = cls._make(map(_plain, parts))
        return found if known is None or not found.is_same(known) else known

    @property
    def participant(self) -> dict[str, Json]:
        """The members of `participant` that segments show, without absent ones."""
        return {key: part for key, part in zip(_SHOWN, self, strict=False) if part is not None}

    @property
    def queue_id(self) -> str:
        """The id of the queue, or an empty string."""
        fields = self.custom_fields
        queue = fields.get("queueId") if isinstance(fields, dict) else None
        return queue if isinstance(queue, str) else ""

    def is_same(self, other: "EventDetails") -> bool:
        """Return whether two details have equal JSON values. `1` and `true` are not equal."""
        return self == other and json_text(self) == json_text(other)


def _is_text(part: object) -> bool:
    """Return whether a value consists of texts, so that equal values are the same."""
    if part is None or type(part) is str:
        return True
    return type(part) is dict and all(type(each) is str for each in part.values())


def _plain(part: object) -> Json:
    """Return a copy of a JSON value. Parts of other types become text."""
    if part is None or isinstance(part, (str, bool, int, float)):
        return part
    if isinstance(part, (dict, Mapping)):
        return {key: each if type(each) is str else _plain(each) for key, each in part.items()}
    return [_plain(each) for each in part] if isinstance(part, (list, tuple)) else str(part)


class Entry(NamedTuple):
    """One entry of the past of a conversation."""

    kind: EventKind
    """The kind of event. It is `UNPROCESSABLE` for an event that could not be read, and for a
    delivery that was dropped.
    """
    agent: str
    """The identity of the agent as resolved, or an empty string."""
    position: int
    """The position in the conversation. Of a run of messages, the position of the first.

    A dropped delivery has no positions of its own. It has the position of the next event.
    """
    count: int = 1  # type: ignore[assignment]  # hides the method of tuples
    """The number of messages of a run, or of events of a dropped delivery, otherwise 1."""
    delivery: int = 0
    """The number of the delivery in the conversation, from 0. Of a run of messages, that of the
    first. `COUNTED` for messages that are only counted.
    """
    line_number: int | None = None
    """The number of the line among all logs, see `split_line`, or None if lines are not known.

    Of a run of messages, that of the first.
    """
    received_at: datetime | None = None
    """The time of receipt in UTC. A time that is earlier than the time before it, or ahead of the
    times around it, is replaced by a neighboring time.
    """
    last_at: datetime | None = None
    """The time of the last message of a run."""
    is_adjusted: bool = False
    """Whether `received_at` is not the time of receipt, but was replaced."""
    is_repeat: bool = False
    """Whether the event equals the one before it (SG601). After END no finding says so."""
    is_dropped: bool = False
    """Whether the delivery was dropped, because its id came before with another meaning (SG603)."""
    details: EventDetails | None = None
    """The facts that the event contains about its agent, or None."""

    def __repr__(self) -> str:
        """Return the kind, the agent, the position and the time."""
        return _shown_entry(self)

    @property
    def end(self) -> int:
        """The position after the entry."""
        return self.position if self.is_dropped else self.position + self.count

    @property
    def is_counted(self) -> bool:
        """Whether these are messages that came after `MOST_RUNS` runs.

        They are all messages of one author between two other entries, and need not be consecutive.
        """
        return self.delivery == COUNTED

    @property
    def line(self) -> int | None:
        """The line in its log, from 1, or None if lines are not known."""
        return None if self.line_number is None else split_line(self.line_number)[1]

    @property
    def cause(self) -> Cause:
        """The event as evidence of a finding."""
        text = f"{self.kind.value} of {quoted(self.agent)}" if self.agent else self.kind.value
        return Cause(Place(event=self.position, line=self.line_number), text)


_shown_details: Final = shows("identity", "experience")
_shown_entry: Final = shows("kind", "agent", "position", "count", "line", "received_at")
_LIFECYCLE: Final = frozenset(JUDGED) - MESSAGES


def lifecycle_entries(entries: Iterable[Entry], ended_at: int | None) -> Iterator[Entry]:
    """Yield the lifecycle events up to END in order, including repeats.

    `ended_at` is the position of END, or None before it.
    """
    for entry in entries:
        if ended_at is not None and entry.position > ended_at:
            return
        if entry.kind in _LIFECYCLE:
            yield entry


def entries_to_json(entries: Iterable[Entry]) -> dict[str, Json]:
    """Return entries as a JSON object, from which `entries_from_json` restores them.

    The lists of `rows` have the fields of `Entry` in order. Details are indices of `details`, which
    contains equal details once.
    """
    indices: dict[int, int] = {}
    numbers: dict[str, int] = {}
    details: list[EventDetails] = []
    rows: list[Json] = []
    for *fields, first, last, adjusted, repeat, dropped, said in entries:
        index = None if said is None else indices.get(id(said))
        if said is not None and index is None:
            index = indices[id(said)] = numbers.setdefault(json_text(said), len(details))
            if index == len(details):
                details.append(said)
        times = first and first.isoformat(), last and last.isoformat()
        rows.append([*fields, *times, adjusted, repeat, dropped, index])
    return {"rows": rows, "details": details}


def entries_from_json(value: Mapping[str, Any]) -> list[Entry]:
    """Return the entries that `entries_to_json` converted to a JSON object."""
    details = [EventDetails(*each) for each in value["details"]]
    return [_from_json(row, details) for row in value["rows"]]


def _from_json(row: list[Any], details: Sequence[EventDetails]) -> Entry:
    kind, *fields, first, last, adjusted, repeat, dropped, index = row
    said = None if index is None else details[index]
    times = from_iso(first), from_iso(last)
    return Entry._make((EventKind(kind), *fields, *times, adjusted, repeat, dropped, said))
