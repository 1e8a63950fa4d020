"""The gist of a report: what two reports of one conversation are compared by.

A gist is made from the documented JSON object of a report, so that a report somebody kept and a log
read anew are compared alike.  House rule: it is small, for one is held for each conversation of a
log; events, names and texts are not in it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

__all__ = ["Finding", "Gist", "Stay", "gist"]


class Finding(NamedTuple):
    """One finding, as far as it is compared."""

    code: str
    event: int | None

    def to_dict(self) -> dict[str, object]:
        """Return it as a JSON object."""
        return self._asdict()


class Stay(NamedTuple):
    """One segment, as far as it is compared."""

    agent: str
    role: str
    kind: str
    outcome: str
    start: float | None
    """Seconds since 1970; None: nobody knows."""
    end: float | None

    def to_dict(self) -> dict[str, object]:
        """Return it as a JSON object, times in UTC."""
        return {**self._asdict(), "start": _iso(self.start), "end": _iso(self.end)}


class Gist(NamedTuple):
    """One conversation, as far as it is compared."""

    phase: str
    findings: tuple[Finding, ...]
    stays: tuple[Stay, ...]

    def with_late(self, findings: tuple[Finding, ...]) -> "Gist":
        """Return the gist with what was found after the end of the conversation."""
        return self._replace(findings=self.findings + findings)


def gist(report: Mapping[str, Any]) -> Gist:
    """Return the gist of a report. Raises `LookupError`, `TypeError` or `ValueError` for none."""
    findings = tuple(Finding(str(each["code"]), each["event"]) for each in report["findings"])
    return Gist(str(report["phase"]), findings, tuple(map(_stay, report["segments"])))


def _stay(segment: Mapping[str, Any]) -> Stay:
    connections = segment["connections"]
    return Stay(
        segment["agent"],
        segment["role"],
        segment["kind"],
        segment["outcome"],
        _seconds(connections[0]["started_at"]),
        _seconds(connections[-1]["ended_at"]),
    )


def _iso(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _seconds(text: str | None) -> float | None:
    return None if text is None else datetime.fromisoformat(text).timestamp()
