"""Export the reports of a log in one format.

A conversation is either written completely or left out with a reason. Late reports and findings
that belong to no conversation are not exported. Conversations are written as they end, so that
memory use does not grow with the log.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

from segue.core.conversation import Report
from segue.core.conversation.current import is_whole
from segue.core.epoch import EPOCH
from segue.report.export.chrome_trace import trace_pieces
from segue.report.export.conversation_view import ExportView
from segue.report.export.ocel import ocel_pieces
from segue.report.export.otlp import otlp_pieces
from segue.report.export.recorder import Recorder
from segue.report.export.segments import segment_pieces
from segue.report.export.vcon import vcon_pieces
from segue.report.export.xes import xes_pieces

_FIRST: Final = EPOCH
_LAST: Final = datetime(2554, 1, 1, tzinfo=UTC)
"""The time before which exported times must be. The first possible time is `_FIRST`.

The nanoseconds since 1970 of times in this range fit into 64 bits.
"""


class Format(NamedTuple):
    """An export format: the times it needs, and the function that writes it."""

    needs: Literal["lifecycle", "everything"]
    """The items that must have times.

    For `"lifecycle"` these are the lifecycle events, for `"everything"` messages and actions as
    well.
    """
    pieces: Callable[[Iterable[ExportView]], Iterator[str]]
    """A function that yields the document as pieces of text.

    It yields nothing before it has read the first conversation.
    """


FORMATS: Final[Mapping[str, Format]] = {
    "vcon": Format("everything", vcon_pieces),
    "xes": Format("everything", xes_pieces),
    "ocel": Format("everything", ocel_pieces),
    "trace": Format("everything", trace_pieces),
    "otlp": Format("everything", otlp_pieces),
    "segments": Format("lifecycle", segment_pieces),
}


class Exporter:
    """Turns reports into a document in one export format.

    Args:
        to: A key of `FORMATS`.
        on_left_out: A function that is called with the name and the reason for each conversation
            that cannot be written.
        include_text: Whether the text of messages is exported.

    """

    def __init__(
        self, to: str, on_left_out: Callable[[str, str], object], *, include_text: bool = False
    ) -> None:
        self._to = to
        self._format = FORMATS[to]
        self._on_left_out = on_left_out
        self.recorder: Final = Recorder(include_text=include_text)
        """The recorder of messages and actions.

        Messages are exported only if the recorder is called with every delivery.
        """
        self.count = 0
        """The number of conversations written so far."""

    def pieces(self, reports: Iterable[Report]) -> Iterator[str]:
        """Yield the document as pieces of text while the reports arrive."""
        return self._format.pieces(self._views(reports))

    def _views(self, reports: Iterable[Report]) -> Iterator[ExportView]:
        for report in reports:
            if not is_whole(report):
                continue
            view = ExportView(report, self.recorder.recall(report))
            reason = self._obstacle(view)
            if reason is None:
                self.count += 1
                yield view
            else:
                self._on_left_out(view.name, f"{self._to} needs times{reason}")

    def _obstacle(self, view: ExportView) -> str | None:
        """Return the reason why a conversation cannot be exported, or None if it can.

        The reason is text that follows the words `needs times`, such as `, but event 3 (COLD exit)
        has none`.
        """
        is_timed_whole = self._format.needs == "everything"
        for each in view.timeline:
            is_needed = is_timed_whole or not (each.is_message or each.is_action)
            if is_needed and each.at is None:
                return f", but {each.place} ({each.label}) has none"
        if not is_timed_whole:
            return None
        if view.start is None or view.end is None:
            return ", but no event or action has one"
        if view.start < _FIRST or view.end >= _LAST:
            return " from 1970 to 2553, but the conversation has others"
        return None
