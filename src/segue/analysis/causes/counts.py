"""Counts of opportunities and findings, by attributes and minute.

An opportunity is an event or a conversation at which a rule could have been broken. The counts of
several parts of a log can be merged in any order, provided that no conversation is in two parts.

Memory is bounded. If a log is too large, only a sample of its conversations is counted. A hash of a
conversation's key decides whether it is in the sample, so all processes choose the same sample.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from segue.analysis.causes.attribution import (
    KIND,
    Attributes,
    Attribution,
    FindingPlace,
    Part,
    attributions_of,
    beginning_of,
    part_of,
)
from segue.analysis.causes.contexts import MESSAGES, UNREADABLE, step
from segue.analysis.causes.kept_counts import KeptCounts
from segue.analysis.causes.moments import (
    HIGHEST_LEVEL,
    Moments,
    hash_of,
    level_of,
    minutes_of,
    moment_of,
    no_moments,
    of_share,
)
from segue.core.conversation import Note, Report, leading_findings
from segue.core.findings import Finding, Severity
from segue.logs.event_notes import EventNote, KeptNotes

_Events: TypeAlias = dict[EventNote, Moments]
_Opportunities: TypeAlias = dict[tuple[str, str], _Events]
"""The moments of events, by `(file, bot)` and then by the note of the event."""

MOST_ROWS: Final = 1 << 20
"""The default maximum number of events to count. Each event takes eight bytes."""

_TOGETHER: Final = 1024
"""The number of conversations that are counted in one batch.

Counting in batches, after the reports are freed, keeps the counts in the processor's caches.
"""


@dataclass(slots=True)
class Counts:
    """Counts the events, conversations and findings of a log, by attributes and minute.

    The log must be replayed with `note=cause_notes()`. Pass each report to `add`.
    """

    most_rows: int = MOST_ROWS
    """The maximum number of events to count. Beyond it, a smaller sample is counted."""
    _share: int = 0
    """The exponent of the sample. See `share`."""
    _opportunities: _Opportunities = field(default_factory=dict)
    """The moments of all opportunities, by attributes."""
    _found: dict[tuple[str, Attributes], Moments] = field(default_factory=dict)
    """The moments of findings, by the code of the rule and by attributes."""
    _squares: Counter[tuple[int, str]] = field(default_factory=Counter)
    """The sum of squared numbers of findings per conversation, by level and code of the rule."""
    _ended: dict[int, EventNote] = field(default_factory=dict)
    """The attributes of each conversation, by the hash of its key. Late events inherit them."""
    _rows: int = 0
    """The number of opportunities that have been counted."""
    _waiting: list[Part] = field(default_factory=list)
    """The conversations that are not counted yet."""
    _kept: dict[tuple[int, str], KeptCounts] = field(default_factory=dict)
    """The counts by the accelerator, by the `id()` of its notes and the name of the log."""

    def __getstate__(self) -> object:
        """Return the state to pickle, after counting the conversations that are still waiting."""
        self._complete()
        return object.__getstate__(self)

    @property
    def share(self) -> int:
        """The exponent of the sample: one in `2 ** share` conversations is counted.

        It is 0 if all conversations are counted.
        """
        self._count_waiting()
        return self._share

    def add(self, report: Report) -> None:
        """Count the events and the findings of a report.

        Of a mistake only the first finding is counted. Warnings are counted if they belong to none.
        """
        found = _found_in(report) if report.findings else ()
        notes = report.notes
        if isinstance(notes, KeptNotes) and notes.is_of_one_log and not (found or report.late):
            self._add_kept(notes)
            return
        self._wait(part_of(report, found))

    def add_part(
        self,
        key: tuple[str, str],
        notes: Sequence[Note],
        found: Sequence[FindingPlace],
        minute: int,
    ) -> None:
        """Count a conversation for which there is no report, only notes and findings.

        Args:
            key: The bot id and the conversation id.
            notes: The notes on the deliveries.
            found: The findings to count.
            minute: The time of the conversation and of events without a time, in minutes since
                the Unix epoch.

        """
        self._wait(Part(hash_of("\0".join(key)), key[0], notes, found, minute))

    def _add_kept(self, notes: KeptNotes) -> None:
        known, source = notes.known, notes.sources[0]
        counts = self._kept.get((id(known), source))
        if counts is None:
            counts = self._kept[id(known), source] = KeptCounts(known, source)
        counts.waiting.append(notes.kept.exported)
        if len(counts.waiting) >= _TOGETHER:
            self._count_waiting()

    def _wait(self, part: Part) -> None:
        self._waiting.append(part)
        if len(self._waiting) >= _TOGETHER:
            self._count_waiting()

    def _count_waiting(self) -> None:
        for counts in self._kept.values():
            wholes, events = counts.count(self._share)
            self._ended.update(wholes)
            self._rows += events
        for part in self._waiting:
            level = level_of(part.name)
            if level >= self._share:
                self._count(level, part)
        self._waiting.clear()
        if self._rows > self.most_rows:
            self._shrink()

    def _complete(self) -> None:
        """Count all waiting conversations, and include the counts that the accelerator holds."""
        self._count_waiting()
        self._take_kept()

    def _take_kept(self) -> None:
        """Move the counts that the accelerator holds into `_opportunities`."""
        for counts in self._kept.values():
            for (source, bot, event), moments in counts.counted():
                _events_of(self._opportunities, source, bot)[event].extend(moments)
        self._kept.clear()

    def _count(self, level: int, part: Part) -> None:
        whole = beginning_of(part, self._ended)
        seen: list[Attribution] | None = [] if part.found else None
        if part.is_late:  # a late event is not another opportunity
            count_events({}, part, whole, level=level, seen=seen)
        else:
            self._ended[part.name], rows = count_events(
                self._opportunities, part, whole, level=level, seen=seen
            )
            self._rows += rows
        if seen is not None:
            self._count_findings(part, level, seen)

    def _count_findings(self, part: Part, level: int, seen: Sequence[Attribution]) -> None:
        counts: Counter[str] = Counter()
        whole = seen[-1].attributes
        for finding, (here, minute) in zip(part.found, attributions_of(part, seen), strict=True):
            is_message = here[KIND] in MESSAGES  # a message is compared with conversations
            attributes = (*here[:KIND], whole[KIND], *here[KIND + 1 :]) if is_message else here
            moments = self._found.setdefault((finding.code, attributes), no_moments())
            moments.append(moment_of(minute, level))
            if finding.lost and not part.is_late:  # it could have been sent
                source, bot, *event = attributes
                known = _events_of(self._opportunities, source, bot)
                known[tuple(event)].append(moment_of(minute, level))
                self._rows += 1
            counts[finding.code] += 1
        for code, number in counts.items():
            self._squares[level, code] += number * number

    def merge(self, other: "Counts") -> None:
        """Add the counts of another part of the same log, such as those of a worker process.

        If only a sample of either part was counted, the result is reduced to the smaller sample.
        """
        share = max(self.share, other.share)
        other._complete()  # noqa: SLF001 - of the same class, as all below
        self._squares.update(other._squares)  # noqa: SLF001
        self._ended.update(other._ended)  # noqa: SLF001
        for where, events in other._opportunities.items():  # noqa: SLF001
            known = _events_of(self._opportunities, *where)
            for event, moments in events.items():
                known[event].extend(moments)
        for key, moments in other._found.items():  # noqa: SLF001
            self._found.setdefault(key, no_moments()).extend(moments)
        self._keep_share(share)
        self._shrink()

    def _shrink(self) -> None:
        while self._rows > self.most_rows:
            self._keep_share(self._share + 1)

    def _keep_share(self, share: int) -> None:
        """Discard the counts of all conversations outside a sample of one in `2 ** share`."""
        self._take_kept()
        self._share, opportunities, self._rows = share, self._opportunities, 0
        for where, events in opportunities.items():
            opportunities[where] = defaultdict(no_moments, of_share(events, share))
            self._rows += sum(map(len, opportunities[where].values()))
        self._found = of_share(self._found, share)
        self._ended = {name: of for name, of in self._ended.items() if level_of(name) >= share}

    def opportunities(self) -> Iterator[tuple[Attributes, list[int]]]:
        """Yield `(attributes, minutes)` for each combination of attributes that was counted.

        `minutes` has an item for each event or conversation with these attributes.
        """
        self._complete()
        for where, events in self._opportunities.items():
            for event, moments in events.items():
                yield (*where, *event), minutes_of(moments)

    def found(self) -> Iterator[tuple[str, Attributes, list[int]]]:
        """Yield `(code, attributes, minutes)` for each rule and combination of attributes.

        `minutes` has an item for each finding of the rule with these attributes.
        """
        self._count_waiting()
        for (code, attributes), moments in self._found.items():
            yield code, attributes, minutes_of(moments)

    def squares(self, code: str) -> int:
        """Square each conversation's number of findings of a rule, and return the sum.

        The search divides this sum by the number of findings to learn how many of them usually
        occur together.
        """
        self._count_waiting()
        levels = range(self._share, HIGHEST_LEVEL + 1)
        return sum(self._squares[level, code] for level in levels)


def _found_in(report: Report) -> list[Finding]:
    """Return the findings of a report to count.

    These are the first finding of each mistake, and the warnings and errors that belong to none.
    """
    return [each for each in leading_findings(report) if each.severity is not Severity.NOTE]


def _events_of(opportunities: _Opportunities, source: str, bot: str) -> _Events:
    """Return the events counted for a file and a bot, creating an empty dictionary if needed."""
    known = opportunities.get((source, bot))
    if known is None:
        known = opportunities[source, bot] = defaultdict(no_moments)
    return known


def count_events(
    opportunities: _Opportunities,
    part: Part,
    whole: EventNote,
    *,
    level: int,
    seen: list[Attribution] | None,
) -> tuple[EventNote, int]:
    """Count the events of a conversation, and the conversation itself, as opportunities.

    An opportunity is an event or a conversation at which a rule could have been broken. Return the
    attributes of the conversation after its last event, and the number of opportunities.

    Args:
        opportunities: The counts to which the opportunities are added.
        part: The conversation.
        whole: The attributes of the conversation before its first event.
        level: The level of the conversation, for sampling.
        seen: A list to which the attributes of each event are appended, and then those of the
            conversation. None if they are not needed.

    """
    bot, minute, rows = part.bot, part.minute, 1
    kind, last = whole[0], whole
    moment = moment_of(minute, level)
    source = part.notes[0][1] if part.notes else ""
    moments = _events_of(opportunities, source, bot)
    for _, log, (at, events) in part.notes:
        if log != source:
            source, moments = log, _events_of(opportunities, log, bot)
        if at is not None and at != minute:
            minute, moment = at, moment_of(at, level)
        for event in events:
            here, kind, last = step(event, kind, last)
            if event[0] not in MESSAGES:
                moments[here].append(moment)
                rows += 1
            if seen is not None:
                seen.append(Attribution((source, bot, *here), minute))
    whole = (kind if part.has_id else UNREADABLE, *last[1:])
    moments[whole].append(moment)
    if seen is not None:
        seen.append(Attribution((source, bot, *whole), minute))
    return whole, rows
