"""What a sandbox posts: callbacks and E21 deliveries, each with a line that says what was sent."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from ipaddress import ip_address
from threading import Lock
from typing import Any, Final

from segue.core.web_address import web_address
from segue.platform.client.transport import HttpTransport, TransportFailed, host_of
from segue.platform.messages import SentRequest

Post = Callable[[str, Mapping[str, str], bytes], int]
"""Posts a body to a URL with these headers, and returns the status; 0 if there was no answer."""
WaitingPost = Callable[[], object]
"""Makes a post that waits."""

_SECONDS: Final = 10.0
"""For one post, from its beginning to the end of its answer."""
_REMEMBERED: Final = 1000
"""Posts that are remembered."""


def _accept(_: int) -> None:
    """Take any status."""


def shown_url(url: str) -> str:
    """Return a URL without its query, which may be signed."""
    return url.partition("?")[0]


@dataclass(frozen=True, slots=True)
class SentPost:
    """One request that the sandbox made."""

    at: datetime
    """By the clock of the sandbox."""
    kind: str
    """`notification`, `transfer` or `delivery`."""
    url: str
    """Whole, as the program gave it."""
    body: Mapping[str, Any]
    """The JSON object that was sent."""
    status: int
    """Of the answer; 0 if none came, or if the URL is not allowed."""

    def __repr__(self) -> str:
        return f"SentPost({self.kind!r}, {shown_url(self.url)!r}, status={self.status})"


@dataclass(slots=True)
class PostSender:
    """Posts for a sandbox, and remembers what it posted.

    A post waits until `send_waiting`, for who is posted to may call the sandbox before it answers.

    Args:
        post: Sends a request; None only remembers it, as answered 200.
        executor: Where requests are sent, one after the other; None to send them at once.
        hook: The URL of a server that takes E21 deliveries, without the path; None for none.
        token: Returns the token for the hook.
        allowed: Hosts that may be called beside this machine.

    """

    post: Post | None = None
    executor: Executor | None = None
    hook: str | None = None
    token: Callable[[], str | None] | None = None
    allowed: frozenset[str] = frozenset()
    sent: deque[SentPost] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    """The last posts."""
    on_sent: Callable[[SentPost], object] | None = None
    """Takes each post when it has been answered."""
    _waiting: deque[WaitingPost] = field(default_factory=deque, init=False, repr=False)
    _first: list[WaitingPost] = field(default_factory=list, init=False, repr=False)
    _sending: Lock = field(default_factory=Lock, init=False, repr=False)

    def reaches(self, url: str | None) -> bool:
        """Return whether what is to be posted there is."""
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
        """Have a URL that a caller gave posted to, unless it leads away from this machine.

        `judge` takes the status of the answer, 0 without one. With `is_first` the post waits for
        `take_first` instead.
        """

        def post() -> None:
            if self.reaches(url):
                judge(self._post(at, kind, url, body))
            else:
                self._remember(SentPost(at, kind, url, body, 0))

        (self._first if is_first else self._waiting).append(post)

    def deliver(self, at: datetime, path: str, body: Mapping[str, Any]) -> None:
        """Have a delivery posted to the hook, if there is one."""
        if self.hook is None:
            return
        self._waiting.append(
            partial(self._post, at, "delivery", self.hook.rstrip("/") + path, body)
        )

    def take_first(self) -> list[WaitingPost]:
        """Return the posts that come before the answer to a request; they wait no longer."""
        taken, self._first = self._first, []
        return taken

    def send_waiting(self) -> None:
        """Make the posts that wait, in order.

        A thread that does so already makes those of all others.
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
    """Return whether a URL is one of this machine, or of a host that is allowed."""
    parts = web_address(url)
    if parts is None:
        return False
    host = parts.hostname or ""
    try:
        return host in hosts or host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def post_to_loopback(url: str, headers: Mapping[str, str], body: bytes) -> int:
    """Post without following redirects; return the status, 0 without a complete answer in time."""
    parts = web_address(url)
    if parts is None:
        return 0
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    transport = HttpTransport(f"{parts.scheme}://{host_of(parts)}")
    try:
        return transport.send(SentRequest("POST", target, headers, body), _SECONDS).status
    except TransportFailed:
        return 0
