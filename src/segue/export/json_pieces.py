"""A JSON document that is one long list, written item by item."""

import json
from collections.abc import Iterable, Iterator


def json_list(head: str, items: Iterable[object], tail: str) -> Iterator[str]:
    """Yield the pieces of a document, an item on each line. The head comes with the first item."""
    before = head
    is_empty = True
    for item in items:
        yield f"{before}{json.dumps(item)}"
        before, is_empty = ",\n", False
    yield f"{head}{tail}" if is_empty else f"\n{tail}"
