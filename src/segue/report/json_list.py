"""Write JSON arrays and JSON lines one item at a time."""

import json
from collections.abc import Callable, Iterable, Iterator


def json_list(head: str, items: Iterable[object], tail: Callable[[int], str]) -> Iterator[str]:
    """Yield the pieces of a JSON document that contains an array, with one item per line.

    `head` is the text before the items, and `tail` returns the text after them for the number of
    items. The first piece contains both the head and the first item, so nothing is yielded before
    the first item is known.
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
        """Write one item."""
        if self._is_array:
            self._write(f"{self._before}{json.dumps(item)}")
            self._before = ",\n"
        else:
            self._write(f"{json.dumps(item)}\n")

    def finish(self) -> None:
        """Write the end of the array. JSON lines have no end."""
        if self._is_array:
            self._write("[]\n" if self._before.startswith("[") else "\n]\n")
