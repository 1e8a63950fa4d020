"""Ids as findings show them: cut to fit a line, and quoted if they begin or end with a blank."""

from collections.abc import Sequence
from typing import Final

from segue.core.events import quoted

_LONGEST: Final = 120
_LISTED: Final = 20


def short(text: str) -> str:
    """Return an id for people to read, cut to 120 characters."""
    return quoted(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def listed(ids: Sequence[str]) -> str:
    """Return up to 20 ids in one line, with the number of others, or "nobody"."""
    more = [f"{len(ids) - _LISTED} more"] if len(ids) > _LISTED else []
    return ", ".join([*map(short, ids[:_LISTED]), *more]) or "nobody"
