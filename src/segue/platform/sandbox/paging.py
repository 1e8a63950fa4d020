"""Functions that split lists into pages, one for each way in which endpoints do so."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final

PAGE_SIZE: Final = 4
"""The default number of items on a page, small enough that seeded lists have several pages."""

_Items = Sequence[Mapping[str, Any]]


def numbered_page(items: _Items, page: int) -> dict[str, Any]:
    """Return one page of a list as a JSON object, such as endpoint E4 returns.

    `page` is the number of the page, starting at 1. The object contains the items in `results`, the
    numbers of pages and items, and the flag `hasMore`.
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
    """Return one page of a list as a tuple `(items, skip, limit, has_more)`.

    The page begins after the first `skip` items and has at most `limit` items. If `skip` is not a
    number, `page` selects the page by its number, starting at 1. Arguments that are empty strings
    or None are replaced by defaults, and the tuple contains the numbers that were used.
    """
    size = limit if isinstance(limit, int) and limit > 0 else PAGE_SIZE
    first = max(skip, 0) if isinstance(skip, int) else _before(page, size)
    return list(items[first : first + size]), first, size, first + size < len(items)


def _before(page: object, size: int) -> int:
    return (page - 1) * size if isinstance(page, int) and page > 1 else 0
