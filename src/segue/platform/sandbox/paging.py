"""Functions that split lists into pages, one for each way in which endpoints do so."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final

PAGE_SIZE: Final = 4
"""The default number of items on a page, small enough that seeded lists have several pages."""

_Items = Sequence[Mapping[str, Any]]


def numbered_page(items: _Items, page: int) -> dict[str, Any]:
    """Return the page with the given 1-based number, as a JSON object such as E4 returns.

    Besides the items in `results`, the object contains counts and the flag `hasMore`.
    """
    page = max(page, 1)
    first = (page - 1) * PAGE_SIZE
    return {
        "results": list(items[first : first + PAGE_SIZE]),
        "page": page,
        "limit": PAGE_SIZE,
        "hasMore": first + PAGE_SIZE < len(items),
        "totalPages": ceil(len(items) / PAGE_SIZE),
        "totalResults": len(items),
    }


def skipped_page(
    items: _Items, skip: object, limit: object, page: object = None
) -> tuple[list[Any], int, int, bool]:
    """Return a page of items as a tuple `(items, skip, limit, has_more)`.

    `skip` is the number of items before the page, and `limit` the size of a page. Both are returned
    as numbers. In the arguments, they may be numbers, empty strings or None. `page` is a 1-based
    page number that is ignored if `skip` is a number.
    """
    size = limit if isinstance(limit, int) and limit > 0 else PAGE_SIZE
    first = max(skip, 0) if isinstance(skip, int) else _before(page, size)
    return list(items[first : first + size]), first, size, first + size < len(items)


def _before(page: object, size: int) -> int:
    return (page - 1) * size if isinstance(page, int) and page > 1 else 0
