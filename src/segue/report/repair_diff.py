"""Render a repair as a diff: each edit and the events around it.

A moved event is shown at both its old and its new position. Every edit is shown with its cost and
the finding that it settles. Events between edits are counted.
"""

from collections.abc import Iterator
from itertools import chain, groupby
from typing import Final, NamedTuple

from segue.analysis.repairs import Edit, EditKind, Repair
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
    """One line of the diff, which shows an event."""

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
    """Yield the lines of a repair: a header, the diff, and the findings that remain."""
    report = repair.before
    yield heading(shown_name(report) or "a conversation without an id", look)
    cost = f"cost {repair.cost}" + ("" if repair.is_least else ", not proven to be the least")
    outcome = "valid then" if repair.after.valid else "not valid then"
    facts = [pluralize(len(repair.edits), "edit"), cost, outcome]
    yield from facts_below(facts, look)
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
    """Yield a row for every event, and a second one for a moved event.

    Removed events come before those that replace them.
    """
    edits: dict[tuple[int | None, int | None], list[Edit]] = {}
    for edit in repair.edits:
        edits.setdefault((edit.event, edit.to), []).append(edit)
    places = {edit.event: edit.to for edit in repair.edits if edit.change is EditKind.MOVE}
    labels = {edit.event: edit.before for edit in repair.edits}
    gone = [
        _Row("-", event, None, labels[event], f"moved to {places[event]}")
        for event in sorted(event for event in places if event is not None)
    ]
    position = 0
    for event in repair.edited:
        if event.origin is not None and EditKind.MOVE not in event.edits:
            while gone and (gone[0].before or 0) < event.origin:
                yield gone.pop(0)
        is_left_out = EditKind.DELETE in event.edits
        about = edits.get((event.origin, None if is_left_out else position), [])
        row = _Row(" ", event.origin, position, event.label, is_message=event.kind in MESSAGES)
        yield _edited(row, about) if about else row
        position += not is_left_out
    yield from gone


def _edited(row: _Row, about: list[Edit]) -> _Row:
    """Return the row of an edited event.

    Its remark says how the event was edited, at which cost, and which finding the edit settles.
    """
    changes = {edit.change for edit in about}
    cost = sum(edit.cost for edit in about)
    settles, before = about[0].settles, about[0].before
    changed = " and ".join(edit.change.value for edit in about)
    remark = f"{changed}, {cost}: settles {settles.code} {settles.name}"
    if EditKind.DELETE in changes:
        return _Row("-", row.before, None, before, remark)
    if EditKind.INSERT in changes:
        return _Row("+", None, row.after, row.text, remark)
    if EditKind.MOVE in changes:
        was = "" if before == row.text else f", was {before}"
        return _Row("+", None, row.after, row.text, f"{remark} (from {row.before}{was})")
    return _Row("~", row.before, row.after, f"{before} -> {row.text}", remark)


def _near(rows: list[_Row]) -> set[int]:
    """Return the indices of edited rows and of the rows close to them.

    Messages that were not edited do not count as neighbours.
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
