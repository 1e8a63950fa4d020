"""The states of recently used conversations, so that most deliveries load nothing.

A cached state is a guess, because another process may have changed the conversation; the version
check of the commit proves it. A state is removed while it is worked on and returned when committed.
"""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from segue.engine import State, load, new
from segue.processor.records import ConversationRecord

__all__ = ["CachedState", "StateCache"]

_CAPACITY: Final = 2048


@dataclass(slots=True)
class CachedState:
    """A conversation's state, and the record it was last stored as."""

    state: State
    record: ConversationRecord | None
    """None if it was never stored."""

    @classmethod
    def of(cls, conversation_id: str, record: ConversationRecord | None) -> "CachedState":
        """Decode a stored conversation, or begin a new one."""
        return cls(new(conversation_id) if record is None else load(record.snapshot), record)


class StateCache:
    """The states used last."""

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._states: OrderedDict[str, CachedState] = OrderedDict()

    def take(self, conversation_id: str) -> CachedState | None:
        """Remove a state and return it, or None if it is not cached."""
        with self._lock:
            return self._states.pop(conversation_id, None)

    def put(self, conversation_id: str, cached: CachedState) -> None:
        """Store a committed state as the newest; beyond the capacity the oldest is dropped."""
        with self._lock:
            self._states[conversation_id] = cached
            if len(self._states) > self._capacity:
                self._states.popitem(last=False)
