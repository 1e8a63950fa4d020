"""`PageReader`, which derives the request for the next page from each page received."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from segue.core.epoch import is_aware
from segue.core.errors import ConfigurationError
from segue.platform.client.errors import CannotPage
from segue.platform.rows import Endpoint, Paged, Paging
from segue.platform.timestamps import timestamp

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel


class PageReader:
    """Computes the request for each page of a list, and removes repeated items.

    The reader performs no I/O itself. Repeat until `arguments` is None: call the endpoint with
    `arguments`, and pass the answer to `take`, which returns the new items.
    """

    def __init__(self, row: Endpoint, arguments: Mapping[str, Any]) -> None:
        if not isinstance(row.result, Paged):
            raise ConfigurationError(f"{row.name} does not answer in pages")
        self._paged = row.result
        self._row = row
        self._windows = _windows(row, arguments)
        self._to_skip = self._taken_skip()
        self._seen: set[object] = set()
        self._seen_in_window: set[object] = set()
        self._last = b""
        self._problem = ""
        self._asked = self._windows.pop(0)
        self.arguments: dict[str, Any] | None = self._asked

    @property
    def name(self) -> str:
        """The name of the endpoint, such as `queues.list`."""
        return self._row.name

    @property
    def is_complete(self) -> bool:
        """Whether the whole list was read."""
        return self.arguments is None and not self._problem

    def take(self, answer: "PlatformModel") -> list["PlatformModel"]:
        """Return the items of the page `answer` that no earlier page contained.

        Set `arguments` to those of the next request, or to None after the last page.
        """
        items = _at(answer, self._paged.items) or []
        names = [getattr(item, self._paged.identity) for item in items]
        new = [
            item
            for item, name in zip(items, names, strict=True)
            if name is None or name not in self._seen
        ]
        self._seen.update(names)
        is_same = self._is_same(answer)
        left_out = _left_out(answer, self._paged)
        is_known = self._seen_in_window.issuperset(names) and None not in names and not left_out
        self._seen_in_window.update(names)
        has_more = _at(answer, self._paged.more) is True
        count = len(items) + left_out
        is_repeated = is_known or is_same
        self.arguments = self._following(count=count, has_more=has_more, is_repeated=is_repeated)
        if self.arguments is None and self._windows and not self._problem:
            self.arguments = self._windows.pop(0)
            self._seen_in_window.clear()
            self._last = b""
        self._asked = self._asked if self.arguments is None else self.arguments
        return [] if is_same else self._unskipped(new, left_out)

    def _taken_skip(self) -> int:
        """Return the number of items that this reader must skip itself.

        If a range of dates is split into several windows, the platform would skip items in each of
        them. The argument `skip` is then removed from the requests. With a single window the
        platform skips the items, and the result is 0.
        """
        skip = self._windows[0].get("skip")
        if len(self._windows) == 1 or type(skip) is not int or skip <= 0:
            return 0
        self._windows = [{**window, "skip": None} for window in self._windows]
        return skip

    def _unskipped(self, new: list["PlatformModel"], left_out: int) -> list["PlatformModel"]:
        """Return the items in `new` that follow those to skip.

        The `left_out` items of the page, which were dropped because they do not fit their model,
        are counted as skipped first.
        """
        left = max(self._to_skip - left_out, 0)
        self._to_skip = max(left - len(new), 0)
        return new[left:]

    def _is_same(self, answer: "PlatformModel") -> bool:
        """Return whether a page equals the previous page, which ends lists of items without ids."""
        body = b"" if answer.raw is None else answer.raw.body
        is_same, self._last = bool(body) and body == self._last, body
        return is_same

    def check(self) -> None:
        """Raise `CannotPage` if the list ended although it has more items.

        Call this method after the last item.

        Raises:
            CannotPage: The endpoint offers no way to request the remaining items.

        """
        if self.arguments is None and self._problem:
            raise CannotPage(f"{self._row.name} ({self._row.number}): {self._problem}")

    def _following(self, *, count: int, has_more: bool, is_repeated: bool) -> dict[str, Any] | None:
        """Return the arguments that request the next page, or None if there is none.

        Only pages of the current window (range of dates) count.

        Args:
            count: The number of items on the current page.
            has_more: Whether the current page announces further pages.
            is_repeated: Whether the current page contains nothing new.

        """
        by = self._paged.by
        if by is Paging.PAGE:
            return None if is_repeated else self._moved("page", 1, 1)
        if not has_more:
            return None
        if by is Paging.LIMIT_ONLY:
            self._problem = "there are more items, but the endpoint cannot return the next page"
            return None
        if is_repeated:
            self._problem = "the answer says that there are more items, but contains nothing new"
            return None
        is_by_number = by is Paging.PAGE_UNNAMED or self._counts_pages
        return self._moved("page", 1, 1) if is_by_number else self._moved("skip", count, 0)

    @property
    def _counts_pages(self) -> bool:
        """Whether the caller gave the argument `page` rather than `skip`."""
        page, skip = self._asked.get("page"), self._asked.get("skip")
        return isinstance(page, int) and not isinstance(skip, int)

    def _moved(self, name: str, step: int, first: int) -> dict[str, Any]:
        at = self._asked.get(name)
        return {**self._asked, name: (at if isinstance(at, int) else first) + step}


def _at(answer: "PlatformModel", path: tuple[str, ...]) -> Any:  # noqa: ANN401 - any member
    """Follow a path of attribute names, such as `("data", "results")`, and return the value.

    Return None if the path is empty or an attribute is missing.
    """
    value: Any = answer if path else None
    for name in path:
        value = getattr(value, name, None)
    return value


def _left_out(answer: "PlatformModel", paged: Paged) -> int:
    """Return the number of items that were dropped from a page because of a wrong type."""
    prefix = "".join(f"/{name}" for name in paged.items) + "/"
    return sum(flaw.pointer.removeprefix(prefix).isdigit() for flaw in answer.flaws)


def _windows(row: Endpoint, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Split a range of dates into requests for at most `row.window_days` days each.

    Return the arguments of each request, for the latest dates first. The platform refuses longer
    ranges. Without such a limit, return the caller's arguments only.
    """
    if not row.window_days:
        return [dict(arguments)]
    since, until = _moment(arguments.get("since")), _moment(arguments.get("until"))
    if not isinstance(since, datetime) or not isinstance(until, datetime):
        return [{**arguments, "since": _written(since), "until": _written(until)}]
    if since > until:
        raise ConfigurationError(f"`since` ({since}) must not be after `until` ({until})")
    longest = timedelta(days=row.window_days, milliseconds=-1)
    windows = []
    while until - since > longest:
        windows.append((until - longest, until))
        until -= longest
    windows.append((since, until))
    return [{**arguments, "since": _written(a), "until": _written(b)} for a, b in windows]


def _moment(value: object) -> object:
    """Convert a date (at midnight) or a datetime to UTC. Return other values unchanged.

    Raises:
        ConfigurationError: A datetime has no time zone, or lies outside years 1 to 9999 in UTC.

    """
    if isinstance(value, datetime):
        if not is_aware(value):
            raise ConfigurationError(
                f"{value} has no time zone: give an aware datetime, such as datetime(…, tzinfo=UTC)"
            )
        try:
            return value.astimezone(UTC)
        except OverflowError:
            raise ConfigurationError(f"{value} is not between year 1 and 9999 in UTC") from None
    return datetime.combine(value, time(), UTC) if isinstance(value, date) else value


def _written(value: object) -> object:
    """Format a datetime for the platform. Return other values unchanged."""
    return timestamp(value) if isinstance(value, datetime) else value
