"""The tally: what all reports of a run come to, counted as they go by."""

from collections import Counter
from dataclasses import dataclass, field

from segue.conversation import Report
from segue.findings import Rule, Severity

__all__ = ["Tally"]

_RANKS = tuple(Severity)


@dataclass(slots=True)
class Tally:
    """Counts over the reports of a run; a late report belongs to a conversation counted already."""

    conversations: int = 0
    valid: int = 0
    clean: int = 0
    late: int = 0
    """Conversations that something came to after their end."""
    unfiled: int = 0
    """Lines that belong to no conversation."""
    events: int = 0
    known: int = 0
    """Findings that a baseline knew."""
    findings: Counter[tuple[Rule, Severity]] = field(default_factory=Counter)

    def add(self, report: Report) -> None:
        """Count one report."""
        if report.conversation_id is None:
            self.unfiled += 1
        elif report.late:
            self.late += 1
        else:
            self.conversations += 1
            self.valid += report.valid
            self.clean += report.clean
            self.events += report.events
        for finding in report.findings:
            self.findings[finding.rule, finding.severity] += 1

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(number for (_, rank), number in self.findings.items() if rank is severity)

    def has(self, severity: Severity) -> bool:
        """Whether a finding is of this severity or a graver one."""
        graver = _RANKS[: _RANKS.index(severity) + 1]
        return any(rank in graver for _, rank in self.findings)

    def rows(self) -> list[tuple[Rule, Severity, int]]:
        """Findings by rule: the gravest first, then the most frequent, then by code."""
        rows = [(rule, rank, number) for (rule, rank), number in self.findings.items()]
        return sorted(rows, key=lambda row: (_RANKS.index(row[1]), -row[2], row[0].code))

    def to_dict(self) -> dict[str, object]:
        """Return the tally as JSON."""
        return {
            "conversations": self.conversations,
            "valid": self.valid,
            "clean": self.clean,
            "late": self.late,
            "unfiled": self.unfiled,
            "events": self.events,
            "known": self.known,
            "findings": [
                {"code": rule.code, "name": rule.name, "severity": rank.value, "count": number}
                for rule, rank, number in self.rows()
            ],
        }
