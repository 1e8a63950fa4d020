"""The account of one finding: what happened, where, in which story, and what to do about it.

House rules: the words of the finding come first, what to do about it last; the marks in the
timeline only repeat what the words say.  It knows rows and pieces of text, no conversation.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from segue.findings import Cause, Finding
from segue.report.address import address, number
from segue.report.escape import visible
from segue.report.paint import TONES, Line, Look, Tone
from segue.report.timeline import Gap, Mark, Row
from segue.report.width import clip, fill, width, wrap

__all__ = ["account"]

_MARGIN: Final = 2
_LABEL: Final = len("expected: ")
_AGENT: Final = 40
"""Columns of an agent's id in the timeline; a longer one is cut."""


def account(
    finding: Finding,
    rows: Sequence[Row | Gap],
    look: Look,
    codes: Sequence[str] = (),
) -> Iterator[Line]:
    """Yield the lines of a finding; `codes` are all that the marked row of the timeline shows."""
    gutter = _MARGIN + max((len(_position(row)) for row in rows), default=1)
    yield from _words(finding, look)
    if rows:
        yield from _timeline(rows, gutter, look, TONES[finding.severity], ", ".join(codes))
    drawn = {row.position for row in rows if isinstance(row, Row)}
    yield from _evidence(finding, gutter, look, drawn)


def _words(finding: Finding, look: Look) -> Iterator[Line]:
    title = Line(f"{finding.severity.value}[{finding.code}]", TONES[finding.severity])
    yield title.add(" ").add(finding.name, Tone.STRONG)
    for text in wrap(visible(finding.message), look.columns - _MARGIN):
        yield Line(" " * _MARGIN).add(text)
    line = Line(" " * _MARGIN).add(look.signs.arrow, Tone.FRAME)
    start = line.width + 1
    for text in fill(address(finding), look.columns - start, "  "):
        yield line.to(start).add(text)
        line = Line()


def _timeline(
    rows: Sequence[Row | Gap],
    gutter: int,
    look: Look,
    tone: Tone,
    codes: str,
) -> Iterator[Line]:
    bar, gap = look.signs.bar, look.signs.gap
    shown = [row for row in rows if isinstance(row, Row)]
    labels = max((len(row.label) for row in shown if row.agent), default=0)
    agents = max(width(_agent(row, look)) for row in shown)
    lines = gutter + 3 + max(*(len(row.label) for row in shown), labels + 2 + agents)
    yield Line().to(gutter + 1).add(bar, Tone.FRAME)
    for row in rows:
        if isinstance(row, Gap):
            yield Line().to(gutter + 1).add(gap, Tone.FRAME).add(f" {_between(row)}", Tone.FAINT)
            continue
        mark_tone = {Mark.HERE: tone, Mark.BECAUSE: Tone.FRAME}.get(row.mark)
        line = Line(f"{_position(row):>{gutter}} {bar} ", Tone.FRAME)
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
            line = Line().to(gutter + 1).add(bar, Tone.FRAME).add(" ")
            yield line.add(f"{under * marked} {text}", mark_tone)
    yield Line().to(gutter + 1).add(bar, Tone.FRAME)


def _evidence(
    finding: Finding,
    gutter: int,
    look: Look,
    drawn: set[int | None],
) -> Iterator[Line]:
    room = look.columns - gutter - 3 - _LABEL
    remarks = [("expected", fill(map(visible, finding.expected), room))] if finding.expected else []
    remarks += [
        ("because", wrap(_told(cause), room))
        for cause in finding.because
        if cause.place.event not in drawn
    ]
    remarks.append(("help", wrap(visible(finding.help), room)))
    remarks.append(("explain", [f"segue explain {finding.code}"]))
    for label, texts in remarks:
        line = Line().to(gutter + 1).add("= ", Tone.FRAME).add(f"{label}:", Tone.STRONG)
        for text in texts:
            yield line.to(gutter + 3 + _LABEL).add(text)
            line = Line()


def _position(row: Row | Gap) -> str:
    return "" if isinstance(row, Gap) or row.position is None else str(row.position)


def _agent(row: Row, look: Look) -> str:
    return clip(visible(row.agent), _AGENT, look.signs.more)


def _between(gap: Gap) -> str:
    parts = []
    if gap.events:
        parts.append(number(gap.events, "event"))
    if gap.others:
        parts.append(number(gap.others, "message"))
    return ", ".join(parts)


def _told(cause: Cause) -> str:
    place = f"event {cause.place.event}: " if cause.place.event is not None else ""
    line = "" if cause.place.line is None else f" (line {cause.place.line})"
    return visible(f"{place}{cause.text}{line}")
