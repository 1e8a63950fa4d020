"""Lists that the platform answered, as `segue call … --format json` writes them."""

from collections.abc import Iterator
from typing import Any

from segue.errors import ConfigurationError

_WRAPPED = ("results", "sessions")
"""Members that answers have their items in."""


def items_of(document: object, what: str) -> list[dict[str, Any]]:
    """Return the items of a list, of an answer, or of a list of answers (its pages).

    Raises `ConfigurationError` for what is none of these; `what` names it.
    """
    if not isinstance(document, list | dict):
        raise ConfigurationError(f"{what} is not a list that segue call … --format json wrote")
    return list(_items(document, what))


def _items(document: object, what: str) -> Iterator[dict[str, Any]]:
    if isinstance(document, list):
        for each in document:
            yield from _items(each, what)
        return
    if not isinstance(document, dict):
        raise ConfigurationError(f"{what} has something in it that is not an object")
    inner = next((document[key] for key in _WRAPPED if isinstance(document.get(key), list)), None)
    if inner is None:
        yield document
    else:
        yield from _items(inner, what)


def text_of(item: dict[str, Any], key: str) -> str:
    """Return a text of an item; empty for anything else."""
    found = item.get(key)
    return found.strip() if isinstance(found, str) else ""
