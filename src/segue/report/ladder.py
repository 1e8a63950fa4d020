"""Render a conversation as a ladder: one column per participant and one line per event.

The column of a participant is called a lane. Agents who do not fit share the last lane. A heavy
line marks the presence of a primary and a light line that of a consultant. The customer and the bot
are always present.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from segue.core.findings import Severity
from segue.report.look import Look
from segue.report.styled_text import TONES, TextLine, Tone, clip

_FIXED_LANES: Final = 2
"""The number of fixed lanes, for the customer and the bot."""
_FIXED_WIDTH: Final = 11
_NARROWEST: Final = 13
_WIDEST: Final = 34
"""The maximum width of an agent's lane.

`_NARROWEST` is the minimum. `_FIXED_WIDTH` is the width of the lanes of the customer and the bot.
"""
_LAST_COLUMN: Final = 500
"""The column at which a label is cut if no other lane follows."""
_FANCY: Final = {"present": "│", "primary": "┃", "consultant": "│", "does": "●"}
_ASCII: Final = {"present": "|", "primary": "#", "consultant": "|", "does": "*"}
_ENDS: Final = {
    ("entry", "primary"): "┏",
    ("exit", "primary"): "┗",
    ("entry", "consultant"): "┌",
    ("exit", "consultant"): "└",
}


Change = Literal["entry", "exit", ""]


class Lane(NamedTuple):
    """A participant who has a lane: the customer, the bot or an agent."""

    kind: Literal["customer", "bot", "agent"]
    agent: str = ""
    """The identity of the agent, or an empty string for the customer and the bot."""


class LadderRow(NamedTuple):
    """One line of the ladder, for an event, a message or an action."""

    place: str
    """The position of the event, followed by its time if the time is known."""
    lane: Lane
    """The lane of the participant who acts."""
    label: str
    change: Change
    """`entry` if the event lets an agent enter, `exit` if it lets one leave, otherwise empty."""
    roles: Mapping[Lane, str]
    """The role of each agent who is present, `primary` or `consultant`, by lane."""
    findings: Sequence[tuple[str, Severity]] = ()
    """The findings about the event, each as a pair of its code and severity."""


def ladder_lines(
    lanes: Mapping[Lane, str], rows: Sequence[LadderRow], look: Look
) -> Iterator[TextLine]:
    """Yield a line with the titles of the lanes, then a line for each row.

    `lanes` maps each lane to its title. The customer and the bot must come first.
    """
    margin = max((len(row.place) for row in rows), default=0) + 4
    ladder = _Ladder(lanes, margin, look)
    yield ladder.head()
    yield from map(ladder.line, rows)


class _Ladder:
    """The layout of the lanes in a terminal, which draws the lines of the ladder."""

    def __init__(self, lanes: Mapping[Lane, str], margin: int, look: Look) -> None:
        self._look = look
        first = margin + _FIXED_LANES * _FIXED_WIDTH
        room = look.columns - first
        keys = list(lanes)
        fit = _FIXED_LANES + max(room // _NARROWEST, 1)
        others = keys[fit - 1 :] if len(keys) > fit else []
        keys = keys[: len(keys) - len(others)]
        self._titles = [lanes[key] for key in keys]
        self._index = {key: index for index, key in enumerate(keys)}
        if others:
            self._index |= dict.fromkeys(others, len(keys))
            self._titles.append(f"{len(others)} agents")
        self._others = frozenset(others)
        agents = len(self._titles) - _FIXED_LANES
        width = min(max(room // max(agents, 1), _NARROWEST), _WIDEST)
        self._columns = [margin + index * _FIXED_WIDTH for index in range(_FIXED_LANES)]
        self._columns += [first + index * width for index in range(agents + 1)]

    def head(self) -> TextLine:
        """Return the line with the titles of the lanes."""
        line = TextLine()
        ends = pairwise(self._columns)
        for title, (start, end) in zip(self._titles, ends, strict=True):
            text = clip(title, end - start - 2, self._look.signs.more)
            line.to(start).add(text, Tone.STRONG)
        return line

    def line(self, row: LadderRow) -> TextLine:
        """Return the line that shows a row."""
        line = TextLine("  ").add(row.place, Tone.FAINT)
        here = self._index[row.lane]
        signs = self._signs(row.roles)
        signs[here] = self._mark(row)
        tone = TONES[row.findings[0][1]] if row.findings else None
        for index, sign in enumerate(signs):
            if index != here:
                line.to(self._columns[index] * bool(sign)).add(sign, Tone.FRAME)
                continue
            following = [column for column, each in zip(self._columns, signs, strict=False) if each]
            end = min(
                (each for each in following if each > self._columns[here]), default=_LAST_COLUMN
            )
            whose = f" {row.lane.agent}" if row.lane in self._others else ""
            room = end - self._columns[here] - 3
            line.to(self._columns[here]).add(sign, tone or Tone.CODE).add(" ")
            line.add(clip(f"{row.label}{whose}", room, self._look.signs.more), tone)
        for code, severity in row.findings:
            line.add("  ").add(code, TONES[severity])
        return line

    def _signs(self, roles: Mapping[Lane, str]) -> list[str]:
        """Return a sign for each lane, which shows the role of the participant present there.

        In the lane that agents share, a primary takes precedence over a consultant.
        """
        signs = [self._sign("present")] * _FIXED_LANES + [""] * (len(self._titles) - _FIXED_LANES)
        for key, role in roles.items():
            if signs[self._index[key]] != self._sign("primary"):
                signs[self._index[key]] = self._sign(role)
        return signs

    def _mark(self, row: LadderRow) -> str:
        role = row.roles.get(row.lane, "primary")
        if self._look.fancy and row.change:
            return _ENDS[row.change, role]
        return "+" if row.change else self._sign("does")

    def _sign(self, name: str) -> str:
        return (_FANCY if self._look.fancy else _ASCII)[name]
