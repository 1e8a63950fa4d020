"""Effects, with which generators request I/O, and two drivers that perform the effects.

A driver performs an effect and sends the result into the generator, or throws the exception that
the effect raised. One driver blocks, the other awaits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Effect(Generic[T_co]):
    """Base class of effects: actions that a generator yields for its driver to perform.

    An effect is typically I/O, such as a call of the store. Because generators perform no I/O, the
    same code works in threads (`drive`) and on an event loop (`adrive`). Subclass it as a frozen
    dataclass to add an effect.
    """

    name: str = ""
    """The name of the effect in records. If it is empty, the class name is used."""
    timeout: float | None = None
    """The maximum number of seconds to wait for a future that `perform` returned. After that the
    result of the effect is None. A timeout of None waits forever."""

    @property
    def immediate(self) -> bool:
        """Whether `perform` never blocks, so that it may be called on an event loop."""
        return False

    def perform(self) -> "T_co | Future[T_co]":
        """Perform the effect, and return its result or a future of its result.

        The method may block unless `immediate` is true.
        """
        raise NotImplementedError


Unit: TypeAlias = Generator[Effect[Any], Any, T]
"""A unit of work: a generator that yields effects, receives their results and returns a `T`."""


@dataclass(frozen=True, slots=True)
class Wait(Effect[T]):
    """An effect that waits for a future.

    Its result is that of the future, or None after the timeout.
    """

    future: "Future[T]"
    timeout: float | None = None
    immediate = True

    def perform(self) -> "Future[T]":
        """Return the future, which the driver then waits for."""
        return self.future


@dataclass(frozen=True, slots=True)
class Compute(Effect[T]):
    """An effect that calls a slow function, in a thread if the driver runs on an event loop."""

    function: Callable[[], T]
    """A function without parameters. The effect raises the exceptions of the function."""

    def perform(self) -> T:
        """Call the function and return its result."""
        return self.function()


def perform(effect: Effect[T]) -> T | None:
    """Perform one effect in this thread and return its result. Return None after its timeout."""
    result = effect.perform()
    if not isinstance(result, Future):
        return result
    future: Future[T] = result
    try:
        return future.result(effect.timeout)
    except TimeoutError:
        if future.cancel() or not future.done():
            return None
        return future.result()  # done just now, or a timeout of its own


async def aperform(effect: Effect[T]) -> T | None:
    """Perform one effect without blocking the event loop, and return its result.

    Return None after its timeout.
    """
    if effect.immediate:
        result = effect.perform()
    else:
        loop = asyncio.get_running_loop()
        result = await loop.run_in_executor(
            None, effect.perform
        )  # the loop bounds the number of threads
    if not isinstance(result, Future):
        return result
    future: Future[T] = result
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), effect.timeout)
    except TimeoutError:
        if future.cancelled() or not future.done():
            return None
        return future.result()  # done just now, or a timeout of its own


def drive(unit: Unit[T], performing: Callable[[Effect[Any]], Any] = perform) -> T:
    """Run a generator of effects in this thread until it ends, and return its result.

    `performing` is called with each effect and returns the result of the effect.
    """
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
    """Run a generator of effects on the running event loop until it ends, and return its result.

    `performing` is called with each effect and returns an awaitable of the result.
    """
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
