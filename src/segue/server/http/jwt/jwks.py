"""Published keys (JWK sets): fetched when needed, cached, and refreshed.

A fetch happens at first, when the keys are older than `max_age`, and when a token names an unknown
key, but never twice within the cooldown. Keys stay in use while a fetch fails. Requests that need
keys while none are there wait for the fetch under way, which ends within five seconds whatever its
server does; the lock is never held while waiting.
"""

import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import Final

from segue.core.errors import ConfigurationError
from segue.core.web_address import web_address
from segue.server.http.auth import LOOPBACK
from segue.server.http.jwt.key import Key, published_keys
from segue.server.processor import Effect, Unit
from segue.server.processor.effects import Wait

_LOG: Final = logging.getLogger("segue.http.jwt")
_DEADLINE: Final = 5.0
"""Seconds for one fetch, from its beginning to its end."""
_MARGIN: Final = 0.5
"""Seconds that waiters give the fetch beyond its deadline, so that all are answered by its end."""


@dataclass(frozen=True, slots=True)
class FetchKeys(Effect[object]):
    """Fetch a JWK set. The result is its JSON, or None if it could not be fetched."""

    url: str
    fetch: Callable[[str], bytes] | None = field(default=None, repr=False)
    """Returns the document at a URL or raises `OSError`; None for an HTTP GET."""

    timeout: float | None = None
    """Seconds for all of it, beyond which the result is None."""
    immediate = True

    def perform(self) -> "Future[object]":
        """Start the fetch in a thread of its own; a failure is logged, not raised."""
        done: Future[object] = Future()
        done.set_running_or_notify_cancel()
        Thread(target=self._run, args=(done,), name="segue-keys", daemon=True).start()
        return done

    def _run(self, done: "Future[object]") -> None:
        from segue.server.http.jwt import fetch  # noqa: PLC0415 - it loads http.client and ssl

        get, document = self.fetch or partial(fetch.fetch, seconds=_DEADLINE), None
        try:
            document = json.loads(get(self.url))
        except Exception as error:  # noqa: BLE001 - the function may be the host's
            _LOG.warning("keys could not be fetched: %s", type(error).__name__)
        done.set_result(document)


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
        """Refuse a URL that cannot be asked, or whose answers can be changed on their way."""
        where = web_address(self.url)
        if where is None or where.username is not None or not self.url.isascii():
            raise ConfigurationError(
                "jwks_url=… must be the address of a key set, such as "
                "https://login.example/jwks.json, without spaces, user or password"
            )
        if where.scheme != "https" and not (where.scheme == "http" and where.hostname in LOOPBACK):
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
            yield Wait(theirs, _DEADLINE + _MARGIN)
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
            document = yield FetchKeys(self.url, self.fetch, _DEADLINE)
            keys = published_keys(document, self.algorithms)
            if keys:  # a set without a usable key is taken for a mistake of its publisher
                self._keys, self._fetched_at = keys, self.clock()
        finally:  # also when this request is cancelled: others are waiting
            with self._lock:
                self._under_way = None
            done.set_result(None)
