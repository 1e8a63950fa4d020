"""The two drivers of generators that yield effects: one blocks, one awaits.

What an effect raises is thrown into the generator, which may handle it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from segue.processor.effects import Effect, Unit

__all__ = ["adrive", "aperform", "drive", "perform"]

T = TypeVar("T")


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
