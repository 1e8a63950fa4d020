"""Reassemble the stored parts of a conversation."""

from segue.core.engine import State
from segue.core.engine.snapshot import load_parts, restore_history
from segue.server.processor import ConversationKey, Store

__all__ = ["stored_state"]


def stored_state(store: Store, key: ConversationKey) -> State | None:
    """Return a conversation with its history, or None if it is unknown."""
    found = store.load(key).conversation
    if found is None:
        return None
    assert list(found.agents) == list(range(len(found.agents)))
    state = load_parts(found.snapshot, found.agents.values())
    pieces = store.history(key, 0, found.version, 1_000_000)
    restore_history(state, [piece.data for piece in pieces])
    return state
