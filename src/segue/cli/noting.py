"""Two kinds of notes in one replay: notes about events, and those that a command wants.

A note is a value that a function computes from a delivery. Reports contain the notes of their
deliveries.
"""

from collections.abc import Callable, Sequence
from functools import partial

from segue.analysis.causes import cause_notes
from segue.core.conversation import Report
from segue.core.events import Delivery
from segue.core.findings import Finding
from segue.logs.plan import NoteOf


class Noting:
    """A note function for a replay, which combines two kinds of notes.

    Its methods separate them again in the reports of the replay.

    Args:
        own: Returns the note that the command wants of a delivery, or None without such notes.
        has_events: Whether the events are noted as well, for causes and for ignores.

    """

    def __init__(self, own: NoteOf | None, *, has_events: bool) -> None:
        self.note = own
        """The function that returns the note for a delivery, or None if there are no notes."""
        self._is_both = has_events and own is not None
        if has_events:
            events = cause_notes()
            self.note = events if own is None else partial(_both, events, own)

    def give_events(self, report: Report, take: Callable[[Report], object]) -> None:
        """Call `take` with the report while it has only the notes about events."""
        if not self._is_both:
            take(report)
            return
        notes = report.notes
        report.notes = [(*at, note[0]) for *at, note in notes if note[0] is not None]
        take(report)
        report.notes = notes

    def leave_own(self, report: Report) -> None:
        """Remove the notes about events from a report, and leave those that the command wants."""
        if self._is_both:
            report.notes = [(*at, note[1]) for *at, note in report.notes]


def _both(
    of_events: NoteOf, own: NoteOf, delivery: Delivery, found: Sequence[Finding]
) -> tuple[object, object]:
    return of_events(delivery, found), own(delivery, found)
