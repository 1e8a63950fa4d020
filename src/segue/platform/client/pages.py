"""`Pages` and `AsyncPages`, which iterate over a list that the platform returns in pages."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from segue.platform.client.paging import PageReader
from segue.platform.messages import FLAW_LIMIT

if TYPE_CHECKING:
    from segue.platform.messages import ReceivedAnswer
    from segue.platform.models.base import AnswerFlaw, PlatformModel

Item = TypeVar("Item")


class _Reading(Generic[Item]):
    """The base class of `Pages` and `AsyncPages`, which stores what was read so far."""

    def __init__(self, reader: PageReader) -> None:
        self._reader = reader
        self._raw: ReceivedAnswer | None = None
        self._flaws: tuple[AnswerFlaw, ...] = ()
        self._flaw_count = 0
        self._ahead: deque[Item] = deque()
        """The items that were read but not yet returned."""
        self._first: Item | None = None
        self._count = 0

    @property
    def flaws(self) -> "tuple[AnswerFlaw, ...]":
        """The wrong or missing values in the pages read so far, at most 100."""
        return self._flaws

    @property
    def flaw_count(self) -> int:
        """The number of flaws in the pages read so far, also of those that are not in `flaws`."""
        return self._flaw_count

    def __len__(self) -> int:
        """Return the number of items of the whole list.

        Raises:
            TypeError: The list was not read to its end, so the number is unknown.

        """
        if not self._reader.is_complete:
            raise TypeError(
                "the number of items is known after the last page only: "
                "iterate over the list and count its items"
            )
        return self._count

    def __bool__(self) -> bool:
        """Return False if the list was read and is empty, and otherwise True."""
        return self._count > 0 or not self._reader.is_complete

    def __repr__(self) -> str:
        so_far = "" if self._reader.is_complete else " so far"
        return f"<{type(self).__name__} {self._reader.name}: {self._count} items{so_far}>"

    def _take(self, answer: "PlatformModel") -> None:
        """Store the items of a page, and its flaws."""
        self._raw = answer.raw
        self._flaws = (*self._flaws, *answer.flaws)[:FLAW_LIMIT]
        self._flaw_count += answer.flaw_count
        items = cast("list[Item]", self._reader.take(answer))
        if items and self._count == 0:
            self._first = items[0]
        self._count += len(items)
        self._ahead.extend(items)


class Pages(_Reading[Item]):
    """An iterable over the items of all pages of a list, which yields each item once.

    Pages are requested as they are needed, and the iterable can be used only once. If the endpoint
    offers no way to request the remaining items, iteration ends with `CannotPage`. `len` returns
    the number of items if the first page is the only one, or after the last page.
    """

    def __init__(
        self, reader: PageReader, call: "Callable[[Mapping[str, Any]], PlatformModel]"
    ) -> None:
        super().__init__(reader)
        self._call = call

    def __iter__(self) -> Iterator[Item]:
        while self._ahead or self._reader.arguments is not None:
            while self._ahead:
                yield self._ahead.popleft()
            self._read()
        self._reader.check()

    def __len__(self) -> int:
        """Return the number of items of the whole list. Read the first page if none was read.

        Raises:
            TypeError: The list has pages that were not read, so the number is unknown.

        """
        if self._raw is None:
            self._read()
        return super().__len__()

    def first(self) -> Item | None:
        """Return the first item of the list, or None if the list is empty.

        Only the pages up to the first item are requested. Iteration still begins with that item.
        """
        while self._first is None and self._reader.arguments is not None:
            self._read()
        return self._first

    @property
    def raw(self) -> "ReceivedAnswer | None":
        """The HTTP answer with the page that was read last.

        If no page was read yet, accessing the property reads the first page.
        """
        if self._raw is None:
            self._read()
        return self._raw

    def _read(self) -> None:
        """Request the next page and store its items. Do nothing after the last page."""
        if self._reader.arguments is not None:
            self._take(self._call(self._reader.arguments))


class AsyncPages(_Reading[Item]):
    """An asynchronous iterable over the items of all pages of a list, for `async for`.

    Apart from that it works like `Pages`. `len` returns the number of items after the last page.
    """

    def __init__(
        self,
        reader: PageReader,
        call: "Callable[[Mapping[str, Any]], Coroutine[Any, Any, PlatformModel]]",
    ) -> None:
        super().__init__(reader)
        self._call = call

    async def __aiter__(self) -> AsyncIterator[Item]:
        while self._ahead or self._reader.arguments is not None:
            while self._ahead:
                yield self._ahead.popleft()
            await self._read()
        self._reader.check()

    async def first(self) -> Item | None:
        """Return the first item of the list, or None if the list is empty.

        Only the pages up to the first item are requested. Iteration still begins with that item.
        """
        while self._first is None and self._reader.arguments is not None:
            await self._read()
        return self._first

    @property
    def raw(self) -> "ReceivedAnswer | None":
        """The HTTP answer with the page that was read last, or None before the first page."""
        return self._raw

    async def _read(self) -> None:
        """Request the next page and store its items. Do nothing after the last page."""
        if self._reader.arguments is not None:
            self._take(await self._call(self._reader.arguments))
