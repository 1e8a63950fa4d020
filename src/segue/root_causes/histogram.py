"""Findings of one rule, and what could have gone wrong, by attribute and time.

A rule is compared with events of the kinds at which it was found only, and each kind has a rate of
its own, so that a rule about COLD exits is not explained by COLD exits.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from segue.events import EventKind
from segue.root_causes.counts import (
    CONVERSATION,
    NO_EVENTS,
    NO_MINUTE,
    RECORDED,
    UNREADABLE,
    Attributes,
    Counts,
    Minutes,
)
from segue.root_causes.notes import ATTRIBUTES

KIND: Final = ATTRIBUTES.index("kind")
HOUR: Final = ATTRIBUTES.index("hour")
UNTIMED: Final = -1
"""The bucket of what has no time."""

_HOUR: Final = 60
_WIDTHS: Final = ((12 * _HOUR, 15), (48 * _HOUR, 30), (1000 * _HOUR, _HOUR))
"""Minutes that a log spans, and of its buckets."""
_RECURRING: Final = 36 * _HOUR
"""A log that is shorter is not searched by hour of the day: times of onset say more."""
_USUALLY_WRONG: Final = 0.2
"""If more transfers of a kind are wrong, the kind is part of the mistake: all are compared."""
ANY_TRANSFER: Final = "transfer"
ANY_EVENT: Final = "event"
"""What a mistake of form may be made in: the kind of event is an attribute as others are."""
_IN_FORM: Final = "SG5"
_TRANSFERS: Final = frozenset(kind.value for kind in EventKind if kind.is_entry or kind.is_exit)
_WHOLE: Final = frozenset({UNREADABLE, ANY_TRANSFER, CONVERSATION, RECORDED})
"""Kinds that are not kinds of events."""

Conjunction: TypeAlias = tuple[tuple[int, str], ...]
"""Numbers of attributes with their values."""


class Period(NamedTuple):
    """Minutes from `since` on and before `until`; None stands for the ends of the log."""

    since: int | None = None
    until: int | None = None

    def matches(self, minute: int) -> bool:
        """Return whether a minute is in it; what has no time is only in the whole log."""
        if minute == NO_MINUTE:
            return self.since is None and self.until is None
        return (self.since is None or minute >= self.since) and (
            self.until is None or minute < self.until
        )


class Bin(NamedTuple):
    """Some opportunities of the same attributes in one bucket of time."""

    values: Attributes
    bucket: int
    found: int
    expected: float


@dataclass(slots=True)
class OpportunityCell:
    """The opportunities of the same attributes."""

    kind: str
    values: Attributes
    minutes: Minutes
    found: Minutes = field(default_factory=lambda: array("q"))

    def parted(
        self, is_inside: Callable[[int], bool]
    ) -> tuple["OpportunityCell", "OpportunityCell"]:
        """Return what is at the minutes that are inside, and what is not."""
        inside, outside = (
            OpportunityCell(
                self.kind,
                self.values,
                *(
                    array("q", [minute for minute in each if is_inside(minute) is wanted])
                    for each in (self.minutes, self.found)
                ),
            )
            for wanted in (True, False)
        )
        return inside, outside


def matches(values: Attributes, conjunction: Conjunction) -> bool:
    """Return whether these attributes have all these values; the hour is not among them."""
    return all(values[number] == value for number, value in conjunction if number != HOUR)


class Buckets:
    """Cuts the time of a log into buckets of equal length, which begin at whole hours."""

    def __init__(self, first: int, last: int, zone_offset: int = 0) -> None:
        self.first, self.last = first, last
        span = self.last - self.first + 1
        self._width = next((width for most, width in _WIDTHS if span <= most), max(span // 1000, 1))
        self._start = self.first - self.first % _HOUR
        self._offset = zone_offset
        self.has_hours = span > _RECURRING and self._width <= _HOUR
        """Whether the hour of the day is an attribute."""
        self.count = max(span, 1)
        """Minutes of the log."""

    def histogram(self, minutes: Minutes) -> Counter[int]:
        """Return how many of these are in which bucket."""
        start, width = self._start, self._width
        return Counter(
            [UNTIMED if each == NO_MINUTE else (each - start) // width for each in minutes]
        )

    def start_of(self, bucket: int) -> int:
        """Return the first minute of a bucket."""
        return self._start + bucket * self._width

    def hour_of(self, bucket: int) -> str:
        """Return the hour of the day of a bucket; empty if it has none."""
        if bucket == UNTIMED or not self.has_hours:
            return ""
        return f"{(self.start_of(bucket) + self._offset) // _HOUR % 24:02}"

    def is_in_hour(self, minute: int, hour: str) -> bool:
        """Return whether a minute is in this hour of the day."""
        return minute != NO_MINUTE and f"{(minute + self._offset) // _HOUR % 24:02}" == hour


def _ends(minutes: Minutes) -> tuple[int, ...]:
    timed = [minute for minute in (min(minutes), max(minutes)) if minute != NO_MINUTE]
    if len(timed) == 1:
        timed.append(min(minute for minute in minutes if minute != NO_MINUTE))
    return tuple(timed)


class Opportunities:
    """All that could have gone wrong, by kind, and what did, by rule."""

    def __init__(self, counts: Counts) -> None:
        self._by_kind: dict[str, dict[Attributes, Minutes]] = defaultdict(dict)
        self.found: dict[str, dict[Attributes, Minutes]] = defaultdict(dict)
        for values, minutes in counts.opportunities():
            _extend(self._by_kind[values[KIND]], values, minutes)
        for code, values, minutes in counts.found():
            _extend(self.found[code], values, minutes)
        self._readable = [kind for kind in self._by_kind if kind not in NO_EVENTS]
        """Kinds among which an unreadable event might have been."""
        columns = zip(*chain.from_iterable(self._by_kind.values()), strict=True)
        self.values = sum(len(set(column)) for column in columns)
        """How many values all attributes have."""

    def span(self) -> tuple[int, int]:
        """Return the first and the last minute of all that could have gone wrong."""
        minutes = chain.from_iterable(kind.values() for kind in self._by_kind.values())
        ends = [end for each in minutes if each for end in _ends(each)]
        return min(ends, default=0), max(ends, default=-1)

    def cells(self, code: str) -> list[OpportunityCell]:
        """Return what could have broken this rule, and what did.

        They are sorted, so that sums of them are the same to the last bit, however many processes
        counted.
        """
        cells: dict[tuple[str, Attributes], OpportunityCell] = {}
        found = self.found[code]
        compared = {values[KIND]: values[KIND] for values in found}
        for kind in compared:
            number = sum(len(minutes) for values, minutes in found.items() if values[KIND] == kind)
            total = sum(map(len, self._by_kind[kind].values()))
            if kind in _TRANSFERS and number > _USUALLY_WRONG * total:
                compared[kind] = ANY_TRANSFER
            if code.startswith(_IN_FORM) and kind not in NO_EVENTS:
                compared[kind] = ANY_EVENT
        several = {
            UNREADABLE: self._readable,
            ANY_EVENT: self._readable,
            ANY_TRANSFER: _TRANSFERS & self._by_kind.keys(),
        }
        for kind in set(compared.values()):
            for each in several.get(kind, (kind,)):
                for values, minutes in self._by_kind[each].items():
                    _add(cells, kind, values).minutes.extend(minutes)
        for values, minutes in found.items():
            _add(cells, compared[values[KIND]], values).found.extend(minutes)
        return [cells[key] for key in sorted(cells)]


def _add(
    cells: dict[tuple[str, Attributes], OpportunityCell], kind: str, values: Attributes
) -> OpportunityCell:
    if kind in _WHOLE or values[KIND] == UNREADABLE:
        values = (*values[:KIND], "", *values[KIND + 1 :])
    key = kind, values
    if key not in cells:
        cells[key] = OpportunityCell(kind, values, array("q"))
    return cells[key]


def _extend(known: dict[Attributes, Minutes], values: Attributes, minutes: Minutes) -> None:
    if values in known:
        known[values] = known[values] + minutes
    else:
        known[values] = minutes


def rates(cells: Iterable[OpportunityCell]) -> dict[str, float]:
    """Return how often the rule is broken, by kind."""
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for cell in cells:
        found[cell.kind] += len(cell.found)
        total[cell.kind] += len(cell.minutes)
    return {kind: number / max(total[kind], number) for kind, number in found.items() if number}


def bins(cells: Iterable[OpportunityCell], buckets: Buckets) -> Iterator[Bin]:
    """Yield the cells cut into buckets."""
    cells = list(cells)
    rate = rates(cells)
    for cell in cells:
        if cell.kind not in rate:
            continue
        found = buckets.histogram(cell.found)
        for bucket, number in sorted(buckets.histogram(cell.minutes).items()):
            values = (*cell.values, buckets.hour_of(bucket))
            yield Bin(values, bucket, found.pop(bucket, 0), number * rate[cell.kind])
        for bucket, number in sorted(found.items()):  # of what was not counted: late events
            yield Bin((*cell.values, buckets.hour_of(bucket)), bucket, number, 0.0)
