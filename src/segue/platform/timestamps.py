"""Times as the platform writes them."""

from datetime import UTC, datetime


def timestamp(moment: datetime) -> str:
    """Return an aware time as `yyyy-mm-ddThh:mm:ss.mmmZ`."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
