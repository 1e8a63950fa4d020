"""Lines of styled text for a terminal, with wrapping and clipping.

All text is escaped. Styles and cell widths come from rich. Its Text and Table are not used, because
Text keeps escape sequences, Table wraps or crops cells that do not fit, and writing either imports
rich's Console (20 ms). Rich also folds or crops words that are too long for a line. Here such a
word stays whole on its own line, so that an id can still be copied.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, Self

from rich.cells import cell_len, chop_cells

from segue.core.findings import Severity
from segue.report.escape import visible


class Tone(Enum):
    """The purpose of a piece of text, such as an error.

    The value is the style of the text in rich's notation.
    """

    STRONG = "bold"
    FAINT = "dim"
    ERROR = "bold red"
    WARNING = "bold yellow"
    NOTE = "bold cyan"
    CODE = "magenta"
    FRAME = "bright_blue"
    GOOD = "bold green"


TONES: Final = {severity: Tone[severity.name] for severity in Severity}


class TextLine:
    """A line of styled text, built from left to right."""

    __slots__ = ("_pieces",)

    def __init__(self, text: str = "", tone: Tone | None = None) -> None:
        self._pieces: list[tuple[str, Tone | None]] = []
        self.add(text, tone)

    @property
    def width(self) -> int:
        """The width of the line so far, in columns of the terminal."""
        return sum(cell_len(text) for text, _ in self._pieces)

    def add(self, text: str, tone: Tone | None = None) -> Self:
        """Append text with control characters escaped, and return the line.

        `tone` is the style of the text.
        """
        if text:
            self._pieces.append((visible(text), tone))
        return self

    def to(self, column: int) -> Self:
        """Append spaces up to a column, and return the line."""
        return self.add(" " * (column - self.width))

    def render(self, *, color: bool = False) -> str:
        """Return the line as text, without a newline and without spaces at the end.

        The text contains the escape sequences of its styles only if `color` is true.
        """
        return "".join(
            _colored(text, tone) if color and tone else text for text, tone in self._pieces
        ).rstrip(" ")


def rendered(lines: Iterable[TextLine], *, color: bool = False) -> str:
    """Return all lines as one text, in which each line ends with a newline."""
    return "".join(f"{line.render(color=color)}\n" for line in lines)


def _colored(text: str, tone: Tone) -> str:
    """Return the text between the terminal escape sequences of a style."""
    from rich.color import ColorSystem  # imported late, because most output has no colours
    from rich.style import Style

    return Style.parse(tone.value).render(text, color_system=ColorSystem.STANDARD)


def indented(texts: Iterable[str], margin: int, tone: Tone | None = None) -> Iterator[TextLine]:
    """Yield a line for each text that is not empty, with `margin` spaces before the text."""
    for text in texts:
        if text:
            yield TextLine(" " * margin).add(text, tone)


def table(
    rows: Sequence[Sequence[tuple[str, Tone | None]]], margin: int, right: Container[int] = ()
) -> Iterator[TextLine]:
    """Yield rows as lines with aligned columns, two spaces apart.

    A row is a sequence of `(text, tone)` pairs. Columns whose index is in `right` are aligned
    right, the others left.
    """
    columns = zip(*rows, strict=True)
    widths = [max(cell_len(visible(text)) for text, _ in column) for column in columns]
    for row in rows:
        line, end = TextLine(" " * margin), margin
        for index, ((text, tone), width) in enumerate(zip(row, widths, strict=True)):
            line.to(end + (width - cell_len(visible(text)) if index in right else 0))
            line.add(text, tone)
            end += width + 2
        yield line


def clip(text: str, columns: int, more: str = "…") -> str:
    """Return the escaped text, cut to `columns` with `more` at the end if it is too long."""
    text = visible(text)
    if cell_len(text) <= columns:
        return text
    return chop_cells(text, columns - cell_len(more))[0] + more


def wrap(text: str, columns: int) -> list[str]:
    """Break a text between words into lines of at most `columns`. Return at least one line."""
    return fill(text.split(" "), columns, " ")


def fill(items: Iterable[str], columns: int, separator: str = ", ") -> list[str]:
    """Join items into lines of at most `columns`, and return the lines.

    An item is never broken. One that is too long has a line of its own.
    """
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
