"""A JSON document that is one long list, written item by item."""

import json
from collections.abc import Callable, Iterable, Iterator


def json_list(head: str, items: Iterable[object], tail: Callable[[int], str]) -> Iterator[str]:
    """Yield the pieces of a document, an item on each line. The head comes with the first item.

    `tail` takes the number of items.
    """
    before, count = f"{head}\n", 0
    for item in items:
        yield f"{before}{json.dumps(item)}"
        before, count = ",\n", count + 1
    yield f"\n{tail(count)}" if count else f"{head}{tail(count)}"
