"""The full account: every finding with its timeline, evidence and repair, for a person to act on.

It decides how findings look on a terminal, not what they are.  Sender text goes through `visible`
and is never read as markup.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.console import Console
from rich.text import Text

from segue.conversation import Report
from segue.findings import Finding, Severity
from segue.fold import Moment
from segue.report.escape import visible
from segue.report.renderer import counted, where
from segue.report.tally import Tally

__all__ = ["Full", "timeline"]

STYLES: Final = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.NOTE: "bold cyan",
}
_DIM: Final = "dim"
_NAMES: Final = "bold"
_CONTEXT: Final = 2
"""Rows of the timeline shown on each side of a row that matters."""
_LABEL: Final = 10
_KIND: Final = 22


class _Signs(NamedTuple):
    bar: str
    dots: str
    here: str
    because: str
    arrow: str
    rule: str
    joint: str
    more: str


_FANCY: Final = _Signs("│", "┆", "◀", "○", "→", "─", "·", "…")
_PLAIN: Final = _Signs("|", ":", "<", "o", "->", "-", "-", "...")


class Full:
    """Shows the first conversations with findings in full, and counts all of them."""

    def __init__(self, console: Console, limit: int | None = 20) -> None:
        self._console = console
        self._limit = limit
        self._shown = 0
        self._held_back = 0
        is_utf8 = console.encoding.lower().replace("-", "") == "utf8"
        self._signs = _FANCY if is_utf8 else _PLAIN

    def show(self, report: Report) -> None:
        """Print a report with findings, up to the limit."""
        if report.clean:
            return
        if self._limit is not None and self._shown >= self._limit:
            self._held_back += 1
            return
        self._shown += 1
        self._print(self._header(report))
        for finding in report.findings:
            for line in self._finding(report, finding):
                self._print(line)
            self._print(Text())

    def finish(self, tally: Tally) -> None:
        """Print what was held back, and the findings by rule."""
        if self._held_back:
            more = "conversations" if self._held_back > 1 else "conversation"
            text = f"{self._signs.more} and {self._held_back} more {more} with findings"
            self._print(Text.assemble((text, "bold"), (" (--all shows them)", _DIM)))
            self._print(Text())
        for rule, severity, number in tally.rows():
            self._print(
                Text.assemble(
                    f"{number:>6}  ",
                    (f"{severity.value:<8}", STYLES[severity]),
                    (f"{rule.code}  ", "bold"),
                    rule.name,
                ),
            )
        if tally.findings:
            self._print(Text())
        style = "bold green" if not tally.findings else "bold"
        self._print(Text(counted(tally), style=style))

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True, highlight=False)

    def _header(self, report: Report) -> Text:
        joint = f" {self._signs.joint} "
        if report.conversation_id is None:
            title = Text.assemble(("no conversation", _NAMES), (f"{joint}a line by itself", _DIM))
        else:
            facts = [f"bot {visible(report.bot_id or '?')}", report.phase.value]
            facts.append(f"{report.events} event" + ("" if report.events == 1 else "s"))
            if report.late:
                facts.append("late: came after its end")
            title = Text.assemble(
                (visible(report.conversation_id), "bold underline"),
                (joint + joint.join(facts), _DIM),
            )
            held = dict.fromkeys(
                f"{visible(segment.name) or '?'} ({visible(segment.agent)})"
                for segment in report.segments
            )
            if held:
                title.append(f"\n{', '.join(held)}", style=_DIM)
        return title

    def _finding(self, report: Report, finding: Finding) -> Iterator[Text]:
        yield Text.assemble(
            (f"{finding.severity.value}[{finding.code}]", STYLES[finding.severity]),
            (f" {finding.name}", _NAMES),
        )
        yield Text(f"  {visible(finding.message)}")
        yield Text.assemble(("  --> ", "blue"), " ".join(_address(finding)))
        yield from self._timeline(report, finding)
        for label, text in self._evidence(finding):
            yield Text.assemble((f"  {label:<{_LABEL}}", "bold blue"), text)

    def _evidence(self, finding: Finding) -> Iterator[tuple[str, str]]:
        joint = f" {self._signs.joint} "
        if finding.expected:
            yield "expected", joint.join(map(visible, finding.expected))
        for cause in finding.because:
            line = "" if cause.place.line is None else f" (line {cause.place.line})"
            yield "because", f"event {cause.place.event}: {visible(cause.text)}{line}"
        yield "help", visible(finding.help)
        yield "explain", f"segue explain {finding.code}"

    def _timeline(self, report: Report, finding: Finding) -> Iterator[Text]:
        marked = finding.place.event
        evidence = {cause.place.event for cause in finding.because}
        if finding.place.action is not None or report.conversation_id is None:
            return
        rows = timeline(report.timeline, {*evidence, marked})
        if not rows:
            return
        width = len(str(report.events))
        signs = self._signs
        at_close = marked is None
        if marked is not None and not any(row and row.position == marked for row in rows):
            rows = _with_row(rows, marked)
        yield Text(f"  {'':>{width}} {signs.bar}", style="blue")
        previous = None
        for row in rows:
            if row is None:
                yield Text(f"  {'':>{width}} {signs.dots}", style="blue")
                previous = None
                continue
            if previous is not None and row.position - previous > 1:
                gap = row.position - previous - 1
                noun = "message" if gap == 1 else "messages"
                yield Text.assemble(
                    (f"  {'':>{width}} {signs.bar} ", "blue"), (f"({gap} {noun})", _DIM)
                )
            previous = row.position
            yield self._row(row, finding, width, evidence)
        if at_close:
            yield Text.assemble(
                (f"  {'':>{width}} {signs.bar} ", "blue"),
                (f"{'(the log ends)':<{_KIND}}", _DIM),
                (f" {signs.here} here", STYLES[finding.severity]),
            )
        yield Text(f"  {'':>{width}} {signs.bar}", style="blue")

    def _row(
        self,
        row: Moment,
        finding: Finding,
        width: int,
        evidence: set[int | None],
    ) -> Text:
        signs = self._signs
        is_here = row.position == finding.place.event
        text = Text.assemble((f"  {row.position:>{width}} {signs.bar} ", "blue"))
        text.append(f"{row.kind.value:<{_KIND}}", style=STYLES[finding.severity] if is_here else "")
        text.append(f" {visible(row.agent)}", style=_NAMES if is_here else "")
        if is_here:
            text.append(f"  {signs.here} here", style=STYLES[finding.severity])
        elif row.position in evidence:
            text.append(f"  {signs.because} because", style="blue")
        return text


def _address(finding: Finding) -> Iterator[str]:
    place = finding.place
    if place.source or place.line is not None:
        yield where(finding)
    if place.event is not None:
        yield f"event {place.event}"
    if place.action is not None:
        yield f"transcription action {place.action}"
    if place.event is None and place.action is None and place.line is None:
        yield "at the close of the log"
    if place.pointer:
        yield visible(place.pointer)


def timeline(moments: tuple[Moment, ...], marked: set[int | None]) -> list[Moment | None]:
    """Return the moments around the marked positions; None stands for moments left out.

    A position of None marks the close.
    """
    size = len(moments)
    keep: set[int] = set()
    for index, moment in enumerate(moments):
        if moment.position in marked:
            keep.update(range(index - _CONTEXT, index + _CONTEXT + 1))
    behind = sum(1 for moment in moments if any(p is not None and moment.position <= p for p in marked))
    if None in marked:
        behind = size
    keep.update(range(behind - _CONTEXT, behind))
    rows: list[Moment | None] = []
    for index, moment in enumerate(moments):
        if index in keep:
            rows.append(moment)
        elif not rows or rows[-1] is not None:
            rows.append(None)
    return rows


def _with_row(rows: list[Moment | None], position: int) -> list[Moment | None]:
    """Put a message or an event nobody could place where it was."""
    from segue.events import EventKind  # noqa: PLC0415

    moment = Moment(position, EventKind.MESSAGE, "", None)
    index = next(
        (index for index, row in enumerate(rows) if row is not None and row.position > position),
        len(rows),
    )
    return [*rows[:index], moment, *rows[index:]]
