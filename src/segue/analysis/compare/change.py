"""What changed from one log to another: rates of rules, who took part, and metrics.

Each conversation counts once for a rule.  Everything that is compared is paid for, so that the
probability of naming a change where nothing changed is at most one in a hundred.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Final

from segue.analysis.compare.significance import Share, corrected, shares_differ, values_differ
from segue.analysis.compare.statistics import DURATIONS, Statistics

ERROR: Final = 0.01
"""How probable it may be that anything is named that did not change."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A metric's median and mean, and the number of conversations that have it."""

    median: float
    mean: float
    count: int

    def to_dict(self) -> dict[str, object]:
        """Return it as a JSON object."""
        return {
            "median": round(self.median, 6),
            "mean": round(self.mean, 6),
            "count": self.count,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was compared."""

    what: str
    """`rule`, `bot`, `agent`, `queue` or `metric`."""
    name: str
    before: Share | Shift
    after: Share | Shift
    direction: float
    """Positive if the later values are greater."""
    probability: float
    """That it differs so much by chance, corrected for all that was compared."""

    @property
    def is_significant(self) -> bool:
        """Whether chance is ruled out."""
        return self.probability <= ERROR

    @property
    def kind(self) -> str:
        """`new`, `gone`, `more` or `less`."""
        if not self.before.count or not self.after.count:
            return "gone" if self.before.count else "new"
        return "more" if self.direction > 0 else "less"

    @property
    def is_time(self) -> bool:
        """Whether it is a metric that counts seconds."""
        return self.what == "metric" and self.name in DURATIONS

    def to_dict(self) -> dict[str, object]:
        """Return it as a JSON object."""
        return {
            "what": self.what,
            "name": self.name,
            "change": self.kind,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "probability": self.probability,
        }


def changes(before: Statistics, after: Statistics) -> list[Change]:
    """Return all that was compared, the most certain change first."""
    compared = [*_shares(before, after), *_shifts(before, after)]
    probabilities = corrected([each.probability for each in compared])
    found = [
        replace(each, probability=probability)
        for each, probability in zip(compared, probabilities, strict=True)
    ]
    return sorted(found, key=lambda each: (each.probability, each.what, each.name))


def _shares(before: Statistics, after: Statistics) -> Iterator[Change]:
    """Yield how many conversations have a finding of a rule, and how many a bot, agent or queue."""
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
    for name in sorted(before.metrics.keys() & after.metrics.keys()):
        old, new = before.metrics[name], after.metrics[name]
        one, other = (Shift(median(each), fmean(each), len(each)) for each in (old, new))
        yield Change("metric", name, one, other, *values_differ(old, new))
