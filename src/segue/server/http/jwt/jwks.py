"""Published keys (JWK sets) that are fetched when needed, cached and refreshed.

Keys are fetched at first, when they are older than `max_age`, and when a token names an unknown
key, but never twice within the cooldown. Old keys stay in use while a fetch fails. A failed fetch
is repeated after a second, and then after growing delays of up to the cooldown. Requests that need
keys wait for the first fetch, which ends within five seconds in any case. Once a fetch has failed,
only the request that repeats it waits. The lock is never held while waiting.
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
_FIRST_DELAY: Final = 1.0
"""The number of seconds after a failed fetch before the next one. It doubles with each failure."""
_LONGEST_DELAY: Final = 30.0
_DOUBLINGS: Final = 5
_MARGIN: Final = 0.5
"""The seconds for which waiting requests outlast the deadline of a fetch, so that all get its
result."""


@dataclass(frozen=True, slots=True)
class FetchKeys(Effect[object]):
    """An effect that downloads a JWK set, the JSON document in which a sender publishes its keys.

    The result is the decoded JSON, or None if the download failed.
    """

    url: str
    fetch: Callable[[str], bytes] | None = field(default=None, repr=False)
    """A function that returns the document at a URL or raises `OSError`. None makes an HTTP GET."""

    timeout: float | None = None
    """The maximum time in seconds. After that the result is None."""
    immediate = True

    def perform(self) -> "Future[object]":
        """Start the download in a new thread, and return a future of the result.

        A failed download is logged. The result of the future is then None.
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
    """A cache of the public keys at a URL. It may be used by several threads and event loops."""

    url: str
    algorithms: tuple[str, ...]
    cooldown: float
    """The minimum number of seconds between two fetches, if the first one succeeded."""
    max_age: float
    """The age in seconds at which keys are fetched again."""
    fetch: Callable[[str], bytes] | None
    clock: Callable[[], float]
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _keys: tuple[Key, ...] = field(default=(), init=False)
    _fetched_at: float | None = field(default=None, init=False)
    _due_at: float | None = field(default=None, init=False)
    """The value of `clock` before which no fetch begins, or None if none has begun yet."""
    _failures: int = field(default=0, init=False)
    """The number of fetches that have failed in a row."""
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
        """Return a text with the number of cached keys. It contains no keys."""
        return f"<Jwks keys={len(self._keys)}>"

    def keys(self, key_id: str | None) -> Unit[tuple[Key, ...]]:
        """Return the cached keys, for a token whose key id is `key_id`.

        The keys are fetched first if they are too old, or if the cache lacks this key id. The
        result is empty if they could not be fetched.
        """
        mine, began = None, self.clock()
        with self._lock:
            theirs = self._under_way
            if theirs is None and self._is_due(key_id, began):
                mine = self._under_way = Future[None]()
                mine.set_running_or_notify_cancel()  # a waiter that gives up must not cancel it
        if mine is not None:
            yield from self._refresh(mine, began)
        elif theirs is not None and not self._failures and not self._has(key_id):
            yield Wait(theirs, _DEADLINE + _MARGIN)
        return self._keys

    def _has(self, key_id: str | None) -> bool:
        return any(key.fits(key_id) for key in self._keys)

    def _is_due(self, key_id: str | None, now: float) -> bool:
        if self._due_at is not None and now < self._due_at:
            return False
        old = self._fetched_at is None or now - self._fetched_at >= self.max_age
        return old or not self._has(key_id)

    def _refresh(self, done: "Future[None]", began: float) -> Unit[None]:
        keys: tuple[Key, ...] | None = None
        try:
            document = yield FetchKeys(self.url, self.fetch, _DEADLINE)
            keys = published_keys(document, self.algorithms)
        finally:  # also after a cancellation, since other requests wait
            with self._lock:
                self._finish(keys, began)
                self._under_way = None
            done.set_result(None)

    def _finish(self, keys: tuple[Key, ...] | None, began: float) -> None:
        """Store the fetched keys, and schedule the next fetch.

        A set without a usable key is probably a mistake of its publisher, so it counts as a failed
        fetch. A fetch whose request was cancelled (None) does not lengthen the delay.
        """
        now = self.clock()
        if keys:
            self._keys, self._fetched_at, self._failures = keys, now, 0
            self._due_at = began + self.cooldown
            return
        delay = _FIRST_DELAY * 2 ** min(self._failures, _DOUBLINGS)
        self._due_at = now + min(delay, _LONGEST_DELAY, self.cooldown)
        self._failures += keys is not None
