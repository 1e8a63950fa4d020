"""Timestamps in the platform's format."""

from datetime import UTC, datetime


def timestamp(moment: datetime) -> str:
    """Return an aware datetime as `yyyy-mm-ddThh:mm:ss.mmmZ`."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
