"""Reads the findings or the events of one conversation in pages.

A cursor names a version of the conversation and a number of items that this version added. So
reading continues at the right item even if the conversation has grown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar

from segue.core.engine import State
from segue.core.engine.entry_replay import JudgedEntry, judged_events
from segue.core.engine.snapshot import findings_in
from segue.core.epoch import to_iso
from segue.core.errors import ConfigurationError
from segue.core.findings import Finding
from segue.server.processor.effects import Compute, Unit
from segue.server.processor.records import ConversationRecord, HistoryPiece, StoredEntry
from segue.server.processor.runtime import Runtime, decoded
from segue.server.processor.store import Store, StoreDamaged
from segue.server.processor.stored_entries import entries_of
from segue.server.processor.stored_history import read_entries

T = TypeVar("T")

_PER_VERSION: Final = 1_000_000
"""A number that is larger than the number of items that one commit can add."""
_PIECES: Final = 200
"""The maximum number of pieces of history in one call of the store."""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One lifecycle event of a conversation.

    Events and messages share one count of positions, so the positions in a list of events have
    gaps.
    """

    event: int
    """The position of the event in the conversation, from 0."""
    kind: str
    """The kind of event, the value of an `EventKind`."""
    agent: str | None
    """The identity of the agent, such as `a-1`, or None if the event has no agent."""
    received_at: datetime | None
    """The time of receipt, with a time zone, or None if it is unknown."""
    phase: str
    """The phase before the event, a value of `Phase`."""

    @classmethod
    def of(cls, judged: JudgedEntry) -> "TimelineEvent":
        """Create the event from an entry that was judged again."""
        entry, phase = judged.entry, judged.before.phase
        return cls(entry.position, entry.kind, entry.agent or None, entry.received_at, phase)

    def to_dict(self) -> dict[str, Any]:
        """Return the event as a dict of plain JSON values."""
        return {
            "event": self.event,
            "kind": self.kind,
            "agent": self.agent,
            "received_at": to_iso(self.received_at),
            "phase": self.phase,
        }


def cursor_behind(version: int) -> str:
    """Return the cursor for the items that were stored after a version of the conversation."""
    return str((version + 1) * _PER_VERSION)


def read_findings(
    runtime: Runtime, record: ConversationRecord, after: int, limit: int
) -> Unit[tuple[list[Finding], int | None]]:
    """Return at most `limit` findings of a conversation, and the cursor of the next page or None.

    `after` is the cursor of this page, or 0 for the first page. This is a generator of effects.
    """
    version, seen = divmod(after, _PER_VERSION)
    found: list[tuple[int, Finding]] = []
    before, pieces = version - 1, None
    while len(found) <= limit and (pieces is None or len(pieces) == _PIECES):
        pieces = yield runtime.call(
            Store.history,
            record.summary.key,
            before,
            record.version,
            _PIECES,
            with_findings=True,
        )
        for piece in pieces:
            skipped = seen if piece.version == version else 0
            start = piece.version * _PER_VERSION + skipped + 1
            found += enumerate(_findings_of(piece)[skipped:], start)
            before = piece.version
    return _page_of(found, limit)


def read_events(
    runtime: Runtime, record: ConversationRecord, after: int, limit: int
) -> Unit[tuple[list[TimelineEvent], int | None]]:
    """Return at most `limit` lifecycle events, and the cursor of the next page or None.

    `after` is the cursor of this page, or 0 for the first page. All entries are read, because the
    phases follow from them. This is a generator of effects.
    """
    state = decoded(record)
    until = state.first + len(state.entries)
    rows = yield from read_entries(runtime, record.summary.key, until)
    state.entries = [*entries_of(rows[: state.first], record.version), *state.entries]
    if len(rows) != len(state.entries):
        raise StoreDamaged
    page: tuple[list[TimelineEvent], int | None]
    page = yield Compute(partial(_events_after, state, rows, after, limit))
    return page


def _events_after(
    state: State, rows: Sequence[StoredEntry], after: int, limit: int
) -> tuple[list[TimelineEvent], int | None]:
    versions = {entry.position: row.version for entry, row in zip(state.entries, rows, strict=True)}
    found: list[tuple[int, TimelineEvent]] = []
    cursor = 0
    for judged in judged_events(state):
        cursor = max(cursor, versions[judged.entry.position] * _PER_VERSION) + 1
        if cursor > after:
            found.append((cursor, TimelineEvent.of(judged)))
    return _page_of(found, limit)


def _page_of(found: Sequence[tuple[int, T]], limit: int) -> tuple[list[T], int | None]:
    """Return the first items, and the cursor of the next page or None."""
    more = found[limit - 1][0] if len(found) > limit else None
    return [item for _, item in found[:limit]], more


def _findings_of(piece: HistoryPiece) -> list[Finding]:
    try:
        return findings_in(piece.json)
    except ConfigurationError as error:
        raise StoreDamaged from error
