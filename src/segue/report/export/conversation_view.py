"""The data of one conversation that all exports share: its timeline, agents and findings.

The data depend only on the conversation, not on the log that contains it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote

from segue.core.conversation import Report, call_times_of
from segue.core.findings import Finding
from segue.core.segments import Segment, Transfer
from segue.core.transcription import StateInterval
from segue.report.export.recorder import TimelineItem
from segue.report.export.timeline import clamped, timeline_of


class ExportView:
    """A report together with the recorded messages and actions of its conversation."""

    def __init__(
        self,
        report: Report,
        recorded: Sequence[TimelineItem] = (),
        *,
        has_unprocessable: bool = False,
    ) -> None:
        self.report = report
        self.conversation_id = report.conversation_id or ""
        self.bot_id = report.bot_id or ""
        bot = report.key[0]
        owner = "" if bot is None else f"{quote(bot, safe='')}/"
        self.name = f"{owner}{self.conversation_id}"
        """A unique name of the conversation, such as `c-1`.

        If conversations are identified by bot and id, the bot comes first, as in `st-1/c-1`.
        """
        self.segments: tuple[Segment, ...] = report.segments
        """The segments of the conversation in order of entry."""
        self.timeline: tuple[TimelineItem, ...] = timeline_of(
            report, recorded, has_unprocessable=has_unprocessable
        )
        """All events and actions in order of time, or in order of arrival if a time is unknown."""
        self.transcription: tuple[StateInterval, ...] = tuple(
            _clamped_intervals(report.transcription_intervals)
        )
        """The intervals of the transcription in order, each with a state such as `active`."""
        times = [*clamped(each.at for each in recorded), *(each.at for each in self.timeline)]
        times += [each.start for each in self.transcription]
        known = sorted(at for at in times if at)
        self.start: datetime | None = known[0] if known else None
        """The first known time, or None if no time is known."""
        self.end: datetime | None = known[-1] if known else None
        self.transfers: tuple[Transfer, ...] = tuple(
            each for each in report.transfers if each.taken
        )
        """The transfers that another agent took, in the order in which they began."""
        self.transfers_to: dict[int | None, list[Transfer]] = {}
        """These transfers by the index of the segment that took over, which is None if unknown."""
        for transfer in self.transfers:
            self.transfers_to.setdefault(transfer.to_segment, []).append(transfer)
        self._events = [each for each in self.timeline if not each.is_action]
        self._actions = [each for each in self.timeline if each.is_action]
        self._codes: dict[str, list[str]] = {}
        for finding in report.findings:
            self._codes.setdefault(finding.place.position, []).append(finding.code)

    @property
    def codes(self) -> str:
        """The distinct rule codes of all findings, separated by spaces, such as `SG103 SG205`."""
        return " ".join(dict.fromkeys(finding.code for finding in self.report.findings))

    @property
    def agents(self) -> dict[str, str]:
        """The names of the agents by their identities, in order of appearance.

        An unknown name is an empty string.
        """
        names = {each.agent: "" for each in self.timeline if each.agent}
        return names | {segment.agent: segment.name for segment in self.segments}

    def at(self, position: int | None) -> datetime | None:
        """Return the time of the event at a position.

        Return None if the timeline has no such event or its time is unknown.
        """
        index = _index(self._events, position) if position is not None else -1
        is_there = index >= 0 and self._events[index].position == position
        return self._events[index].at if is_there else None

    def found_at(self, finding: Finding) -> datetime | None:
        """Return the time of the event or action that a finding is about.

        If the finding is about neither, return the last known time of the conversation.
        """
        place = finding.place
        items, position = self._events, place.event
        if place.action is not None:
            items = [each for each in self._actions if each.noun == place.noun]
            position = place.action
        if position is None:
            return self.end
        index = _index(items, position)
        return items[index].at if index >= 0 else self.start

    def codes_at(self, item: TimelineItem) -> str:
        """Return the distinct rule codes of the findings about a timeline item, as in `codes`."""
        return " ".join(dict.fromkeys(self._codes.get(item.place, ())))

    @property
    def call_state(self) -> str:
        """The state of the outbound call, or an empty string if no call notification arrived."""
        call = self.report.call
        return "" if call is None else str(call["state"])

    @property
    def call_times(self) -> tuple[datetime, datetime] | None:
        """The times at which the outbound call was connected and disconnected.

        The value is None unless both times are known.
        """
        return call_times_of(self.report)


def finding_to_dict(finding: Finding) -> dict[str, Any]:
    """Return a finding as a dict for JSON, without line numbers.

    The dict is that of `Finding.to_dict()`, without `line` and without the lines in `because`.
    """
    found = finding.to_dict()
    del found["line"]
    found["because"] = [
        {"event": cause.place.event, "text": cause.text} for cause in finding.because
    ]
    return found


def _index(items: Sequence[TimelineItem], position: int) -> int:
    """Return the index of the last item at or before a position, or -1 if there is none.

    The items must be sorted by position.
    """
    return bisect_right(items, position, key=lambda each: each.position) - 1


def _clamped_intervals(intervals: Sequence[StateInterval]) -> Iterator[StateInterval]:
    """Yield consecutive intervals whose start times never decrease.

    A start that is earlier than a previous one is replaced by it. Each interval ends when the next
    one starts, and the last one has no end.
    """
    starts = list(clamped(each.start for each in intervals))
    for each, start, end in zip(intervals, starts, [*starts[1:], None], strict=False):
        yield StateInterval(each.state, start, end)
