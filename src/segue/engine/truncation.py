"""Ids as findings repeat them: cut to a length that fits a line."""

from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 120


def short(text: str) -> str:
    """Return an id, cut when it is longer than 120 characters."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def joined(ids: Iterable[str]) -> str:
    """Return several ids in one line, or "nobody"."""
    return ", ".join(short(each) for each in ids) or "nobody"
