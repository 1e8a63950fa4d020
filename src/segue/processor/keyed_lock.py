"""Turns: the deliveries of one conversation pass one at a time, in the order they came.

It decides who is next within this process; between processes the store's compare-and-swap does.
House rules: who joined must leave, granted or not; waiting costs no thread.
"""

from collections import deque
from concurrent.futures import Future
from threading import Lock

from segue.processor.effects import Effect

__all__ = ["Turn", "Turns"]


class Turn(Effect[None]):
    """A place in the queue of one conversation; performing it waits until it is the first."""

    immediate = True

    def __init__(self, turns: "Turns", key: str) -> None:
        self._turns = turns
        self._key = key
        self._granted: Future[None] = Future()

    def perform(self) -> Future[None] | None:
        """Return at once when it is this one's turn, or a future of that."""
        return None if self._granted.done() else self._granted

    def grant(self) -> None:
        """Let it pass; nothing happens when nobody waits for it any more."""
        if self._granted.set_running_or_notify_cancel():
            self._granted.set_result(None)

    def leave(self) -> None:
        """Let the next one pass, or stand in the queue no more."""
        self._turns.leave(self._key, self)


class Turns:
    """The queues of all conversations that somebody works on."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._queues: dict[str, deque[Turn]] = {}

    def __len__(self) -> int:
        return len(self._queues)

    def join(self, key: str) -> Turn:
        """Stand in the queue of a conversation."""
        turn = Turn(self, key)
        with self._lock:
            queue = self._queues.setdefault(key, deque())
            queue.append(turn)
            if len(queue) == 1:
                turn.grant()
        return turn

    def leave(self, key: str, turn: Turn) -> None:
        """Take a turn out of its queue; whoever is first then may pass."""
        with self._lock:
            queue = self._queues[key]
            was_first = queue[0] is turn
            queue.remove(turn)
            if not queue:
                del self._queues[key]
            elif was_first:
                queue[0].grant()
