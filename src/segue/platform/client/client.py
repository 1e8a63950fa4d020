"""`Client` and `AsyncClient`, which call the endpoints of the platform over a transport."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from segue.platform.client.async_methods import AsyncMethods
from segue.platform.client.exchange import Exchange, PauseFor, Reply, SendNow, Settings, exchange
from segue.platform.client.methods import Methods
from segue.platform.client.pages import AsyncPages, Pages
from segue.platform.client.paging import PageReader
from segue.platform.client.transport import (
    AsyncTransport,
    Transport,
    TransportFailed,
    refuse_readable_token,
)
from segue.platform.client.transports import (
    AsyncTransportLike,
    TransportLike,
    async_transport,
    sync_transport,
)
from segue.platform.client.waiting import WaitLimits, seconds_of, wait_until_final
from segue.platform.requests import Dialects
from segue.platform.table import endpoint

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel

Given = TypeVar("Given")
Chosen = TypeVar("Chosen")


class _Options(ABC, Generic[Given, Chosen]):
    """The base class of both clients, which holds their options.

    Args:
        base_url: The URL of the platform, such as `https://host`. The scheme `http` is only for a
            loopback address, because anyone on the way could read the token.
        token: A JWT, or a function that returns the current JWT.
        account: The default account id, sent in the header `accountId`.
        app: The default application id, sent in the header `iid` and in the paths that contain it.
        timeout: The time limit of one call, including connecting, all retries, reading the answer
            and checking it.
        strict: Whether to raise `RequestRefused` for answers that violate the specification.
        repeat_posts: Whether to retry a POST of which the outcome is unknown. By default only GET
            and PUT are retried.
        dialect: The form to send where the reference and the samples of the specification differ:
            `reference`, `samples`, or a mapping from numbers of endpoints to either.
        transport: A transport or an httpx2 client, which the caller must close. By default httpx2
            is used if it is installed, and http.client otherwise.

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
        transport: Given | None = None,
    ) -> None:
        refuse_readable_token(base_url)
        self._shown = base_url if transport is None else type(transport).__name__
        self._transport = self._choose(base_url, transport)
        self._closes = self._transport if transport is None else None
        self._settings = Settings(
            token=token,
            account=account,
            app=app,
            timeout=seconds_of("timeout", timeout),
            is_strict=strict,
            repeats_posts=repeat_posts,
            dialects=dialect,
        )
        if isinstance(token, str):
            self._settings.current_token()

    @abstractmethod
    def _choose(self, base_url: str, given: Given | None) -> Chosen:
        """Return `given` as a transport, or the default transport if `given` is None.

        Raises:
            ConfigurationError: `given` cannot be used as a transport.

        """

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown!r})"

    def _flow(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None
    ) -> Exchange:
        return exchange(self._settings, endpoint(number), arguments, extra, time.monotonic)

    def _waiting(
        self, number: str, started: "PlatformModel", within: timedelta, every: timedelta
    ) -> Exchange:
        limits = WaitLimits(within, every)
        return wait_until_final(self._settings, endpoint(number), started, limits, time.monotonic)


class Client(_Options[TransportLike, Transport], Methods):
    """A synchronous client of the platform.

    Its methods are grouped by subject. Use it as a context manager, or call `close`, to close its
    connections:

        with Client("https://host", token=jwt) as client:
            queues = list(client.queues.list(stream="st-1"))
    """

    def _choose(self, base_url: str, given: "TransportLike | None") -> Transport:
        return sync_transport(base_url, given)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections of the client. A transport given by the caller stays open."""
        if close := getattr(self._closes, "close", None):
            close()

    def call(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Call an endpoint by its number, and return the answer as an instance of its model.

        Args:
            number: The number of the endpoint, such as `E4`.
            arguments: The arguments of the endpoint by name. None means that one is not given.
            extra: Additional members of the request body.

        Raises:
            ConfigurationError: The arguments or the token are invalid.
            PlatformUnreachable: No complete answer came in time.
            RequestRefused: The platform answered with an error.

        """
        return self._run(self._flow(number, arguments, extra))

    def wait(
        self, number: str, started: "PlatformModel", within: timedelta, every: timedelta
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Wait until a job of the platform, such as a training, is over. Return its last status.

        Args:
            number: The number of the endpoint that returns the status, such as `E15`.
            started: The answer to the call that started the job, or an earlier status of the job.
            within: The time limit. When it is over, the last status is returned even if it is not
                final.
            every: The pause between an answer and the next request.

        Raises:
            ConfigurationError: A limit is invalid, or `started` is not the result of a call.
            PlatformUnreachable: No complete answer came in time.
            RequestRefused: The platform answered with an error, or `started` lacks the id of the
                job.

        """
        return self._run(self._waiting(number, started, within, every))

    def pages(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> Pages[Any]:
        """Return an iterable over all items of a list, requesting each page when it is needed.

        Args:
            number: The number of the endpoint, such as `E4`.
            arguments: The arguments of the endpoint by name. None means that one is not given.
            extra: Additional members of the request body.

        Raises:
            ConfigurationError: The endpoint does not return a list in pages.

        """
        reader = PageReader(endpoint(number), arguments)
        return Pages(reader, lambda following: self.call(number, following, extra))

    def _run(self, flow: Exchange) -> "PlatformModel":
        reply: Reply = None
        while True:
            try:
                effect = flow.send(reply)
            except StopIteration as done:
                return cast("PlatformModel", done.value)
            reply = self._done(effect)

    def _done(self, effect: SendNow | PauseFor) -> Reply:
        if isinstance(effect, PauseFor):
            time.sleep(effect.seconds)
            return None
        try:
            return self._transport.send(effect.request, effect.timeout)
        except TransportFailed as error:
            return error


class AsyncClient(_Options[AsyncTransportLike, AsyncTransport | Transport], AsyncMethods):
    """An asynchronous client with the methods of `Client`.

    Await its calls, and iterate over lists with `async for`. A transport without an `asend` method
    is called in a thread.
    """

    def _choose(
        self, base_url: str, given: "AsyncTransportLike | None"
    ) -> AsyncTransport | Transport:
        return async_transport(base_url, given)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections of the client. A transport given by the caller stays open."""
        if close := getattr(self._closes, "aclose", None):
            await close()

    async def call(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Call an endpoint by its number, and return the answer as an instance of its model.

        Args:
            number: The number of the endpoint, such as `E4`.
            arguments: The arguments of the endpoint by name. None means that one is not given.
            extra: Additional members of the request body.

        Raises:
            ConfigurationError: The arguments or the token are invalid.
            PlatformUnreachable: No complete answer came in time.
            RequestRefused: The platform answered with an error.

        """
        return await self._run(self._flow(number, arguments, extra))

    async def wait(
        self, number: str, started: "PlatformModel", within: timedelta, every: timedelta
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Wait until a job of the platform, such as a training, is over. Return its last status.

        Args:
            number: The number of the endpoint that returns the status, such as `E15`.
            started: The answer to the call that started the job, or an earlier status of the job.
            within: The time limit. When it is over, the last status is returned even if it is not
                final.
            every: The pause between an answer and the next request.

        Raises:
            ConfigurationError: A limit is invalid, or `started` is not the result of a call.
            PlatformUnreachable: No complete answer came in time.
            RequestRefused: The platform answered with an error, or `started` lacks the id of the
                job.

        """
        return await self._run(self._waiting(number, started, within, every))

    def pages(
        self,
        number: str,
        arguments: Mapping[str, Any],
        extra: Mapping[str, Any] | None = None,
    ) -> AsyncPages[Any]:
        """Return an iterable over all items of a list, requesting each page when it is needed.

        Args:
            number: The number of the endpoint, such as `E4`.
            arguments: The arguments of the endpoint by name. None means that one is not given.
            extra: Additional members of the request body.

        Raises:
            ConfigurationError: The endpoint does not return a list in pages.

        """
        reader = PageReader(endpoint(number), arguments)
        return AsyncPages(reader, lambda following: self.call(number, following, extra))

    async def _run(self, flow: Exchange) -> "PlatformModel":
        reply: Reply = None
        while True:
            try:
                effect = flow.send(reply)
            except StopIteration as done:
                return cast("PlatformModel", done.value)
            reply = await self._done(effect)

    async def _done(self, effect: SendNow | PauseFor) -> Reply:
        import asyncio  # noqa: PLC0415 - synchronous programs do not need it

        if isinstance(effect, PauseFor):
            await asyncio.sleep(effect.seconds)
            return None
        transport = self._transport
        try:
            if not hasattr(transport, "asend"):
                return await asyncio.to_thread(transport.send, effect.request, effect.timeout)
            return await transport.asend(effect.request, effect.timeout)
        except TransportFailed as error:
            return error
