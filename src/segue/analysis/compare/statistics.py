"""Statistics over the reports of a log.

A mistake is counted for its agent, queue and bot. A finding that belongs to no mistake is counted
for the agents and queues of the segments that it concerns. Every finding is counted for the day and
hour in which its event was received. All values of a metric are stored, so quantiles are exact.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, timedelta, tzinfo
from math import fsum
from statistics import fmean, median, quantiles
from typing import Any, Final, Literal, TypeAlias, TypeVar

from segue.analysis.compare.hours import OperatingHours
from segue.core.conversation import Report, leading_findings
from segue.core.findings import Rule, Severity
from segue.core.segments import Metrics, Segment

T = TypeVar("T")

Figures: TypeAlias = Literal["best", "told", "mended"]
"""The values of metrics: the best ones, those as told, or those as mended."""


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
class Statistics:
    """Counts the conversations and findings of a log, and collects the values of its metrics.

    Pass each report of the log to `add`. The counts are then in the attributes.
    """

    time_zone: tzinfo = UTC
    """The time zone of `hours` and `days`."""
    conversations: int = 0
    findings: int = 0
    errors: int = 0
    rules: Counter[Rule] = field(default_factory=Counter)
    """The number of findings of each rule."""
    following: Counter[Rule] = field(default_factory=Counter)
    """The number of findings of each rule that are not the first of their mistake."""
    agents: Counter[str] = field(default_factory=Counter)
    """The number of mistakes and other findings of each agent, by agent id."""
    queues: Counter[str] = field(default_factory=Counter)
    """The number of mistakes and other findings of each queue, by name or else id."""
    hours: Counter[int] = field(default_factory=Counter)
    """The number of findings in each hour of the day, from 0 to 23."""
    unplaced: int = 0
    """The number of findings whose hour is unknown."""
    bots: Counter[str] = field(default_factory=Counter)
    """The number of mistakes and other findings of each bot, by bot id."""
    days: Counter[date] = field(default_factory=Counter)
    """The number of findings on each day."""
    conversations_with: dict[str, Counter[str]] = field(
        default_factory=lambda: {name: Counter() for name in ("rule", "bot", "agent", "queue")}
    )
    """The number of conversations with each rule, bot, agent and queue.

    The outer keys are `rule`, `bot`, `agent` and `queue`. A rule counts if one of its findings is
    the first of its mistake, or belongs to none.
    """
    hours_of_queues: Mapping[str, OperatingHours] = field(default_factory=dict)
    """The operating hours of queues, by queue id or name. An empty name is for all other queues."""
    outside_hours: Counter[str] = field(default_factory=Counter)
    """The number of segments that began outside operating hours, by name or id of the queue."""
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

    mistakes: int = 0
    """The number of mistakes."""
    untraced: int = 0
    """The number of errors whose mistakes were not found."""
    _queue_names: dict[str, str] = field(default_factory=dict)
    """The names of queues by id, as the segments so far have them."""

    def add(self, report: Report, times: Sequence[datetime | None] = ()) -> None:
        """Count the conversation, findings and metrics of a report.

        Args:
            report: The report.
            times: For each finding in the report, the time at which its event was received, or
                None if it is unknown.

        """
        self.conversations += report.conversation_id is not None and not report.late
        self.findings += len(report.findings)
        for finding in report.findings:
            self.rules[finding.rule] += 1
            self.errors += finding.severity is Severity.ERROR
        leading = Counter(finding.rule for finding in leading_findings(report))
        self.following += Counter(finding.rule for finding in report.findings) - leading
        self.mistakes += len(report.mistakes)
        self.untraced += len(report.untraced)
        if report.findings:
            self._place(report)
        self.conversations_with["rule"].update({rule.code for rule in leading})
        self._count_times([at for at in times if at is not None], len(report.findings))
        if report.conversation_id is None or report.late:
            return
        self._count_participants(report)
        self._measure(report)

    def _measure(self, report: Report) -> None:
        """Collect the metrics of a conversation."""
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
        for name, found in ranges.items():
            if found is not None:
                self._add(name, *map(_number, found[:2]))
            elif getattr(report.metrics, name) is not None:
                self.unknown[name] += 1

    def _add(self, name: str, low: float, high: float) -> None:
        """Collect a metric of a conversation with mistakes, which is a number or a range."""
        if low == high:
            self.metrics.setdefault(name, array("d")).append(low)
        else:
            self.ranges.setdefault(name, []).append((low, high))

    def _count_participants(self, report: Report) -> None:
        segments = report.segments
        queues = {segment.queue_name or segment.queue_id for segment in segments}
        self.conversations_with["agent"].update({segment.agent for segment in segments})
        self.conversations_with["queue"].update(queue for queue in queues if queue)
        self.conversations_with["bot"].update((report.bot_id,) if report.bot_id else ())
        for segment in segments if self.hours_of_queues else ():
            self._check_hours(segment)

    def _check_hours(self, segment: Segment) -> None:
        names = (segment.queue_id, segment.queue_name, "")
        found = (self.hours_of_queues.get(name) for name in names)
        hours = next((each for each in found if each is not None), None)
        began = segment.connections[0].started_at
        if hours is not None and began is not None and began not in hours:
            self.outside_hours[segment.queue_name or segment.queue_id] += 1

    def _place(self, report: Report) -> None:
        """Count mistakes and other findings by agent, queue and bot."""
        for segment in report.segments:
            if segment.queue_id and segment.queue_name:
                self._queue_names[segment.queue_id] = segment.queue_name
        for mistake in report.mistakes:
            self.bots[mistake.bot or ""] += 1
            if mistake.agent is not None:
                queue = mistake.queue or ""
                self.agents[mistake.agent] += 1
                self.queues[self._queue_names.get(queue, queue)] += 1
        others = Counter(f.code for f in report.findings if report.mistake_of(f) is None)
        self.bots[report.bot_id or ""] += others.total()
        for segment in report.segments:
            count = sum(code in others for code in segment.findings)
            self.agents[segment.agent] += count
            self.queues[segment.queue_name or segment.queue_id] += count

    def _count_times(self, times: Sequence[datetime], findings: int) -> None:
        self.unplaced += findings - len(times)
        for at in times:
            here = at.astimezone(self.time_zone)
            self.hours[here.hour] += 1
            self.days[here.date()] += 1

    def spreads(self) -> list[Spread]:
        """Return the distribution of each metric that has values, in the order of `Metrics`."""
        names = [each.name for each in fields(Metrics)]
        return [self._spread(name) for name in names if name in self.metrics]

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

    def to_dict(self) -> dict[str, Any]:
        """Return the statistics as a JSON object. Keys and their order are stable."""
        outside = _named("queue", self.outside_hours, "segments")
        return {
            "conversations": self.conversations,
            "findings": self.findings,
            "errors": self.errors,
            "mistakes": self.mistakes,
            "untraced": self.untraced,
            "by_rule": [
                {
                    "code": rule.code,
                    "name": rule.name,
                    "count": count,
                    "follow": self.following[rule],
                }
                for rule, count in ranked(self.rules, key=lambda rule: rule.code)
            ],
            "by_agent": [{"agent": name, "count": count} for name, count in ranked(self.agents)],
            "by_queue": _named("queue", self.queues),
            "by_bot": _named("bot", self.bots),
            "by_day": [
                {"day": day.isoformat(), "count": self.days[day]} for day in sorted(self.days)
            ],
            "by_hour": [{"hour": hour, "count": self.hours[hour]} for hour in sorted(self.hours)],
            "without_hour": self.unplaced,
            **({"outside_hours": outside} if self.hours_of_queues else {}),
            "figures": self.figures,
            "unexplained": self.unexplained,
            "metrics": [spread.to_dict() for spread in self.spreads()],
        }


def _number(value: timedelta | float) -> float:
    """Return a duration in seconds, or a number as it is."""
    return value.total_seconds() if isinstance(value, timedelta) else float(value)


def ranked(counts: Counter[T], key: Callable[[T], str] = str) -> list[tuple[T, int]]:
    """Return `(item, count)` pairs, sorted by descending count and then by `key(item)`.

    Items without a count are left out.
    """
    return sorted((+counts).items(), key=lambda item: (-item[1], key(item[0])))


def _named(what: str, counts: Counter[str], number: str = "count") -> list[dict[str, Any]]:
    """Convert counts to a list of JSON objects such as `{"bot": "st-1", "count": 3}`.

    The list is sorted by descending count.

    Args:
        what: The key for the name, such as `bot`. The value is None for an empty name.
        counts: The counts by name.
        number: The key for the count.

    """
    return [{what: name or None, number: count} for name, count in ranked(counts)]


DURATIONS: Final = {each.name for each in fields(Metrics) if "timedelta" in str(each.type)}
