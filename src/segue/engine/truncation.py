"""What findings say of text that was sent: ids, in a length that a line can bear."""

from typing import Final

__all__ = ["short"]

_LONGEST: Final = 120


def short(text: str) -> str:
    """Return an id as a finding repeats it; a longer one is cut."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
