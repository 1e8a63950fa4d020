"""The number of distinct mistakes in several reports, some of which contain the same mistake."""

from collections.abc import Collection, Hashable

from segue.core.findings.finding import Finding
from segue.core.findings.place import Root

__all__ = ["MistakeCount"]


class MistakeCount:
    """A counter of distinct mistakes in reports. The number is `len(count)`.

    The counter stores a hash for each mistake instead of the mistake itself.
    """

    __slots__ = ("_others", "_roots")

    def __init__(self) -> None:
        """Create a counter with the value 0."""
        self._roots: set[int] = set()
        self._others = 0
        """The number of mistakes that have the same rule and event as another mistake of their
        report.
        """

    def add(self, whose: Hashable, mistakes: Collection[Finding]) -> None:
        """Count those mistakes of a report that have not been counted yet.

        `whose` is the key of the conversation, because equal mistakes of two conversations are
        distinct.
        """
        if mistakes:
            roots = {_hash_of(whose, mistake.root) for mistake in mistakes}
            self._roots |= roots
            self._others += len(mistakes) - len(roots)

    def __len__(self) -> int:
        """Return the number of distinct mistakes."""
        return len(self._roots) + self._others


def _hash_of(whose: Hashable, root: Root) -> int:
    """Return a hash that identifies a mistake of a conversation.

    The line and the log are part of the hash only if the mistake has no event and no action.
    """
    place = root.place
    event = place.event, place.action
    where = (place.line, place.source) if event == (None, None) else event
    return hash((whose, root.code, *where))
