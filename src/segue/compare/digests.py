"""What two reports of one conversation are compared by.

A digest is made from the JSON object of a report, so a stored report and a log read anew compare
alike.  One is held for each conversation of a log: it has no events, names or texts.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

__all__ = ["FindingKey", "ReportDigest", "SegmentKey", "digest_of"]


class FindingKey(NamedTuple):
    """What findings are compared by."""

    code: str
    event: int | None


class SegmentKey(NamedTuple):
    """What segments are compared by."""

    agent: str
    role: str
    kind: str
    outcome: str
    start: float | None
    """Seconds since 1970, or `None` if unknown."""
    end: float | None

    def to_dict(self) -> dict[str, object]:
        """Return it as a JSON object, times in UTC."""
        return {**self._asdict(), "start": _iso(self.start), "end": _iso(self.end)}


class ReportDigest(NamedTuple):
    """What reports are compared by."""

    phase: str
    findings: tuple[FindingKey, ...]
    segments: tuple[SegmentKey, ...]


def digest_of(report: Mapping[str, Any]) -> ReportDigest:
    """Return the digest of a report's JSON object.

    Raises `LookupError`, `TypeError` or `ValueError` if it is not the object of a report.
    """
    findings = tuple(FindingKey(str(each["code"]), each["event"]) for each in report["findings"])
    return ReportDigest(str(report["phase"]), findings, tuple(map(_key, report["segments"])))


def _key(segment: Mapping[str, Any]) -> SegmentKey:
    connections = segment["connections"]
    return SegmentKey(
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
