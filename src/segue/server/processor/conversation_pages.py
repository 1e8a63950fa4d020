"""Reads the findings or the events of one conversation in pages.

A cursor names a version of the conversation and a number of items that this version added. So
reading continues at the right item even if the history has grown.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final, TypeVar

from segue.core.engine import HistoryRow, rows_of
from segue.core.engine.snapshot import findings_in, restore_history
from segue.core.epoch import to_iso
from segue.core.errors import ConfigurationError
from segue.core.findings import Finding
from segue.server.processor.effects import Unit
from segue.server.processor.records import ConversationRecord, HistoryPiece
from segue.server.processor.runtime import Runtime, decoded
from segue.server.processor.store import Store, StoreDamaged

T = TypeVar("T")

_PER_VERSION: Final = 1_000_000
"""A number that is larger than the number of items that one commit can add."""
_PIECES: Final = 200
"""The maximum number of pieces of history in one call of the store."""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """One lifecycle event of a conversation.

    Positions that are missing in a list belong to messages.
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
    def of(cls, row: HistoryRow) -> "TimelineEvent":
        """Create an event from a row of the history."""
        decision = row.decision
        return cls(row.position, decision.kind, row.agent or None, row.at, decision.phase)

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
    """Return the cursor that continues after all items of a version."""
    return str((version + 1) * _PER_VERSION)


def read_findings(
    runtime: Runtime, record: ConversationRecord, after: int, limit: int
) -> Unit[tuple[list[Finding], int | None]]:
    """Return at most `limit` findings after a cursor, and the cursor of the next page or None.

    This is a generator of effects. `after` is 0 for the first page.
    """

    def items(pieces: Sequence[HistoryPiece]) -> Iterator[list[Finding]]:
        return (findings_in(piece.json) for piece in pieces)

    return (yield from _read(runtime, record, (after, limit), items, with_findings=True))


def read_events(
    runtime: Runtime, record: ConversationRecord, after: int, limit: int
) -> Unit[tuple[list[TimelineEvent], int | None]]:
    """Return at most `limit` lifecycle events after a cursor, and the next cursor or None.

    This is a generator of effects. `after` is 0 for the first page.
    """

    def items(pieces: Sequence[HistoryPiece]) -> Iterator[list[TimelineEvent]]:
        state = decoded(record)
        restore_history(state, [piece.json for piece in pieces])
        rows = map(TimelineEvent.of, rows_of(state))
        return (list(islice(rows, piece.events)) for piece in pieces)

    return (yield from _read(runtime, record, (after, limit), items, with_findings=False))


def _read(
    runtime: Runtime,
    record: ConversationRecord,
    page: tuple[int, int],
    items: Callable[[Sequence[HistoryPiece]], Iterator[list[T]]],
    *,
    with_findings: bool,
) -> Unit[tuple[list[T], int | None]]:
    (version, seen), limit = divmod(page[0], _PER_VERSION), page[1]
    found: list[tuple[int, T]] = []
    before, pieces = version - 1, None
    while len(found) <= limit and (pieces is None or len(pieces) == _PIECES):
        pieces = yield runtime.call(
            Store.history,
            record.summary.key,
            before,
            record.version,
            _PIECES,
            with_findings=with_findings,
        )
        for piece, each in zip(pieces, _checked(items(pieces)), strict=True):
            start = piece.version * _PER_VERSION
            skipped = seen if piece.version == version else 0
            found += enumerate(each[skipped:], start + skipped + 1)
            before = piece.version
    more = found[limit - 1][0] if len(found) > limit else None
    return [item for _, item in found[:limit]], more


def _checked(items: Iterator[T]) -> Iterator[T]:
    """Yield the items of history pieces unchanged.

    Raise `StoreDamaged` if a piece cannot be read.
    """
    try:
        yield from items
    except ConfigurationError as error:
        raise StoreDamaged from error
