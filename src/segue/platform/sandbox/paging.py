"""Pages as the five kinds of listing have them."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final

PAGE_SIZE: Final = 4
"""Items on a page where the caller cannot say; small, so that a seeded center has several pages."""

_Items = Sequence[Mapping[str, Any]]


def numbered_page(items: _Items, page: int) -> dict[str, Any]:
    """Return a page by its number, from 1, with what the listing of queues says about it."""
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
    """Return the items behind `skip`, the two numbers that were used, and whether there are more.

    Each may be an empty string or missing. `page` is a number from 1, and counts without `skip`.
    """
    size = limit if isinstance(limit, int) and limit > 0 else PAGE_SIZE
    first = max(skip, 0) if isinstance(skip, int) else _before(page, size)
    return list(items[first : first + size]), first, size, first + size < len(items)


def _before(page: object, size: int) -> int:
    return (page - 1) * size if isinstance(page, int) and page > 1 else 0
