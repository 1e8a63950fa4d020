"""Differences: conversations that came, went or changed from one log to another.

It decides what a change is.  Findings are compared by rule and number, for one event more moves all
that follow; segments by agent and time, and by order where there are no times.  House rules: of the
first log a gist is kept for each conversation, of the second only what differs; what came after the
end of a conversation belongs to it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from segue.compare.digests import Finding, Gist, Stay, gist

__all__ = ["Comparison", "Difference", "Shift"]


@dataclass(frozen=True, slots=True)
class Shift:
    """A segment that is not the same on both sides; None: it is not there."""

    before: Stay | None
    after: Stay | None

    def to_dict(self) -> dict[str, object]:
        """Return it as a JSON object."""
        return {
            "before": None if self.before is None else self.before.to_dict(),
            "after": None if self.after is None else self.after.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs in one conversation."""

    conversation_id: str
    before: Gist | None
    """None: it is only in the second log."""
    after: Gist | None
    """None: it is only in the first."""
    appeared: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    segments: tuple[Shift, ...] = ()

    @property
    def kind(self) -> str:
        """`added`, `removed` or `changed`."""
        return "added" if self.before is None else "removed" if self.after is None else "changed"

    def to_dict(self) -> dict[str, object]:
        """Return it as a JSON object; keys and their order are stable."""
        return {
            "conversation_id": self.conversation_id,
            "change": self.kind,
            "phase": {
                "before": None if self.before is None else self.before.phase,
                "after": None if self.after is None else self.after.phase,
            },
            "appeared": [finding.to_dict() for finding in self.appeared],
            "gone": [finding.to_dict() for finding in self.gone],
            "segments": [shift.to_dict() for shift in self.segments],
        }


@dataclass(slots=True)
class Comparison:
    """Takes the reports of one log, then those of the other, and says what differs."""

    tolerance: float = 0.0
    """Seconds that times may differ by."""
    same: int = 0
    """Conversations that do not differ."""

    _first: dict[str, Gist] = field(default_factory=dict)
    _second: dict[str, Gist] = field(default_factory=dict)
    _paired: set[str] = field(default_factory=set)

    def before(self, report: Mapping[str, Any]) -> None:
        """Take a report of the first log, as its JSON object."""
        _add(self._first, report)

    def after(self, report: Mapping[str, Any]) -> None:
        """Take a report of the second log."""
        identity = report["conversation_id"]
        if identity in self._paired:  # nothing differed, and now something came late
            self._paired.discard(identity)
            self._first[identity] = self._second[identity] = Gist(report["phase"], (), ())
        _add(self._second, report)
        if identity in self._second and not report["late"]:
            old, new = self._first.get(identity), self._second[identity]
            if old is not None and not self._compare(identity, old, new):
                del self._first[identity], self._second[identity]
                self._paired.add(identity)

    def differences(self) -> Iterator[Difference]:
        """Yield what differs: what is gone in the order of the first log, then the second's."""
        for identity, old in self._first.items():
            if identity not in self._second:
                yield Difference(identity, old, None, gone=old.findings)
        for identity, new in self._second.items():
            found = self._compare(identity, self._first.get(identity), new)
            if found is None:
                self.same += 1
            else:
                yield found
        self.same += len(self._paired)

    def _compare(self, identity: str, old: Gist | None, new: Gist) -> Difference | None:
        if old is None:
            return Difference(identity, None, new, appeared=new.findings)
        appeared = _beyond(new.findings, old.findings)
        gone = _beyond(old.findings, new.findings)
        segments = tuple(_shifts(old.stays, new.stays, self.tolerance))
        if appeared or gone or segments or old.phase != new.phase:
            return Difference(identity, old, new, appeared, gone, segments)
        return None


def _add(gists: dict[str, Gist], report: Mapping[str, Any]) -> None:
    identity = report["conversation_id"]
    if identity is None:
        return
    new = gist(report)
    if report["late"] and identity in gists:
        new = gists[identity].with_late(new.findings)
    gists[identity] = new


def _beyond(these: Sequence[Finding], those: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings of rules that are reported here more often than there."""
    left = Counter(finding.code for finding in those)
    beyond = []
    known = {(finding.code, finding.event) for finding in those}
    # Those at the same event stand for each other first, whatever came before them.
    for finding in sorted(these, key=lambda each: each not in known):
        left[finding.code] -= 1
        if left[finding.code] < 0:
            beyond.append(finding)
    return tuple(finding for finding in these if finding in beyond)


def _shifts(olds: Sequence[Stay], news: Sequence[Stay], tolerance: float) -> Iterator[Shift]:
    """Pair the segments of each agent, and yield those that differ."""
    for agent in dict.fromkeys(stay.agent for stay in (*olds, *news)):
        before = [stay for stay in olds if stay.agent == agent]
        after = [stay for stay in news if stay.agent == agent]
        for old in list(before):
            twin = next((new for new in after if _alike(old, new, tolerance)), None)
            if twin is not None:
                before.remove(old)
                after.remove(twin)
        for index in range(max(len(before), len(after))):
            yield Shift(
                before[index] if index < len(before) else None,
                after[index] if index < len(after) else None,
            )


def _alike(old: Stay, new: Stay, tolerance: float) -> bool:
    return old[:4] == new[:4] and all(
        one is None or other is None or abs(one - other) <= tolerance
        for one, other in ((old.start, new.start), (old.end, new.end))
    )
