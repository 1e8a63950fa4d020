"""Statistics over the reports of a log.

A mistake is counted for its agent, queue and bot. A finding that belongs to no mistake is counted
for the agents and queues of the segments that it concerns. Every finding is counted for the day and
hour in which its event was received.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from typing import Any, Literal, TypeAlias, TypeVar

from segue.analysis.compare.hours import OperatingHours
from segue.analysis.compare.measures import Figures, Measures
from segue.analysis.compare.voice import VoiceConnections
from segue.core.conversation import Report, leading_findings
from segue.core.conversation.current import is_whole
from segue.core.findings import Rule, Severity
from segue.core.segments import Segment

T = TypeVar("T")

Grouping: TypeAlias = Literal["agent", "queue", "bot", "hour"]
"""The properties by which conversations can be grouped: an hour is that of the beginning."""


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
    """The figures that count, see `Measures`."""
    by: Grouping | None = None
    """The property by which the metrics of conversations are grouped as well, or None."""
    measures: Measures = field(init=False)
    """The metrics of all conversations."""
    groups: dict[str | int | None, Measures] = field(default_factory=dict)
    """The metrics of the conversations of each agent, queue, bot or hour, see `by`.

    A conversation counts for each of its agents and queues. The key is None if it has none, or if
    its hour is unknown.
    """
    voice: VoiceConnections = field(init=False)
    """The connections of agents to voice conversations."""
    mistakes: int = 0
    """The number of mistakes."""
    untraced: int = 0
    """The number of errors whose mistakes were not found."""
    _queue_names: dict[str, str] = field(default_factory=dict)
    """The names of queues by id, as the segments so far have them."""

    def __post_init__(self) -> None:
        """Begin to measure."""
        self.measures = Measures(self.figures)
        self.voice = VoiceConnections(self.figures)

    def add(self, report: Report, times: Sequence[datetime | None] = ()) -> None:
        """Count the conversation, findings and metrics of a report.

        Args:
            report: The report.
            times: For each finding in the report, the time at which its event was received, or
                None if it is unknown.

        """
        self.conversations += is_whole(report)
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
        if not is_whole(report):
            return
        self._count_participants(report)
        self._measure(report)

    def _measure(self, report: Report) -> None:
        """Collect the metrics of a conversation, and the connections of its agents."""
        self.measures.add(report)
        for key in self._keys(report):
            group = self.groups.get(key)
            if group is None:
                group = self.groups[key] = Measures(self.figures)
            group.add(report)
        self.voice.add(report)

    def _keys(self, report: Report) -> Iterable[str | int | None]:
        """Return the groups to which a conversation belongs."""
        segments = report.segments
        match self.by:
            case "agent":
                return {segment.agent for segment in segments} or {None}
            case "queue":
                names = {segment.queue_name or segment.queue_id for segment in segments}
                return names - {""} or {None}
            case "bot":
                return {report.bot_id}
            case "hour":
                at = report.began_at
                return {None if at is None else at.astimezone(self.time_zone).hour}
            case None:
                return ()

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
            **self.measures.to_dict(),
            **({"by": self.by, "groups": self._groups_to_dict()} if self.by else {}),
            "voice_overlaps": [each.to_dict() for each in self.voice.overlaps()],
        }

    def ranked_groups(self) -> list[tuple[str | int | None, Measures]]:
        """Return the groups, those with the most conversations first. Hours are in order."""
        groups = list(self.groups.items())
        if self.by == "hour":
            return sorted(groups, key=lambda each: -1 if each[0] is None else int(each[0]))
        return sorted(groups, key=lambda each: (-each[1].conversations, str(each[0] or "")))

    def _groups_to_dict(self) -> list[dict[str, object]]:
        return [
            {
                str(self.by): key,
                "conversations": group.conversations,
                **group.to_dict(),
            }
            for key, group in self.ranked_groups()
        ]


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
