"""Send and record the requests that a sandbox makes: callbacks and deliveries of events."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from threading import Lock
from typing import Any, Final

from segue.core.reprs import short_repr
from segue.core.web_address import is_loopback, web_address
from segue.platform.client.transport import HttpTransport, TransportFailed, host_of
from segue.platform.messages import SentRequest

Post = Callable[[str, Mapping[str, str], bytes], int]
"""A function that posts a body to a URL with headers.

It returns the HTTP status, or 0 if no answer came.
"""
WaitingPost = Callable[[], object]
"""A function without parameters that sends a queued request."""

_SECONDS: Final = 10.0
"""The time limit of one request in seconds, including its answer."""
_REMEMBERED: Final = 1000
"""The maximum number of requests to remember."""


def _accept(_: int) -> None:
    """Accept every status. This is the default of the parameter `judge`."""


def shown_url(url: str) -> str:
    """Return a URL for display, without its query, which may contain a signature."""
    return url.partition("?")[0]


@dataclass(frozen=True, slots=True)
class SentPost:
    """A request that the sandbox made, with the status of its answer."""

    at: datetime
    """The time on the sandbox's clock."""
    kind: str
    """The kind of the request: `notification` (E2), `transfer` (E9) or `delivery` (E21)."""
    url: str
    """The complete URL, including a query that may contain secrets."""
    body: Mapping[str, Any] = field(hash=False)
    """The JSON object that was sent."""
    status: int
    """The HTTP status of the answer, or 0 if no answer came or the URL is not allowed."""

    @short_repr
    def __repr__(self) -> str:
        return f"SentPost({self.kind!r}, {shown_url(self.url)!r}, status={self.status})"


@dataclass(slots=True)
class PostSender:
    """A sender of the requests that a sandbox makes, which remembers the last 1,000.

    Requests are queued until `send_waiting` is called, because their receiver may call the sandbox
    before it answers.

    Args:
        post: A function that sends a request. By default requests are only remembered, with status
            200.
        executor: An executor with one worker that sends the requests. By default the calling thread
            sends them.
        hook: The base URL of a server that receives E21 deliveries. By default deliveries are
            dropped.
        token: A function that returns the token for the hook.
        allowed: Host names that may be called in addition to this machine.

    """

    post: Post | None = None
    executor: Executor | None = None
    hook: str | None = None
    token: Callable[[], str | None] | None = None
    allowed: frozenset[str] = frozenset()
    sent: deque[SentPost] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    """The last 1,000 requests, oldest first."""
    on_sent: Callable[[SentPost], object] | None = None
    """A function that is called with each request after its answer."""
    _waiting: deque[WaitingPost] = field(default_factory=deque, init=False, repr=False)
    _first: list[WaitingPost] = field(default_factory=list, init=False, repr=False)
    _sending: Lock = field(default_factory=Lock, init=False, repr=False)

    def reaches(self, url: str | None) -> bool:
        """Return whether the sandbox may send requests to a URL.

        Return False for None, and for a host that is neither this machine nor in `allowed`.
        """
        return url is not None and is_allowed(url, self.allowed)

    def call_back(
        self,
        at: datetime,
        kind: str,
        url: str,
        body: Mapping[str, Any],
        judge: Callable[[int], object] = _accept,
        *,
        is_first: bool = False,
    ) -> None:
        """Queue a request to a callback URL.

        If the host of the URL is not allowed, the request is recorded with status 0 but not sent.

        Args:
            at: The time on the sandbox's clock.
            kind: The kind of the request, `notification` or `transfer`.
            url: The URL that the caller gave.
            body: The JSON object to send.
            judge: A function that is called with the status of the answer, or 0 without an answer.
            is_first: Whether to send it before the answer to the program's current request.

        """

        def post() -> None:
            if self.reaches(url):
                judge(self._post(at, kind, url, body))
            else:
                self._remember(SentPost(at, kind, url, body, 0))

        (self._first if is_first else self._waiting).append(post)

    def deliver(self, at: datetime, path: str, body: Mapping[str, Any]) -> None:
        """Queue a delivery to the hook, or drop it if there is no hook.

        Args:
            at: The time on the sandbox's clock.
            path: The path that is appended to the hook's base URL.
            body: The JSON object to send.

        """
        if self.hook is None:
            return
        self._waiting.append(
            partial(self._post, at, "delivery", self.hook.rstrip("/") + path, body)
        )

    def take_first(self) -> list[WaitingPost]:
        """Remove and return the callbacks that must be sent before the current answer.

        Each item is a function without parameters that sends one request.
        """
        taken, self._first = self._first, []
        return taken

    def send_waiting(self) -> None:
        """Send the queued requests in order.

        Only one thread sends at a time. If another thread is already sending, return at once and
        leave all requests to that thread.
        """
        while self._waiting and self._sending.acquire(blocking=False):
            try:
                while self._waiting:
                    post = self._waiting.popleft()
                    if self.executor is None:
                        post()
                    else:
                        self.executor.submit(post)
            finally:
                self._sending.release()

    def _post(self, at: datetime, kind: str, url: str, body: Mapping[str, Any]) -> int:
        status = self._send(kind, url, body)
        self._remember(SentPost(at, kind, url, body, status))
        return status

    def _remember(self, post: SentPost) -> None:
        self.sent.append(post)
        if self.on_sent is not None:
            self.on_sent(post)

    def _send(self, kind: str, url: str, body: Mapping[str, Any]) -> int:
        token = self.token() if self.token is not None and kind == "delivery" else None
        headers = {} if token is None else {"auth": token}
        if self.post is None:
            return 200
        return self.post(url, {"content-type": "application/json", **headers},
                         json.dumps(body).encode())  # fmt: skip


def is_allowed(url: str, hosts: frozenset[str]) -> bool:
    """Return whether the host of a URL is this machine (loopback) or one of `hosts`."""
    parts = web_address(url)
    if parts is None:
        return False
    host = parts.hostname or ""
    return host in hosts or is_loopback(host)


def post_to_loopback(url: str, headers: Mapping[str, str], body: bytes) -> int:
    """Post a body to a URL and return the HTTP status.

    The result is 0 if no complete answer came within 10 seconds. Redirects are not followed.
    """
    parts = web_address(url)
    if parts is None:
        return 0
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    transport = HttpTransport(f"{parts.scheme}://{host_of(parts)}")
    try:
        return transport.send(SentRequest("POST", target, headers, body), _SECONDS).status
    except TransportFailed:
        return 0
