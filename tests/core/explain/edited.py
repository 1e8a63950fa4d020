"""Edits applied to events, written for the tests alone: nothing of the package's own edits is used.

The edits are the values that a report has, so positions are those of the conversation as told.
"""

from collections.abc import Iterable, Sequence

from tests.oracle.oracle import Ev
from tests.streams import KINDS

from segue.core.explain import Edit, EditKind

__all__ = ["UNKNOWN", "apply", "conversation_of"]

UNKNOWN = "another"
"""The identity of an agent whom no event names."""

_NAMES = {kind: name for name, kind in KINDS.items()}

Item = tuple[int | None, Ev]
"""An event, and its position as told or None if it was put in."""


def apply(events: Sequence[Ev], edits: Iterable[Edit]) -> list[Item]:
    """Return the events after all edits, each with its position as told."""
    count = len(events)
    stays: list[list[Item]] = [[] for _ in range(count + 1)]
    for at, event in enumerate(events):
        stays[at].append((at, event))
    before: list[list[Item]] = [[] for _ in range(count + 1)]
    for edit in edits:
        to = count if edit.before is None else edit.before
        first, size = edit.event, edit.size or 1
        if first is None:
            before[to].append((None, _as_it_should_be(edit)))
            continue
        run = range(first, first + size)
        if edit.kind is EditKind.MOVED:
            before[to] += [item for at in run for item in stays[at]]
        changed = (run[0], run[-1]) if edit.kind is EditKind.STAY_RENAMED else run
        for at in changed:
            stays[at] = _instead(at, events[at], edit)
    placed = zip(before, stays, strict=True)
    return [item for put, stay in placed for item in (*put, *stay)]


def _instead(at: int, event: Ev, edit: Edit) -> list[Item]:
    """Return what is in the place of an event of an edit."""
    if edit.kind in {EditKind.MOVED, EditKind.SURPLUS, EditKind.ID_USED_AGAIN}:
        return []
    if edit.kind is EditKind.STAY_RENAMED:
        return [(at, Ev(event.kind, edit.agent or UNKNOWN))]
    if edit.kind is EditKind.TOOK_OVER:
        return [(None, Ev("COLD exit", edit.leaving or UNKNOWN)), (at, _as_it_should_be(edit))]
    return [(at, _as_it_should_be(edit))]


def conversation_of(items: Iterable[Item]) -> tuple[Ev, ...]:
    """Return the events alone."""
    return tuple(event for _, event in items)


def _as_it_should_be(edit: Edit) -> Ev:
    assert edit.event_kind is not None
    name = _NAMES[edit.event_kind]
    is_about_an_agent = name not in {"summary", "end"}
    return Ev(name, (edit.agent or UNKNOWN) if is_about_an_agent else "")
