"""Counts over all reports of a run.

Reports are counted and not kept. A late report, which covers events after the end of a
conversation, can make an already counted conversation invalid. If it replaces the earlier report,
the findings of the earlier one no longer count.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from segue.core.findings import Rule, Severity
from segue.report.grouping import counts_by_severity
from segue.report.plurals import pluralize

if TYPE_CHECKING:
    from segue.analysis.causes import RootCauses
    from segue.core.conversation import Report
    from segue.logs.leavings import Leavings
    from segue.logs.remark import LogRemark

_RANKS: Final = tuple(Severity)
_COUNTS: Final = (
    *("conversations", "valid", "clean", "late", "late_alone", "late_beyond", "forgotten"),
    *("events", "lines", "lines_without_conversation", "healed", "known", "mistakes", "untraced"),
    "possibly_of_log",
)
_ORDER: Final = ("SG1", "SG2", "SG3", "SG4", "SG6")
"""The families of rules that depend on the order of lines, or on how often they come."""


def _is_of_order(rule: Rule) -> bool:
    return rule.code.startswith(_ORDER)


class _Counted(NamedTuple):
    """The numbers that a conversation adds to the totals."""

    findings: tuple[tuple[Rule, Severity], ...]
    mistakes: int = 0
    untraced: int = 0
    is_explained: bool = False
    """Whether there are errors and an explanation."""
    is_unexplained: bool = False
    """Whether there are errors and no explanation."""
    doubtful: int = 0
    """The number of findings that are possibly due to the log."""

    @classmethod
    def of(cls, report: "Report") -> "_Counted":
        """Return the numbers of a report."""
        if not report.findings:
            return _NOTHING
        findings = tuple((each.rule, each.severity) for each in report.findings)
        if report.late and not report.replaces and report.is_explained:
            errors = sum(severity is Severity.ERROR for _, severity in findings)
            return cls(findings, untraced=errors)
        if report.explanation is None:
            return cls(findings, is_unexplained=not report.valid)
        return cls(findings, len(report.mistakes), len(report.untraced), not report.valid)

    def joined(self, other: "_Counted") -> "_Counted":
        """Return the numbers of two reports of one conversation, which cover different events."""
        return _Counted(
            self.findings + other.findings,
            self.mistakes + other.mistakes,
            self.untraced + other.untraced,
            self.is_explained or other.is_explained,
            self.is_unexplained or other.is_unexplained,
            self.doubtful + other.doubtful,
        )


_NOTHING: Final = _Counted(())


@dataclass(slots=True)
class RunSummary:
    """Totals over all reports of a run, such as the numbers of conversations and findings.

    A run is one call of the command, which checks one or more logs.
    """

    conversations: int = 0
    late: int = 0
    """The number of conversations with events after their end."""
    late_alone: int = 0
    """The number of them whose late events were checked without the conversation, because it had
    left the window.
    """
    late_beyond: int = 0
    """The number of them that had not left the window, but were too many. The caller sets it."""
    forgotten: int = 0
    """The number of ended conversations that were forgotten. The caller sets it."""
    lines_without_conversation: int = 0
    events: int = 0
    lines: int = 0
    """The number of lines of all logs. The caller sets it."""
    healed: int = 0
    """The number of deliveries that arrived out of order and were applied in order.

    Deliveries that caused an error are not counted. The caller sets this number.
    """
    known: int = 0
    """The number of findings that are in the baseline, the list of accepted findings."""
    is_incomplete: bool = False
    """Whether reading stopped before the end of the logs. The caller sets it."""
    log: Sequence["LogRemark"] = ()
    """Remarks on the logs themselves, such as that they are newest first. The caller sets them."""
    leavings: "Leavings | None" = None
    """The lines that were left out, with the reason. The caller sets them."""
    causes: "RootCauses | None" = None
    """The common causes of the findings. The caller sets it if they were requested."""
    findings: Counter[tuple[Rule, Severity]] = field(default_factory=Counter)
    untraced: int = 0
    """The number of errors whose mistakes were not found."""
    explained: int = 0
    """The number of reports that have errors and an explanation."""
    unexplained: int = 0
    """The number of reports that have errors and no explanation."""

    _invalid: set[int] = field(default_factory=set, repr=False)
    """Hashes of the keys of conversations with errors."""
    _unclean: dict[int, "_Counted"] = field(default_factory=dict, repr=False)
    """The counts of conversations with findings, by the hashes of their keys.

    A late report changes them, so that it does not count its conversation again.
    """
    _mistakes: int = field(default=0, repr=False)
    _doubtful: int = field(default=0, repr=False)
    _late: set[int] = field(default_factory=set, repr=False)
    """Hashes of the keys of conversations with events after their end."""

    @property
    def possibly_of_log(self) -> int:
        """The number of findings about order that may be due to the log, not to a sender."""
        if not any(each.blurs_order for each in self.log):
            return self._doubtful
        return sum(number for (rule, _), number in self.findings.items() if _is_of_order(rule))

    @property
    def mistakes(self) -> int | None:
        """The number of mistakes, or None if some errors have no explanation."""
        return None if self.unexplained else self._mistakes

    @property
    def valid(self) -> int:
        """The number of conversations without errors so far."""
        return self.conversations - len(self._invalid)

    @property
    def clean(self) -> int:
        """The number of conversations without findings so far."""
        return self.conversations - len(self._unclean)

    @property
    def has_reports(self) -> bool:
        """Whether `add` was called at least once."""
        return bool(self.conversations or self.late or self.lines_without_conversation)

    def add(self, report: "Report", *, is_doubtful: bool = False) -> None:
        """Add one report and its findings to the totals.

        If `is_doubtful`, its findings about order are possibly due to the log.
        """
        counted = _Counted.of(report)
        if is_doubtful:
            doubtful = sum(_is_of_order(rule) for rule, _ in counted.findings)
            counted = counted._replace(doubtful=doubtful)
        if report.conversation_id is None:
            self._count(counted)
            self.lines_without_conversation += 1
            return
        identity = hash(report.key)
        known = self._unclean.pop(identity, None)
        if report.replaces and known is not None:
            self._count(known, -1)
            self._invalid.discard(identity)
        elif known is not None:
            counted = known.joined(counted)
            self._count(known, -1)
        self._count(counted)
        self.events += report.events - report.events_before
        self.conversations += report.events_before == 0
        if report.late:
            self._late.add(identity)
            self.late = len(self._late)
            self.late_alone += not report.replaces
        if counted.findings:
            self._unclean[identity] = counted
        if not report.valid:
            self._invalid.add(identity)

    def _count(self, counted: "_Counted", sign: int = 1) -> None:
        for kind in counted.findings:
            self.findings[kind] += sign
        self.untraced += sign * counted.untraced
        self.explained += sign * counted.is_explained
        self.unexplained += sign * counted.is_unexplained
        self._mistakes += sign * counted.mistakes
        self._doubtful += sign * counted.doubtful

    def count(self, severity: Severity) -> int:
        """Return the number of findings with this severity."""
        return sum(number for (_, rank), number in self.findings.items() if rank is severity)

    def counts(self, *, has_mistakes: bool = True) -> dict[Severity, str]:
        """Return the number of findings of each severity, as text.

        The result maps severities to texts such as `1 mistake (2 errors)` or `1 note`. Severities
        without findings are left out. Mistakes are left out without `has_mistakes`, and if some
        errors have no explanation.
        """
        counts = {rank: self.count(rank) for rank in Severity}
        if self.mistakes is None or not has_mistakes:
            return counts_by_severity(counts)
        return counts_by_severity(counts, self.mistakes, self.untraced)

    def has(self, severity: Severity) -> bool:
        """Return whether any finding is at least as severe as `severity`."""
        return any(_RANKS.index(rank) <= _RANKS.index(severity) for _, rank in self.findings)

    def rows(self) -> list[tuple[Rule, Severity, int]]:
        """Return a `(rule, severity, count)` tuple for each rule that has findings.

        The most severe rules come first. Rules of equal severity are sorted by code.
        """
        rows = [(*key, number) for key, number in self.findings.items()]
        return sorted(rows, key=lambda row: (_RANKS.index(row[1]), row[0].code))

    def causes_in_words(self) -> list[str]:
        """Return sentences that say what findings have in common, such as a file or a time.

        Return an empty list if the caller has not set `causes`.
        """
        return [] if self.causes is None else self.causes.sentences()

    def totals(self) -> list[str]:
        """Return the totals as a list of texts.

        An example is `["9 conversations", "8 valid", "7 clean", "95 events"]`. The texts of
        `remarks` are at the end of the list.
        """
        parts = [pluralize(self.conversations, "conversation")]
        if self.conversations and self.conversations == self.clean:
            parts.append("clean" if self.clean == 1 else "all clean")
        elif self.conversations:
            parts += [f"{self.valid} valid", f"{self.clean} clean"]
        lines = f" in {pluralize(self.lines, 'line')}" if self.lines else ""
        return [*parts, f"{pluralize(self.events, 'event')}{lines}", *self.remarks()]

    def remarks(self) -> list[str]:
        """Return remarks on unusual input as a list of texts.

        An example is `["2 put in order", "1 line without a conversation"]`.
        """
        parts = ["not read to the end"] if self.is_incomplete else []
        if self.healed:
            parts.append(f"{self.healed} put in order")
        if self.late:
            parts.append(f"{self.late} with events after the end{self._not_whole()}")
        if self.forgotten:
            parts.append(f"{pluralize(self.forgotten, 'ended conversation')} forgotten")
        if self.lines_without_conversation:
            without = pluralize(self.lines_without_conversation, "line")
            parts.append(f"{without} without a conversation")
        if self.leavings is not None and self.leavings.count:
            parts.append(self.leavings.in_words)
        if self.possibly_of_log:
            parts.append(f"{pluralize(self.possibly_of_log, 'finding')} possibly due to the log")
        return parts

    def _not_whole(self) -> str:
        """Return the number of conversations whose late events are not explained with them."""
        if not self.late_alone:
            return ""
        beyond = f", {self.late_beyond} as too many" if self.late_beyond else ""
        return f" ({self.late_alone} checked without the conversation{beyond})"

    def to_dict(self) -> dict[str, object]:
        """Return the totals as JSON values, as in the member `summary` of the format `json`."""
        findings = [
            {"code": rule.code, "name": rule.name, "severity": rank.value, "count": number}
            for rule, rank, number in self.rows()
        ]
        document = {name: getattr(self, name) for name in _COUNTS} | {"findings": findings}
        left_out = () if self.leavings is None else self.leavings.left_out
        document["left_out"] = [each._asdict() for each in left_out]
        if self.is_incomplete:
            document["incomplete"] = True
        return document if self.causes is None else document | self.causes.to_dict()
