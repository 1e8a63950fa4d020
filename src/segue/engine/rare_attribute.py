"""Attributes that few objects need, so that the others have no room for them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Generic, Protocol, TypeVar

T = TypeVar("T")

NO_RARE: Final[Mapping[str, Any]] = MappingProxyType({})


class HasRare(Protocol):
    """An object that has such attributes."""

    rare: Mapping[str, Any]
    """The values of those that have been set, by name; `NO_RARE` at first."""


class RareAttribute(Generic[T]):
    """An attribute that takes no memory before it is set."""

    def __init__(self, default: T) -> None:
        """Take the value it has until then."""
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        """Take its name."""
        self._name = name

    def __get__(self, instance: HasRare, owner: type) -> T:
        """Return its value."""
        found: T = instance.rare.get(self._name, self._default)
        return found

    def __set__(self, instance: HasRare, value: T) -> None:
        """Set its value."""
        instance.rare = {**instance.rare, self._name: value}
