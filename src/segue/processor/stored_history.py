"""Reads the history of a conversation, which is stored in pieces."""

from typing import Final

from segue.engine import State, restore_history
from segue.processor.effects import Unit
from segue.processor.records import ConversationRecord
from segue.processor.runtime import Runtime
from segue.processor.store import Store

_PAGE: Final = 500


def read_history(
    runtime: Runtime, record: ConversationRecord | None, state: State, most: int | None = None
) -> Unit[bool]:
    """Put the history back into the state of a record; None has none.

    Stops when there are `most` events and findings; returns whether that is all.
    """
    pieces: list[bytes] = []
    after, size, page = 0, 0, None
    while record is not None and (page is None or len(page) == _PAGE):
        page = yield runtime.call(Store.history, record.summary.key, after, record.version, _PAGE)
        for piece in page:
            if most is not None and size >= most:
                restore_history(state, pieces)
                return False
            pieces.append(piece.data)
            size += piece.events + piece.findings
            after = piece.version
    restore_history(state, pieces)
    return True
