"""Conversations that were added, removed or changed between two logs.

For each rule, the numbers of findings are compared. Positions are not compared, because one
additional event shifts the positions of all later events. Segments are compared by agent and time,
or by order if times are missing.

Reports are given as JSON objects, so that a stored report can be compared with a log. Each
conversation has one report, and possibly another about late deliveries only. Memory holds
a digest of each conversation of the first log, and of those of the second log that differ. Digests
contain no events, names or texts.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, zip_longest
from math import inf
from typing import Any, Final, NamedTuple

from segue.core.errors import ConfigurationError
from segue.core.findings import Severity

_ROUNDING: Final = 1e-3
"""The margin, in seconds, that is added to ranges of times because of rounding errors."""


class FindingKey(NamedTuple):
    """The data of a finding that is compared between two logs."""

    code: str
    event: int | None
    """The position of the event, or None if the finding is not at an event."""
    severity: str = Severity.ERROR.value
    mistake: int | None = None
    """The number of the mistake that causes the finding, or None.

    The mistakes of a late report are numbered after those of its conversation.
    """

    def to_dict(self) -> dict[str, object]:
        """Return the key as a JSON object."""
        return self._asdict()


class SegmentKey(NamedTuple):
    """The data of a segment that is compared between two logs.

    A segment is the time during which an agent took part in a conversation.
    """

    agent: str
    role: str
    kind: str
    outcome: str
    start: float | None
    """The start time in seconds since 1970, or None if unknown."""
    end: float | None
    """The end time in seconds since 1970, or None if unknown."""

    def to_dict(self) -> dict[str, object]:
        """Return the key as a JSON object, with times as ISO strings in UTC."""
        return {**self._asdict(), "start": _iso(self.start), "end": _iso(self.end)}


class ConversationName(NamedTuple):
    """The ids by which a conversation is found again in another log."""

    conversation_id: str | None
    bot_id: str | None
    """The id of the bot, or None if the conversation id alone identifies a conversation."""


class ReportDigest(NamedTuple):
    """The data of a report that is compared between two logs."""

    phase: str
    findings: tuple[FindingKey, ...]
    segments: tuple[SegmentKey, ...]


@dataclass(frozen=True, slots=True)
class SegmentChange:
    """A segment that differs between two logs.

    `before` is None if the segment is only in the second log, and `after` is None if it is only in
    the first.
    """

    before: SegmentKey | None
    after: SegmentKey | None

    def to_dict(self) -> dict[str, object]:
        """Return the change as a JSON object."""
        return {
            "before": self.before and self.before.to_dict(),
            "after": self.after and self.after.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A conversation that differs between two logs, or that is missing in one of them."""

    key: ConversationName
    before: ReportDigest | None
    """The digest in the first log, or None if the conversation is only in the second."""
    after: ReportDigest | None
    """The digest in the second log, or None if the conversation is only in the first."""
    appeared: tuple[FindingKey, ...] = ()
    """The findings that are only in the second log."""
    gone: tuple[FindingKey, ...] = ()
    """The findings that are only in the first log."""
    segments: tuple[SegmentChange, ...] = ()
    """The segments that differ."""

    @property
    def kind(self) -> str:
        """The kind of difference: `added`, `removed` or `changed`.

        `added` is only in the second log, `removed` is only in the first, and `changed` is in both.
        """
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    def to_dict(self) -> dict[str, object]:
        """Return the difference as a JSON object. Keys and their order are stable."""
        return {
            **self.key._asdict(),
            "change": self.kind,
            "phase": {
                "before": self.before and self.before.phase,
                "after": self.after and self.after.phase,
            },
            "appeared": [finding.to_dict() for finding in self.appeared],
            "gone": [finding.to_dict() for finding in self.gone],
            "segments": [change.to_dict() for change in self.segments],
        }


@dataclass(slots=True)
class Comparison:
    """Compares two logs. Add all reports of the first log before those of the second."""

    tolerance: float = 0.0
    """The maximum difference, in seconds, at which two times count as equal."""
    same: int = 0
    """The number of equal conversations. It is complete once `differences` is exhausted."""

    _keyed_by: str | None = None
    """The identification of conversations in the first log: `bot` or `conversation`."""
    _first: dict[ConversationName, ReportDigest] = field(default_factory=dict)
    _second: dict[ConversationName, ReportDigest] = field(default_factory=dict)
    _equal: set[ConversationName] = field(default_factory=set)

    def before(self, report: Mapping[str, Any]) -> None:
        """Add a report of the first log, as its JSON object."""
        self._keyed_by = report["keyed_by"]
        _add(self._first, report)

    def after(self, report: Mapping[str, Any]) -> None:
        """Add a report of the second log, as its JSON object."""
        identity = conversation_name(report)
        self._check(report)
        if identity in self._equal:  # it was equal until this late event
            self._equal.discard(identity)
            self._first[identity] = self._second[identity] = ReportDigest(report["phase"], (), ())
        _add(self._second, report)
        if identity in self._second and (report["replaces"] or not report["late"]):
            old, new = self._first.get(identity), self._second[identity]
            if old is not None and not self._compare(identity, old, new):
                del self._first[identity], self._second[identity]
                self._equal.add(identity)

    def _check(self, report: Mapping[str, Any]) -> None:
        if self._keyed_by not in (None, report["keyed_by"]):
            msg = (
                "one log identifies conversations by bot and id, the other by their ids alone: "
                "read both in the same way, by --key bot or --key conversation"
            )
            raise ConfigurationError(msg)

    def differences(self) -> Iterator[Difference]:
        """Yield the conversations that differ.

        Removed conversations come first, in the order of the first log. Added and changed ones
        follow, in the order of the second log.
        """
        for identity, old in self._first.items():
            if identity not in self._second:
                yield Difference(identity, old, None, gone=old.findings)
        for identity, new in self._second.items():
            found = self._compare(identity, self._first.get(identity), new)
            if found is None:
                self.same += 1
            else:
                yield found
        self.same += len(self._equal)

    def _compare(
        self, identity: ConversationName, old: ReportDigest | None, new: ReportDigest
    ) -> Difference | None:
        if old is None:
            return Difference(identity, None, new, appeared=new.findings)
        appeared = _beyond(new.findings, old.findings)
        gone = _beyond(old.findings, new.findings)
        segments = tuple(_changes(old.segments, new.segments, self.tolerance))
        if appeared or gone or segments or old.phase != new.phase:
            return Difference(identity, old, new, appeared, gone, segments)
        return None


def _add(digests: dict[ConversationName, ReportDigest], report: Mapping[str, Any]) -> None:
    identity = conversation_name(report)
    if identity.conversation_id is None:
        return
    new = _digest_of(report)
    if report["late"] and not report["replaces"] and identity in digests:
        old = digests[identity]
        last = max((each.mistake or 0 for each in old.findings), default=0)
        late = [
            each if each.mistake is None else each._replace(mistake=each.mistake + last)
            for each in new.findings
        ]
        new = old._replace(findings=(*old.findings, *late))
    digests[identity] = new


def conversation_name(report: Mapping[str, Any]) -> ConversationName:
    """Return the ids by which the conversation of a report, a JSON object, is matched."""
    bot_id = report["bot_id"] if report["keyed_by"] == "bot" else None
    return ConversationName(report["conversation_id"], bot_id)


def _beyond(these: Sequence[FindingKey], those: Sequence[FindingKey]) -> tuple[FindingKey, ...]:
    """Return the findings in `these` that have no counterpart in `those`.

    Each finding is paired with a finding of the same rule, preferably an equal one. Those without a
    partner are returned.
    """
    left = Counter(finding.code for finding in those)
    beyond = set()
    known = {_without_mistake(finding) for finding in those}
    for finding in sorted(these, key=lambda each: _without_mistake(each) not in known):
        left[finding.code] -= 1
        if left[finding.code] < 0:
            beyond.add(finding)
    return tuple(finding for finding in these if finding in beyond)


def _without_mistake(finding: FindingKey) -> FindingKey:
    return finding._replace(mistake=None)


def _changes(
    olds: Sequence[SegmentKey], news: Sequence[SegmentKey], tolerance: float
) -> Iterator[SegmentChange]:
    """Yield a `SegmentChange` for each segment that has no equal segment in the other log.

    Unequal segments of the same agent are paired in order. `tolerance` is in seconds.
    """
    by_agent: dict[str, tuple[list[SegmentKey], list[SegmentKey]]] = {}
    for side, segments in enumerate((olds, news)):
        for segment in segments:
            by_agent.setdefault(segment.agent, ([], []))[side].append(segment)
    for before, after in by_agent.values():
        for old, new in zip_longest(*_unpaired(before, after, tolerance)):
            yield SegmentChange(old, new)


def _unpaired(
    before: Sequence[SegmentKey], after: Sequence[SegmentKey], tolerance: float
) -> tuple[list[SegmentKey], list[SegmentKey]]:
    """Return the segments of each log that have no equal segment in the other log.

    Times are equal if they differ by at most `tolerance` seconds, or if one of them is unknown.
    A segment without a start time is compared with all segments of the other log, which is slow.
    """
    left, starts = [], [-inf if each.start is None else each.start for each in after]
    rest = sorted(range(len(after)), key=starts.__getitem__)
    for old in before:
        near = range(len(rest))
        if old.start is not None:
            ends = old.start - tolerance - _ROUNDING, old.start + tolerance + _ROUNDING
            near = range(*(bisect(rest, at, key=starts.__getitem__) for at in ends))
        unknown = range(bisect(rest, -inf, key=starts.__getitem__))
        found = (at for at in chain(near, unknown) if _is_alike(old, after[rest[at]], tolerance))
        match = next(found, None)
        if match is None:
            left.append(old)
        else:
            del rest[match]
    return left, [after[at] for at in sorted(rest)]


def _is_alike(old: SegmentKey, new: SegmentKey, tolerance: float) -> bool:
    return old[:4] == new[:4] and all(
        one is None or other is None or abs(one - other) <= tolerance
        for one, other in ((old.start, new.start), (old.end, new.end))
    )


def _digest_of(report: Mapping[str, Any]) -> ReportDigest:
    """Reduce a report, given as a JSON object, to the data that is compared.

    Raises `ConfigurationError` if the object is not a report.
    """
    try:
        findings = tuple(map(_finding_key, report["findings"]))
        segments = tuple(map(_key, report["segments"]))
        return ReportDigest(str(report["phase"]), findings, segments)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        name = report["conversation_id"]
        msg = f"the report of {name} is not in the format that segue check writes"
        raise ConfigurationError(msg) from error


def _finding_key(finding: Mapping[str, Any]) -> FindingKey:
    event, mistake = _number(finding, "event"), _number(finding, "mistake")
    return FindingKey(str(finding["code"]), event, str(finding["severity"]), mistake)


def _number(finding: Mapping[str, Any], name: str) -> int | None:
    return None if finding[name] is None else int(finding[name])


def _key(segment: Mapping[str, Any]) -> SegmentKey:
    connections = segment["connections"]
    return SegmentKey(
        **{name: str(segment[name] or "unknown") for name in ("agent", "role", "kind", "outcome")},
        start=_seconds(connections[0]["started_at"]),
        end=_seconds(connections[-1]["ended_at"]),
    )


def _iso(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _seconds(text: str | None) -> float | None:
    return None if text is None else datetime.fromisoformat(text).astimezone(UTC).timestamp()
