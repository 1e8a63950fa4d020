"""`Client` and `AsyncClient`: the methods of the table over a transport."""

import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from segue.client.async_methods import AsyncMethods
from segue.client.exchange import Exchange, PauseFor, Reply, SendNow, Settings, exchange
from segue.client.methods import Methods
from segue.client.pages import AsyncPages, Pages
from segue.client.paging import PageReader
from segue.client.transport import HttpTransport, Transport, TransportFailed
from segue.errors import ConfigurationError
from segue.platform.requests import Dialects
from segue.platform.table import endpoint

__all__ = ["AsyncClient", "Client"]


class _Options:
    """The arguments that both clients take.

    Args:
        base_url: Of the platform, such as `https://host`.
        token: A JWT, or a function that returns the one to use now.
        account: For the header `accountId`, unless a call names another.
        app: For the header `iid` and the paths that have it, unless a call names another.
        timeout: For one call with all its tries.
        strict: Refuse an answer that does not fit the specification.
        repeat_posts: Send a POST again, too, when it is not known what became of it.
        dialect: What is sent where reference and samples of the specification differ: `reference`,
            `samples`, or one of them by number of the endpoint.
        transport: What sends requests; http.client unless another is given.

    """

    def __init__(  # noqa: PLR0913 - options by name
        self,
        base_url: str,
        *,
        token: str | Callable[[], str],
        account: str | None = None,
        app: str | None = None,
        timeout: timedelta = timedelta(seconds=30),
        strict: bool = False,
        repeat_posts: bool = False,
        dialect: Dialects = "",
        transport: Transport | None = None,
    ) -> None:
        self._transport = transport or HttpTransport(base_url)
        self._base_url = base_url if transport is None else type(transport).__name__
        seconds = timeout.total_seconds()
        if seconds <= 0:
            raise ConfigurationError(f"timeout must be positive, got {timeout}")
        self._settings = Settings(
            token=token,
            account=account,
            app=app,
            timeout=seconds,
            is_strict=strict,
            repeats_posts=repeat_posts,
            dialects=dialect,
        )
        if isinstance(token, str):
            self._settings.current_token()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._base_url!r})"

    def _flow(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None
    ) -> Exchange:
        row = endpoint(number)
        return exchange(self._settings, row, arguments, extra, time.monotonic)


class Client(_Options, Methods):
    """Calls the platform. Its methods are in groups: `client.queues.list(stream="st-1")`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: a connection is closed with its answer."""

    def call(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Return the result of an endpoint by its number."""
        flow = self._flow(number, arguments, extra)
        reply: Reply = None
        while True:
            try:
                effect = flow.send(reply)
            except StopIteration as done:
                return done.value
            reply = self._done(effect)

    def pages(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> Pages[Any]:
        """Return the items of an endpoint that answers in pages."""
        reader = PageReader(endpoint(number), arguments)
        return Pages(reader, lambda following: self.call(number, following, extra))

    def _done(self, effect: SendNow | PauseFor) -> Reply:
        if isinstance(effect, PauseFor):
            time.sleep(effect.seconds)
            return None
        try:
            return self._transport.send(effect.request, effect.timeout)
        except TransportFailed as error:
            return error


class AsyncClient(_Options, AsyncMethods):
    """The same as `Client`, awaited. A transport runs in a thread."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: a connection is closed with its answer."""

    async def call(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Return the result of an endpoint by its number."""
        flow = self._flow(number, arguments, extra)
        reply: Reply = None
        while True:
            try:
                effect = flow.send(reply)
            except StopIteration as done:
                return done.value
            reply = await self._done(effect)

    def pages(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> AsyncPages[Any]:
        """Return the items of an endpoint that answers in pages."""
        reader = PageReader(endpoint(number), arguments)
        return AsyncPages(reader, lambda following: self.call(number, following, extra))

    async def _done(self, effect: SendNow | PauseFor) -> Reply:
        import asyncio  # noqa: PLC0415 - a synchronous program needs none

        if isinstance(effect, PauseFor):
            await asyncio.sleep(effect.seconds)
            return None
        try:
            return await asyncio.to_thread(self._transport.send, effect.request, effect.timeout)
        except TransportFailed as error:
            return error
