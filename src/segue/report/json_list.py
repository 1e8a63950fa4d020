"""Write JSON lists and JSON lines item by item."""

import json
from collections.abc import Callable, Iterable, Iterator


def json_list(head: str, items: Iterable[object], tail: Callable[[int], str]) -> Iterator[str]:
    """Yield a document in pieces, with one item per line. The head comes with the first item.

    `tail` returns the end of the document for a number of items.
    """
    before, count = f"{head}\n", 0
    for item in items:
        yield f"{before}{json.dumps(item)}"
        before, count = ",\n", count + 1
    yield f"\n{tail(count)}" if count else f"{head}{tail(count)}"


class JsonItems:
    """Writes items as JSON lines (`jsonl`) or as an array with one item per line (`json`)."""

    def __init__(self, style: str, write: Callable[[str], object]) -> None:
        self._is_array = style == "json"
        self._write = write
        self._before = "[\n"

    def add(self, item: object) -> None:
        """Write an item."""
        if self._is_array:
            self._write(f"{self._before}{json.dumps(item)}")
            self._before = ",\n"
        else:
            self._write(f"{json.dumps(item)}\n")

    def finish(self) -> None:
        """Write the end of the array."""
        if self._is_array:
            self._write("[]\n" if self._before.startswith("[") else "\n]\n")
