"""`MemoryTransport`, which gets answers from a function in the same process, for tests."""

from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from inspect import isawaitable
from typing import Any, Self
from urllib.parse import unquote

from segue.platform.client.transport import LATE, TransportFailed, check_length
from segue.platform.messages import ReceivedAnswer, SentRequest

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
_Asgi = Callable[[_Message, _Receive, _Send], Awaitable[None]]
_Answer = ReceivedAnswer | Awaitable[ReceivedAnswer]


class MemoryTransport:
    """A transport that gets its answers from a function instead of a server, as for tests.

    Args:
        answer: A function or coroutine function that takes a `SentRequest` and returns a
            `ReceivedAnswer`.

    """

    def __init__(self, answer: Callable[[SentRequest], _Answer]) -> None:
        self._answer = answer

    @classmethod
    def of_asgi(cls, app: _Asgi) -> Self:
        """Return a transport that sends requests to an ASGI application in this process.

        It does not run the application's lifespan events.
        """
        return cls(partial(_asked, app))

    def send(self, request: SentRequest, timeout: float) -> ReceivedAnswer:
        """Call the function with the request, and return its answer.

        If the function returns a coroutine, it runs in a new event loop for at most `timeout`
        seconds.
        """
        answer = self._answer(request)
        if isinstance(answer, ReceivedAnswer):
            return answer
        import asyncio  # noqa: PLC0415 - only coroutines need it

        return asyncio.run(_awaited(answer, timeout))

    async def asend(self, request: SentRequest, timeout: float) -> ReceivedAnswer:  # noqa: ASYNC109 - part of the protocol
        """Call the function with the request, and return its answer.

        If the function returns a coroutine, it is awaited for at most `timeout` seconds.
        """
        answer = self._answer(request)
        return await _awaited(answer, timeout) if isawaitable(answer) else answer


async def _awaited(answer: Awaitable[ReceivedAnswer], timeout: float) -> ReceivedAnswer:  # noqa: ASYNC109
    import asyncio  # noqa: PLC0415 - only coroutines need it

    try:
        async with asyncio.timeout(timeout):
            return await answer
    except TimeoutError:
        raise TransportFailed(LATE) from None


async def _asked(app: _Asgi, request: SentRequest) -> ReceivedAnswer:
    """Send a request to an ASGI application, and return its complete answer."""
    path, _, query = request.target.partition("?")
    names = {name.lower(): value for name, value in request.headers.items()}
    body = request.body or b""
    names.setdefault("content-length", str(len(body)))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "https",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in names.items()],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 443),
    }
    incoming: list[_Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[_Message] = []

    async def receive() -> _Message:
        return incoming.pop() if incoming else {"type": "http.disconnect"}

    size = 0

    async def send(message: _Message) -> None:
        nonlocal size
        size += len(message.get("body", b""))
        check_length(size)
        sent.append(message)

    await app(scope, receive, send)
    return _joined(sent)


def _joined(sent: list[_Message]) -> ReceivedAnswer:
    if not sent:
        raise TransportFailed("the application sent no answer")
    start, *parts = sent
    headers = {name.decode("latin-1").lower(): value.decode("latin-1")
               for name, value in start.get("headers", ())}  # fmt: skip
    return ReceivedAnswer(
        start["status"], headers, b"".join(each.get("body", b"") for each in parts)
    )
