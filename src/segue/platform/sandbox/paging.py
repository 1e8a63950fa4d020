"""Split lists into pages in the ways of the listing endpoints."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final

PAGE_SIZE: Final = 4
"""The default number of items on a page, small enough that seeded lists have several pages."""

_Items = Sequence[Mapping[str, Any]]


def numbered_page(items: _Items, page: int) -> dict[str, Any]:
    """Return a page by its 1-based number, with the members that E4 returns."""
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
    """Return the items after `skip`, the skip and limit used, and whether there are more items.

    Each argument may be a number, an empty string or None. `page` is a 1-based number that is
    ignored if `skip` is a number.
    """
    size = limit if isinstance(limit, int) and limit > 0 else PAGE_SIZE
    first = max(skip, 0) if isinstance(skip, int) else _before(page, size)
    return list(items[first : first + size]), first, size, first + size < len(items)


def _before(page: object, size: int) -> int:
    return (page - 1) * size if isinstance(page, int) and page > 1 else 0
