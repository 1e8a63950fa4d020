"""The entries of a conversation after the edits of its explanation."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from segue.core.engine.entries import Entry
from segue.core.events import EventKind
from segue.core.explain.costs import EditKind
from segue.core.explain.edits import Edit
from segue.core.lifecycle import MESSAGES

NOBODY: Final = "\0"
"""The identity, while figures are computed, of an agent whom no event names."""
_LEAVING_OUT: Final = frozenset({EditKind.SURPLUS, EditKind.ID_USED_AGAIN, EditKind.MOVED})


class EditedEntry(NamedTuple):
    """An entry after some edits."""

    entry: Entry
    origin: int | None
    """The position in the conversation as told, or None for an event that was put in."""
    is_timed: bool = True
    """Whether the event happened when it was received. Otherwise it was put in, moved or unreadable
    and happened at some time between its neighbours.
    """
    is_placed: bool = True
    """Whether the place among the other events is known."""


def edited_entries(
    entries: Sequence[Entry], edits: Iterable[Edit], read: Iterable[Edit] = ()
) -> list[EditedEntry]:
    """Return the entries of a conversation after some edits.

    Args:
        entries: The entries of the conversation as told.
        edits: The edits.
        read: The events for which unreadable ones are taken.

    """
    writer = _Writer(entries)
    for edit in read:
        writer.read(edit)
    for edit in sorted(edits, key=lambda each: each.turn):
        writer.add(edit)
    return writer.edited()


class _Writer:
    """The entries of a conversation while edits are applied to it."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._readable: dict[int, int] = {}
        self._unreadable: dict[int, list[int]] = {}
        for index, entry in enumerate(entries):
            run = range(entry.position, entry.position + entry.count)
            if entry.kind is EventKind.UNPROCESSABLE:
                for at in run:
                    self._unreadable.setdefault(at, []).append(index)
            else:
                self._readable.update(dict.fromkeys(run, index))
        self._instead: dict[int, list[EditedEntry]] = {}
        self._put: dict[int, list[EditedEntry]] = {}

    def read(self, edit: Edit) -> None:
        """Take an unreadable event for another one.

        The events of a delivery that was dropped have one position, and are read in order.
        """
        unread = (at for at in self._unreadable[edit.event or 0] if at not in self._instead)
        index = next(unread)
        entry = self._entries[index]
        event = _as(entry, edit)._replace(received_at=None)
        self._instead[index] = [EditedEntry(event, entry.position, is_timed=False)]

    def add(self, edit: Edit) -> None:
        """Apply an edit."""
        if edit.event is None:
            self._put_before(edit.before, [_new(edit, edit.event_kind, edit.agent)])
            return
        run = self._run(edit.event, edit.size or 1)
        if edit.kind in _LEAVING_OUT:
            self._instead |= {index: [] for index in run}
            if edit.kind is EditKind.MOVED:
                self._put_before(edit.before, [_moved(self._entries[index]) for index in run])
        elif edit.kind is EditKind.STAY_RENAMED:
            for index in (run[0], run[-1]):
                entry = self._entries[index]
                renamed = entry._replace(agent=edit.agent or NOBODY, details=None)
                self._instead[index] = [EditedEntry(renamed, entry.position)]
        else:
            self._change(edit, run[0])

    def edited(self) -> list[EditedEntry]:
        """Return all entries after the edits."""
        found: list[EditedEntry] = []
        for index, entry in enumerate(self._entries):
            found += self._put.get(index, ())
            found += self._instead.get(index, (EditedEntry(entry, entry.position),))
        return [*found, *self._put.get(len(self._entries), ())]

    def _change(self, edit: Edit, index: int) -> None:
        entry = self._entries[index]
        changed = EditedEntry(_as(entry, edit), entry.position)
        if edit.kind is EditKind.TOOK_OVER:
            leaving = _new(edit, EventKind.COLD_EXIT, edit.leaving)
            self._instead[index] = [leaving, changed]
        else:
            self._instead[index] = [changed]

    def _run(self, position: int, size: int) -> list[int]:
        """Return the indices of the entries of a run of events, in order.

        Before END, the messages of an agent are a run that messages of others may interrupt.
        """
        places = (self._index(at) for at in range(position, position + size))
        run = sorted({index for index in places if index is not None})
        first = self._entries[run[0]]
        if first.kind is not EventKind.AGENT_MESSAGE or self._has_ended(run[0]):
            return run
        same: list[int] = []
        for index in range(run[0], len(self._entries)):
            if self._entries[index][:2] == first[:2] and size > 0:
                same.append(index)
                size -= self._entries[index].count
        return same

    def _has_ended(self, index: int) -> bool:
        return any(entry.kind is EventKind.END for entry in self._entries[:index])

    def _index(self, position: int) -> int | None:
        return self._readable.get(position, self._unreadable.get(position, [None])[0])

    def _put_before(self, position: int | None, entries: Iterable[EditedEntry]) -> None:
        index = None if position is None else self._index(position)
        place = len(self._entries) if index is None else index
        self._put.setdefault(place, []).extend(entries)


def _as(entry: Entry, edit: Edit) -> Entry:
    """Return an event as it should be."""
    kind, agent = edit.event_kind or entry.kind, edit.agent or ""
    if kind.transfer_type and not agent:
        agent = NOBODY
    details = entry.details if agent == entry.agent else None
    return entry._replace(kind=kind, agent=agent, details=details, is_repeat=False)


def _new(edit: Edit, kind: EventKind | None, agent: str | None) -> EditedEntry:
    """Return an event that was not told."""
    assert kind is not None, "an event that is put in has a kind"
    identity = (agent or NOBODY) if kind.transfer_type else ""
    entry = Entry(kind, identity, -1 if edit.before is None else edit.before)
    return EditedEntry(entry, None, is_timed=False, is_placed=False)


def _moved(entry: Entry) -> EditedEntry:
    """Return an event, or a run of messages, that came at another place than it happened."""
    event = entry._replace(received_at=None, last_at=None)
    if entry.kind in MESSAGES:
        return EditedEntry(event, entry.position)
    return EditedEntry(event, entry.position, is_timed=False, is_placed=False)
