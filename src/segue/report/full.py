"""The full account: every finding with its timeline, evidence and repair, for a person to act on.

It decides how findings look on a terminal, not what they are.  House rules: what a finding is
about comes first and what to do about it last; ids are never broken; after the first conversations
the rest is counted, for nobody reads two hundred.  It refuses to know where its lines go.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from segue.conversation import Report
from segue.findings import Cause, Finding
from segue.report.address import address, number, where
from segue.report.paint import TONES, Line, Look, Tone
from segue.report.summary import counted, summary
from segue.report.tally import Tally
from segue.report.timeline import Gap, Mark, Row, window
from segue.report.width import clip, fill, wrap

__all__ = ["Full"]

_STRAYS: Final = 20
_FINDINGS: Final = 20
"""So many findings of one conversation are shown; one broken sender can make thousands."""
_MARGIN: Final = 2
_LABEL: Final = len("expected: ")
_ID: Final = 120
_AGENTS: Final = 4
_NAME: Final = 30


class Full:
    """Shows the first conversations with findings in full, and counts all of them."""

    def __init__(
        self,
        write: Callable[[str], object],
        look: Look,
        *,
        limit: int | None = 20,
    ) -> None:
        self._write = write
        self._look = look
        self._limit = limit
        self._shown = self._held_back = 0
        self._strays = self._strays_held_back = 0

    def show(self, report: Report) -> None:
        """Write a report with findings, up to the limit."""
        if report.clean:
            return
        if report.conversation_id is None:
            self._strays += 1
            if self._limit is not None and self._strays > min(_STRAYS, self._limit):
                self._strays_held_back += 1
                return
        else:
            if self._limit is not None and self._shown >= self._limit:
                self._held_back += 1
                return
            self._shown += 1
        self._put(self._report(report))

    def finish(self, tally: Tally) -> None:
        """Write what was held back, and what all reports come to."""
        self._put(self._rest())
        self._put(summary(tally, self._look))

    def _put(self, lines: Iterable[Line]) -> None:
        color = self._look.color
        self._write("".join(f"{line.render(color=color)}\n" for line in lines))

    def _rest(self) -> Iterator[Line]:
        rest = [
            number(self._held_back, f"more {noun} with findings")
            for noun in [_conversations(self._held_back)]
            if self._held_back
        ]
        if self._strays_held_back:
            rest.append(f"{number(self._strays_held_back, 'more')} {_lines(self._strays_held_back)}")
        if rest:
            text = f"{self._look.signs.more} and {' and '.join(rest)}"
            yield Line(text, Tone.STRONG).add(" (use --all or --output)", Tone.FAINT)
            yield Line()

    def _report(self, report: Report) -> Iterator[Line]:
        yield from self._header(report)
        limit = None if self._limit is None else _FINDINGS
        shown = report.findings[:limit]
        moments = report.timeline
        for _, group in groupby(shown, key=lambda finding: finding.place.event):
            findings = list(group)
            together = findings[0].place.action is None and len(findings) > 1
            for index, finding in enumerate(findings):
                yield Line()
                codes = [each.code for each in findings] if together else [finding.code]
                rows = (
                    window(moments, finding.place, _places(findings if together else [finding]))
                    if index == 0 or not together
                    else []
                )
                yield from self._finding(finding, rows, codes)
        hidden = len(report.findings) - len(shown)
        if hidden:
            yield Line()
            text = f"  {self._look.signs.more} and {number(hidden, 'more finding')} here"
            yield Line(text, Tone.STRONG)
        yield Line()

    # The header: which conversation, where it stands, who held it.

    def _header(self, report: Report) -> Iterator[Line]:
        signs = self._look.signs
        title = "no conversation" if report.conversation_id is None else report.conversation_id
        line = Line(signs.dash * 2, Tone.FRAME).add(" ")
        line.add(clip(title, _ID, signs.more), Tone.STRONG).add(" ")
        yield line.add(signs.dash * (self._look.columns - line.width), Tone.FRAME)
        if report.conversation_id is None:
            return
        facts = []
        if report.bot_id is not None:
            facts.append(f"bot {clip(report.bot_id, _ID, signs.more)}")
        facts.append(report.phase.value)
        facts.append(number(report.events, "event"))
        facts.append(counted(report.findings))
        if report.late:
            facts.append("what came after its end")
        between = f" {signs.between} "
        for text in fill(facts, self._look.columns - 3, between):
            yield Line("   ").add(text, Tone.FAINT)
        for text in wrap(self._held(report), self._look.columns - 3):
            if text:
                yield Line("   ").add(text, Tone.FAINT)

    def _held(self, report: Report) -> str:
        """Say who held the conversation, in order, and who was consulted."""
        names = {segment.agent: self._called(segment.agent, segment.name)
                 for segment in report.segments}
        primaries = dict.fromkeys(s.agent for s in report.segments if s.role == "primary")
        others = dict.fromkeys(s.agent for s in report.segments if s.agent not in primaries)
        parts = []
        if primaries:
            parts.append(f"held by {self._listed([names[agent] for agent in primaries], ', then ')}")
        if others:
            parts.append(f"consulted {self._listed([names[agent] for agent in others], ', ')}")
        return "; ".join(parts)

    def _called(self, agent: str, name: str) -> str:
        more = self._look.signs.more
        agent = clip(agent, _ID, more)
        return f"{agent} ({clip(name, _NAME, more)})" if name and name != agent else agent

    def _listed(self, names: Sequence[str], separator: str) -> str:
        text = separator.join(names[:_AGENTS])
        hidden = len(names) - _AGENTS
        return f"{text} and {hidden} more" if hidden > 0 else text

    # A finding.

    def _finding(
        self,
        finding: Finding,
        rows: Sequence[Row | Gap],
        codes: Sequence[str],
    ) -> Iterator[Line]:
        tone, signs, columns = TONES[finding.severity], self._look.signs, self._look.columns
        title = Line(f"{finding.severity.value}[{finding.code}]", tone)
        yield title.add(" ").add(finding.name, Tone.STRONG)
        for text in wrap(finding.message, columns - _MARGIN):
            yield Line(" " * _MARGIN).add(text, Tone.STRONG)
        gutter = _MARGIN + max((len(_position(row)) for row in rows), default=1)
        arrow = Line(" " * _MARGIN).add(signs.arrow, Tone.FRAME)
        places = list(address(finding))
        for index, text in enumerate(fill(places, columns - arrow.width - 1, "  ")):
            yield (arrow if index == 0 else Line(" " * arrow.width)).add(" ").add(text)
        if rows:
            yield from self._timeline(rows, gutter, tone, codes)
        drawn = {row.position for row in rows if isinstance(row, Row)}
        yield from self._evidence(finding, gutter, drawn)

    def _timeline(
        self,
        rows: Sequence[Row | Gap],
        gutter: int,
        tone: Tone,
        codes: Sequence[str],
    ) -> Iterator[Line]:
        signs = self._look.signs
        bar = Line().to(gutter + 1).add(signs.bar, Tone.FRAME)
        labels = max(len(row.label) for row in rows if isinstance(row, Row) and row.agent or True)
        yield bar
        for row in rows:
            if isinstance(row, Gap):
                line = Line().to(gutter + 1).add(signs.gap, Tone.FRAME)
                yield line.add(f" {_gap(row)}", Tone.FAINT)
                continue
            yield from self._row(row, gutter, labels, tone, codes)
        yield bar

    def _evidence(
        self,
        finding: Finding,
        gutter: int,
        drawn: set[int | None],
    ) -> Iterator[Line]:
        room = self._look.columns - gutter - 3 - _LABEL
        if finding.expected:
            yield from self._remark(gutter, "expected", fill(finding.expected, room))
        told = [cause for cause in finding.because if cause.place.event not in drawn]
        for cause in told:
            yield from self._remark(gutter, "because", wrap(_told(cause), room))
        yield from self._remark(gutter, "help", wrap(finding.help, room))
        yield from self._remark(gutter, "explain", [f"segue explain {finding.code}"])

    def _remark(self, gutter: int, label: str, texts: Sequence[str]) -> Iterator[Line]:
        line = Line().to(gutter + 1).add("= ", Tone.FRAME).add(f"{label}:", Tone.STRONG)
        for text in texts:
            yield line.to(gutter + 3 + _LABEL).add(text)
            line = Line()
