"""Reads lists of items from the platform, as `segue call … --format json` writes them."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from segue.core.errors import ConfigurationError

_WRAPPED = ("results", "sessions")
"""The keys of a response that may contain the list of items."""
Item: TypeAlias = dict[str, Any]
"""A JSON object in such a list."""


def items_of(document: object, what: str, ids: Sequence[str], operation: str) -> list[Item]:
    """Return the items in a list, in a response, or in a list of responses (pages).

    Args:
        document: The decoded JSON of the file.
        what: The name of the file, for error messages.
        ids: The keys of an item that may contain its id, such as `sessionId`.
        operation: The operation that returns such items, such as `sessions.list`.

    Raises:
        ConfigurationError: The document is not such a list, or no item in it has an id.

    """
    msg = f"{what} is not a list written by segue call {operation} --format json"
    if not isinstance(document, list | dict):
        raise ConfigurationError(msg)
    items = list(_items(document, what))
    if items and not any(text_of(item, key) for item in items for key in ids):
        raise ConfigurationError(f"{msg}: no item has {' or '.join(ids)}")
    return items


def _items(document: object, what: str) -> Iterator[Item]:
    if isinstance(document, list):
        for each in document:
            yield from _items(each, what)
        return
    if not isinstance(document, dict):
        raise ConfigurationError(f"{what} contains an item that is not an object")
    inner = next((document[key] for key in _WRAPPED if isinstance(document.get(key), list)), None)
    if inner is None:
        yield document
    else:
        yield from _items(inner, what)


def has_more(document: object) -> bool:
    """Return whether the last response in a document says that there are more pages."""
    last = document[-1] if isinstance(document, list) and document else document
    return isinstance(last, dict) and last.get("moreAvailable") is True


def text_of(item: Item, key: str) -> str:
    """Return the string at a key of an item, without surrounding spaces.

    Return an empty string if the key is missing or its value is not a string.
    """
    found = item.get(key)
    return found.strip() if isinstance(found, str) else ""
