"""What is noted of each delivery: its events, what a command wants besides, or both."""

from collections.abc import Callable, Sequence
from functools import partial

from segue.analysis.causes import cause_notes
from segue.core.conversation import Report
from segue.core.events import Delivery
from segue.core.findings import Finding
from segue.logs import NoteOf


class Noting:
    """Puts two kinds of notes into one, and takes them apart.

    Args:
        own: Takes the notes that a command wants; None if it wants none.
        has_events: Whether the events are noted as well, for causes and for ignores.

    """

    def __init__(self, own: NoteOf | None, *, has_events: bool) -> None:
        self.note = own
        """What a replay is asked to note."""
        self._is_both = has_events and own is not None
        if has_events:
            events = cause_notes()
            self.note = events if own is None else partial(_both, events, own)

    def give_events(self, report: Report, take: Callable[[Report], object]) -> None:
        """Call something with a report that has the notes of its events alone."""
        if not self._is_both:
            take(report)
            return
        notes = report.notes
        report.notes = [(*at, note[0]) for *at, note in notes if note[0] is not None]
        take(report)
        report.notes = notes

    def leave_own(self, report: Report) -> None:
        """Leave a report the notes that the command wants."""
        if self._is_both:
            report.notes = [(*at, note[1]) for *at, note in report.notes]


def _both(
    of_events: NoteOf, own: NoteOf, delivery: Delivery, found: Sequence[Finding]
) -> tuple[object, object]:
    return of_events(delivery, found), own(delivery, found)
