"""The items of all pages behind one iterator, sync and async."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from segue.platform.client.paging import PageReader

if TYPE_CHECKING:
    from segue.platform.messages import ReceivedAnswer
    from segue.platform.models.base import AnswerFlaw, PlatformModel

Item = TypeVar("Item")


class _Reading:
    """What is known of an answer of many pages."""

    def __init__(self, reader: PageReader) -> None:
        self._reader = reader
        self._raw: ReceivedAnswer | None = None
        self._flaws: list[AnswerFlaw] = []

    @property
    def flaws(self) -> "tuple[AnswerFlaw, ...]":
        """What did not fit the specification in the pages that were read."""
        return tuple(self._flaws)

    def _taken(self, answer: "PlatformModel") -> "list[PlatformModel]":
        self._raw = answer.raw
        self._flaws += answer.flaws
        return self._reader.take(answer)


class Pages(_Reading, Generic[Item]):
    """The items of all pages, each once; a page is asked for when it is needed.

    Iterate over it once. `CannotPage` is raised after the last item that can be had.
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
        """The page that was read last, as received; the first one is read if none was."""
        if self._raw is None:
            self._read()
        return self._raw

    def _read(self) -> None:
        """Read the next page, if there is one."""
        if self._reader.arguments is not None:
            page = self._taken(self._call(self._reader.arguments))
            self._ahead.extend(cast("list[Item]", page))


class AsyncPages(_Reading, Generic[Item]):
    """The same as `Pages` for `async for`."""

    def __init__(
        self,
        reader: PageReader,
        call: "Callable[[Mapping[str, Any]], Coroutine[Any, Any, PlatformModel]]",
    ) -> None:
        super().__init__(reader)
        self._call = call

    @property
    def raw(self) -> "ReceivedAnswer | None":
        """The page that was read last, as received; None before the first."""
        return self._raw

    async def __aiter__(self) -> AsyncIterator[Item]:
        while self._reader.arguments is not None:
            for item in self._taken(await self._call(self._reader.arguments)):
                yield cast("Item", item)
        self._reader.check()
