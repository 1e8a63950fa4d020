"""Group findings by the mistakes that cause them, and format their numbers as text."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from segue.core.findings import Finding, Severity
from segue.report.plurals import pluralize

if TYPE_CHECKING:
    from segue.core.conversation import Report


def grouped(report: "Report") -> list[list[Finding]]:
    """Group the findings of each mistake.

    Return a list of groups, ordered by their first finding. A finding that belongs to no mistake is
    a group of its own.
    """
    groups: list[list[Finding]] = []
    of_mistake: dict[int, list[Finding]] = {}
    for finding in report.findings:
        mistake = report.mistake_of(finding)
        group = None if mistake is None else of_mistake.get(mistake.number)
        if group is None:
            group = []
            groups.append(group)
            if mistake is not None:
                of_mistake[mistake.number] = group
        group.append(finding)
    return groups


def in_groups(report: "Report") -> list[Finding]:
    """Sort the findings of a report so that those of a mistake are next to each other."""
    return [finding for group in grouped(report) for finding in group]


def counts_of(report: "Report") -> dict[Severity, str]:
    """Format the numbers of findings of a report by severity, as `counts_by_severity` does."""
    counts = Counter(finding.severity for finding in report.findings)
    return counts_by_severity(counts, len(report.mistakes), len(report.untraced))


def counts_by_severity(
    counts: Mapping[Severity, int], mistakes: int = 0, untraced: int = 0
) -> dict[Severity, str]:
    """Format numbers of findings, such as `1 mistake (2 errors)` or `1 note`, by severity.

    Severities without findings are left out.

    Args:
        counts: The number of findings of each severity.
        mistakes: The number of mistakes, or 0 if they are not known.
        untraced: The number of errors whose mistakes were not found.

    """
    texts = {rank: pluralize(counts[rank], rank.value) for rank in Severity if counts.get(rank)}
    known = [pluralize(mistakes, "mistake")] if mistakes else []
    if untraced:
        known.append(f"{pluralize(untraced, 'error')} not traced")
    elif known and Severity.ERROR in texts:
        known = [f"{known[0]} ({texts[Severity.ERROR]})"]
    if not known:
        return texts
    return {Severity.ERROR: ", ".join(known)} | {
        rank: text for rank, text in texts.items() if rank is not Severity.ERROR
    }
