"""Published keys (JWK sets): fetched when needed, cached, and refreshed.

A fetch happens at first, when the keys are older than `max_age`, and when a token names an unknown
key, but never twice within the cooldown. Keys stay in use while a fetch fails. Requests that need
keys while none are there wait for the fetch under way; the lock is never held while waiting.
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
from segue.http.jwt.key import Key, published_keys
from segue.processor import Effect, Unit
from segue.processor.effects import Wait

_LOG: Final = logging.getLogger("segue.http.jwt")
_MAX_WAIT: Final = 10.0
"""Seconds to wait for a fetch under way."""
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class FetchKeys(Effect[object]):
    """Fetch a JWK set. The result is its JSON, or None if it could not be fetched."""

    url: str
    fetch: Callable[[str], bytes] | None = field(default=None, repr=False)
    """Returns the document at a URL or raises `OSError`; None for an HTTP GET."""

    def perform(self) -> object:
        """Fetch and parse the document; a failure is logged, not raised."""
        from segue.http.jwt import fetch  # noqa: PLC0415 - it loads http.client and ssl

        get = self.fetch or fetch.fetch
        try:
            return json.loads(get(self.url))
        except (OSError, ValueError, RecursionError) as error:
            _LOG.warning("keys could not be fetched: %s", type(error).__name__)
            return None


@dataclass(slots=True, eq=False)
class Jwks:
    """A published set of keys. Safe for use by many threads and event loops."""

    url: str
    algorithms: tuple[str, ...]
    cooldown: float
    """Seconds between two fetches at least."""
    max_age: float
    """Seconds after which keys are fetched again."""
    fetch: Callable[[str], bytes] | None
    clock: Callable[[], float]
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _keys: tuple[Key, ...] = field(default=(), init=False)
    _fetched_at: float | None = field(default=None, init=False)
    _tried_at: float | None = field(default=None, init=False)
    _under_way: "Future[None] | None" = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Refuse a URL whose answers can be changed on their way."""
        where = urlsplit(self.url)
        if where.scheme != "https" and not (where.scheme == "http" and where.hostname in _LOOPBACK):
            raise ConfigurationError(
                "jwks_url=… must be an https address: over http keys can be replaced on their way, "
                "and any token signed"
            )

    def __repr__(self) -> str:
        """Show how many keys there are."""
        return f"<Jwks keys={len(self._keys)}>"

    def keys(self, key_id: str | None) -> Unit[tuple[Key, ...]]:
        """Return the keys to try for a token that names this key, and fetch them if need be."""
        mine: Future[None] | None = None
        with self._lock:
            theirs = self._under_way
            if theirs is None and self._is_due(key_id):
                self._tried_at = self.clock()
                mine = self._under_way = Future()
                mine.set_running_or_notify_cancel()  # a waiter that gives up must not cancel it
        if mine is not None:
            yield from self._refresh(mine)
        elif theirs is not None and not self._has(key_id):
            yield Wait(theirs, _MAX_WAIT)
        return self._keys

    def _has(self, key_id: str | None) -> bool:
        return any(key.fits(key_id) for key in self._keys)

    def _is_due(self, key_id: str | None) -> bool:
        now = self.clock()
        if self._tried_at is not None and now - self._tried_at < self.cooldown:
            return False
        old = self._fetched_at is None or now - self._fetched_at >= self.max_age
        return old or not self._has(key_id)

    def _refresh(self, done: "Future[None]") -> Unit[None]:
        try:
            document = yield FetchKeys(self.url, self.fetch)
            keys = published_keys(document, self.algorithms)
            if keys:  # a set without a usable key is taken for a mistake of its publisher
                self._keys, self._fetched_at = keys, self.clock()
        finally:  # also when this request is cancelled: others are waiting
            with self._lock:
                self._under_way = None
            done.set_result(None)
