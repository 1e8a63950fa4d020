"""Opportunities and findings of a log, indexed by rule, attribute and time.

An opportunity is an event or a conversation at which a rule could have been broken. The findings of
a rule are compared only with events of the kinds at which the rule was found, and each kind has its
own rate. `kind = COLD exit` is therefore not reported as the cause of a rule about COLD exits.

Time is divided into buckets. A set of opportunities is represented by a bit set for each bucket,
because the search mostly intersects sets and counts their members.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import tzinfo
from functools import reduce
from itertools import accumulate, pairwise
from operator import and_, getitem, or_, xor
from typing import Final, NamedTuple, TypeAlias

from segue.analysis.causes.attribution import KIND, Attributes
from segue.analysis.causes.cause import time_of
from segue.analysis.causes.contexts import CONVERSATION, NO_EVENTS, RECORDED, UNREADABLE
from segue.analysis.causes.counts import Counts
from segue.analysis.causes.moments import NO_MINUTE
from segue.analysis.causes.notes import ATTRIBUTES
from segue.core.events import EventKind

HOUR: Final = ATTRIBUTES.index("hour")
"""The index of the attribute `hour`, the last one."""
UNTIMED: Final = 0
"""The bucket of opportunities without a time."""

_HOUR: Final = 60
_WIDTHS: Final = ((12 * _HOUR, 15), (48 * _HOUR, 30), (1000 * _HOUR, _HOUR))
"""Pairs of the maximum length of a log and the width of its buckets, in minutes."""
_RECURRING: Final = 36 * _HOUR
"""The length of a log, in minutes, above which the hour of the day is an attribute.

In shorter logs, onsets are more specific.
"""
_USUALLY_WRONG: Final = 0.2
"""The share of wrong transfers of a kind above which a rule is compared with all transfers."""
ANY_TRANSFER: Final = "transfer"
"""The kind of a pool that contains all transfers."""
ANY_EVENT: Final = "event"
"""The kind of a pool that contains all events, for findings about invalid fields (SG5xx).

In this pool, the kind of event is an attribute.
"""
_IN_FORM: Final = "SG5"
TRANSFERS: Final = frozenset(kind.value for kind in EventKind if kind.is_entry or kind.is_exit)
_WHOLE: Final = frozenset({UNREADABLE, ANY_TRANSFER, CONVERSATION, RECORDED})
"""Kinds of pools in which the kind of event is not an attribute."""
_BYTE: Final = 256
NEVER: Final = -NO_MINUTE
"""A minute after all others."""

Conjunction: TypeAlias = tuple[tuple[int, str], ...]
"""The attributes of a cause: pairs of the index of an attribute and its value."""
Rows: TypeAlias = list[int]
"""A set of opportunities: a list with one integer for each bucket, which is used as a bit set."""


class Period(NamedTuple):
    """The minutes from `since` up to, but not including, `until`.

    None is the beginning or the end of the log.
    """

    since: int | None = None
    until: int | None = None

    def matches(self, minute: int) -> bool:
        """Return whether the period contains a minute.

        Only the period of the whole log contains `NO_MINUTE`, the minute of events without a time.
        """
        if minute == NO_MINUTE:
            return self.since is None and self.until is None
        return (self.since is None or minute >= self.since) and (
            self.until is None or minute < self.until
        )


class FoundCell(NamedTuple):
    """The number of findings of a rule with the same attributes in the same minute."""

    values: Attributes
    minute: int
    bucket: int
    """The index of the bucket that contains the minute."""
    number: int
    """The number of findings."""


class Pool(NamedTuple):
    """The opportunities of one kind, and the findings of a rule among them."""

    kind: str
    """The kind of event, `transfer`, `event`, or a kind of conversation."""
    rows: Rows
    """The opportunities."""
    found: list[FoundCell]
    """The findings."""

    @property
    def found_number(self) -> int:
        """The number of findings in the pool."""
        return sum(each.number for each in self.found)

    @property
    def has_kinds(self) -> bool:
        """Whether the kind of event is an attribute in this pool."""
        return self.kind not in _WHOLE

    @property
    def rate(self) -> float:
        """The share of opportunities that are findings, from 0 to 1."""
        found = self.found_number
        return found / max(size_of(self.rows), found, 1)


def matches(values: Attributes, conjunction: Conjunction) -> bool:
    """Return whether an event's attributes have all values of a conjunction."""
    return all(values[number] == value for number, value in conjunction)


def intersection(some: Rows, other: Rows) -> Rows:
    """Return the opportunities that are in both sets."""
    return list(map(and_, some, other))


def union(some: Rows, other: Rows) -> Rows:
    """Return the opportunities that are in at least one of two sets."""
    return list(map(or_, some, other))


def difference(some: Rows, part: Rows) -> Rows:
    """Return the opportunities in `some` that are not in its subset `part`."""
    return list(map(xor, some, part))


def size_of(some: Rows) -> int:
    """Return the number of opportunities in a set, over all buckets."""
    return sum(map(int.bit_count, some))


class Buckets:
    """Buckets of equal length, into which the time of a log is divided.

    The first bucket begins at a full hour.
    """

    def __init__(self, first: int, last: int, time_zone: tzinfo) -> None:
        self.first, self.last = first, last
        span = self.last - self.first + 1
        self._width = next((width for most, width in _WIDTHS if span <= most), max(span // 1000, 1))
        self._start = self.first - self.first % _HOUR
        self._time_zone = time_zone
        self.has_hours = span > _RECURRING and self._width <= _HOUR
        """Whether the hour of the day is searched as an attribute."""
        self.count = max(span, 1)
        """The length of the log in minutes."""

    def starts(self) -> range:
        """Return the first minute of each bucket."""
        return range(self._start, self.last + 1, self._width)

    def bucket_of(self, minute: int) -> int:
        """Return the index of the bucket that contains a minute.

        Minutes before or after the log are in the first or the last bucket.
        """
        if minute == NO_MINUTE:
            return UNTIMED
        return 1 + (min(max(minute, self.first), self.last) - self._start) // self._width

    def hour_of(self, minute: int) -> str:
        """Return the hour of the day, such as `"08"`, or an empty string if hours are not used."""
        if minute == NO_MINUTE or not self.has_hours:
            return ""
        return f"{time_of(minute, self._time_zone).hour:02}"


class Opportunities:
    """The opportunities of a log, sorted by time, and its findings by rule.

    Each opportunity is a row. Values of attributes are encoded as numbers of a fixed size.
    """

    def __init__(self, counts: Counts, time_zone: tzinfo) -> None:
        cells = list(counts.opportunities())
        labels = [
            dict.fromkeys(each) for each in zip(*(values for values, _ in cells), strict=True)
        ]
        self._size = _size_of(max(map(len, labels), default=0))
        """The number of bytes of an encoded value."""
        self._codes = [
            {label: number.to_bytes(self._size, "little") for number, label in enumerate(each)}
            for each in labels
        ]
        """For each attribute, the encoded values by value."""
        by_minute: dict[int, list[bytes]] = defaultdict(list)
        for values, minutes in cells:
            text = b"".join(map(getitem, self._codes, values))
            for minute in minutes:
                by_minute[minute].append(text)
        self._minutes = sorted(by_minute)
        """The minutes that have rows, in ascending order. `NO_MINUTE` is the first if present."""
        rows_at = [by_minute[minute] for minute in self._minutes]
        self._starts = [*accumulate(map(len, rows_at), initial=0)]
        """The index of the first row of each minute, followed by the number of rows."""
        self._text = b"".join(map(b"".join, rows_at))
        """The encoded values of all attributes except the hour, row by row."""
        self.found: dict[str, dict[Attributes, list[int]]] = defaultdict(dict)
        """The minutes of the findings, by the code of the rule and by attributes."""
        for code, values, minutes in counts.found():
            self.found[code][values] = minutes
        timed = [minute for minute in self._minutes if minute != NO_MINUTE]
        first, last = (timed[0], timed[-1]) if timed else (0, -1)
        self.buckets = Buckets(first, last, time_zone)
        starts = map(self._row_of, [NO_MINUTE + 1, *self.buckets.starts()[1:]])
        self._cuts = list(pairwise([0, *starts, self._starts[-1]]))
        """For each bucket, the index of its first row and of the row after its last."""
        self.values = sum(map(len, self._codes))
        """The number of different values of all attributes except the hour."""
        self._kinds = sorted(self._codes[KIND]) if cells else []
        self._readable = [kind for kind in self._kinds if kind not in NO_EVENTS]
        """The kinds of events that an unreadable event could have been."""
        self._columns: dict[int, list[bytes]] = {}
        if self.buckets.has_hours:
            self._add_hours()
        self._with: dict[tuple[int, str], Rows] = {}

    def _row_of(self, minute: int) -> int:
        """Return the index of the first row at or after a minute."""
        return self._starts[bisect_left(self._minutes, minute)]

    def _add_hours(self) -> None:
        """Add the hour of the day as an attribute."""
        hours = [*map(self.buckets.hour_of, self._minutes)]
        codes = {hour: bytes([number]) for number, hour in enumerate(dict.fromkeys(hours))}
        sizes = (end - begin for begin, end in pairwise(self._starts))
        self._codes.append(codes)
        self._columns[HOUR] = [
            b"".join(codes[hour] * size for hour, size in zip(hours, sizes, strict=True))
        ]

    def pools(self, code: str) -> list[Pool]:
        """Return the pools of opportunities with which the findings of a rule are compared.

        Pools and cells are sorted so that sums are equal to the last bit for any number of
        processes.
        """
        found = self.found[code]
        compared = {values[KIND]: values[KIND] for values in found}
        for kind in compared:
            number = sum(len(minutes) for values, minutes in found.items() if values[KIND] == kind)
            total = size_of(self.rows_with(KIND, kind))
            if kind in TRANSFERS and number > _USUALLY_WRONG * total:
                compared[kind] = ANY_TRANSFER
            if code.startswith(_IN_FORM) and kind not in NO_EVENTS:
                compared[kind] = ANY_EVENT
        cells: dict[str, Counter[tuple[Attributes, int]]] = defaultdict(Counter)
        for values, minutes in found.items():
            kind = compared[values[KIND]]
            has_kind = kind not in _WHOLE and values[KIND] != UNREADABLE
            known = values if has_kind else (*values[:KIND], "", *values[KIND + 1 :])
            cells[kind].update([(known, minute) for minute in minutes])
        return [
            Pool(kind, self._rows_of(kind), [*map(self._found_cell, sorted(cells[kind].items()))])
            for kind in sorted(cells)
        ]

    def _found_cell(self, found: tuple[tuple[Attributes, int], int]) -> FoundCell:
        (values, minute), number = found
        hour, bucket = self.buckets.hour_of(minute), self.buckets.bucket_of(minute)
        return FoundCell((*values, hour), minute, bucket, number)

    def _rows_of(self, kind: str) -> Rows:
        """Return the opportunities that the pool of a kind contains."""
        several = {
            UNREADABLE: self._readable,
            ANY_EVENT: self._readable,
            ANY_TRANSFER: [each for each in self._kinds if each in TRANSFERS],
        }
        found = [0] * len(self._cuts)
        for each in several.get(kind, [kind]):
            found = union(found, self.rows_with(KIND, each))
        return found

    def rows_with(self, number: int, value: str) -> Rows:
        """Return the opportunities whose attribute with the index `number` has a value."""
        key = number, value
        if key not in self._with:
            code = self._codes[number].get(value) if self._codes else None
            if code is None:  # the value of a late event
                return [0] * len(self._cuts)
            if number not in self._columns:
                self._columns[number] = self._column(number)
            first, *others = (
                self._bits(column, digit)
                for column, digit in zip(self._columns[number], code, strict=True)
            )
            self._with[key] = reduce(intersection, others, first)
        return self._with[key]

    def _column(self, number: int) -> list[bytes]:
        """Return the encoded values of an attribute for all rows.

        The first item contains the first byte of all rows, the second item the second byte, etc.
        """
        begin, step = number * self._size, HOUR * self._size
        return [self._text[at::step] for at in range(begin, begin + self._size)]

    def _bits(self, column: bytes, digit: int) -> Rows:
        """Return the opportunities whose byte in a column is `digit`."""
        table = bytearray(b"0" * _BYTE)
        table[digit] = ord("1")
        text = column.translate(table)
        return [int(text[begin:end], 2) if begin < end else 0 for begin, end in self._cuts]

    def rows_in(self, period: Period) -> Rows:
        """Return the opportunities that occurred in a period."""
        if period == Period():
            return [(1 << end - begin) - 1 for begin, end in self._cuts]
        since = NO_MINUTE + 1 if period.since is None else period.since
        first = self._row_of(since)
        last = self._starts[-1] if period.until is None else self._row_of(period.until)
        return [
            (1 << max(end - max(begin, first), 0)) - (1 << max(end - max(begin, last), 0))
            for begin, end in self._cuts
        ]

    def before(self, some: Rows, minutes: Sequence[int]) -> list[int]:
        """Return, for each minute, the number of opportunities in `some` before this minute."""
        sizes = [0, *accumulate(map(int.bit_count, some))]
        found = []
        for minute in minutes:
            bucket = self.buckets.bucket_of(minute)
            shift = self._cuts[bucket][1] - self._row_of(minute)
            found.append(sizes[bucket] + (some[bucket] >> shift).bit_count())
        return found


def _size_of(codes: int) -> int:
    """Return the number of bytes that suffices for `codes` different numbers."""
    return max((codes - 1).bit_length() + 7, 8) // 8
