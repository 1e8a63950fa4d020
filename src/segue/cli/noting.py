"""Notes of deliveries: their events, the notes that a command wants, or both."""

from collections.abc import Callable, Sequence
from functools import partial

from segue.analysis.causes import cause_notes
from segue.core.conversation import Report
from segue.core.events import Delivery
from segue.core.findings import Finding
from segue.logs.plan import NoteOf


class Noting:
    """Combines two kinds of notes in a replay, and separates them in its reports.

    Args:
        own: Returns the note that the command wants of a delivery, or None without such notes.
        has_events: Whether the events are noted as well, for causes and for ignores.

    """

    def __init__(self, own: NoteOf | None, *, has_events: bool) -> None:
        self.note = own
        """Returns the note that a replay keeps of a delivery, or None."""
        self._is_both = has_events and own is not None
        if has_events:
            events = cause_notes()
            self.note = events if own is None else partial(_both, events, own)

    def give_events(self, report: Report, take: Callable[[Report], object]) -> None:
        """Call a function with a report that has only the notes of its events."""
        if not self._is_both:
            take(report)
            return
        notes = report.notes
        report.notes = [(*at, note[0]) for *at, note in notes if note[0] is not None]
        take(report)
        report.notes = notes

    def leave_own(self, report: Report) -> None:
        """Reduce the notes of a report to those that the command wants."""
        if self._is_both:
            report.notes = [(*at, note[1]) for *at, note in report.notes]


def _both(
    of_events: NoteOf, own: NoteOf, delivery: Delivery, found: Sequence[Finding]
) -> tuple[object, object]:
    return of_events(delivery, found), own(delivery, found)
