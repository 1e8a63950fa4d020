"""The display capabilities of a terminal or a file: colours, character set and width."""

from dataclasses import dataclass
from typing import Final, NamedTuple


class Signs(NamedTuple):
    """The characters that draw lines, gaps and bars, such as `│`, `┆` and `█`."""

    bar: str
    gap: str
    dash: str
    between: str
    more: str
    block: str
    blank: str


FANCY: Final = Signs("│", "┆", "─", "·", "…", "█", "░")
ASCII: Final = Signs("|", ":", "-", "-", "...", "#", ".")


@dataclass(frozen=True, slots=True)
class Look:
    """The display options of a terminal or a file."""

    color: bool = False
    fancy: bool = True
    """Whether characters outside ASCII can be shown."""
    columns: int = 80

    @property
    def signs(self) -> Signs:
        """The characters to draw with: `FANCY`, or `ASCII` if `fancy` is false."""
        return FANCY if self.fancy else ASCII
