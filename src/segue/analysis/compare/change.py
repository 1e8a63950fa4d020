"""Significant changes between two logs.

The compared values are the shares of conversations that break a rule, the shares with a bot, agent
or queue, and the metrics. The p-values are adjusted for the number of comparisons. If two logs
differ only by chance, the probability of reporting any change is at most 1 %.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Final

from segue.analysis.compare.measures import DURATIONS
from segue.analysis.compare.significance import Share, corrected, shares_differ, values_differ
from segue.analysis.compare.statistics import Statistics

ERROR: Final = 0.01
"""The family-wise error rate: the maximum probability of reporting any change by chance."""


@dataclass(frozen=True, slots=True)
class Shift:
    """The median and mean of a metric over the conversations of one log that have it."""

    median: float
    mean: float
    count: int
    """The number of conversations that have the metric."""

    def to_dict(self) -> dict[str, object]:
        """Return median, mean and count as a JSON object."""
        return {
            "median": round(self.median, 6),
            "mean": round(self.mean, 6),
            "count": self.count,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """A rate or metric in two logs, and the probability that it differs only by chance."""

    what: str
    """The kind of value that is compared: `rule`, `bot`, `agent`, `queue` or `metric`."""
    name: str
    """The rule's code, the id or name of the bot, agent or queue, or the name of the metric."""
    before: Share | Shift
    after: Share | Shift
    direction: float
    """A number that is positive if the values of the second log are greater."""
    probability: float
    """The p-value, adjusted for all comparisons."""

    @property
    def is_significant(self) -> bool:
        """Whether the p-value is at most `ERROR`."""
        return self.probability <= ERROR

    @property
    def kind(self) -> str:
        """The kind of change: `new`, `gone`, `more` or `less`.

        `new` is only in the second log, and `gone` is only in the first. A value of the second log
        that is not greater is `less`, even if it is equal. See `is_significant`.
        """
        if not self.before.count or not self.after.count:
            return "gone" if self.before.count else "new"
        return "more" if self.direction > 0 else "less"

    @property
    def is_time(self) -> bool:
        """Whether the compared value is a duration in seconds."""
        return self.what == "metric" and self.name in DURATIONS

    def to_dict(self) -> dict[str, object]:
        """Return the change as a JSON object."""
        return {
            "what": self.what,
            "name": self.name,
            "change": self.kind,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "probability": self.probability,
        }


def changes(before: Statistics, after: Statistics) -> list[Change]:
    """Compare the rates and metrics of two logs.

    Return a `Change` for each rule, bot, agent, queue and metric, whether it is significant or not.
    The list is sorted by ascending p-value.
    """
    compared = [*_shares(before, after), *_shifts(before, after)]
    probabilities = corrected([each.probability for each in compared])
    found = [
        replace(each, probability=probability)
        for each, probability in zip(compared, probabilities, strict=True)
    ]
    return sorted(found, key=lambda each: (each.probability, each.what, each.name))


def _shares(before: Statistics, after: Statistics) -> Iterator[Change]:
    """Compare the share of conversations that have each rule, bot, agent or queue."""
    for what in ("rule", "bot", "agent", "queue"):
        old, new = before.conversations_with[what], after.conversations_with[what]
        for name in sorted(old.keys() | new.keys()):
            one, other = (
                Share(min(counts[name], total), total)
                for counts, total in ((old, before.conversations), (new, after.conversations))
            )
            direction, probability = other.value - one.value, shares_differ(one, other)
            yield Change(what, name, one, other, direction, probability)


def _shifts(before: Statistics, after: Statistics) -> Iterator[Change]:
    earlier, later = before.measures.metrics, after.measures.metrics
    for name in sorted(earlier.keys() & later.keys()):
        old, new = earlier[name], later[name]
        one, other = (Shift(median(each), fmean(each), len(each)) for each in (old, new))
        yield Change("metric", name, one, other, *values_differ(old, new))
