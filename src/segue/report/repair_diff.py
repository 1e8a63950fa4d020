"""A repair as a diff: the events around each edit, those that go and those that come.

It decides which events are shown: the edited ones with their neighbours; what lies between is
counted.  House rules: a moved event is shown where it was and where it goes; every edit says its
price and the finding it settles; the sign in front carries no meaning that the words do not.  It
refuses to know how repairs are found.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from segue.lifecycle import MESSAGES
from segue.repairs import Change
from segue.report.header import heading
from segue.report.plurals import pluralize
from segue.report.styled_text import Look, TextLine, Tone
from segue.report.text_layout import fill, wrap

if TYPE_CHECKING:
    from segue.repairs import Edit, Repair

__all__ = ["repair_lines"]

_MARGIN: Final = 3
_AROUND: Final = 2
"""Neighbours shown before an edit; after it, one less."""
_NUMBER: Final = 5
_LABEL: Final = 42

_TONES: Final = {" ": None, "-": Tone.ERROR, "+": Tone.GOOD, "~": Tone.WARNING}


class _Row(NamedTuple):
    """One line of the diff."""

    sign: str
    position: int | None
    text: str
    remark: str = ""
    is_message: bool = False


def repair_lines(repair: "Repair", look: Look) -> Iterator[TextLine]:
    """Yield a repair as lines."""
    report = repair.before
    yield heading(report.conversation_id or "a conversation without an id", look)
    cost = f"cost {repair.cost}" + ("" if repair.is_least else ", not proven to be the least")
    facts = [pluralize(len(repair.edits), "edit"), cost]
    facts.append("valid then" if repair.after.valid else "not valid then")
    room = look.columns - _MARGIN
    for text in fill(facts, room, f" {look.signs.between} "):
        yield TextLine(" " * _MARGIN).add(text, Tone.FAINT)
    rows = list(_rows(repair))
    near = _near(rows)
    hidden: list[_Row] = []
    for index, row in enumerate(rows):
        if index not in near:
            hidden.append(row)
            continue
        yield from _gap(hidden, look)
        hidden = []
        yield from _line(row, look)
    yield from _gap(hidden, look)
    left = dict.fromkeys(f"{f.code} {f.name}" for f in repair.after.findings)
    if left:
        yield from (
            TextLine(" " * _MARGIN).add(row, Tone.FAINT)
            for row in wrap(f"left as they are: {', '.join(left)}", room)
        )
    yield TextLine()


def _rows(repair: "Repair") -> Iterator[_Row]:
    """Yield every event, those that go before those that come in their stead."""
    edits: dict[tuple[int | None, int | None], list[Edit]] = {}
    for edit in repair.edits:
        edits.setdefault((edit.event, edit.to), []).append(edit)
    places = {edit.event: edit.to for edit in repair.edits if edit.change is Change.MOVE}
    gone = sorted(event for event in places if event is not None)
    labels = {edit.event: edit.before for edit in repair.edits}
    position = 0
    for part in repair.parts:
        is_home = part.origin is not None and Change.MOVE not in part.changes
        while is_home and gone and part.origin is not None and gone[0] < part.origin:
            event = gone.pop(0)
            yield _Row("-", event, labels[event], f"moved to {places[event]}")
        is_left_out = Change.DELETE in part.changes
        about = edits.get((part.origin, None if is_left_out else position), [])
        yield _row(part.origin, position, about, part.label, part.kind in MESSAGES)
        position += not is_left_out
    for event in gone:
        yield _Row("-", event, labels[event], f"moved to {places[event]}")


def _row(
    origin: int | None,
    position: int,
    about: list["Edit"],
    label: str,
    is_message: bool,  # noqa: FBT001
) -> _Row:
    if not about:
        return _Row(" ", position, label, is_message=is_message)
    changes = {edit.change for edit in about}
    cost = sum(edit.cost for edit in about)
    settles = about[0].settles
    why = "" if settles is None else f" settles {settles.code} {settles.name}"
    remark = f"{' and '.join(edit.change.value for edit in about)}, {cost}:{why}"
    if Change.DELETE in changes:
        return _Row("-", origin, about[0].before, remark)
    if Change.INSERT in changes:
        return _Row("+", position, label, remark)
    if Change.MOVE in changes:
        before = about[0].before
        was = "" if before == label else f", was {before}"
        return _Row("+", position, label, f"{remark} (from {origin}{was})")
    return _Row("~", position, f"{about[0].before} -> {label}", remark)


def _near(rows: list[_Row]) -> set[int]:
    """Return the rows that are edited, and their neighbours that are no messages."""
    near: set[int] = set()
    calm = [index for index, row in enumerate(rows) if not row.is_message or row.sign != " "]
    for place, index in enumerate(calm):
        if rows[index].sign != " ":
            near.update(calm[max(0, place - _AROUND) : place + _AROUND])
    return near


def _gap(hidden: list[_Row], look: Look) -> Iterator[TextLine]:
    if not hidden:
        return
    messages = sum(row.is_message for row in hidden)
    parts = []
    if len(hidden) - messages:
        parts.append(pluralize(len(hidden) - messages, "event"))
    if messages:
        parts.append(pluralize(messages, "message"))
    yield TextLine(" " * (_MARGIN + 2 + _NUMBER - 1)).add(
        f"{look.signs.gap} {' and '.join(parts)}", Tone.FAINT
    )


def _line(row: _Row, look: Look) -> Iterator[TextLine]:
    tone = _TONES[row.sign]
    line = TextLine(" " * _MARGIN).add(row.sign, tone).add(" ")
    place = "" if row.position is None else str(row.position)
    line.add(place.rjust(_NUMBER), Tone.FAINT).add("  ").add(row.text, tone)
    if not row.remark:
        yield line
        return
    start = _MARGIN + 2 + _NUMBER + 2
    if line.width + 2 <= start + _LABEL and start + _LABEL + len(row.remark) <= look.columns:
        yield line.to(start + _LABEL).add(row.remark, Tone.FAINT)
        return
    yield line
    for text in wrap(row.remark, look.columns - start - 2):
        yield TextLine(" " * (start + 2)).add(text, Tone.FAINT)
