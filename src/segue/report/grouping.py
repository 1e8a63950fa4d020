"""Group findings by the mistakes they follow from, and format such groups as text."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Protocol, TypeVar

from segue.core.findings import Finding, Severity
from segue.report.plurals import pluralize


class _Following(Protocol):
    @property
    def follows(self) -> Hashable: ...
    @property
    def root(self) -> Hashable: ...


F = TypeVar("F", bound=_Following)


def grouped(findings: Iterable[F]) -> list[list[F]]:
    """Group each mistake, warning or note with the errors that follow from it.

    Groups are ordered by their first finding. If a policy left out the mistake itself, the first
    error that follows from it heads the group.
    """
    groups: list[list[F]] = []
    of_root: dict[Hashable, list[F]] = {}
    for finding in findings:
        group = of_root.get(finding.root) if finding.follows is not None else None
        if group is None:
            group = []
            groups.append(group)
            of_root.setdefault(finding.root, group)
        group.append(finding)
    return groups


def in_groups(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with each mistake directly before the errors that follow from it."""
    return [finding for group in grouped(findings) for finding in group]


def follows_from(finding: Finding) -> str:
    """Return text such as `follows from SG103 at event 4`, or an empty string for a mistake."""
    return f"follows from {finding.follows}" if finding.follows else ""


def counts_by_severity(mistakes: int, counts: Mapping[Severity, int]) -> dict[Severity, str]:
    """Return texts such as `1 mistake (2 errors)` or `1 note`, without severities that count 0."""
    texts = {rank: pluralize(counts[rank], rank.value) for rank in Severity if counts.get(rank)}
    if Severity.ERROR in texts:
        texts[Severity.ERROR] = f"{pluralize(mistakes, 'mistake')} ({texts[Severity.ERROR]})"
    return texts
