"""Effects: what a generator wants done outside of it, as values that it yields.

A driver performs an effect and sends the result back into the generator, or throws what it raised.
"""

from collections.abc import Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

__all__ = ["Effect", "Unit", "Wait"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Effect(Generic[T_co]):
    """One thing to do outside. Subclass it, as a frozen dataclass, for a new one."""

    name: str = ""
    """Its kind, for records; empty for the name of the class."""
    timeout: float | None = None
    """Seconds to wait for a future that `perform` returned; then the result is None.

    None waits as long as it takes.
    """

    @property
    def immediate(self) -> bool:
        """Whether `perform` never waits, so that it can be called on an event loop."""
        return False

    def perform(self) -> "T_co | Future[T_co]":
        """Do it and return the result, or a future of it; may block unless `immediate`."""
        raise NotImplementedError


Unit: TypeAlias = Generator[Effect[Any], Any, T]
"""A unit of work: yields effects, is sent their results, returns a `T`."""


@dataclass(frozen=True, slots=True)
class Wait(Effect[None]):
    """Wait until a future is done, in a thread or on an event loop, or until the timeout."""

    future: "Future[None]"
    timeout: float | None = None
    immediate = True

    def perform(self) -> "Future[None]":
        """Return the future."""
        return self.future
