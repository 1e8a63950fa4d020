"""Counts over all reports of a run.

Reports are counted and not kept. A late report, which is about events after the end of a
conversation, can make an already counted conversation invalid.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from segue.core.findings import Rule, Severity
from segue.core.findings.mistake_count import MistakeCount
from segue.report.grouping import counts_by_severity
from segue.report.plurals import pluralize

if TYPE_CHECKING:
    from segue.analysis.causes import RootCauses
    from segue.core.conversation import Report

_RANKS: Final = tuple(Severity)
_COUNTS: Final = (
    *("conversations", "valid", "clean", "late", "events", "lines", "lines_without_conversation"),
    *("healed", "known", "mistakes"),
)


@dataclass(slots=True)
class RunSummary:
    """Counts over the reports of a run, which checks one or more logs."""

    conversations: int = 0
    late: int = 0
    """The number of reports about events after the end of a conversation."""
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
    causes: "RootCauses | None" = None
    """The common causes of the findings. The caller sets it if they were requested."""
    findings: Counter[tuple[Rule, Severity]] = field(default_factory=Counter)
    following: Counter[tuple[Rule, Severity]] = field(default_factory=Counter)
    """The numbers of findings that follow from a mistake, by rule and severity."""

    _invalid: set[int] = field(default_factory=set, repr=False)
    _unclean: set[int] = field(default_factory=set, repr=False)
    """Hashes of the keys of conversations with findings.

    `_invalid` has those of conversations with errors. Both are sets, so that a late report does not
    count its conversation again.
    """
    _mistakes: MistakeCount = field(default_factory=MistakeCount, repr=False)

    @property
    def valid(self) -> int:
        """The number of conversations without errors so far."""
        return self.conversations - len(self._invalid)

    @property
    def clean(self) -> int:
        """The number of conversations without findings so far."""
        return self.conversations - len(self._unclean)

    @property
    def mistakes(self) -> int:
        """The number of errors that do not follow from another error."""
        return len(self._mistakes)

    @property
    def has_reports(self) -> bool:
        """Whether any report was counted."""
        return bool(self.conversations or self.late or self.lines_without_conversation)

    def add(self, report: "Report") -> None:
        """Count one report and its findings."""
        for finding in report.findings:
            self.findings[finding.rule, finding.severity] += 1
            self.following[finding.rule, finding.severity] += finding.follows is not None
        self._mistakes.add(report.key, report.mistakes)
        if report.conversation_id is None:
            self.lines_without_conversation += 1
            return
        self.events += report.events - report.events_before
        if report.late:
            self.late += 1
        else:
            self.conversations += 1
        identity = {hash(report.key)}
        self._unclean |= set() if report.clean else identity
        self._invalid |= set() if report.valid else identity

    def count(self, severity: Severity) -> int:
        """Return the number of findings with this severity."""
        return sum(number for (_, rank), number in self.findings.items() if rank is severity)

    def counts(self) -> dict[Severity, str]:
        """Return the numbers of findings as text by severity.

        The texts are of the form `1 mistake (2 errors)` or `1 note`. Severities without findings
        are left out.
        """
        return counts_by_severity(self.mistakes, {rank: self.count(rank) for rank in Severity})

    def has(self, severity: Severity) -> bool:
        """Return whether any finding has this severity or a more severe one."""
        return any(_RANKS.index(rank) <= _RANKS.index(severity) for _, rank in self.findings)

    def rows(self) -> list[tuple[Rule, Severity, int, int]]:
        """Return a list of `(rule, severity, findings, following)` tuples.

        The last two items are the number of findings, and the number of those that follow from a
        mistake. The most severe rules come first. Rules of equal severity are sorted by code.
        """
        rows = [(*key, number, self.following[key]) for key, number in self.findings.items()]
        return sorted(rows, key=lambda row: (_RANKS.index(row[1]), row[0].code))

    def causes_in_words(self) -> list[str]:
        """Return the common causes of the findings as sentences.

        Return an empty list if causes were not requested.
        """
        return [] if self.causes is None else self.causes.sentences()

    def totals(self) -> list[str]:
        """Return totals as texts, such as `["9 conversations", "8 valid", "7 clean", "95 events"]`.

        The texts of `remarks` follow.
        """
        parts = [pluralize(self.conversations, "conversation")]
        if self.conversations and self.conversations == self.clean:
            parts.append("clean" if self.clean == 1 else "all clean")
        elif self.conversations:
            parts += [f"{self.valid} valid", f"{self.clean} clean"]
        lines = f" in {pluralize(self.lines, 'line')}" if self.lines else ""
        return [*parts, f"{pluralize(self.events, 'event')}{lines}", *self.remarks()]

    def remarks(self) -> list[str]:
        """Return remarks about unusual lines and deliveries, such as `["2 put in order"]`."""
        parts = ["not read to the end"] if self.is_incomplete else []
        if self.healed:
            parts.append(f"{self.healed} put in order")
        if self.late:
            parts.append(f"{self.late} with events after the end")
        if self.lines_without_conversation:
            without = pluralize(self.lines_without_conversation, "line")
            parts.append(f"{without} without a conversation")
        return parts

    def to_dict(self) -> dict[str, object]:
        """Return the counts as a dict for JSON, which is the `summary` of the format `json`."""
        findings = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rank.value,
                "count": number,
                "follow": follow,
            }
            for rule, rank, number, follow in self.rows()
        ]
        document = {name: getattr(self, name) for name in _COUNTS} | {"findings": findings}
        if self.is_incomplete:
            document["incomplete"] = True
        return document if self.causes is None else document | self.causes.to_dict()
