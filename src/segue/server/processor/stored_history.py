"""Reads the past of a conversation from the store."""

from collections import Counter
from collections.abc import Container, Sequence
from functools import partial
from typing import Final

from segue.core.engine import State
from segue.core.engine.segment_tracker import SegmentTracker
from segue.core.engine.snapshot import PastSize, forget_past, restore_past
from segue.core.errors import ConfigurationError
from segue.server.processor.callback_payloads import (
    SEGMENT_CLOSED,
    StateBefore,
    closed_connections,
    needs_history,
    needs_tracker,
)
from segue.server.processor.effects import Compute, Unit
from segue.server.processor.records import (
    ConversationKey,
    ConversationRecord,
    HistoryPiece,
    StoredEntry,
)
from segue.server.processor.runtime import Runtime
from segue.server.processor.store import Store, StoreDamaged
from segue.server.processor.stored_entries import entries_of
from segue.server.processor.submission import Submission

_PAGE: Final = 500


def read_history(
    runtime: Runtime, record: ConversationRecord | None, state: State, most: int | None = None
) -> Unit[int | None]:
    """Read the stored past of a conversation into `state`.

    Stop after about `most` entries and findings, if it is given. Return the version of the last
    delivery that was read, or None if the whole past was read. If `record` is None, the
    conversation was never stored, so there is nothing to read.
    """
    if record is None:
        return None
    key, pieces = record.summary.key, list[HistoryPiece]()
    rows = yield from read_entries(runtime, key, state.first, most)
    is_all, size = len(rows) == state.first, 0
    page: Sequence[HistoryPiece] | None = None
    while (page is None or len(page) == _PAGE) and (most is None or size <= most):
        after = pieces[-1].version if pieces else 0
        page = yield runtime.call(Store.history, key, after, record.version, _PAGE)
        pieces += page
        size += sum(piece.findings for piece in page)
    is_all = is_all and page is not None and len(page) < _PAGE
    last = None if most is None else _last_version(rows, pieces, most, is_all=is_all)
    if last is not None:
        rows = [row for row in rows if row.version <= last]
        pieces = [piece for piece in pieces if piece.version <= last]
    newest = None if last is not None else record.version
    yield Compute(partial(_restore, state, rows, pieces, newest))
    return last


def read_entries(
    runtime: Runtime, key: ConversationKey, until: int, most: int | None = None
) -> Unit[list[StoredEntry]]:
    """Read the stored entries with numbers below `until`, and at most about `most` of them."""
    rows: list[StoredEntry] = []
    page: Sequence[StoredEntry] | None = None
    while (page is None or len(page) == _PAGE) and (most is None or len(rows) <= most):
        after = rows[-1].number if rows else -1
        page = yield runtime.call(Store.entries, key, after, until, _PAGE)
        rows += page
    return rows


def _last_version(
    rows: Sequence[StoredEntry], pieces: Sequence[HistoryPiece], most: int, *, is_all: bool
) -> int | None:
    """Return the last version of an excerpt, or None if the whole past is short enough.

    `is_all` tells whether all rows and pieces were read.
    """
    sizes = Counter(row.version for row in rows)
    for piece in pieces:
        sizes[piece.version] += piece.findings
    size = last = 0
    for version in sorted(sizes):
        if size >= most:
            return last
        size += sizes[version]
        last = version
    return None if is_all else last


def prepare(
    runtime: Runtime,
    record: ConversationRecord | None,
    state: State,
    submission: Submission,
    wanted: Container[str],
) -> Unit[StateBefore]:
    """Read the stored history into `state` if the delivery in `submission` needs it.

    An END event needs the whole history. `wanted` contains the kinds of callbacks that have a
    handler. If one of them reports closed segments, a tracker of open segments is added to the
    state, so that later deliveries do not need the past.

    Return facts about the state before the delivery, from which callbacks are made afterwards.
    """
    presence = state.presence
    tracker: SegmentTracker | None = state.segments
    if tracker is not None and SEGMENT_CLOSED in wanted:
        tracker.changed.clear()
    elif tracker is not None:
        state.segments = None
    if needs_history(submission, state, wanted):
        yield from read_history(runtime, record, state)
        state.segments = None
        closed = closed_connections(state) if SEGMENT_CLOSED in wanted else None
        return StateBefore(presence, PastSize.of(state), closed)
    if needs_tracker(submission, state, wanted):
        yield from read_history(runtime, record, state)
        yield Compute(partial(_track, state))
    return StateBefore(presence, PastSize.of(state))


def _track(state: State) -> None:
    """Start to track the segments of a conversation, and drop the past from `state`.

    The past must have been read before, since the tracker is computed from it.
    """
    tracker = SegmentTracker()
    tracker.advance(state, state.first_presence)
    tracker.trim()
    state.segments = tracker
    forget_past(state)


def _restore(
    state: State,
    rows: Sequence[StoredEntry],
    pieces: Sequence[HistoryPiece],
    newest: int | None,
) -> None:
    """Restore the past. `newest` is the version of the conversation, or None for an excerpt."""
    is_all = newest is not None
    if is_all and len(rows) != state.first:
        raise StoreDamaged
    entries = entries_of(rows, newest)
    try:
        restore_past(state, entries, [piece.json for piece in pieces], is_all=is_all)
    except ConfigurationError as error:
        raise StoreDamaged from error
