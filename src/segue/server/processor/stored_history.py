"""Reads the history of a conversation, which is stored in pieces."""

from collections.abc import Container
from functools import partial
from typing import Final

from segue.core.engine import State
from segue.core.engine.segment_tracker import SegmentTracker
from segue.core.engine.snapshot import NO_HISTORY, HistorySize, forget_history, restore_history
from segue.core.errors import ConfigurationError
from segue.server.processor.callback_payloads import (
    SEGMENT_CLOSED,
    StateBefore,
    closed_connections,
    needs_history,
    needs_tracker,
)
from segue.server.processor.effects import Compute, Unit
from segue.server.processor.records import ConversationRecord
from segue.server.processor.runtime import Runtime
from segue.server.processor.store import Store, StoreDamaged
from segue.server.processor.submission import Submission

_PAGE: Final = 500


def read_history(
    runtime: Runtime, record: ConversationRecord | None, state: State, most: int | None = None
) -> Unit[int | None]:
    """Read the stored history of a conversation into its state.

    Do nothing if `record` is None. Stop after `most` events and findings. Return None if the
    history is complete, or else the version of the last delivery that was read.
    """
    pieces: list[bytes] = []
    after, size, page, is_all = 0, 0, None, True
    while record is not None and is_all and (page is None or len(page) == _PAGE):
        page = yield runtime.call(Store.history, record.summary.key, after, record.version, _PAGE)
        for piece in page:
            if most is not None and size >= most:
                is_all = False
                break
            pieces.append(piece.json)
            size += piece.events + piece.findings
            after = piece.version
    if pieces:
        yield Compute(partial(_restore, state, pieces))
    return None if is_all else after


def prepare(
    runtime: Runtime,
    record: ConversationRecord | None,
    state: State,
    submission: Submission,
    wanted: Container[str],
) -> Unit[StateBefore]:
    """Read the history if a delivery needs it. Return facts about the state before the delivery.

    END needs the whole history. `wanted` holds the kinds of callbacks that have a handler. If
    closed segments have one, they are tracked from the first event on. If a process without the
    handler applied earlier deliveries, tracking starts with the first delivery here.
    """
    presence, nothing = state.presence, NO_HISTORY._replace(agents=len(state.agents))
    tracker: SegmentTracker | None = state.rare.segments
    if tracker is not None and SEGMENT_CLOSED in wanted:
        tracker.changed.clear()
    elif tracker is not None:
        state.rare = state.rare._replace(segments=None)
    if needs_history(submission, state, wanted):
        yield from read_history(runtime, record, state)
        state.rare = state.rare._replace(segments=None)
        closed = closed_connections(state) if SEGMENT_CLOSED in wanted else None
        return StateBefore(presence, HistorySize.of(state), closed)
    if needs_tracker(submission, state, wanted):
        yield from read_history(runtime, record, state)
        yield Compute(partial(_track, state))
    return StateBefore(presence, nothing)


def _track(state: State) -> None:
    """Start a tracker of segments in a state that has its history, then drop the history."""
    tracker = SegmentTracker()
    tracker.advance(state, state.first_presence)
    tracker.trim()
    state.rare = state.rare._replace(segments=tracker)
    forget_history(state)


def _restore(state: State, pieces: list[bytes]) -> None:
    try:
        restore_history(state, pieces)
    except ConfigurationError as error:
        raise StoreDamaged from error
