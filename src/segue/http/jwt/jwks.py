"""Keys that somebody publishes: fetched when needed, kept, and fetched again now and then.

It decides when to fetch: at first, when the keys have grown old, and when a token names a key that
is not among them; never more than once within the cooldown, whatever the tokens say.  House rules:
keys that are there are used while a fetch fails; who comes while there are none yet waits for the
fetch under way instead of starting another; the lock is never held while waiting.
"""

import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from segue.errors import ConfigurationError
from segue.http.jwt.fetch import TIMEOUT
from segue.http.jwt.key import Key, fetched
from segue.processor import Effect, Unit

__all__ = ["FetchKeys", "Jwks"]

_LOG: Final = logging.getLogger("segue.http.jwt")
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class FetchKeys(Effect[object]):
    """Get a JWK set: the JSON in it, or None when that failed."""

    url: str
    fetch: Callable[[str], bytes] = field(repr=False)

    def perform(self) -> object:
        """Get and parse it; a failure is logged, not raised."""
        try:
            return json.loads(self.fetch(self.url))
        except (OSError, ValueError, RecursionError) as error:
            _LOG.warning("keys could not be fetched: %s", type(error).__name__)
            return None


@dataclass(frozen=True, slots=True)
class _Wait(Effect[None]):
    under_way: "Future[None]"
    timeout: float | None = 2 * TIMEOUT

    @property
    def immediate(self) -> bool:
        return True

    def perform(self) -> "Future[None]":
        return self.under_way


class Jwks:
    """A published set of keys. Safe for many threads and loops."""

    def __init__(  # noqa: PLR0913 - one setting each
        self,
        url: str,
        algorithms: tuple[str, ...],
        *,
        cooldown: float,
        max_age: float,
        fetch: Callable[[str], bytes],
        clock: Callable[[], float],
    ) -> None:
        where = urlsplit(url)
        if where.scheme != "https" and not (where.scheme == "http" and where.hostname in _LOOPBACK):
            raise ConfigurationError(
                "jwks_url=… must be an https address: whoever can change the keys on their way can "
                "sign any token"
            )
        self._url, self._algorithms, self._fetch, self._clock = url, algorithms, fetch, clock
        self._cooldown, self._max_age = cooldown, max_age
        self._lock = threading.Lock()
        self._keys: tuple[Key, ...] = ()
        self._fetched_at: float | None = None
        self._tried_at: float | None = None
        self._under_way: Future[None] | None = None

    def __repr__(self) -> str:
        """Show how many keys there are."""
        return f"<Jwks keys={len(self._keys)}>"

    def keys(self, key_id: str | None) -> Unit[tuple[Key, ...]]:
        """Return the keys to try for a token that names this key, fetching if need be."""
        mine: Future[None] | None = None
        with self._lock:
            theirs = self._under_way
            if theirs is None and self._is_due(key_id):
                self._tried_at = self._clock()
                mine = self._under_way = Future()
                mine.set_running_or_notify_cancel()  # whoever gives up waiting cancels nothing
        if mine is not None:
            yield from self._refresh(mine)
        elif theirs is not None and not self._known(key_id):
            yield _Wait(theirs)
        return self._keys

    def _known(self, key_id: str | None) -> bool:
        return any(key.fits(key_id) for key in self._keys)

    def _is_due(self, key_id: str | None) -> bool:
        now = self._clock()
        if self._tried_at is not None and now - self._tried_at < self._cooldown:
            return False
        old = self._fetched_at is None or now - self._fetched_at >= self._max_age
        return old or not self._known(key_id)

    def _refresh(self, done: "Future[None]") -> Unit[None]:
        try:
            document = yield FetchKeys(self._url, self._fetch)
            keys = fetched(document, self._algorithms)
            if keys:  # a set without a single usable key is an accident, like no answer
                self._keys, self._fetched_at = keys, self._clock()
        finally:  # whoever is cancelled here must not leave others waiting
            with self._lock:
                self._under_way = None
            done.set_result(None)
