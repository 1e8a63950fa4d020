"""Calls of any endpoint through any transport."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

import httpx2
from tests.platform.vectors import REQUESTS

from segue.platform.client import (
    AsyncClient,
    Client,
    HttpTransport,
    MemoryTransport,
    ReceivedAnswer,
    SentRequest,
)
from segue.platform.rows import Paged
from segue.platform.table import endpoint

TOKEN: Final = "e30.secret.c2ln"  # noqa: S105 - made up
FIRST: Final = {number: (arguments, *sent) for number, arguments, *sent in reversed(REQUESTS)}
"""The first request of each endpoint."""
WAYS: Final = ["http.client", "httpx2", "httpx2 of the user", "awaited http.client",
               "awaited httpx2", "awaited httpx2 of the user"]  # fmt: skip


class Script:
    """Answers in order, the last one again and again; remembers what was asked."""

    def __init__(self, *answers: Any, status: int = 200) -> None:
        self.answers = list(answers)
        self.status = status
        self.asked: list[SentRequest] = []

    def __call__(self, request: SentRequest) -> ReceivedAnswer:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, ReceivedAnswer):
            return answer
        return ReceivedAnswer(self.status, {}, json.dumps(answer).encode())

    def client(self, **options: Any) -> Client:
        return Client("https://h", token=TOKEN, transport=MemoryTransport(self), **options)

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(request.body or b"null") for request in self.asked]


def use(client: Client, number: str, arguments: dict[str, Any]) -> Any:
    """Call the method of an endpoint; of an answer in pages, return the items."""
    group, _, verb = endpoint(number).name.partition(".")
    result = getattr(getattr(client, group), verb)(**arguments)
    return list(result) if isinstance(endpoint(number).result, Paged) else result


async def use_async(client: AsyncClient, number: str, arguments: dict[str, Any]) -> Any:
    group, _, verb = endpoint(number).name.partition(".")
    result = getattr(getattr(client, group), verb)(**arguments)
    if isinstance(endpoint(number).result, Paged):
        return [item async for item in result]
    return await result


def calls(way: str, url: str, numbers: list[str], **options: Any) -> None:
    """Call these endpoints in one of the ways."""
    each = [(number, FIRST[number][0]) for number in numbers]
    if way.startswith("awaited"):
        asyncio.run(_awaited(way, url, each, options))
        return
    transports: dict[str, Callable[[], Any]] = {
        "http.client": lambda: HttpTransport(url),
        "httpx2": lambda: None,
        "httpx2 of the user": httpx2.Client,
    }
    given = transports[way]()
    with Client(url, token=TOKEN, transport=given, **options) as client:
        for number, arguments in each:
            use(client, number, arguments)
    if isinstance(given, httpx2.Client):
        assert not given.is_closed
        given.close()


async def _awaited(
    way: str, url: str, each: list[tuple[str, dict[str, Any]]], options: dict[str, Any]
) -> None:
    transports: dict[str, Callable[[], Any]] = {
        "awaited http.client": lambda: HttpTransport(url),
        "awaited httpx2": lambda: None,
        "awaited httpx2 of the user": httpx2.AsyncClient,
    }
    given = transports[way]()
    async with AsyncClient(url, token=TOKEN, transport=given, **options) as client:
        for number, arguments in each:
            await use_async(client, number, arguments)
    if isinstance(given, httpx2.AsyncClient):
        assert not given.is_closed
        await given.aclose()
