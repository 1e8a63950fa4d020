"""Exporters: the same conversations, for other people's tools.

It decides which reports are told at all, and which cannot be.  House rules: a conversation is told
as a whole or left out with a reason; what is late, or of no conversation, is not told; a format
writes as conversations come, so that a day of traffic needs no more memory than a minute.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, Protocol

from segue.conversation import Report
from segue.export.conversation_view import Episode, Needs
from segue.export.ocel import Ocel
from segue.export.otlp import Otlp
from segue.export.recorder import Witness
from segue.export.segments import Segments
from segue.export.trace import Trace
from segue.export.vcon import VCon
from segue.export.xes import Xes

__all__ = ["FORMATS", "Exporter", "Format"]

_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST: Final = datetime(2554, 1, 1, tzinfo=UTC)
"""What nanoseconds in 64 bits can reach."""


class Format(Protocol):
    """Writes episodes somewhere."""

    @property
    def needs(self) -> Needs:
        """What must have a time."""

    def show(self, episode: Episode) -> None:
        """Write one conversation."""

    def finish(self) -> None:
        """Write what comes after the last one."""


FORMATS: Final[Mapping[str, Callable[[Callable[[str], object]], Format]]] = {
    "vcon": VCon,
    "xes": Xes,
    "ocel": Ocel,
    "trace": Trace,
    "otlp": Otlp,
    "segments": Segments,
}
"""What writes each format."""


class Exporter:
    """Takes the reports of a log and writes what a format makes of them."""

    def __init__(
        self,
        to: str,
        write: Callable[[str], object],
        *,
        include_text: bool = False,
    ) -> None:
        self._to = to
        self._format = FORMATS[to](write)
        self.witness: Final = Witness(include_text=include_text)
        """To be told of every delivery, for the messages and actions to be exported."""
        self.count = 0
        """How many conversations have been written."""

    def take(self, report: Report) -> str | None:
        """Write a conversation; return why it had to be left out, if it had."""
        if report.conversation_id is None or report.late:
            return None
        episode = Episode(report, self.witness.recall(report.conversation_id))
        lacking = self._lacking(episode)
        if lacking is None:
            self._format.show(episode)
            self.count += 1
        return lacking

    def finish(self) -> None:
        """Write what comes after the last conversation."""
        self._format.finish()

    def _lacking(self, episode: Episode) -> str | None:
        needs = self._format.needs
        untimed = episode.lacks(needs)
        if untimed is not None:
            what = "transcription action" if untimed.is_action else "event"
            place = f"{what} {untimed.position} ({untimed.label})"
            return f"{self._to} needs times, and {place} has none"
        if needs != "everything":
            return None
        if episode.start is None or episode.end is None:
            return f"{self._to} needs times, and nothing in it has one"
        if episode.start < _FIRST or episode.end >= _LAST:
            return f"{self._to} needs times from 1970 to 2553, and it has others"
        return None
