"""The search for causes: conjunctions of attributes with an onset, by surprise, one after another.

For each rule the most surprising conjunction is taken, what it explains is set aside, and the rest
is searched again, until nothing is left that chance could not do.  Each attribute of a conjunction,
each onset and each rule that was looked at makes it less surprising, by the logarithm of how many
others could have been looked at instead.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from itertools import accumulate
from math import log
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from segue.events import EventKind
from segue.root_causes.cause import RootCause, RootCauses, time_of
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
from segue.root_causes.histogram import (
    ANY_EVENT,
    ANY_TRANSFER,
    HOUR,
    UNTIMED,
    Bin,
    Buckets,
    Conjunction,
    Opportunities,
    OpportunityCell,
    Period,
    bins,
    matches,
    rates,
)
from segue.root_causes.notes import ATTRIBUTES
from segue.root_causes.statistic import first_of, surprise

ERROR: Final = 0.001
"""How probable a false cause may be, in a whole log."""
MOST_ATTRIBUTES: Final = 3
LEAST_FINDINGS: Final = 5
"""Fewer findings are not searched for a cause."""

_LEAST_RATIO: Final = 1.5
"""Of findings to those expected; less is not worth a sentence."""
_BEAM: Final = 4
"""So many conjunctions are extended by one more attribute."""
_WORTH_EXTENDING: Final = 5.0
_MOST_CAUSES: Final = 10
"""Of one rule."""
_UNITS: Final = {
    CONVERSATION: "conversations",
    RECORDED: "recorded conversations",
    UNREADABLE: "events",
    ANY_TRANSFER: "transfers",
    ANY_EVENT: "events",
}

_Sums: TypeAlias = dict[int, list[float]]
"""Findings and expected findings by bucket."""


class _Candidate(NamedTuple):
    """A conjunction, and how surprising its findings are from a bucket on."""

    score: float
    """The surprise less the price of what it was chosen from."""
    raw: float
    conjunction: Conjunction


@dataclass(frozen=True, slots=True)
class _Prices:
    """What the choice of an attribute's value and of a minute costs."""

    value: float
    minute: float
    dispersion: float
    """How many findings a conversation with one has, so that they do not count as independent."""

    def score(self, found: float, expected: float, total: float) -> float:
        """Return the surprise of findings that may depend on each other."""
        if found < LEAST_FINDINGS or found < _LEAST_RATIO * expected:
            return 0.0
        return surprise(found, expected, total) / self.dispersion


def find_causes(counts: Counts, time_zone: tzinfo = UTC) -> RootCauses:
    """Return the causes of the findings in these counts, times in this zone."""
    opportunities = Opportunities(counts)
    first, last = opportunities.span()
    offset = time_of(first, time_zone).utcoffset() if last >= first else None
    buckets = Buckets(first, last, 0 if offset is None else int(offset.total_seconds() // 60))
    codes = dict(sorted(opportunities.found.items()))
    searched = [code for code, found in codes.items() if _size(found) >= LEAST_FINDINGS]
    threshold = log(max(len(searched), 1) / ERROR)
    causes: list[RootCause] = []
    for code in searched:
        total = _size(codes[code])
        prices = _Prices(
            log(max(opportunities.values, 2)),
            log(buckets.count + 1),
            counts.squares(code) / total,
        )
        search = _RuleSearch(code, opportunities.cells(code), buckets, prices, threshold)
        causes += search.causes(total, time_zone)
    causes.sort(key=lambda cause: (-cause.found, cause.code, cause.where))
    unexplained = {code: _size(found) for code, found in codes.items()}
    for cause in causes:
        unexplained[cause.code] -= cause.found
    ends = [time_of(minute, time_zone).date() for minute in (buckets.first, buckets.last)]
    has_times = buckets.last >= buckets.first
    return RootCauses(
        tuple(causes),
        {code: number for code, number in unexplained.items() if number},
        has_times,
        1 << counts.share,
        ends[0] if has_times and ends[0] == ends[1] else None,
    )


def _size(found: Mapping[Attributes, Minutes]) -> int:
    return sum(map(len, found.values()))


class _RuleSearch:
    """The search for the causes of one rule."""

    def __init__(
        self,
        code: str,
        cells: list[OpportunityCell],
        buckets: Buckets,
        prices: _Prices,
        threshold: float,
    ) -> None:
        self._code = code
        self._cells = cells
        self._buckets = buckets
        self._prices = prices
        self._threshold = threshold

    def causes(self, total: int, time_zone: tzinfo) -> Iterator[RootCause]:
        """Yield the causes, the most surprising first."""
        for _ in range(_MOST_CAUSES):
            left = sum(len(cell.found) for cell in self._cells)
            if left < LEAST_FINDINGS:
                return
            best = self._best(left)
            score, period = self._narrowed(best, left)
            if score <= self._threshold:
                return
            inside, outside = self._split(best.conjunction, period)
            since, until = (
                None if minute is None else time_of(minute, time_zone) for minute in period
            )
            kinds = {cell.kind for cell in inside if cell.found}
            yield RootCause(
                self._code,
                tuple((ATTRIBUTES[number], value) for number, value in best.conjunction),
                since,
                until,
                found=sum(len(cell.found) for cell in inside),
                total=total,
                rate=_rate(inside, kinds),
                rate_elsewhere=_rate(outside, kinds),
                unit=_unit(kinds),
                surprise=score - self._threshold,
            )
            self._cells = outside

    def _best(self, total: int) -> _Candidate:
        """Return the best conjunction; its onset is known to a bucket only."""
        everything = list(bins(self._cells, self._buckets))
        best = self._scored((), _by_bucket(everything), total)
        beam: list[tuple[_Candidate, list[Bin]]] = [(best, everything)]
        for size in range(1, MOST_ATTRIBUTES + 1):
            found: dict[Conjunction, tuple[_Candidate, list[Bin]]] = {}
            for candidate, some in beam:
                for extended in self._extensions(candidate.conjunction, some, total):
                    found.setdefault(extended.conjunction, (extended, some))
            ranked = sorted(found.values(), key=lambda each: -each[0].raw)[:_BEAM]
            best = max([best, *map(itemgetter(0), ranked)], key=itemgetter(0))
            if not ranked or ranked[0][0].raw < _WORTH_EXTENDING or size == MOST_ATTRIBUTES:
                break
            beam = [(each, _selected(some, each.conjunction)) for each, some in ranked]
        return best

    def _extensions(
        self, conjunction: Conjunction, some: list[Bin], total: int
    ) -> Iterator[_Candidate]:
        """Yield the conjunctions with one attribute more."""
        used = {number for number, _ in conjunction}
        free = [number for number in range(len(ATTRIBUTES)) if number not in used]
        for addition, sums in _by_value(some, free).items():
            yield self._scored(tuple(sorted((*conjunction, addition))), sums, total)

    def _scored(self, conjunction: Conjunction, sums: _Sums, total: int) -> _Candidate:
        """Return a conjunction with the best onset."""
        price = self._prices.value * len(conjunction)
        timed = sorted((bucket, pair) for bucket, pair in sums.items() if bucket != UNTIMED)
        whole = [sum(each) for each in zip(*sums.values(), strict=True)] or [0, 0]
        raw = best = self._prices.score(whole[0], whole[1], total)
        later = list(accumulate((pair for _, pair in reversed(timed)), _added))
        for found, expected in later[:-1]:
            score = self._prices.score(found, expected, total)
            raw, best = max(raw, score), max(best, score - self._prices.minute)
        return _Candidate(best - price, raw, conjunction)

    def _narrowed(self, best: _Candidate, total: int) -> tuple[float, Period]:
        """Return the score of a conjunction, and its period to the minute.

        Whether there is a cause at all pays for every minute that it could have begun in.  That
        there is one, its onset need only be likelier than none.
        """
        sums = self._by_minute(best.conjunction)
        minutes = sorted(minute for minute in sums if minute != NO_MINUTE)
        rows = [sums[minute] for minute in minutes]
        begin = first_of(rows, self._prices.dispersion)
        end = len(rows) - first_of(rows[begin:][::-1], self._prices.dispersion)
        period = Period(
            minutes[begin] if begin else None,
            minutes[end - 1] + 1 if end < len(rows) else None,
        )
        ends = (period.since is not None) + (period.until is not None)
        inside = rows[begin:end] if ends else [sums[minute] for minute in sorted(sums)]
        found, expected = (sum(each) for each in zip(*inside, strict=True)) if inside else (0, 0)
        score = self._prices.score(found, expected, total) - self._prices.minute * ends
        return max(score - self._prices.value * len(best.conjunction), best.score), period

    def _by_minute(self, conjunction: Conjunction) -> _Sums:
        """Return the findings and expected findings of a conjunction by minute."""
        rate = rates(self._cells)
        hour = dict(conjunction).get(HOUR)
        sums: _Sums = {}
        for cell in self._cells:
            if cell.kind not in rate or not matches(cell.values, conjunction):
                continue
            for minute in cell.minutes:
                sums.setdefault(minute, [0.0, 0.0])[1] += rate[cell.kind]
            for minute in cell.found:
                sums.setdefault(minute, [0.0, 0.0])[0] += 1
        if hour is None:
            return sums
        return {at: pair for at, pair in sums.items() if self._buckets.is_in_hour(at, hour)}

    def _split(
        self, conjunction: Conjunction, period: Period
    ) -> tuple[list[OpportunityCell], list[OpportunityCell]]:
        """Return what a cause explains, and what it does not."""
        hour = dict(conjunction).get(HOUR)

        def is_inside(minute: int) -> bool:
            is_in_hour = hour is None or self._buckets.is_in_hour(minute, hour)
            return is_in_hour and period.matches(minute)

        inside, outside = [], []
        for cell in self._cells:
            if matches(cell.values, conjunction):
                one, other = cell.parted(is_inside)
                inside.append(one)
                outside.append(other)
            else:
                outside.append(cell)
        return inside, outside


def _added(one: list[float], other: list[float]) -> list[float]:
    return [one[0] + other[0], one[1] + other[1]]


def _by_bucket(some: Iterable[Bin]) -> _Sums:
    sums: _Sums = {}
    for _, bucket, found, expected in some:
        _add(sums, bucket, found, expected)
    return sums


def _add(sums: _Sums, bucket: int, found: float, expected: float) -> None:
    pair = sums.setdefault(bucket, [0.0, 0.0])
    pair[0] += found
    pair[1] += expected


def _by_value(some: list[Bin], free: Sequence[int]) -> dict[tuple[int, str], _Sums]:
    """Return the sums of every value that has enough findings."""
    found: Counter[tuple[int, str]] = Counter()
    for each in some:
        if each.found:
            found.update({(number, each.values[number]): each.found for number in free})
    sums: dict[int, dict[str, _Sums]] = {}
    for (number, value), count in found.items():
        if count >= LEAST_FINDINGS and value:
            sums.setdefault(number, {})[value] = {}
    for number, of_values in sums.items():
        for values, bucket, count, expected in some:
            buckets = of_values.get(values[number])
            if buckets is not None:
                _add(buckets, bucket, count, expected)
    return {(number, value): each for number, of in sums.items() for value, each in of.items()}


def _selected(some: list[Bin], conjunction: Conjunction) -> list[Bin]:
    return [each for each in some if all(each.values[n] == value for n, value in conjunction)]


def _rate(cells: Iterable[OpportunityCell], kinds: Iterable[str]) -> float:
    found = total = 0
    for cell in cells:
        if cell.kind in kinds:
            found += len(cell.found)
            total += len(cell.minutes)
    return found / max(total, found, 1)


def _unit(kinds: Iterable[str]) -> str:
    units = {_UNITS.get(kind) or _unit_of(kind) for kind in kinds}
    return units.pop() if len(units) == 1 else "events"


def _unit_of(kind: str) -> str:
    if kind.endswith((" entry", " exit")):
        return "transfers"
    if kind in NO_EVENTS:
        return "transcription actions"
    return "ends" if kind == EventKind.END else "events"
