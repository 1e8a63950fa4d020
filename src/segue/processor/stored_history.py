"""Reads the history of a conversation, which is stored in pieces."""

from typing import Final

from segue.engine import State, restore_history
from segue.processor.effects import Unit
from segue.processor.records import ConversationRecord
from segue.processor.runtime import Runtime
from segue.processor.store import Store

_PAGE: Final = 500


def read_history(runtime: Runtime, record: ConversationRecord | None, state: State) -> Unit[None]:
    """Put the history back into the state of a record; None has none."""
    if record is None:
        return
    pieces: list[bytes] = []
    key, after, page = record.summary.key, 0, None
    while page is None or len(page) == _PAGE:
        page = yield runtime.call(Store.history, key, after, record.version, _PAGE)
        pieces += [piece.data for piece in page]
        after = page[-1].version if page else after
    restore_history(state, pieces)
