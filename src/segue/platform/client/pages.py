"""`Pages` and `AsyncPages`, which iterate over a list that the platform returns in pages."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from segue.platform.client.paging import PageReader

if TYPE_CHECKING:
    from segue.platform.messages import ReceivedAnswer
    from segue.platform.models.base import AnswerFlaw, PlatformModel

Item = TypeVar("Item")


class _Reading:
    """The base class of `Pages` and `AsyncPages`, which keeps the last page and all flaws."""

    def __init__(self, reader: PageReader) -> None:
        self._reader = reader
        self._raw: ReceivedAnswer | None = None
        self._flaws: list[AnswerFlaw] = []

    @property
    def flaws(self) -> "tuple[AnswerFlaw, ...]":
        """The wrong or missing values in the pages read so far."""
        return tuple(self._flaws)

    def _taken(self, answer: "PlatformModel") -> "list[PlatformModel]":
        self._raw = answer.raw
        self._flaws += answer.flaws
        return self._reader.take(answer)


class Pages(_Reading, Generic[Item]):
    """An iterable over the items of all pages of a list, which yields each item once.

    Pages are requested as they are needed, and the iterable can be used only once. If the endpoint
    offers no way to request the remaining items, iteration ends with `CannotPage`.
    """

    def __init__(
        self, reader: PageReader, call: "Callable[[Mapping[str, Any]], PlatformModel]"
    ) -> None:
        super().__init__(reader)
        self._call = call
        self._ahead: deque[Item] = deque()

    def __iter__(self) -> Iterator[Item]:
        while self._ahead or self._reader.arguments is not None:
            while self._ahead:
                yield self._ahead.popleft()
            self._read()
        self._reader.check()

    @property
    def raw(self) -> "ReceivedAnswer | None":
        """The HTTP answer with the page that was read last.

        If no page was read yet, accessing the property reads the first page.
        """
        if self._raw is None:
            self._read()
        return self._raw

    def _read(self) -> None:
        """Request the next page and store its items, unless the last page was read already."""
        if self._reader.arguments is not None:
            page = self._taken(self._call(self._reader.arguments))
            self._ahead.extend(cast("list[Item]", page))


class AsyncPages(_Reading, Generic[Item]):
    """An asynchronous iterable over the items of all pages of a list, for `async for`.

    Apart from that it works like `Pages`.
    """

    def __init__(
        self,
        reader: PageReader,
        call: "Callable[[Mapping[str, Any]], Coroutine[Any, Any, PlatformModel]]",
    ) -> None:
        super().__init__(reader)
        self._call = call

    @property
    def raw(self) -> "ReceivedAnswer | None":
        """The HTTP answer with the page that was read last, or None before the first page."""
        return self._raw

    async def __aiter__(self) -> AsyncIterator[Item]:
        while self._reader.arguments is not None:
            for item in self._taken(await self._call(self._reader.arguments)):
                yield cast("Item", item)
        self._reader.check()
