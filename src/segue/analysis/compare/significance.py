"""Confidence intervals of shares, and significance tests that compare two samples."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import erfc, exp, lgamma, sqrt
from statistics import NormalDist
from typing import Final

CONFIDENCE: Final = 0.95
_Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_ROUNDING: Final = 1e-7


@dataclass(frozen=True, slots=True)
class Share:
    """A share of conversations or events, such as 3 of 10, with a confidence interval."""

    count: int
    """The number of conversations or events that have a property."""
    total: int
    """The number of all conversations or events."""

    @classmethod
    def of_all(cls, shares: Collection["Share"]) -> "Share":
        """Return the sum of several shares of disjoint samples, with counts and totals added up."""
        return cls(sum(each.count for each in shares), sum(each.total for each in shares))

    @property
    def value(self) -> float:
        """The share as a number from 0 to 1, or 0 if the total is 0."""
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The lower and upper end of the Wilson score interval at 95 % confidence."""
        if not self.total:
            return 0.0, 1.0
        share, spread = self.value, _Z * _Z / self.total
        middle = (share + spread / 2) / (1 + spread)
        half = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
        low = 0.0 if not self.count else middle - half
        high = 1.0 if self.count == self.total else middle + half
        return max(low, 0.0), min(high, 1.0)

    def to_dict(self) -> dict[str, object]:
        """Return the share and its interval as a JSON object."""
        low, high = self.interval
        return {
            "count": self.count,
            "total": self.total,
            "share": round(self.value, 6),
            "interval": [round(low, 6), round(high, 6)],
        }


def shares_differ(one: Share, other: Share) -> float:
    """Return the p-value of Fisher's exact test (two-sided) for the difference of two shares."""
    found, total = one.count + other.count, one.total + other.total
    least, most = max(0, found - other.total), min(found, one.total)

    def weight(count: int) -> float:
        return exp(
            _choose(one.total, count) + _choose(other.total, found - count) - _choose(total, found)
        )

    here = weight(one.count) * (1 + _ROUNDING)
    return min(1.0, sum(w for w in map(weight, range(least, most + 1)) if w <= here))


def _choose(whole: int, part: int) -> float:
    """Return the natural logarithm of the number of ways to choose `part` of `whole` items."""
    return lgamma(whole + 1) - lgamma(part + 1) - lgamma(whole - part + 1)


def values_differ(ones: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """Compare two samples by their ranks (Mann-Whitney U test, corrected for ties).

    Return a number and the p-value. The number is positive if the second sample has greater values.
    """
    sizes = len(ones), len(others)
    total = sum(sizes)
    if min(sizes) == 0:
        return 0.0, 1.0
    ranked = sorted([(value, 0) for value in ones] + [(value, 1) for value in others])
    before, ranks, ties = 0, 0.0, 0.0
    for _, group in groupby(ranked, key=lambda pair: pair[0]):
        sides = [side for _, side in group]
        size = len(sides)
        ranks += sides.count(0) * (before + (size + 1) / 2)
        ties += size**3 - size
        before += size
    expected = sizes[0] * (total + 1) / 2
    variance = sizes[0] * sizes[1] / 12 * (total + 1 - ties / (total * (total - 1) or 1))
    if variance <= 0:
        return 0.0, 1.0
    distance = max(abs(ranks - expected) - 0.5, 0.0) / sqrt(variance)
    return expected - ranks, erfc(distance / sqrt(2))


def corrected(probabilities: Sequence[float]) -> list[float]:
    """Return p-values adjusted for multiple comparisons (Holm-Bonferroni), in the same order."""
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    found, least = [1.0] * len(probabilities), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, probabilities[index] * (len(probabilities) - rank)))
        found[index] = least
    return found
