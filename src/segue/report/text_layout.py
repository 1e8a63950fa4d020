"""Text broken into lines and cut to columns.

Cell widths are rich's.  Its wrapping folds or crops a word that is too long; here such a word
stands whole on a line of its own, so that an id can still be copied.
"""

from collections.abc import Iterable

from rich.cells import cell_len, chop_cells

from segue.report.escape import visible

__all__ = ["clip", "fill", "wrap"]


def clip(text: str, columns: int, more: str = "…") -> str:
    """Return the text, safe to show and cut to so many columns; `more` marks what was cut off."""
    text = visible(text)
    if cell_len(text) <= columns:
        return text
    return chop_cells(text, columns - cell_len(more))[0] + more


def wrap(text: str, columns: int) -> list[str]:
    """Break a text between its words into lines of so many columns; there is at least one."""
    return fill(text.split(" "), columns, " ")


def fill(items: Iterable[str], columns: int, separator: str = ", ") -> list[str]:
    """Put items side by side into lines of so many columns, and break no item."""
    lines = [""]
    separate = ""
    for item in map(visible, items):
        candidate = f"{lines[-1]}{separate}{item}"
        if separate and cell_len(candidate) > columns:
            lines[-1] += separator.rstrip(" ")
            lines.append(item)
        else:
            lines[-1] = candidate
        separate = separator
    return lines
