"""Render segments and metrics for a terminal: agents, their roles, and their times.

Unknown values are left out. A bar shows times if all are known, otherwise the order of events. On
narrow terminals, whole columns of the table are left out, because rich would wrap or crop cells.
The number of connections is shown if a segment has several and the bar still has room.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len

from segue.core.conversation import Report, call_times_of
from segue.core.events import quoted
from segue.core.segments import Connection, Metrics, Segment
from segue.report.header import MARGIN, facts_below, facts_of, heading
from segue.report.look import Look
from segue.report.styled_text import TextLine, Tone, clip, fill, indented, table

if TYPE_CHECKING:
    from segue.core.explain.mended import Mended

_UNKNOWN: Final = "unknown"
_BOT: Final = 40
_AGENT: Final = 24
_NARROWEST: Final = 8
"""The minimum width of a bar, in columns of the terminal."""
_TITLES: Final = ("agent", "as", "entered", "connections", "hold", "talk", "outcome")
_NUMBERS: Final = {"connections", "hold", "talk"}
_DISPENSABLE: Final = ("entered", "hold", "as")
"""The table columns that are left out on narrow terminals, the first one first."""
_PARTS: Final = ("connected_time", "transfer_gap", "drop_gap", "lost_time", "wrapup_time")
"""The metrics whose sum is the duration of a conversation."""
_MORE: Final = (
    "answer_time", "first_response", "ring_time", "call_time", "hold_time", "talk_time",
    "consult_time", "overlap_time",
)  # fmt: skip


_UNSHOWN: Final = {"agent_time", "implied_closures"}
"""The metrics that are not shown as mended."""


def segments_lines(report: Report, segments: Sequence[Segment], look: Look) -> Iterator[TextLine]:
    """Yield the lines that show one conversation and its segments.

    A segment is the time that one agent spends in the conversation. The lines are a header, a table
    with a row and a bar for each segment, and the metrics of the conversation.
    """
    yield heading(quoted(report.conversation_id or ""), look)
    yield from facts_below(facts_of(report, look, _BOT), look)
    if segments or report.call is not None:
        yield from _table(report, segments, look)
    yield from _metrics(report, look)
    yield TextLine()


def clock(time: timedelta | None) -> str:
    """Format a duration such as `7:25` or `1:02:03`. Return `?` for None."""
    if time is None:
        return "?"
    minutes, seconds = divmod(_seconds(time), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def _table(report: Report, segments: Sequence[Segment], look: Look) -> Iterator[TextLine]:
    call = () if report.call is None else (_call_cells(report.call),)
    cells = [*call, *(_cells(each, look) for each in segments)]
    rows = [dict(zip(_TITLES, _TITLES, strict=True)), *cells]
    widths = {title: max(cell_len(row[title]) for row in rows) for title in _TITLES}
    has_several = any(len(each.connections) > 1 for each in segments)
    if not has_several or look.columns - _start(widths) < _NARROWEST:
        del widths["connections"]
    if not report.transcription_intervals:
        del widths["hold"]
    for title in _DISPENSABLE:
        if title in widths and _start(widths) > look.columns:
            del widths[title]
    start = _start(widths)
    room = look.columns - start
    scale = _Scale(report, room) if room >= _NARROWEST else None
    tones: list[dict[str, Tone]] = [dict.fromkeys(_TITLES, Tone.FAINT)]
    tones += [{"agent": Tone.STRONG}] * len(cells)
    both = zip(rows, tones, strict=True)
    shown = [[(row[title], tone.get(title)) for title in widths] for row, tone in both]
    bars = [None] * len(call) + [each.connections for each in segments]
    right = {index for index, title in enumerate(widths) if title in _NUMBERS}
    for index, line in enumerate(table(shown, MARGIN, right)):
        if scale is not None and index == 0:
            line.to(start).add(scale.title, Tone.FAINT)
        elif scale is not None:
            scale.draw(line.to(start), bars[index - 1], look)
        yield line


def _start(widths: Mapping[str, int]) -> int:
    """Return the column in which the bars begin, after table columns of the given widths."""
    return MARGIN + sum(widths.values()) + 2 * len(widths)


def _cells(segment: Segment, look: Look) -> dict[str, str]:
    name = f" ({segment.name})" if segment.name else ""
    return {
        "agent": clip(f"{quoted(segment.agent)}{name}", _AGENT, look.signs.more),
        "as": (segment.role or _UNKNOWN) if segment.promoted_at is None else "promoted",
        "entered": segment.kind or _UNKNOWN,
        "connections": str(len(segment.connections)),
        "hold": clock(segment.hold_time),
        "talk": clock(segment.talk_time),
        "outcome": (segment.outcome or _UNKNOWN).replace("_", " "),
    }


def _call_cells(call: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of the row for an outbound call, as a dict from column title to text."""
    return {**dict.fromkeys(_TITLES, ""), "agent": "call", "outcome": call["state"]}


class _Scale:
    """Converts times to columns of a bar that is `columns` wide.

    If the time of any connection is unknown, the bar shows the order of events instead of times. An
    agent who was only seen leaving is shown at the exit.
    """

    def __init__(self, report: Report, columns: int) -> None:
        self._columns = columns
        connections = [each for segment in report.segments for each in segment.connections]
        ends = [at for each in connections for at in _ends_of(each)]
        known = [at for at in ends if at is not None]
        is_timed, self._call = len(known) == len(ends), call_times_of(report) or ()
        known += self._call
        size = (max(known) - min(known)).total_seconds() if known and is_timed else 0.0
        self._start = min(known) if size else None
        self._size = size or max(report.events - 1, 1)
        title = f"0:00 to {clock(timedelta(seconds=size))}" if size else "by event"
        self.title = clip(title, columns)

    def draw(self, line: TextLine, connections: Sequence[Connection] | None, look: Look) -> None:
        """Append a bar to `line`, filled where an agent was connected.

        If `connections` is None, the bar is filled for the time of the outbound call.
        """
        filled = [False] * self._columns
        ends = self._ends_of_call() if connections is None else map(self._ends, connections)
        for low, high in ends:
            for column in range(low, max(high, low + 1)):
                filled[column] = True
        for is_filled, run in groupby(filled):
            sign = look.signs.block if is_filled else look.signs.blank
            line.add(sign * len(list(run)), Tone.CODE if is_filled else Tone.FAINT)

    def _ends_of_call(self) -> Iterator[tuple[int, int]]:
        if self._start is not None and self._call:
            low, high = ((at - self._start).total_seconds() for at in self._call)
            yield self._columns_of(low, high)

    def _ends(self, connection: Connection) -> tuple[int, int]:
        times = _ends_of(connection)
        start, end = times[0], times[-1]
        if self._start is not None and start is not None and end is not None:
            low = (start - self._start).total_seconds()
            high = (end - self._start).total_seconds()
        else:
            high = self._size if connection.closed_by is None else connection.closed_by
            low = high if connection.opened_by is None else connection.opened_by
        return self._columns_of(low, high)

    def _columns_of(self, low: float, high: float) -> tuple[int, int]:
        scale = self._columns / self._size
        return min(round(low * scale), self._columns - 1), min(round(high * scale), self._columns)


def _ends_of(connection: Connection) -> tuple[datetime | None, ...]:
    """Return the times of the entry and of the exit, or the latter alone if there is no entry."""
    times = connection.started_at, connection.ended_at
    return times[connection.opened_by is None :]


def _metrics(report: Report, look: Look) -> Iterator[TextLine]:
    metrics, mended = report.metrics, report.mended
    changed = set() if mended is None else mended.changed(metrics)
    facts = []
    if metrics.duration is not None:
        facts += _sum(metrics, metrics.duration)
    facts += [f"{_named(name)} {clock(time)}" for name, time in _times(metrics, _MORE)]
    yield from _list("", facts, look)
    if mended is not None:
        yield from _list("as mended: ", [*_mended(mended, changed)], look)
    estimated = [_named(name) for name in report.estimated if name not in changed]
    yield from _list("estimated: ", estimated, look)


def _list(title: str, items: list[str], look: Look) -> Iterator[TextLine]:
    """Yield lines with items, the first of which begins with a title."""
    if items:
        items[0] = title + items[0]
        yield from indented(fill(items, look.columns - MARGIN), MARGIN, Tone.FAINT)


def _mended(mended: "Mended", changed: Collection[str]) -> Iterator[str]:
    """Yield the metrics that are not as told, such as `talk 3:00 to 4:12`."""
    for name, found in mended.metrics.items():
        if name in changed and name not in _UNSHOWN:
            ends = ("?",) if found is None else dict.fromkeys(map(_figure, found))
            yield f"{_named(name)} {' to '.join(ends)}"


def _figure(value: object) -> str:
    if isinstance(value, timedelta):
        return clock(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.0%}" if isinstance(value, float) else str(value)


def _sum(metrics: Metrics, duration: timedelta) -> list[str]:
    """Return the duration as a sum, or the known ones of its parts after it if one is unknown."""
    whole, parts = f"duration {clock(duration)}", [*_parts(metrics)]
    if None in (getattr(metrics, name) for name in _PARTS):
        return [whole, *parts]
    return [f"{whole} = {' + '.join(parts)}" if parts else whole]


def _parts(metrics: Metrics) -> Iterator[str]:
    """Yield the times that add up to the duration of a conversation, such as `connected 7:25`.

    The times are rounded so that the rounded times add up as well.
    """
    total = timedelta()
    for name, time in _times(metrics, _PARTS):
        rounded = _seconds(total + time) - _seconds(total)
        total += time
        yield f"{_named(name)} {clock(timedelta(seconds=rounded))}"


def _times(metrics: Metrics, names: Sequence[str]) -> Iterator[tuple[str, timedelta]]:
    """Yield `(name, time)` for each metric in `names`, except those that are unknown or zero."""
    for name in names:
        time = getattr(metrics, name)
        if time:
            yield name, time


def _seconds(time: timedelta) -> int:
    return round(time.total_seconds())


def _named(metric: str) -> str:
    return {"wrapup_time": "wrap-up"}.get(metric, metric.removesuffix("_time").replace("_", " "))
