"""Conversion of datetimes to the timestamps of the platform."""

from datetime import UTC, datetime


def timestamp(moment: datetime) -> str:
    """Return an aware datetime in UTC as text, such as `2026-03-02T08:00:00.000Z`."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
