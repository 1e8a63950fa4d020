from datetime import UTC, datetime
def read_iso_time(value: object) -> datetime | None:
    """Read ISO 8601, or take a datetime as it is; a time without an offset is UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


