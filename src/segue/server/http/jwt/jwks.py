"""Published keys (JWK sets) that are fetched when needed, cached and refreshed.

Keys are fetched at first, when they are older than `max_age`, and when a token names an unknown
key, but never twice within the cooldown. Old keys stay in use while a fetch fails. Requests that
need keys before any were fetched wait for the running fetch, which ends within five seconds in any
case. The lock is never held while waiting.
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
"""The maximum time of a fetch, in seconds."""
_MARGIN: Final = 0.5
"""The seconds for which waiting requests outlast the deadline of a fetch, so that all get its
result."""


@dataclass(frozen=True, slots=True)
class FetchKeys(Effect[object]):
    """An effect that fetches a JWK set.

    The result is its decoded JSON, or None if the fetch failed.
    """

    url: str
    fetch: Callable[[str], bytes] | None = field(default=None, repr=False)
    """A function that returns the document at a URL or raises `OSError`. None makes an HTTP GET."""

    timeout: float | None = None
    """The maximum time in seconds. After that the result is None."""
    immediate = True

    def perform(self) -> "Future[object]":
        """Start the fetch in its own thread and return its future.

        A failure is logged, not raised.
        """
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
    """A cached set of published keys. It is safe for many threads and event loops."""

    url: str
    algorithms: tuple[str, ...]
    cooldown: float
    """The minimum number of seconds between two fetches."""
    max_age: float
    """The age in seconds at which keys are fetched again."""
    fetch: Callable[[str], bytes] | None
    clock: Callable[[], float]
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _keys: tuple[Key, ...] = field(default=(), init=False)
    _fetched_at: float | None = field(default=None, init=False)
    _tried_at: float | None = field(default=None, init=False)
    _under_way: "Future[None] | None" = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Raise `ConfigurationError` unless the URL uses https, or http on this machine."""
        where = web_address(self.url)
        if where is None or where.username is not None or not self.url.isascii():
            raise ConfigurationError(
                "`jwks_url` must be the address of a key set, such as "
                "https://login.example/jwks.json, without spaces, user or password"
            )
        if where.scheme != "https" and not (where.scheme == "http" and where.hostname in LOOPBACK):
            raise ConfigurationError(
                "`jwks_url` must be an https address: over http, keys can be replaced in transit, "
                "and any token can be signed"
            )

    def __repr__(self) -> str:
        """Return the number of cached keys, but no key."""
        return f"<Jwks keys={len(self._keys)}>"

    def keys(self, key_id: str | None) -> Unit[tuple[Key, ...]]:
        """Return the keys to try for a token with this key id. Fetch them if necessary.

        The result is empty if no keys could be fetched.
        """
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
            if keys:  # a set without a usable key is probably a mistake of its publisher
                self._keys, self._fetched_at = keys, self.clock()
        finally:  # also after a cancellation, since other requests wait
            with self._lock:
                self._under_way = None
            done.set_result(None)
