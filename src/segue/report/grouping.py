"""Group findings by the mistakes from which they follow, and format such groups as text."""

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

    Return a list of groups, ordered by their first finding. A group begins with the mistake itself,
    or with the first error that follows from it if a policy left out the mistake.
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
    """Return the findings in a new order: each mistake directly before the errors it explains."""
    return [finding for group in grouped(findings) for finding in group]


def follows_from(finding: Finding) -> str:
    """Return text such as `follows from SG103 at event 4`.

    Return an empty string if the finding does not follow from another one.
    """
    return f"follows from {finding.follows}" if finding.follows else ""


def counts_by_severity(mistakes: int, counts: Mapping[Severity, int]) -> dict[Severity, str]:
    """Return the numbers of findings as text by severity.

    The texts are of the form `1 mistake (2 errors)` or `1 note`. Severities without findings are
    left out.
    """
    texts = {rank: pluralize(counts[rank], rank.value) for rank in Severity if counts.get(rank)}
    if Severity.ERROR in texts:
        texts[Severity.ERROR] = f"{pluralize(mistakes, 'mistake')} ({texts[Severity.ERROR]})"
    return texts
