"""The metrics of the conversations of a log, and how they are distributed.

All values of a metric are stored, so quantiles are exact.
"""

from array import array
from collections import Counter
from dataclasses import dataclass, field, fields
from datetime import timedelta
from math import fsum
from statistics import fmean, median, quantiles
from typing import Final, Literal, TypeAlias

from segue.core.conversation import Report, unknown_metrics
from segue.core.segments import METRIC_NAMES, Metrics

Figures: TypeAlias = Literal["best", "told", "mended"]
"""The values of metrics: the best ones, those as told, or those as mended."""

_WRAPUP: Final = "wrapup_time"
_HABIT: Final = 20
"""The least number of conversations from which a habit of the sender is concluded."""
_AT_ONCE: Final = 1.0
"""The longest time in seconds between the last exit and an END that is sent with it."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The distribution of one metric over the conversations that have it."""

    name: str
    """The name of the metric, such as `answer_time`."""
    is_time: bool
    """Whether the metric is in seconds."""
    count: int
    """The number of conversations that have a number."""
    ranges: int
    """The number of conversations that have a range, which the figures below leave out."""
    unknown: int
    """The number of conversations whose mistakes leave the metric unknown."""
    at_least: float
    """The sum of all numbers and of the lower bounds of ranges."""
    at_most: float
    """The sum of all numbers and of the upper bounds of ranges."""
    mean: float
    median: float
    p90: float
    """The 90th percentile."""
    maximum: float

    @property
    def doubt(self) -> float:
        """The share of conversations that have a range, or nothing because of mistakes."""
        doubtful = self.ranges + self.unknown
        return doubtful / (self.count + doubtful)

    def to_dict(self) -> dict[str, object]:
        """Return the distribution as a JSON object."""
        return {
            "metric": self.name,
            "unit": "seconds" if self.is_time else "",
            "count": self.count,
            "ranges": self.ranges,
            "unknown": self.unknown,
            "at_least": round(self.at_least, 6),
            "at_most": round(self.at_most, 6),
            "mean": round(self.mean, 6),
            "median": round(self.median, 6),
            "p90": round(self.p90, 6),
            "max": round(self.maximum, 6),
        }


@dataclass(slots=True)
class Measures:
    """Collects the metrics of conversations. Pass each report to `add`."""

    figures: Figures = "best"
    """The figures that count. All but `told` leave out the conversations that are not explained."""
    metrics: dict[str, "array[float]"] = field(default_factory=dict)
    """For each metric, the values of all conversations that have a number."""
    ranges: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """For each metric, the bounds of the conversations that have a range."""
    unknown: Counter[str] = field(default_factory=Counter)
    """For each metric, the number of conversations whose mistakes leave it unknown."""
    unexplained: int = 0
    """The number of conversations that the metrics leave out, because they are not explained."""
    conversations: int = 0
    """The number of conversations."""

    def add(self, report: Report) -> None:
        """Collect the metrics of a conversation."""
        self.conversations += 1
        if self.figures != "told" and report.explanation != "complete":
            self.unexplained += 1
            return
        mended = None if self.figures == "told" else report.mended
        if mended is None or report.best is None:
            for name, value in report.metrics.to_dict().items():
                if isinstance(value, int | float):
                    self.metrics.setdefault(name, array("d")).append(value)
            return
        ranges = {**report.best, **(mended.metrics if self.figures == "mended" else {})}
        known = {*report.metrics.known(METRIC_NAMES), *unknown_metrics(report)}
        for name, found in ranges.items():
            if found is not None:
                self._add(name, *map(_number, found[:2]))
            elif name in known:
                self.unknown[name] += 1

    def _add(self, name: str, low: float, high: float) -> None:
        """Collect a metric of a conversation with mistakes, which is a number or a range."""
        if low == high:
            self.metrics.setdefault(name, array("d")).append(low)
        else:
            self.ranges.setdefault(name, []).append((low, high))

    def spreads(self) -> list[Spread]:
        """Return the distribution of each metric that has values, in the order of `Metrics`.

        The metrics in `untold` are left out.
        """
        names = [each.name for each in fields(Metrics)]
        untold = self.untold
        return [self._spread(name) for name in names if name in self.metrics and name not in untold]

    @property
    def untold(self) -> tuple[str, ...]:
        """The names of metrics that a habit of the sender makes meaningless.

        If every END comes within a second of the last exit, END does not tell when an agent has
        finished wrapping up, so there is no `wrapup_time`. A few conversations are no habit.
        """
        values = self.metrics.get(_WRAPUP, ())
        lows = (low for low, _ in self.ranges.get(_WRAPUP, ()))
        if len(values) < _HABIT or max((*values, *lows)) > _AT_ONCE:
            return ()
        return (_WRAPUP,)

    def _spread(self, name: str) -> Spread:
        values, ranges = self.metrics[name], self.ranges.get(name, [])
        lows, highs = (fsum(ends) for ends in zip(*ranges, strict=True)) if ranges else (0.0, 0.0)
        return Spread(
            name=name,
            is_time=name in DURATIONS,
            count=len(values),
            ranges=len(ranges),
            unknown=self.unknown[name],
            at_least=fsum(values) + lows,
            at_most=fsum(values) + highs,
            mean=fmean(values),
            median=median(values),
            p90=quantiles(values, n=10, method="inclusive")[8] if len(values) > 1 else values[0],
            maximum=max(values),
        )

    def to_dict(self) -> dict[str, object]:
        """Return the metrics as a JSON object."""
        return {
            "unexplained": self.unexplained,
            "untold": list(self.untold),
            "metrics": [spread.to_dict() for spread in self.spreads()],
        }


def _number(value: timedelta | float) -> float:
    """Return a duration in seconds, or a number as it is."""
    return value.total_seconds() if isinstance(value, timedelta) else float(value)


DURATIONS: Final = {each.name for each in fields(Metrics) if "timedelta" in str(each.type)}
