"""Reassemble the stored parts of a conversation."""

from segue.core.engine import State
from segue.core.engine.snapshot import load_parts, restore_past
from segue.server.processor import ConversationKey, Store
from segue.server.processor.stored_entries import entries_of

__all__ = ["stored_state"]


def stored_state(store: Store, key: ConversationKey) -> State | None:
    """Return a conversation with its past, or None if it is unknown."""
    found = store.load(key).conversation
    if found is None:
        return None
    assert list(found.agents) == list(range(len(found.agents)))
    state = load_parts(found.snapshot, found.agents.values(), found.version)
    pieces = store.history(key, 0, found.version, 1_000_000)
    rows = store.entries(key, -1, state.first + len(state.entries), 1_000_000)
    entries = entries_of(rows)
    assert entries[state.first :] == state.entries
    history = [piece.data for piece in pieces]
    restore_past(state, entries[: state.first], history, is_all=True)
    return state
