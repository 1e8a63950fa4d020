"""Effects: what a generator wants done outside of it, as values that it yields; and two drivers.

A driver performs an effect and sends the result back into the generator, or throws what it raised.
One driver blocks, the other awaits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

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
class Wait(Effect[T]):
    """Wait for the result of a future, in a thread or on an event loop, or until the timeout."""

    future: "Future[T]"
    timeout: float | None = None
    immediate = True

    def perform(self) -> "Future[T]":
        """Return the future."""
        return self.future


@dataclass(frozen=True, slots=True)
class Compute(Effect[T]):
    """Call a function that takes long: in a thread, where there is an event loop to go on."""

    function: Callable[[], T]
    """Takes nothing; what it raises is raised by the effect."""

    def perform(self) -> T:
        """Call it."""
        return self.function()


def perform(effect: Effect[T]) -> T | None:
    """Perform one effect in this thread and return its result, or None after its timeout."""
    result = effect.perform()
    if not isinstance(result, Future):
        return result
    future: Future[T] = result
    try:
        return future.result(effect.timeout)
    except TimeoutError:
        if future.cancel() or not future.done():
            return None
        raise


async def aperform(effect: Effect[T]) -> T | None:
    """Perform one effect without blocking the event loop; return None after its timeout."""
    if effect.immediate:
        result = effect.perform()
    else:
        loop = asyncio.get_running_loop()
        result = await loop.run_in_executor(None, effect.perform)  # bounded by the loop
    if not isinstance(result, Future):
        return result
    future: Future[T] = result
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), effect.timeout)
    except TimeoutError:
        if future.cancelled() or not future.done():
            return None
        raise


def drive(unit: Unit[T], performing: Callable[[Effect[Any]], Any] = perform) -> T:
    """Run a generator to its end in this thread and return what it returns."""
    try:
        effect = next(unit)
        while True:
            try:
                result = performing(effect)
            except BaseException as error:  # noqa: BLE001 - the generator decides
                effect = unit.throw(error)
            else:
                effect = unit.send(result)
    except StopIteration as end:
        value: T = end.value
        return value


async def adrive(
    unit: Unit[T], performing: Callable[[Effect[Any]], Awaitable[Any]] = aperform
) -> T:
    """Run a generator to its end on the running event loop and return what it returns."""
    try:
        effect = next(unit)
        while True:
            try:
                result = await performing(effect)
            except BaseException as error:  # noqa: BLE001 - a cancellation too: it releases locks
                effect = unit.throw(error)
            else:
                effect = unit.send(result)
    except StopIteration as end:
        value: T = end.value
        return value
