"""The number of distinct mistakes in several reports, which may repeat a mistake."""

from collections.abc import Collection, Hashable

from segue.core.findings.finding import Finding
from segue.core.findings.place import Root

__all__ = ["MistakeCount"]


class MistakeCount:
    """A count of distinct mistakes, which keeps only their hashes. Mutable."""

    __slots__ = ("_others", "_roots")

    def __init__(self) -> None:
        """Begin at 0."""
        self._roots: set[int] = set()
        self._others = 0
        """Mistakes that share rule and event with another mistake of their report."""

    def add(self, whose: Hashable, mistakes: Collection[Finding]) -> None:
        """Count the mistakes in one report of a conversation."""
        if mistakes:
            roots = {_hash_of(whose, mistake.root) for mistake in mistakes}
            self._roots |= roots
            self._others += len(mistakes) - len(roots)

    def __len__(self) -> int:
        """Return the number of distinct mistakes."""
        return len(self._roots) + self._others


def _hash_of(whose: Hashable, root: Root) -> int:
    """Return a hash of a mistake, which includes the log only if no event or action tells it."""
    place = root.place
    event = place.event, place.action
    where = (place.line, place.source) if event == (None, None) else event
    return hash((whose, root.code, *where))
