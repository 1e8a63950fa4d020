"""Reads the history of a conversation, which is stored in pieces."""

from functools import partial
from typing import Final

from segue.engine import State, restore_history
from segue.errors import ConfigurationError
from segue.processor.effects import Compute, Unit
from segue.processor.records import ConversationRecord
from segue.processor.runtime import Runtime
from segue.processor.store import Store, StoreDamaged

_PAGE: Final = 500


def read_history(
    runtime: Runtime, record: ConversationRecord | None, state: State, most: int | None = None
) -> Unit[int | None]:
    """Put the history back into the state of a record; None has none.

    Stops when there are `most` events and findings. Returns None if that is all, and else the
    version of the last delivery that was read.
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


def _restore(state: State, pieces: list[bytes]) -> None:
    try:
        restore_history(state, pieces)
    except ConfigurationError as error:
        raise StoreDamaged from error
