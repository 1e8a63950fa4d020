"""Render a repair as a diff: each edit and the events around it.

A moved event is shown at both its old and its new position. Every edit is shown with the number of
its mistake. Events between edits are counted.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import Final, NamedTuple

from segue.analysis.repairs import EditedEvent, Repair
from segue.core.lifecycle import MESSAGES
from segue.report.header import MARGIN, facts_below, heading
from segue.report.locations import shown_name
from segue.report.look import Look
from segue.report.plurals import counted, pluralize
from segue.report.styled_text import TextLine, Tone, indented, wrap

_AROUND: Final = 2
"""The number of neighbouring events shown before an edit.

One event fewer is shown after the edit.
"""
_NUMBER: Final = 5
"""The width of a column of positions."""
_START: Final = MARGIN + 2 + 2 * _NUMBER + 2
_LABEL: Final = 42
"""The width of the column of events. Remarks about edits are in the next column."""

_TONES: Final = {" ": None, "-": Tone.ERROR, "+": Tone.GOOD, "~": Tone.WARNING}


class _Row(NamedTuple):
    """One line of the diff between a conversation and its repaired version. It shows one event."""

    sign: str
    before: int | None
    """The position in the log.

    The position is None for an inserted event, and for a moved event at its new place.
    """
    after: int | None
    """The position in the repaired conversation.

    The position is None for a removed event, and for a moved event at its old place.
    """
    text: str
    remark: str = ""
    is_message: bool = False


def repair_lines(repair: Repair, look: Look) -> Iterator[TextLine]:
    """Yield the lines that show one repaired conversation.

    They are a header, a diff of the events before and after the repair, and the findings that the
    repair does not settle.
    """
    report = repair.before
    yield heading(shown_name(report) or "a conversation without an id", look)
    outcome = "valid then" if repair.after.valid else "not valid then"
    facts = [pluralize(len(repair.mistakes), "mistake"), pluralize(len(repair.edits), "edit")]
    if not repair.is_complete:
        facts.append("not everything explained")
    yield from facts_below([*facts, outcome], look)
    for mistake in repair.mistakes:
        texts = wrap(f"{mistake.number}. {mistake.sentence}", look.columns - MARGIN)
        yield from indented(texts, MARGIN, Tone.STRONG)
        yield from indented(wrap(mistake.fix, look.columns - 2 * MARGIN), 2 * MARGIN)
    yield _head()
    rows = list(_rows(repair))
    near = _near(rows)
    for is_near, group in groupby(enumerate(rows), key=lambda item: item[0] in near):
        shown = [row for _, row in group]
        if is_near:
            yield from chain.from_iterable(_line(row, look) for row in shown)
        else:
            yield _gap(shown, look)
    left = ", ".join(dict.fromkeys(f"{f.code} {f.name}" for f in repair.after.findings))
    if left:
        texts = wrap(f"left as they are: {left}", look.columns - MARGIN)
        yield from indented(texts, MARGIN, Tone.FAINT)
    yield TextLine()


def _rows(repair: Repair) -> Iterator[_Row]:
    """Yield the rows of the diff: one for each event, and two for an event that was moved.

    Where one event replaces another, the removed event comes first.
    """
    numbers = {id(edit): mistake.number for mistake in repair.mistakes for edit in mistake.edits}
    gone = _old_places(repair.edited)
    position = 0
    for event in repair.edited:
        if event.origin is not None and not event.is_moved:
            while gone and (gone[0].before or 0) < event.origin:
                yield gone.pop(0)
        row = _Row(" ", event.origin, position, event.label, is_message=event.kind in MESSAGES)
        if event.edit is not None:
            number = numbers.get(id(event.edit))
            why = "a repeat" if number is None else f"mistake {number}"
            row = _edited(row, event, f"{event.edit.kind.value}, {why}")
        yield row
        position += not event.is_left_out
    yield from gone


def _old_places(edited: Sequence[EditedEvent]) -> list[_Row]:
    """Return the rows of moved events at their old places."""
    kept = (event for event in edited if not event.is_left_out)
    rows = [
        _Row("-", event.origin, None, event.sent, f"moved to {position}")
        for position, event in enumerate(kept)
        if event.is_moved
    ]
    return sorted(rows, key=lambda row: row.before or 0)


def _edited(row: _Row, event: EditedEvent, remark: str) -> _Row:
    """Return the row of an event that an edit changes."""
    if event.is_left_out:
        return _Row("-", row.before, None, event.sent, remark)
    if event.origin is None:
        return _Row("+", None, row.after, row.text, remark)
    if event.is_moved:
        return _Row("+", None, row.after, row.text, f"{remark} (from {row.before})")
    return _Row("~", row.before, row.after, f"{event.sent} -> {row.text}", remark)


def _near(rows: list[_Row]) -> set[int]:
    """Return the indices of the rows to show: the edited rows and a few rows around each.

    Messages that were not edited are not shown as context.
    """
    near: set[int] = set()
    calm = [index for index, row in enumerate(rows) if not row.is_message or row.sign != " "]
    for place, index in enumerate(calm):
        if rows[index].sign != " ":
            near.update(calm[max(0, place - _AROUND) : place + _AROUND])
    return near


def _gap(hidden: list[_Row], look: Look) -> TextLine:
    messages = sum(row.is_message for row in hidden)
    text = counted({"event": len(hidden) - messages, "message": messages}, " and ")
    indent = " " * (_START - 3)
    return TextLine(indent).add(f"{look.signs.gap} {text}", Tone.FAINT)


def _head() -> TextLine:
    line = TextLine().to(MARGIN + 2).add("log".rjust(_NUMBER), Tone.FAINT)
    return line.add("now".rjust(_NUMBER), Tone.FAINT)


def _line(row: _Row, look: Look) -> Iterator[TextLine]:
    tone = _TONES[row.sign]
    line = TextLine(" " * MARGIN).add(row.sign, tone).add(" ")
    for position in (row.before, row.after):
        line.add(("" if position is None else str(position)).rjust(_NUMBER), Tone.FAINT)
    line.add("  ").add(row.text, tone)
    has_room = _START + _LABEL + len(row.remark) <= look.columns
    if row.remark and line.width + 2 <= _START + _LABEL and has_room:
        yield line.to(_START + _LABEL).add(row.remark, Tone.FAINT)
        return
    yield line
    yield from indented(wrap(row.remark, look.columns - _START - 2), _START + 2, Tone.FAINT)
