"""Lines of styled text for a terminal, with wrapping and clipping.

All text is escaped. Styles and cell widths come from rich. Its Text and Table are not used, because
Text keeps escape sequences, Table wraps or crops cells that do not fit, and writing either imports
rich's Console (20 ms). Rich also folds or crops words that are too long for a line. Here such a
word stays whole on its own line, so that an id can still be copied.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, Self, TypeAlias

from rich.cells import cell_len, chop_cells

from segue.core.findings import Severity
from segue.report.escape import command_mark, visible


class Tone(Enum):
    """The style of a piece of text, named for its purpose, such as `ERROR`.

    The values are styles in the notation of rich.
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


_Piece: TypeAlias = tuple[str, Tone | None]


class TextLine:
    """A line of styled text for the terminal, built from left to right."""

    __slots__ = ("_pieces",)

    def __init__(self, text: str = "", tone: Tone | None = None) -> None:
        self._pieces: list[_Piece] = []
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
        """Append spaces until the line is `column` columns wide, and return the line."""
        return self.add(" " * (column - self.width))

    def render(self, *, color: bool = False) -> str:
        """Return the line as text, without a newline and without trailing spaces.

        If `color` is true, the text contains terminal escape sequences for the styles. In a line
        that a CI job would execute as a command, the first colon is escaped.
        """
        mark = command_mark("".join(text for text, _ in self._pieces))
        pieces = self._pieces if mark is None else [*_disarmed(self._pieces, mark)]
        return "".join(
            _colored(text, tone) if color and tone else text for text, tone in pieces
        ).rstrip(" ")


def _disarmed(pieces: Iterable[_Piece], mark: int) -> Iterator[_Piece]:
    """Yield pieces of text with the colon at the index `mark` of the line escaped."""
    for text, tone in pieces:
        if 0 <= mark < len(text):
            yield f"{text[:mark]}\\x3a{text[mark + 1 :]}", tone
        else:
            yield text, tone
        mark -= len(text)


def rendered(lines: Iterable[TextLine], *, color: bool = False) -> str:
    """Join lines to one text, with a newline after each line."""
    return "".join(f"{line.render(color=color)}\n" for line in lines)


def _colored(text: str, tone: Tone) -> str:
    """Wrap the text in the terminal escape sequences of a style."""
    from rich.color import ColorSystem  # imported late, because most output has no colours
    from rich.style import Style

    return Style.parse(tone.value).render(text, color_system=ColorSystem.STANDARD)


def indented(texts: Iterable[str], margin: int, tone: Tone | None = None) -> Iterator[TextLine]:
    """Yield a line with `margin` leading spaces for each text. Empty texts are skipped."""
    for text in texts:
        if text:
            yield TextLine(" " * margin).add(text, tone)


def table(
    rows: Sequence[Sequence[tuple[str, Tone | None]]], margin: int, right: Container[int] = ()
) -> Iterator[TextLine]:
    """Lay out rows as a table, and yield its lines.

    Each row is a sequence of `(text, tone)` cells. Columns are two spaces apart. The columns whose
    indices are in `right` are aligned right, and the others left.
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
    """Escape the text and shorten it to `columns`. A shortened text ends with `more`."""
    text = visible(text)
    if cell_len(text) <= columns:
        return text
    return chop_cells(text, columns - cell_len(more))[0] + more


def wrap(text: str, columns: int) -> list[str]:
    """Break the text at spaces into lines of at most `columns`.

    An empty text gives one empty line.
    """
    return fill(text.split(" "), columns, " ")


def fill(items: Iterable[str], columns: int, separator: str = ", ") -> list[str]:
    """Join items with `separator` into lines of at most `columns`, and return the lines.

    Lines break only between items. An item that is longer than `columns` has its own line.
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
