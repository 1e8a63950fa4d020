"""Ids in the form in which findings show them: cut to fit a line, and in quotes if necessary."""

from collections.abc import Sequence
from typing import Final

from segue.core.events import quoted

_LONGEST: Final = 120
_LISTED: Final = 20


def short(text: str) -> str:
    """Return an id cut to 120 characters, in quotes if it begins or ends with a blank."""
    return quoted(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def listed(ids: Sequence[str]) -> str:
    """Return ids as a text for a message, such as `a-1, a-2`, or `nobody` if there are no ids.

    After 20 ids the text gives the number of the others.
    """
    more = [f"{len(ids) - _LISTED} more"] if len(ids) > _LISTED else []
    return ", ".join([*map(short, ids[:_LISTED]), *more]) or "nobody"
