"""Transports that send requests with httpx2, which the extra `client` installs.

httpx2 limits the time of each read, so the transports add a time limit for the whole answer. They
request no content encoding, because a few compressed bytes could expand to many. httpx2 logs the
URL of every request. A log filter removes the query of our URLs, which may contain signed addresses
and phone numbers.
"""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, Final

import httpx2

from segue.core.errors import ConfigurationError
from segue.platform.client.transport import (
    LATE,
    TransportFailed,
    check_length,
    check_time,
    failure,
    host_of,
    in_time,
    split_base_url,
)
from segue.platform.messages import ReceivedAnswer, SentRequest

_FAILURES: Final = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError)
_IS_OURS: Final[ContextVar[bool]] = ContextVar("is_ours", default=False)
"""Whether the code that runs in the current context sends a request of this module."""


def _without_query(record: logging.LogRecord) -> bool:
    """Remove the query from URLs in a log record of httpx2 about a request of this module.

    Return True, so that the logging module keeps the record.
    """
    if _IS_OURS.get() and isinstance(record.args, tuple):
        record.args = tuple(
            each.copy_with(query=None) if isinstance(each, httpx2.URL) else each
            for each in record.args
        )
    return True


logging.getLogger("httpx2").addFilter(_without_query)


@contextmanager
def _ours() -> Iterator[None]:
    token = _IS_OURS.set(True)
    try:
        yield
    finally:
        _IS_OURS.reset(token)


class _Sender:
    """The base class of both httpx2 transports, which converts requests to httpx2 arguments."""

    def __init__(self, base_url: str) -> None:
        parts = split_base_url(base_url)
        self._base_url = parts.geturl().rstrip("/")
        self._host = host_of(parts)

    def _written(self, request: SentRequest, timeout: float) -> dict[str, Any]:
        return {
            "method": request.method,
            "url": self._base_url + request.target,
            "content": request.body,
            "headers": {"Accept-Encoding": "identity", **request.headers},
            "timeout": timeout,
        }


class HttpxTransport(_Sender):
    """A transport that sends requests with an `httpx2.Client`.

    Each request runs in a daemon thread, which is abandoned when the time is over.
    """

    def __init__(self, base_url: str, client: object = None) -> None:
        super().__init__(base_url)
        used = httpx2.Client() if client is None else client
        if not isinstance(used, httpx2.Client):
            raise ConfigurationError(f"Client needs an httpx2.Client, got {_name(used)}")
        self._client = used

    def close(self) -> None:
        """Close the connections of the httpx2 client."""
        self._client.close()

    def send(self, request: SentRequest, timeout: float) -> ReceivedAnswer:
        """Send a request and return the complete answer within `timeout` seconds.

        Raises:
            TransportFailed: No complete answer came in time.

        """
        deadline = time.monotonic() + timeout
        work = partial(copy_context().run, self._received, request, deadline)
        try:
            return in_time(timeout, work)
        except (TimeoutError, httpx2.TimeoutException):
            raise TransportFailed(LATE) from None
        except _FAILURES as error:
            raise failure(self._host, error) from None

    def _received(self, request: SentRequest, deadline: float) -> ReceivedAnswer:
        timeout = max(deadline - time.monotonic(), 0.001)
        built = self._client.build_request(**self._written(request, timeout))
        with _ours():
            response = self._client.send(built, stream=True, follow_redirects=False)
        try:
            body = bytearray()
            for chunk in response.iter_raw():
                body += chunk
                check_length(len(body))
                check_time(deadline)
        finally:
            response.close()
        return _answer(response, body)


class AsyncHttpxTransport(_Sender):
    """A transport that sends requests with an `httpx2.AsyncClient`."""

    def __init__(self, base_url: str, client: object = None) -> None:
        super().__init__(base_url)
        used = httpx2.AsyncClient() if client is None else client
        if not isinstance(used, httpx2.AsyncClient):
            raise ConfigurationError(f"AsyncClient needs an httpx2.AsyncClient, got {_name(used)}")
        self._client = used

    async def aclose(self) -> None:
        """Close the connections of the httpx2 client."""
        await self._client.aclose()

    async def asend(self, request: SentRequest, timeout: float) -> ReceivedAnswer:  # noqa: ASYNC109 - part of the protocol
        """Send a request and return the complete answer within `timeout` seconds.

        Raises:
            TransportFailed: No complete answer came in time.

        """
        try:
            async with asyncio.timeout(timeout):
                return await self._received(request, timeout)
        except (TimeoutError, httpx2.TimeoutException):
            raise TransportFailed(LATE) from None
        except _FAILURES as error:
            raise failure(self._host, error) from None

    async def _received(self, request: SentRequest, timeout: float) -> ReceivedAnswer:  # noqa: ASYNC109
        built = self._client.build_request(**self._written(request, timeout))
        with _ours():
            response = await self._client.send(built, stream=True, follow_redirects=False)
        try:
            body = bytearray()
            async for chunk in response.aiter_raw():
                body += chunk
                check_length(len(body))
        finally:
            await response.aclose()
        return _answer(response, body)


def _name(client: object) -> str:
    return f"{type(client).__module__}.{type(client).__qualname__}"


def _answer(response: httpx2.Response, body: bytearray) -> ReceivedAnswer:
    headers = {name.lower(): value for name, value in response.headers.multi_items()}
    return ReceivedAnswer(response.status_code, headers, bytes(body))
