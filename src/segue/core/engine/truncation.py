"""Ids as findings repeat them: cut to a length that fits a line, in quotes where blanks matter."""

from collections.abc import Sequence
from typing import Final

from segue.core.events import quoted

_LONGEST: Final = 120
_LISTED: Final = 20


def short(text: str) -> str:
    """Return an id as people read it, cut when it is longer than 120 characters."""
    return quoted(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def listed(ids: Sequence[str]) -> str:
    """Return several ids in one line, or "nobody"; of many the first 20 and how many more."""
    more = [f"{len(ids) - _LISTED} more"] if len(ids) > _LISTED else []
    return ", ".join([*map(short, ids[:_LISTED]), *more]) or "nobody"
