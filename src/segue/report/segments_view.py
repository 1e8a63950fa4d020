"""Presence on a terminal: who held a conversation, as what, for how long, and when.

It decides how segments and metrics look, not what they are.  House rules: what is not known is not
drawn as nothing but left out; a bar shows time when all times are known, else the order of events.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Final

from segue.report.escape import visible
from segue.report.header import heading
from segue.report.plurals import pluralize
from segue.report.styled_text import Look, TextLine, Tone
from segue.report.summary import severity_counts
from segue.report.text_layout import clip, fill, pad, width

if TYPE_CHECKING:
    from segue.conversation import Report
    from segue.segments import Connection, Metrics, Segment

__all__ = ["clock", "segments_lines"]

_MARGIN: Final = 3
_AGENT: Final = 24
_NARROWEST, _WIDEST = 8, 40
_TITLES: Final = ("agent", "as", "entered", "stays", "talk", "outcome")
_DISPENSABLE: Final = ("entered", "stays", "as")
"""Columns left out when there is no room for all, in this order."""
_PARTS: Final = ("connected_time", "transfer_gap", "drop_gap", "lost_time", "wrapup_time")
"""What the duration consists of."""
_MORE: Final = ("wait_time", "hold_time", "talk_time", "consult_time", "overlap_time")


def segments_lines(
    report: "Report", segments: "Sequence[Segment]", look: Look
) -> Iterator[TextLine]:
    """Yield the segments of a conversation (all, or those chosen), and its metrics."""
    yield heading(report.conversation_id or "", look)
    facts = [] if report.bot_id is None else [f"bot {clip(visible(report.bot_id), 40)}"]
    facts += [report.phase.value, pluralize(report.events, "event")]
    if report.findings:
        facts.append(severity_counts(report.findings))
    for text in fill(facts, look.columns - _MARGIN, f" {look.signs.between} "):
        yield TextLine(" " * _MARGIN).add(text, Tone.FAINT)
    if segments:
        yield from _table(report, segments, look)
    yield from _metrics(report.metrics, look)
    yield TextLine()


def clock(time: timedelta | None) -> str:
    """Return `7:25` or `1:02:03`; a question mark for a time nobody knows."""
    if time is None:
        return "?"
    minutes, seconds = divmod(_seconds(time), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def _table(report: "Report", segments: "Sequence[Segment]", look: Look) -> Iterator[TextLine]:
    rows = [_TITLES, *(_cells(segment, look) for segment in segments)]
    widths = {
        title: max(width(row[column]) for row in rows) for column, title in enumerate(_TITLES)
    }
    for title in _DISPENSABLE:
        if _MARGIN + sum(widths.values()) + 2 * len(widths) > look.columns:
            del widths[title]
    room = look.columns - _MARGIN - sum(widths.values()) - 2 * len(widths)
    scale = _Scale(report, min(room, _WIDEST)) if room >= _NARROWEST else None
    for index, row in enumerate(rows):
        line = TextLine(" " * _MARGIN)
        for title, text in zip(_TITLES, row, strict=True):
            if title in widths:
                is_number = title in {"stays", "talk"}
                cell = text.rjust(widths[title]) if is_number else pad(text, widths[title])
                tone = Tone.STRONG if title == "agent" else None
                line.add(cell, Tone.FAINT if index == 0 else tone).add("  ")
        if scale is not None and index == 0:
            line.add(scale.title, Tone.FAINT)
        elif scale is not None:
            scale.draw(line, segments[index - 1], look)
        yield line


def _cells(segment: "Segment", look: Look) -> tuple[str, ...]:
    name = f" ({visible(segment.name)})" if segment.name else ""
    role = segment.role if segment.promoted_at is None else "promoted"
    return (
        clip(f"{visible(segment.agent)}{name}", _AGENT, look.signs.more),
        role,
        segment.kind,
        str(len(segment.connections)),
        clock(segment.talk_time),
        segment.outcome.replace("_", " "),
    )


class _Scale:
    """Places connections on a bar of so many columns."""

    def __init__(self, report: "Report", columns: int) -> None:
        self._columns = columns
        stays = [stay for segment in report.segments for stay in segment.connections]
        starts = [stay.started_at for stay in stays]
        known = [at for at in (*starts, *(stay.ended_at for stay in stays)) if at is not None]
        self._start = min(known) if len(known) == 2 * len(stays) else None
        self._size: float = max(report.events - 1, 1)
        if self._start is not None:
            self._size = (max(known) - self._start).total_seconds()
        is_timed = self._start is not None and self._size > 0
        if not is_timed:
            self._start, self._size = None, max(report.events - 1, 1)
        self.title = clip(
            f"0:00 to {clock(timedelta(seconds=self._size))}" if is_timed else "by event", columns
        )

    def draw(self, line: TextLine, segment: "Segment", look: Look) -> None:
        """Add the bar of a segment to a line."""
        filled = [False] * self._columns
        for stay in segment.connections:
            low, high = self._ends(stay)
            for column in range(low, max(high, low + 1)):
                filled[column] = True
        for is_filled, run in groupby(filled):
            sign = look.signs.block if is_filled else look.signs.blank
            line.add(sign * len(list(run)), Tone.CODE if is_filled else Tone.FAINT)

    def _ends(self, stay: "Connection") -> tuple[int, int]:
        if self._start is not None and stay.started_at is not None and stay.ended_at is not None:
            low = (stay.started_at - self._start).total_seconds()
            high = (stay.ended_at - self._start).total_seconds()
        else:
            low = stay.opened_by
            high = self._size if stay.closed_by is None else stay.closed_by
        scale = self._columns / self._size
        return min(round(low * scale), self._columns - 1), min(round(high * scale), self._columns)


def _metrics(metrics: "Metrics", look: Look) -> Iterator[TextLine]:
    told = []
    if metrics.duration is not None:
        parts = " + ".join(_parts(metrics))
        told.append(f"duration {clock(metrics.duration)}" + (f" = {parts}" if parts else ""))
    told += [f"{_named(name)} {clock(time)}" for name, time in _times(metrics, _MORE)]
    if metrics.estimated:
        told.append("estimated, for an exit never came")
    for text in fill(told, look.columns - _MARGIN):
        if text:
            yield TextLine(" " * _MARGIN).add(text, Tone.FAINT)


def _parts(metrics: "Metrics") -> Iterator[str]:
    """Yield what the duration consists of, rounded so that it still adds up."""
    total = timedelta()
    for name, time in _times(metrics, _PARTS):
        rounded = _seconds(total + time) - _seconds(total)
        total += time
        yield f"{_named(name)} {clock(timedelta(seconds=rounded))}"


def _times(metrics: "Metrics", names: Sequence[str]) -> Iterator[tuple[str, timedelta]]:
    """Yield the metrics of these names that are known and not zero."""
    for name in names:
        time = getattr(metrics, name)
        if time:
            yield name, time


def _seconds(time: timedelta) -> int:
    return round(time.total_seconds())


def _named(metric: str) -> str:
    return {"wrapup_time": "wrap-up"}.get(metric, metric.removesuffix("_time").replace("_", " "))
