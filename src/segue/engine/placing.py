"""Findings from flaws: what is wrong with the form of a body, at its place in a conversation."""

from collections.abc import Iterable

from segue.events import Flaw
from segue.findings import Finding, Place

__all__ = ["by_code", "findings_of"]


def findings_of(flaws: Iterable[Flaw], place: Place) -> list[Finding]:
    """Return the findings of flaws, each pointing at its field."""
    return [flaw.finding(place) for flaw in flaws]


def by_code(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings of one place in the order of their codes."""
    return sorted(findings, key=lambda finding: finding.code)
