"""Paint: pieces of text with a tone, put together to lines of a terminal.

It decides which colours there are and which signs are drawn.  House rules: whatever enters a line
is made safe to show on the way in, and there is no other way in; a tone never carries meaning that
the words do not; without colour a line is plain text.  It refuses to know what is said.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Self

from segue.findings import Severity
from segue.report.escape import visible
from segue.report.text_layout import width

__all__ = ["ASCII", "FANCY", "TONES", "Look", "Signs", "TextLine", "Tone"]


class Tone(Enum):
    """What a piece of text is for; the value is its code in an ANSI escape sequence."""

    STRONG = "1"
    FAINT = "2"
    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;36"
    CODE = "36"
    FRAME = "94"
    GOOD = "1;32"


TONES: Final = {
    Severity.ERROR: Tone.ERROR,
    Severity.WARNING: Tone.WARNING,
    Severity.NOTE: Tone.NOTE,
}


class Signs(NamedTuple):
    """What is drawn around text."""

    bar: str
    gap: str
    dash: str
    arrow: str
    between: str
    more: str
    under: str
    block: str
    blank: str


FANCY: Final = Signs("│", "┆", "─", "-->", "·", "…", "-", "█", "░")
ASCII: Final = Signs("|", ":", "-", "-->", "-", "...", "-", "#", ".")


@dataclass(frozen=True, slots=True)
class Look:
    """How a terminal, or a file, wants its text."""

    color: bool = False
    fancy: bool = True
    """Whether more than ASCII can be shown."""
    columns: int = 80

    @property
    def signs(self) -> Signs:
        """What to draw with."""
        return FANCY if self.fancy else ASCII


class TextLine:
    """One line, built from left to right."""

    __slots__ = ("_pieces", "width")

    def __init__(self, text: str = "", tone: Tone | None = None) -> None:
        self._pieces: list[tuple[str, Tone | None]] = []
        self.width = 0
        """Columns taken so far."""
        self.add(text, tone)

    def add(self, text: str, tone: Tone | None = None) -> Self:
        """Add a piece of text, made safe to show."""
        if text:
            text = visible(text)
            self._pieces.append((text, tone))
            self.width += width(text)
        return self

    def to(self, column: int) -> Self:
        """Add blanks up to a column."""
        return self.add(" " * (column - self.width))

    def render(self, *, color: bool = False) -> str:
        """Return the line as text, without a newline."""
        if not color:
            return "".join(text for text, _ in self._pieces).rstrip(" ")
        return "".join(
            text if tone is None else f"\x1b[{tone.value}m{text}\x1b[0m"
            for text, tone in self._pieces
        ).rstrip(" ")
