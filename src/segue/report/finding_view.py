"""Render a finding for a terminal: its message, place, surrounding events and help.

The marks in the timeline only repeat information that is also in the text.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from segue.core.events import quoted
from segue.core.findings import Cause, Finding
from segue.report.locations import location_parts
from segue.report.look import Look
from segue.report.mistake_view import MistakeView
from segue.report.plurals import counted
from segue.report.styled_text import TONES, TextLine, Tone, clip, fill, indented, wrap
from segue.report.timeline import Mark, TimelineGap, TimelineRow

_MARGIN: Final = 2
_LABEL: Final = len("expected: ")
_AGENT: Final = 40
"""The maximum width of an agent's id in the timeline. Longer ids are cut."""


def finding_lines(
    findings: Sequence[Finding],
    rows: Sequence[TimelineRow | TimelineGap],
    view: MistakeView,
    look: Look,
) -> Iterator[TextLine]:
    """Yield terminal lines for findings that are about the same place, such as one event.

    `rows` are the events around that place. They are drawn once, with the first finding.
    """
    gutter = _MARGIN + max((len(_position(row)) for row in rows), default=1)
    room = look.columns - gutter - 3 - _LABEL
    drawn = {row.position for row in rows if isinstance(row, TimelineRow)}
    codes = dict.fromkeys(finding.code for finding in findings)
    expected: tuple[str, ...] = ()
    for index, finding in enumerate(findings):
        yield TextLine()
        yield from _title_lines(finding, look)
        if rows and index == 0:
            yield from _timeline(rows, gutter, look, TONES[finding.severity], ", ".join(codes))
        if finding.expected and finding.expected != expected:
            expected = finding.expected
            yield from _remark("expected", fill(expected, room), gutter)
        mistake = view.part_of(finding)
        if mistake and not view.is_single:
            yield from _remark("mistake", [mistake.removeprefix("part of mistake ")], gutter)
        for cause in finding.because:
            if cause.place.event not in drawn:
                yield from _remark("because", wrap(_cause(cause), room), gutter)
        yield from _remark("help", wrap(finding.help, room), gutter)
        yield from _remark("explain", [f"segue explain {finding.code}"], gutter)


def following_lines(
    findings: Sequence[Finding], view: MistakeView, look: Look
) -> Iterator[TextLine]:
    """Yield short, indented lines for the findings of a mistake after its first one."""
    margin = 2 * _MARGIN
    for finding in findings:
        yield TextLine()
        title = f"{finding.severity.value}[{finding.code}] {finding.name}, {view.part_of(finding)}"
        texts = [*wrap(finding.message, look.columns - margin - _MARGIN)]
        texts.append(f"--> {'  '.join(location_parts(finding))}")
        yield TextLine(" " * margin).add(title, Tone.FAINT)
        yield from indented(texts, margin + _MARGIN, Tone.FAINT)


def _title_lines(finding: Finding, look: Look) -> Iterator[TextLine]:
    title = TextLine(f"{finding.severity.value}[{finding.code}]", TONES[finding.severity])
    yield title.add(" ").add(finding.name, Tone.STRONG)
    yield from indented(wrap(finding.message, look.columns - _MARGIN), _MARGIN)
    line = TextLine(" " * _MARGIN).add("-->", Tone.FRAME)
    start = line.width + 1
    for text in fill(location_parts(finding), look.columns - start, "  "):
        yield line.to(start).add(text)
        line = TextLine()


def _timeline(
    rows: Sequence[TimelineRow | TimelineGap], gutter: int, look: Look, tone: Tone, codes: str
) -> Iterator[TextLine]:
    bar, gap = look.signs.bar, look.signs.gap
    shown = [row for row in rows if isinstance(row, TimelineRow)]
    labels = max((len(row.label) for row in shown if row.agent), default=0)
    agents = max(cell_len(_agent(row, look)) for row in shown)
    lines = gutter + 3 + max(*(len(row.label) for row in shown), labels + 2 + agents)
    yield TextLine().to(gutter + 1).add(bar, Tone.FRAME)
    for row in rows:
        if isinstance(row, TimelineGap):
            line = TextLine().to(gutter + 1).add(gap, Tone.FRAME)
            between = counted({"event": row.events, "message": row.messages})
            yield line.add(f" {between}", Tone.FAINT)
            continue
        is_here = row.mark is Mark.HERE
        line = TextLine(f"{_position(row):>{gutter}} {bar} ", Tone.FRAME)
        line.add(row.label, tone if is_here else None)
        if row.agent:
            line.to(gutter + 3 + labels + 2)
            line.add(_agent(row, look), tone if is_here else Tone.STRONG)
        marked = line.width - gutter - 3
        if row.line is not None:
            line.to(lines + 2).add(f"line {row.line}", Tone.FAINT)
        yield line
        if row.mark is not Mark.NONE:
            line = TextLine().to(gutter + 1).add(bar, Tone.FRAME).add(" ")
            under, text = ("^", codes) if is_here else ("-", "because")
            yield line.add(f"{under * marked} {text}", tone if is_here else Tone.FRAME)
    yield TextLine().to(gutter + 1).add(bar, Tone.FRAME)


def _remark(label: str, texts: Sequence[str], gutter: int) -> Iterator[TextLine]:
    line = TextLine().to(gutter + 1).add("= ", Tone.FRAME).add(f"{label}:", Tone.STRONG)
    for text in texts:
        yield line.to(gutter + 3 + _LABEL).add(text)
        line = TextLine()


def _position(row: TimelineRow | TimelineGap) -> str:
    return "" if isinstance(row, TimelineGap) or row.position is None else str(row.position)


def _agent(row: TimelineRow, look: Look) -> str:
    return clip(quoted(row.agent), _AGENT, look.signs.more)


def _cause(cause: Cause) -> str:
    event = f"event {cause.place.event}: " if cause.place.event is not None else ""
    line = "" if cause.place.line is None else f" (line {cause.place.line})"
    return f"{event}{cause.text}{line}"
