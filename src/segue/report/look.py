"""What a terminal or a file can show: colours, signs beyond ASCII, and how many columns."""

from dataclasses import dataclass
from typing import Final, NamedTuple


class Signs(NamedTuple):
    """What is drawn around text."""

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
    """How a terminal, or a file, wants its text."""

    color: bool = False
    fancy: bool = True
    """Whether more than ASCII can be shown."""
    columns: int = 80

    @property
    def signs(self) -> Signs:
        """What to draw with."""
        return FANCY if self.fancy else ASCII
