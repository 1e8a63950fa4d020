"""Render a conversation as a ladder for documents: a Mermaid sequence diagram or an SVG.

Names and labels come from senders, so characters with a meaning in either format are replaced.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

from segue.report.escape import visible
from segue.report.ladder import LadderRow, Lane

_ACTS_IN_MERMAID: Final = re.compile(r"[^\w .:@/+=()-]")
_NO_CHARACTERS: Final = re.compile("[\ufffe\uffff]")
"""A pattern for characters that XML cannot represent."""
_COLUMN: Final = 150
_LINE: Final = 24
_TOP: Final = 40
_LEFT: Final = 120
_WIDTHS: Final = {"primary": 6, "consultant": 2}
_TONES: Final = {"error": "#b3261e", "warning": "#7a5200", "note": "#1659a8"}
_STYLE: Final = "font:12px system-ui,sans-serif;background:#fff"


def mermaid_lines(lanes: Mapping[Lane, str], rows: Sequence[LadderRow]) -> Iterator[str]:
    """Yield the lines of a Mermaid sequence diagram.

    `lanes` maps each participant's lane to its title. Agents are shown as active while they are
    present.
    """
    names = {lane: f"p{number}" for number, lane in enumerate(lanes)}
    bot = names[next(lane for lane in lanes if lane.kind == "bot")]
    yield "sequenceDiagram"
    for lane, title in lanes.items():
        yield f"  participant {names[lane]} as {_text(title)}"
    active: set[Lane] = set()
    for row in rows:
        name = names[row.lane]
        to = names[next(iter(lanes))] if name == bot else bot
        if row.change == "entry" and row.lane not in active:
            active.add(row.lane)
            yield f"  activate {name}"
        yield f"  {name}->>{to}: {_text(' '.join(row.place.split()))} {_text(row.label)}"
        if row.findings:
            codes = ", ".join(code for code, _ in row.findings)
            yield f"  Note over {name}: {codes}"
        if row.change == "exit" and row.lane in active:
            active.remove(row.lane)
            yield f"  deactivate {name}"


def svg_lines(lanes: Mapping[Lane, str], rows: Sequence[LadderRow]) -> Iterator[str]:
    """Yield the lines of an SVG document with a column for each lane and a text line for each row.

    `lanes` maps each participant's lane to its title.
    """
    columns = {lane: _LEFT + number * _COLUMN for number, lane in enumerate(lanes)}
    width = _LEFT + len(lanes) * _COLUMN
    height = _TOP + (len(rows) + 1) * _LINE
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="{_STYLE}">'
    for lane, title in lanes.items():
        x = columns[lane]
        yield f'<text x="{x}" y="20" font-weight="600">{_xml(title)}</text>'
        if lane.kind != "agent":
            yield f'<path d="M{x} {_TOP - 10}V{height}" stroke="#d5dae0"/>'
    for number, row in enumerate(rows):
        yield from _svg_row(row, _TOP + number * _LINE, columns)
    yield "</svg>"


def _svg_row(row: LadderRow, y: int, columns: Mapping[Lane, int]) -> Iterator[str]:
    for lane, role in row.roles.items():
        thick = f'stroke="#2f7d8c" stroke-width="{_WIDTHS[role]}"'
        yield f'<path d="M{columns[lane]} {y}v{_LINE}" {thick}/>'
    x, middle = columns[row.lane], y + _LINE // 2
    tone = _TONES[row.findings[0][1].value] if row.findings else "#1b1f24"
    codes = "".join(f" {code}" for code, _ in row.findings)
    yield f'<text x="4" y="{middle + 4}" fill="#59636e">{_xml(" ".join(row.place.split()))}</text>'
    yield f'<circle cx="{x}" cy="{middle}" r="4" fill="{tone}"/>'
    label = f"{_xml(row.label)}{_xml(codes)}"
    yield f'<text x="{x + 9}" y="{middle + 4}" fill="{tone}">{label}</text>'


def _text(text: str) -> str:
    return _ACTS_IN_MERMAID.sub("_", visible(text)) or "_"


def _xml(text: str) -> str:
    return escape(_NO_CHARACTERS.sub("", visible(text)))
