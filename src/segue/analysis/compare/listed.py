"""Lists returned by the platform, as `segue call … --format json` writes them."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from segue.core.errors import ConfigurationError

_WRAPPED = ("results", "sessions")
"""The members of responses that contain the items."""
Item: TypeAlias = dict[str, Any]


def items_of(document: object, what: str, ids: Sequence[str], operation: str) -> list[Item]:
    """Return the items of a list, of a response, or of a list of responses (pages).

    Args:
        document: The JSON in the file.
        what: The name of the file, for messages.
        ids: The members that may hold the id of an item.
        operation: The operation of the platform that returns such items.

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


def text_of(item: Item, key: str) -> str:
    """Return a text member of an item without surrounding spaces, or an empty string."""
    found = item.get(key)
    return found.strip() if isinstance(found, str) else ""
