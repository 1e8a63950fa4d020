"""The base class of the method groups of both clients."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel


class Caller(Protocol):
    """A client that calls endpoints by number. The calls of an asynchronous one are awaited."""

    def call(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Call an endpoint and return the result."""
        ...

    def pages(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None
    ) -> Any:  # noqa: ANN401 - the pages of this client
        """Return an iterable over the items of all pages."""
        ...

    def wait(
        self, number: str, started: "PlatformModel", within: timedelta, every: timedelta
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Return the status when it is final or when the time is over."""
        ...


class MethodGroup:
    """The methods of one subject. Each method passes its arguments on as `locals()`."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _call(self, number: str, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as above
        return self._caller.call(number, *_split(given))

    def _pages(self, number: str, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as above
        return self._caller.pages(number, *_split(given))


def _split(given: Mapping[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any] | None]:
    """Return the arguments of the endpoint and the extra members of the body."""
    arguments = {name: value for name, value in given.items() if name not in {"self", "extra"}}
    return arguments, given.get("extra")
