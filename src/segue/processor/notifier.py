"""The bell: whoever waits for news hears it when this process has committed some.

It decides nothing.  House rules: who listens must stop; a ring that nobody hears is forgotten.
What other processes commit rings no bell here: a listener's patience is limited.
"""

from concurrent.futures import Future
from threading import Lock

from segue.processor.effects import Effect

__all__ = ["Bell", "Listener"]


class Listener(Effect[None]):
    """Somebody who waits for the bell; listens from the moment it was made."""

    immediate = True

    def __init__(self, bell: "Bell") -> None:
        self.timeout: float | None = None
        self.rung: Future[None] = Future()
        self._bell = bell

    def perform(self) -> Future[None]:
        """Return a future of the next ring."""
        return self.rung

    def stop(self) -> None:
        """Listen no more."""
        self._bell.forget(self)


class Bell:
    """Rings for everybody who listens."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: set[Listener] = set()

    def listen(self) -> Listener:
        """Begin to listen."""
        listener = Listener(self)
        with self._lock:
            self._listeners.add(listener)
        return listener

    def forget(self, listener: Listener) -> None:
        """Let somebody go, whether or not it has rung."""
        with self._lock:
            self._listeners.discard(listener)

    def ring(self) -> None:
        """Wake everybody who listens now."""
        with self._lock:
            listeners, self._listeners = self._listeners, set()
        for listener in listeners:
            if listener.rung.set_running_or_notify_cancel():
                listener.rung.set_result(None)
