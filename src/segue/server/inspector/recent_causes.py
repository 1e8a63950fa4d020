"""The causes of what a server received of late, from its journal."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Final

from segue.analysis.causes import CauseWindow, cause_notes
from segue.report.escape import visible
from segue.server.processor import FeedEntry, JournalEntry, delivery_of

_WIDTH: Final = timedelta(hours=6)
_SECONDS: Final = 10.0
"""Causes are not searched for more often, however many readers ask."""
_MOST_READERS: Final = 100
"""Sets of bots whose last answer is kept."""


def add_entry(window: CauseWindow, entry: JournalEntry) -> bool:
    """Add an entry of a journal with its attributes; return whether a finding of it counts."""
    heard = FeedEntry.of(entry)
    return window.add(heard.to_dict(), cause_notes()(delivery_of(entry), heard.findings))


class JournalCauses:
    """Follows a journal, as far as it is asked for, and says the causes of its last six hours.

    The window ends with the newest delivery. Several threads may use it.
    """

    def __init__(self, width: timedelta = _WIDTH, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._said: dict[frozenset[str] | None, tuple[float, list[str]]] = {}
        """By bots, when it was last searched, and what was found."""
        self._window = CauseWindow(width)
        self._lock = Lock()
        self._latest = datetime.min.replace(tzinfo=UTC)
        self.place = 0
        """The number of the last entry that was added."""

    def add(self, entries: Sequence[JournalEntry]) -> None:
        """Take entries of the journal in order; those that it has had already are left out."""
        with self._lock:
            for entry in entries:
                if entry.number > self.place:
                    add_entry(self._window, entry)
                    self._latest = max(self._latest, entry.received_at)
                    self.place = entry.number

    def sentences(self, bots: Collection[str] | None = None) -> list[str]:
        """Return what there is to say of the conversations of these bots, or of all."""
        readers = None if bots is None else frozenset(bots)
        with self._lock:
            searched, said = self._said.get(readers, (None, []))
            if searched is None or self._clock() - searched > _SECONDS:
                causes = self._window.causes(self._latest, bots=readers)
                said = [visible(each) for each in causes.sentences()]
                if len(self._said) >= _MOST_READERS:
                    self._said.clear()
                self._said[readers] = self._clock(), said
        return said
