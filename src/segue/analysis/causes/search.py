"""The search for causes: conjunctions of attributes with an onset.

A conjunction is a set of attributes with their values, such as `agent = a-7 and queue = Orders`.
For each rule, the search finds the most significant conjunction and removes the findings that this
conjunction explains. It repeats this until the remaining findings may be due to chance.

The score of a conjunction is its surprise, reduced by a price for the choice of each attribute and
of the onset. It must exceed a threshold that grows with the number of rules searched. A price is
the logarithm of the number of alternatives, which corrects for multiple comparisons.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import reduce
from itertools import accumulate, pairwise
from math import log
from operator import add, itemgetter
from typing import Final, NamedTuple

from segue.analysis.causes.attribution import KIND, Attributes
from segue.analysis.causes.cause import RootCause, RootCauses, time_of
from segue.analysis.causes.contexts import (
    ACTIONS,
    CALLS,
    CONVERSATION,
    NO_EVENTS,
    RECORDED,
    UNREADABLE,
)
from segue.analysis.causes.counts import Counts
from segue.analysis.causes.moments import NO_MINUTE
from segue.analysis.causes.notes import ATTRIBUTES
from segue.analysis.causes.opportunities import (
    ANY_EVENT,
    ANY_TRANSFER,
    NEVER,
    TRANSFERS,
    UNTIMED,
    Conjunction,
    FoundCell,
    Opportunities,
    Period,
    Pool,
    Rows,
    difference,
    intersection,
    matches,
    size_of,
    union,
)
from segue.analysis.causes.statistic import first_of, surprise
from segue.core.events import EventKind

ERROR: Final = 0.001
"""The maximum probability that any cause reported for a log is due to chance."""
MOST_ATTRIBUTES: Final = 3
"""The maximum number of attributes in a cause."""
LEAST_FINDINGS: Final = 5
"""The minimum number of findings of a rule for which causes are searched."""

_LEAST_RATIO: Final = 1.5
"""The minimum ratio of found to expected findings."""
_BEAM: Final = 4
"""The number of conjunctions that are kept in each round of the beam search."""
_WORTH_EXTENDING: Final = 5.0
_MOST_CAUSES: Final = 10
"""The maximum number of causes reported for a rule."""
_UNITS: Final = {
    EventKind.END.value: "ends",
    EventKind.SUMMARY.value: "summaries",
}
"""Irregular plurals, by kind of event."""


class _Candidate(NamedTuple):
    """A conjunction of attributes, scored with its best onset."""

    score: float
    """The surprise, reduced by the prices of the attributes and the onset."""
    raw: float
    """The surprise without this reduction."""
    conjunction: Conjunction


@dataclass(frozen=True, slots=True)
class _Prices:
    """The prices that are subtracted from the surprise for each choice, and the dispersion."""

    value: float
    """The price for choosing a value of an attribute."""
    minute: float
    """The price for choosing a minute."""
    dispersion: float
    """The average number of findings of the rule that occur together in a conversation.

    Findings of one conversation are not independent, so the surprise is divided by this number.
    """

    def score(self, found: float, expected: float, total: float) -> float:
        """Return the surprise of a number of findings, divided by the dispersion.

        Return 0 if there are too few findings, or hardly more than expected.
        """
        if found < LEAST_FINDINGS or found < _LEAST_RATIO * expected:
            return 0.0
        return surprise(found, expected, total) / self.dispersion


def find_causes(counts: Counts, time_zone: tzinfo = UTC) -> RootCauses:
    """Return the causes of the findings in `counts`, with times in `time_zone`."""
    opportunities = Opportunities(counts, time_zone)
    buckets = opportunities.buckets
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
        search = _RuleSearch(code, opportunities, prices, threshold)
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


def _size(found: Mapping[Attributes, list[int]]) -> int:
    return sum(map(len, found.values()))


class _Part(NamedTuple):
    """The findings and opportunities that have the attributes of a conjunction."""

    found: Sequence[FoundCell]
    rows: Sequence[Rows]
    """The opportunities, as one set for each pool."""


class _RuleSearch:
    """The search for the causes of one rule's findings."""

    def __init__(
        self, code: str, opportunities: Opportunities, prices: _Prices, threshold: float
    ) -> None:
        self._code = code
        self._opportunities = opportunities
        self._pools = opportunities.pools(code)
        """The pools, reduced to the findings and opportunities that no cause explains yet."""
        self._rates: list[float] = []
        """The share of opportunities that are findings, for each pool."""
        self._prices = prices
        self._threshold = threshold

    def causes(self, total: int, time_zone: tzinfo) -> Iterator[RootCause]:
        """Yield the causes of the rule, the most significant first.

        Args:
            total: The number of findings of the rule.
            time_zone: The time zone of the onset times.

        """
        for _ in range(_MOST_CAUSES):
            self._pools = [pool for pool in self._pools if pool.found]
            self._rates = [pool.rate for pool in self._pools]
            left = sum(pool.found_number for pool in self._pools)
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
            kinds = {pool.kind for pool in inside if pool.found}
            yield RootCause(
                self._code,
                tuple((ATTRIBUTES[number], value) for number, value in best.conjunction),
                since,
                until,
                found=sum(pool.found_number for pool in inside),
                total=total,
                rate=_rate(inside, kinds),
                rate_elsewhere=_rate(outside, kinds),
                unit=unit_of(kinds),
                surprise=score - self._threshold,
            )
            self._pools = outside

    def _best(self, total: int) -> _Candidate:
        """Return the conjunction with the highest score, found by a beam search.

        `total` is the number of findings that are not explained yet.
        """
        found = [cell for pool in self._pools for cell in pool.found]
        everything = _Part(found, [pool.rows for pool in self._pools])
        best = self._scored((), everything.rows, _by_bucket(found), total)
        beam = [(best, everything)]
        for size in range(1, MOST_ATTRIBUTES + 1):
            extended: dict[Conjunction, tuple[_Candidate, _Part]] = {}
            for candidate, part in beam:
                for each in self._extensions(candidate.conjunction, part, total, extended):
                    extended[each[0].conjunction] = each
            ranked = sorted(extended.values(), key=lambda each: -each[0].raw)[:_BEAM]
            best = max([best, *map(itemgetter(0), ranked)], key=itemgetter(0))
            if not ranked or ranked[0][0].raw < _WORTH_EXTENDING or size == MOST_ATTRIBUTES:
                break
            beam = ranked
        return best

    def _extensions(
        self,
        conjunction: Conjunction,
        part: _Part,
        total: int,
        known: Container[Conjunction],
    ) -> Iterator[tuple[_Candidate, _Part]]:
        """Yield the conjunctions that extend one by another attribute, with their selections.

        Args:
            conjunction: The conjunction to extend.
            part: The findings and opportunities that it selects.
            total: The number of findings that are not explained yet.
            known: Conjunctions to leave out.

        """
        used = {number for number, _ in conjunction}
        free = [number for number in range(len(ATTRIBUTES)) if number not in used]
        for addition, found in _by_value(part.found, free).items():
            extended = tuple(sorted((*conjunction, addition)))
            if extended in known:
                continue
            rows = [
                self._selected(pool, some, (addition,))
                for pool, some in zip(self._pools, part.rows, strict=True)
            ]
            yield self._scored(extended, rows, _by_bucket(found), total), _Part(found, rows)

    def _selected(self, pool: Pool, some: Rows, conjunction: Conjunction) -> Rows:
        """Return the opportunities in `some`, a set from a pool, that match a conjunction."""
        for number, value in conjunction:
            if number == KIND and not pool.has_kinds:
                return [0] * len(some)
            some = intersection(some, self._opportunities.rows_with(number, value))
        return some

    def _scored(
        self, conjunction: Conjunction, rows: Sequence[Rows], found: Mapping[int, int], total: int
    ) -> _Candidate:
        """Return a conjunction with the score of its best onset.

        An onset is the beginning of a bucket with a finding.

        Args:
            conjunction: The conjunction.
            rows: The opportunities that it selects in each pool.
            found: The number of findings that it selects, by bucket.
            total: The number of findings that are not explained yet.

        """
        price = self._prices.value * len(conjunction)
        expected = [0.0] * len(rows[0])
        for rate, some in zip(self._rates, rows, strict=True):
            if any(some):
                sizes = map(int.bit_count, some)
                expected = list(map(add, expected, map(rate.__mul__, sizes)))
        number = sum(found.values())
        raw = best = self._prices.score(number, sum(expected), total)
        timed = [bucket for bucket in found if bucket != UNTIMED]
        begin = min(timed, default=0)
        if not any(expected[UNTIMED + 1 : begin]):  # the first onset is the beginning
            timed = [bucket for bucket in timed if bucket != begin]
        later = [*accumulate(reversed(expected))]
        number = 0
        for bucket in sorted(timed, reverse=True):
            number += found[bucket]
            score = self._prices.score(number, later[-1 - bucket], total)
            raw, best = max(raw, score), max(best, score - self._prices.minute)
        return _Candidate(best - price, raw, conjunction)

    def _narrowed(self, best: _Candidate, total: int) -> tuple[float, Period]:
        """Return the score of the best conjunction, and its period to the minute.

        The score is reduced by the price of a minute for each end of the period that is not an end
        of the log. Once a cause is accepted, an onset need only be more likely than no onset.
        """
        minutes, rows, untimed = self._by_minute(best.conjunction)
        begin = first_of(rows, self._prices.dispersion)
        end = len(rows) - first_of(rows[begin:][::-1], self._prices.dispersion)
        period = Period(
            minutes[begin] if begin else None,
            minutes[end - 1] + 1 if end < len(rows) else None,
        )
        ends = (period.since is not None) + (period.until is not None)
        inside = rows[begin:end] if ends else [untimed, *rows]
        found, expected = (sum(each) for each in zip(*inside, strict=True))
        score = self._prices.score(found, expected, total) - self._prices.minute * ends
        return max(score - self._prices.value * len(best.conjunction), best.score), period

    def _by_minute(
        self, conjunction: Conjunction
    ) -> tuple[list[int], list[tuple[int, float]], tuple[int, float]]:
        """Return the numbers of found and expected findings of a conjunction in order of time.

        A row is a pair of these two numbers. Each minute with a finding gives a row, and each
        interval between two such minutes. Return the minutes at which rows begin, the rows, and the
        row of findings without a time.
        """
        found: Counter[int] = Counter()
        for pool in self._pools:
            for cell in pool.found:
                if matches(cell.values, conjunction):
                    found[cell.minute] += cell.number
        untimed = found.pop(NO_MINUTE, 0)
        edges = sorted({NO_MINUTE + 1, NEVER, *found, *(minute + 1 for minute in found)})
        expected = [0.0] * len(edges)
        for pool, rate in zip(self._pools, self._rates, strict=True):
            some = self._selected(pool, pool.rows, conjunction)
            before = [0, *self._opportunities.before(some, edges)]
            sizes = (later - number for number, later in pairwise(before))
            expected = [known + rate * size for known, size in zip(expected, sizes, strict=True)]
        rows = [
            (minute, (found[minute], chance))
            for minute, chance in zip(edges, expected[1:], strict=False)
            if minute in found or chance
        ]
        return [at for at, _ in rows], [row for _, row in rows], (untimed, expected[0])

    def _split(self, conjunction: Conjunction, period: Period) -> tuple[list[Pool], list[Pool]]:
        """Split each pool in two by a cause, which is given by its conjunction and period.

        Return the pools of the findings and opportunities that the cause selects, and the pools of
        all others.
        """
        in_time = self._opportunities.rows_in(period)
        inside, outside = [], []
        for pool in self._pools:
            rows = intersection(self._selected(pool, pool.rows, conjunction), in_time)
            found: tuple[list[FoundCell], list[FoundCell]] = [], []
            for cell in pool.found:
                is_inside = period.matches(cell.minute) and matches(cell.values, conjunction)
                found[not is_inside].append(cell)
            inside.append(Pool(pool.kind, rows, found[0]))
            outside.append(Pool(pool.kind, difference(pool.rows, rows), found[1]))
        return inside, outside


def _by_bucket(found: Iterable[FoundCell]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for _, _, bucket, number in found:
        sums[bucket] = sums.get(bucket, 0) + number
    return sums


def _by_value(
    found: Sequence[FoundCell], free: Sequence[int]
) -> dict[tuple[int, str], list[FoundCell]]:
    """Return the findings by attribute and value, for values with at least `LEAST_FINDINGS`.

    `free` contains the indices of the attributes.
    """
    enough = {}
    for number in free:
        cells: dict[str, list[FoundCell]] = defaultdict(list)
        for cell in found:
            cells[cell.values[number]].append(cell)
        for value, some in cells.items():
            if value and sum(cell.number for cell in some) >= LEAST_FINDINGS:
                enough[number, value] = some
    return enough


def _rate(pools: Iterable[Pool], kinds: Container[str]) -> float:
    """Return the share of opportunities that are findings, in the pools of the given kinds.

    A transfer in both the pool of its kind and the pool of all transfers counts once.
    """
    compared = [pool for pool in pools if pool.kind in kinds]
    found = sum(pool.found_number for pool in compared)
    total = size_of(reduce(union, (pool.rows for pool in compared)))
    return found / max(total, found, 1)


def unit_of(kinds: Collection[str]) -> str:
    """Return the name of the opportunities of these kinds, such as `COLD entries and summaries`.

    A kind that is included in another one, such as `COLD entry` in `transfer`, is omitted.
    """
    compared = set(kinds)
    if not compared.isdisjoint({ANY_EVENT, UNREADABLE}):
        compared = {ANY_EVENT, *(compared & NO_EVENTS)}
    if ANY_TRANSFER in compared:
        compared -= TRANSFERS
    if CONVERSATION in compared:
        compared.discard(RECORDED)
    *others, last = sorted(map(_unit_of, compared))
    return f"{', '.join(others)} and {last}" if others else last


def _unit_of(kind: str) -> str:
    """Return the plural of the name of a kind, such as `COLD entries`."""
    if kind in ACTIONS:
        return f"{kind.removesuffix(' action')} actions"
    if kind in CALLS:
        return f"{kind.removesuffix(' notification')} notifications"
    return _UNITS.get(kind) or (f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s")
