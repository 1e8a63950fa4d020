"""Draw the example of the metrics page on a time line, as SVG.

Each row shows the periods that one metric counts. Their lengths add up to the value in the report.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

__all__ = ["Bar", "bars_of", "metrics_picture"]

_WIDTH: Final = 900
_LEFT: Final = 150
_RIGHT: Final = 24
_TOP: Final = 64
_STEP: Final = 40
_BAR: Final = 24
_CHARACTER: Final = 6.4
"""The approximate width of a character, in pixels."""
_COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "connected_time": ("#1f6feb", "#ffffff"),
    "talk_time": ("#238636", "#ffffff"),
    "active": ("#0f766e", "#ffffff"),
    "hold_time": ("#9e6a03", "#ffffff"),
    "overlap_time": ("#6e40c9", "#ffffff"),
    "transfer_gap": ("#db6d28", "#f0b37e"),
    "drop_gap": ("#da3633", "#ff8f87"),
    "wrapup_time": ("#6e7681", "#b1bac4"),
    "answer_time": ("#484f58", "#b1bac4"),
    "handover": ("#484f58", "#b1bac4"),
    "response": ("#8b3a62", "#ffffff"),
}
"""The colours of each metric's bar and of the text in the bar."""
_NAMES: Final[Mapping[str, str]] = {
    "connected_time": "connected",
    "talk_time": "talk",
    "active": "active",
    "hold_time": "hold",
    "overlap_time": "overlap",
    "transfer_gap": "transfer gap",
    "drop_gap": "drop gap",
    "wrapup_time": "wrap-up",
    "answer_time": "answer",
    "handover": "handover",
    "response": "response",
}
_STATES: Final[Mapping[str, str]] = {
    "start": "active",
    "resume": "active",
    "pause handover=false": "hold_time",
    "pause handover=true": "handover",
    "end": "",
}
"""The state that begins with each action of the transcription.

The state is empty for the end of the transcription.
"""
_GAPS: Final[Mapping[str, str]] = {"COLD": "transfer_gap", "NA": "drop_gap"}
"""The metric of the gap after the last agent's exit, by the kind of exit."""


class Bar(NamedTuple):
    """A bar in one row of the picture, which shows a period of time."""

    row: str
    metric: str
    """The name of the metric that counts the period.

    `active` and `handover` are states, and `response` is one of the response times.
    """
    start: int
    """The start, in seconds from the first event."""
    end: int
    """The end, in seconds from the first event."""


def metrics_picture(events: Sequence[tuple[int, str, str]], report: Mapping[str, Any]) -> str:
    """Return the SVG picture of a conversation.

    Args:
        events: The second, the label and the agent of each event of the conversation, in order.
        report: The report of these events, as `Report.to_dict` returns it.

    """
    bars = bars_of(events, report)
    rows = list(dict.fromkeys(bar.row for bar in bars))
    seconds = sorted({second for second, _, _ in events})
    scale = (_WIDTH - _LEFT - _RIGHT) / seconds[-1]
    bottom = _TOP + len(rows) * _STEP
    parts = [
        *_axis(seconds, scale, bottom),
        *(_label(row, _TOP + number * _STEP) for number, row in enumerate(rows)),
        *(_drawn(bar, scale, _TOP + rows.index(bar.row) * _STEP) for bar in bars),
    ]
    height = bottom + 56
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" font-family="system-ui, sans-serif">'
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="#0d1117"/>\n'
        f"{''.join(parts)}</svg>\n"
    )


def bars_of(events: Sequence[tuple[int, str, str]], report: Mapping[str, Any]) -> list[Bar]:
    """Return all bars of the picture, row by row."""
    present = [*_connections(report)]
    first, last = present[0].start, events[-1][0]
    together = _union(present)
    held = [bar for bar in _transcription(events) if bar.metric == "hold_time"]
    talk = [
        Bar("talk", "talk_time", start, end)
        for start, end in pairwise(sorted({*_ends(together), *_ends(held)}))
        if _covers(together, start, end) and not _covers(held, start, end)
    ]
    return [
        Bar("conversation", "answer_time", events[0][0], first),
        *(Bar("conversation", "connected_time", bar.start, bar.end) for bar in together),
        *_gaps(together, present, report),
        Bar("conversation", "wrapup_time", together[-1].end, last),
        *present,
        *_transcription(events),
        *talk,
        *_overlaps(present),
        *_responses(events),
    ]


def _connections(report: Mapping[str, Any]) -> Iterator[Bar]:
    """Yield a bar for each connection of each agent. All times must be within the same hour."""
    for segment in report["segments"]:
        for each in segment["connections"]:
            row = f"{segment['agent']}, {segment['role']}"
            yield Bar(row, "connected_time", _second(each["started_at"]), _second(each["ended_at"]))


def _second(at: str) -> int:
    minutes, seconds = at[14:19].split(":")
    return int(minutes) * 60 + int(seconds)


def _transcription(events: Sequence[tuple[int, str, str]]) -> Iterator[Bar]:
    actions = [(second, _STATES[what]) for second, what, _ in events if what in _STATES]
    for (start, state), (end, _) in pairwise(actions):
        if state:
            yield Bar("transcription", state, start, end)


def _union(bars: Sequence[Bar]) -> list[Bar]:
    """Return the bars in order of time, with bars that overlap or touch merged into one."""
    found: list[Bar] = []
    for bar in sorted(bars, key=lambda bar: bar.start):
        if found and bar.start <= found[-1].end:
            found[-1] = found[-1]._replace(end=max(found[-1].end, bar.end))
        else:
            found.append(bar)
    return found


def _gaps(
    together: Sequence[Bar], present: Sequence[Bar], report: Mapping[str, Any]
) -> Iterator[Bar]:
    kinds = [each["closed_kind"] for one in report["segments"] for each in one["connections"]]
    closed = {bar.end: kind for bar, kind in zip(present, kinds, strict=True)}
    for before, after in pairwise(together):
        yield Bar("conversation", _GAPS[closed[before.end]], before.end, after.start)


def _overlaps(present: Sequence[Bar]) -> Iterator[Bar]:
    for start, end in pairwise(sorted(set(_ends(present)))):
        if sum(bar.start <= start and end <= bar.end for bar in present) > 1:
            yield Bar("two at once", "overlap_time", start, end)


def _responses(events: Sequence[tuple[int, str, str]]) -> Iterator[Bar]:
    """Yield a bar for each response, from the message or the later entry of the agent."""
    asked: int | None = None
    entered: dict[str, int] = {}
    for second, what, agent in events:
        if what == "user message" and asked is None:
            asked = second
        elif what == "agent message" and asked is not None:
            yield Bar("responses", "response", max(asked, entered[agent]), second)
            asked = None
        elif what.endswith("entry"):
            entered[agent] = second


def _ends(bars: Sequence[Bar]) -> Iterator[int]:
    for bar in bars:
        yield from (bar.start, bar.end)


def _covers(bars: Sequence[Bar], start: int, end: int) -> bool:
    return any(bar.start <= start and end <= bar.end for bar in bars)


def _axis(seconds: Sequence[int], scale: float, bottom: int) -> Iterator[str]:
    """Yield the SVG of a vertical line and a label for each second.

    Labels that are too close are put into two rows.
    """
    is_low = False
    for before, second in zip((-60, *seconds), seconds, strict=False):
        is_low = not is_low and (second - before) * scale < 2 * _BAR
        left = _LEFT + second * scale
        low = bottom + (36 if is_low else 20)
        yield (
            f'<line x1="{left:.1f}" y1="{_TOP - 10}" x2="{left:.1f}" y2="{low - 12}" '
            f'stroke="#30363d"/><text x="{left:.1f}" y="{low}" font-size="12" fill="#9da7b3" '
            f'text-anchor="middle">{second}</text>\n'
        )
    yield _label("seconds", bottom - 4)


def _label(text: str, top: float) -> str:
    return (
        f'<text x="16" y="{top + _BAR / 2 + 5:.0f}" font-size="13" fill="#e6edf3">{text}</text>\n'
    )


def _drawn(bar: Bar, scale: float, top: int) -> str:
    """Return the SVG of a bar with its name and length.

    Without enough room, the bar has only its length.
    """
    left, width = _LEFT + bar.start * scale, (bar.end - bar.start) * scale
    fill, ink = _COLOURS[bar.metric]
    name, length = _NAMES[bar.metric], str(bar.end - bar.start)
    text, below = f"{name} {length}", 17
    if len(text) * _CHARACTER > width:
        if bar.row == "conversation":
            below = -14  # put the name of a gap above it
        else:
            text = length
    shown = (
        f'<text x="{left + width / 2:.1f}" y="{top + below}" font-size="12" fill="{ink}" '
        f'text-anchor="middle">{text}</text>'
    )
    return (
        f'<rect x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_BAR}" rx="3" '
        f'fill="{fill}"/>{shown if bar.metric != "handover" else ""}\n'
    )
