"""How many mistakes reports name, where a late report may name one of an earlier report."""

from collections.abc import Collection, Hashable

from segue.findings.finding import Finding

__all__ = ["MistakeCount"]


class MistakeCount:
    """A count of mistakes. Of each only a hash is kept. Mutable."""

    __slots__ = ("_others", "_roots")

    def __init__(self) -> None:
        """Begin at 0."""
        self._roots: set[int] = set()
        self._others = 0
        """Mistakes that share rule and event with another one of their report."""

    def add(self, whose: Hashable, mistakes: Collection[Finding]) -> None:
        """Count the mistakes of one report of a conversation."""
        if mistakes:
            roots = {hash((whose, mistake.root)) for mistake in mistakes}
            self._roots |= roots
            self._others += len(mistakes) - len(roots)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._roots) + self._others
