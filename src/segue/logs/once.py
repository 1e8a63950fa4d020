"""Read lines of a log that come twice only once."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

_BLANK: Final = b"\n"


class Once:
    """A filter that replaces each line that came before with a blank line.

    So the other lines keep their numbers. It holds about 70 bytes for each distinct line.
    """

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self.repeated = 0
        """The number of lines that were replaced."""

    @property
    def distinct(self) -> int:
        """The number of lines that were not replaced, without blank ones."""
        return len(self._seen)

    def lines(self, lines: Iterable[T]) -> Iterator[T | bytes]:
        """Yield lines, and a blank line in place of each that came before."""
        for line in lines:
            yield _BLANK if self._came_before(line) else line

    def read(self, lines: Iterable[object]) -> None:
        """Read lines only to count those that came before."""
        for _ in self.lines(lines):
            pass

    def _came_before(self, line: object) -> bool:
        if not isinstance(line, bytes) or line.isspace():
            return False
        key = hash(line.rstrip(b"\r\n"))
        if key not in self._seen:
            self._seen.add(key)
            return False
        self.repeated += 1
        return True
