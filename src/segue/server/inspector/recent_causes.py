"""The common causes of recent findings in the journal of a server."""

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
"""The minimum number of seconds between two searches for causes."""
_MOST_READERS: Final = 100
"""The maximum number of sets of bots whose last sentences are cached."""


def add_entry(window: CauseWindow, entry: JournalEntry) -> bool:
    """Add a journal entry with its attributes to a window of recent deliveries.

    Return whether one of its findings counts.
    """
    heard = FeedEntry.of(entry)
    return window.add(heard.to_dict(), cause_notes()(delivery_of(entry), heard.findings))


class JournalCauses:
    """Finds the common causes of findings in the last six hours of a journal.

    The six hours end with the newest delivery. Several threads may use the object.
    """

    def __init__(self, width: timedelta = _WIDTH, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._said: dict[frozenset[str] | None, tuple[float, list[str]]] = {}
        """The time of the last search and its sentences, by the set of bots. The key None means all
        bots."""
        self._window = CauseWindow(width)
        self._lock = Lock()
        self._latest = datetime.min.replace(tzinfo=UTC)
        self.place = 0
        """The number of the newest journal entry that was added."""

    def add(self, entries: Sequence[JournalEntry]) -> None:
        """Add journal entries in order. Entries that were added before are ignored."""
        with self._lock:
            for entry in entries:
                if entry.number > self.place:
                    add_entry(self._window, entry)
                    self._latest = max(self._latest, entry.received_at)
                    self.place = entry.number

    def sentences(self, bots: Collection[str] | None = None) -> list[str]:
        """Return a list of sentences, one for each common cause.

        They are about the conversations of these bots, or about all conversations if `bots` is
        None. A result is reused for ten seconds.
        """
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
