"""Room on a terminal: how many columns a text takes, and how to fit it into so many.

House rule: an id is never broken.  What is too long for a line stands on a line of its own and
runs over its end, so that it can still be copied; only a table clips, and says so.
It expects text that is safe to show, and knows no colours.
"""

from collections.abc import Iterable
from unicodedata import category, east_asian_width

__all__ = ["clip", "fill", "pad", "width", "wrap"]


def width(text: str) -> int:
    """Return how many columns the text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(character) in {"Mn", "Me"} else 1 + (east_asian_width(character) in "FW")
        for character in text
    )


def clip(text: str, columns: int, more: str = "…") -> str:
    """Return the text cut to so many columns; `more` stands for what was cut off."""
    if width(text) <= columns:
        return text
    room = columns - width(more)
    kept = ""
    for character in text:
        room -= width(character)
        if room < 0:
            break
        kept += character
    return kept + more


def pad(text: str, columns: int) -> str:
    """Return the text with blanks behind it, so many columns wide at least."""
    return text + " " * (columns - width(text))


def wrap(text: str, columns: int) -> list[str]:
    """Break a text between its words into lines of so many columns; there is at least one."""
    return fill(text.split(" "), columns, " ")


def fill(items: Iterable[str], columns: int, separator: str = ", ") -> list[str]:
    """Put items side by side into lines of so many columns, and break no item."""
    lines = [""]
    separate = ""
    for item in items:
        candidate = f"{lines[-1]}{separate}{item}"
        if separate and width(candidate) > columns:
            lines[-1] += separator.rstrip(" ")
            lines.append(item)
        else:
            lines[-1] = candidate
        separate = separator
    return lines
