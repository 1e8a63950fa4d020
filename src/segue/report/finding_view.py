"""The account of one finding: what happened, where, in which story, and what to do about it.

House rules: the words of the finding come first, what to do about it last; the marks in the
timeline only repeat what the words say.  It knows rows and pieces of text, no conversation.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from segue.findings import Cause, Finding
from segue.report.escape import visible
from segue.report.location_text import location_parts
from segue.report.plurals import pluralize
from segue.report.styled_text import TONES, Look, TextLine, Tone
from segue.report.text_layout import clip, fill, width, wrap
from segue.report.timeline import Mark, TimelineGap, TimelineRow

__all__ = ["finding_lines"]

_MARGIN: Final = 2
_LABEL: Final = len("expected: ")
_AGENT: Final = 40
"""Columns of an agent's id in the timeline; a longer one is cut."""


def finding_lines(
    findings: Sequence[Finding], rows: Sequence[TimelineRow | TimelineGap], look: Look
) -> Iterator[TextLine]:
    """Yield the lines of findings about one place; the rows are shown with the first of them."""
    gutter = _MARGIN + max((len(_position(row)) for row in rows), default=1)
    drawn = {row.position for row in rows if isinstance(row, TimelineRow)}
    codes = dict.fromkeys(finding.code for finding in findings)
    expected: tuple[str, ...] = ()
    for index, finding in enumerate(findings):
        yield TextLine()
        yield from _words(finding, look)
        if rows and index == 0:
            yield from _timeline(rows, gutter, look, TONES[finding.severity], ", ".join(codes))
        if finding.expected and finding.expected != expected:
            expected = finding.expected
            items = fill(map(visible, expected), _room(gutter, look))
            yield from _remark("expected", items, gutter)
        for cause in finding.because:
            if cause.place.event not in drawn:
                yield from _remark("because", wrap(_told(cause), _room(gutter, look)), gutter)
        yield from _remark("help", wrap(visible(finding.help), _room(gutter, look)), gutter)
        yield from _remark("explain", [f"segue explain {finding.code}"], gutter)


def _words(finding: Finding, look: Look) -> Iterator[TextLine]:
    title = TextLine(f"{finding.severity.value}[{finding.code}]", TONES[finding.severity])
    yield title.add(" ").add(finding.name, Tone.STRONG)
    for text in wrap(visible(finding.message), look.columns - _MARGIN):
        yield TextLine(" " * _MARGIN).add(text)
    line = TextLine(" " * _MARGIN).add(look.signs.arrow, Tone.FRAME)
    start = line.width + 1
    for text in fill(location_parts(finding), look.columns - start, "  "):
        yield line.to(start).add(text)
        line = TextLine()


def _timeline(
    rows: Sequence[TimelineRow | TimelineGap],
    gutter: int,
    look: Look,
    tone: Tone,
    codes: str,
) -> Iterator[TextLine]:
    bar, gap = look.signs.bar, look.signs.gap
    shown = [row for row in rows if isinstance(row, TimelineRow)]
    labels = max((len(row.label) for row in shown if row.agent), default=0)
    agents = max(width(_agent(row, look)) for row in shown)
    lines = gutter + 3 + max(*(len(row.label) for row in shown), labels + 2 + agents)
    yield TextLine().to(gutter + 1).add(bar, Tone.FRAME)
    for row in rows:
        if isinstance(row, TimelineGap):
            yield (
                TextLine().to(gutter + 1).add(gap, Tone.FRAME).add(f" {_between(row)}", Tone.FAINT)
            )
            continue
        mark_tone = {Mark.HERE: tone, Mark.BECAUSE: Tone.FRAME}.get(row.mark)
        line = TextLine(f"{_position(row):>{gutter}} {bar} ", Tone.FRAME)
        line.add(row.label, tone if row.mark is Mark.HERE else None)
        if row.agent:
            line.to(gutter + 3 + labels + 2)
            line.add(_agent(row, look), tone if row.mark is Mark.HERE else Tone.STRONG)
        marked = line.width - gutter - 3
        if row.line is not None:
            line.to(lines + 2).add(f"line {row.line}", Tone.FAINT)
        yield line
        if mark_tone is not None:
            under, text = ("^", codes) if row.mark is Mark.HERE else (look.signs.under, "because")
            line = TextLine().to(gutter + 1).add(bar, Tone.FRAME).add(" ")
            yield line.add(f"{under * marked} {text}", mark_tone)
    yield TextLine().to(gutter + 1).add(bar, Tone.FRAME)


def _remark(label: str, texts: Sequence[str], gutter: int) -> Iterator[TextLine]:
    line = TextLine().to(gutter + 1).add("= ", Tone.FRAME).add(f"{label}:", Tone.STRONG)
    for text in texts:
        yield line.to(gutter + 3 + _LABEL).add(text)
        line = TextLine()


def _room(gutter: int, look: Look) -> int:
    return look.columns - gutter - 3 - _LABEL


def _position(row: TimelineRow | TimelineGap) -> str:
    return "" if isinstance(row, TimelineGap) or row.position is None else str(row.position)


def _agent(row: TimelineRow, look: Look) -> str:
    return clip(visible(row.agent), _AGENT, look.signs.more)


def _between(gap: TimelineGap) -> str:
    parts = []
    if gap.events:
        parts.append(pluralize(gap.events, "event"))
    if gap.messages:
        parts.append(pluralize(gap.messages, "message"))
    return ", ".join(parts)


def _told(cause: Cause) -> str:
    place = f"event {cause.place.event}: " if cause.place.event is not None else ""
    line = "" if cause.place.line is None else f" (line {cause.place.line})"
    return visible(f"{place}{cause.text}{line}")
