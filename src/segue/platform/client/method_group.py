"""`MethodGroup`, the base class of method groups such as `client.queues`."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel


class Caller(Protocol):
    """A protocol for clients that call endpoints by number.

    `Client` implements it with plain methods, and `AsyncClient` with coroutines.
    """

    def call(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Call an endpoint and return the answer as an instance of its model."""
        ...

    def pages(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None
    ) -> Any:  # noqa: ANN401 - the pages of this client
        """Return an iterable over the items of all pages of an endpoint's list."""
        ...

    def wait(
        self, number: str, started: "PlatformModel", within: timedelta, every: timedelta
    ) -> Any:  # noqa: ANN401 - the model of the row
        """Poll the status of a job until it is final or the time is over, and return the status."""
        ...


class MethodGroup:
    """The base class for the methods of one subject, such as queues.

    Each generated method passes all of its arguments to `_call` or `_pages` as `locals()`.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _call(self, number: str, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as above
        return self._caller.call(number, *_split(given))

    def _pages(self, number: str, given: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as above
        return self._caller.pages(number, *_split(given))


def _split(given: Mapping[str, Any]) -> tuple[dict[str, Any], Mapping[str, Any] | None]:
    """Split the `locals()` of a method into the endpoint's arguments and the value of `extra`."""
    arguments = {name: value for name, value in given.items() if name not in {"self", "extra"}}
    return arguments, given.get("extra")
