"""The two drivers: all that differs between the blocking and the async world.

They decide where an ask is performed: in the calling thread, or off the event loop.  House rule:
whatever performing raises is thrown into the unit of work, which may mend it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from segue.processor.effects import Effect, Unit

__all__ = ["adrive", "adriven", "aperform", "drive", "driven", "perform"]

T = TypeVar("T")
P = ParamSpec("P")
Owner = TypeVar("Owner")


def perform(ask: Effect[T]) -> T | None:
    """Perform one ask in this thread and return its answer; None when patience ran out."""
    answer = ask.perform()
    if not isinstance(answer, Future):
        return answer
    future: Future[T] = answer
    try:
        return future.result(ask.timeout)
    except TimeoutError:
        if future.cancel() or not future.done():
            return None
        raise


async def aperform(ask: Effect[T]) -> T | None:
    """Perform one ask without blocking the event loop; None when patience ran out."""
    if ask.immediate:
        answer = ask.perform()
    else:
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(None, ask.perform)  # bounded by the loop
    if not isinstance(answer, Future):
        return answer
    future: Future[T] = answer
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), ask.timeout)
    except TimeoutError:
        if future.cancelled() or not future.done():
            return None
        raise


def drive(unit: Unit[T], performing: Callable[[Effect[Any]], Any] = perform) -> T:
    """Run a unit of work to its end in this thread."""
    try:
        ask = next(unit)
        while True:
            try:
                answer = performing(ask)
            except BaseException as error:  # noqa: BLE001 - it is the unit's to judge
                ask = unit.throw(error)
            else:
                ask = unit.send(answer)
    except StopIteration as end:
        value: T = end.value
        return value


async def adrive(
    unit: Unit[T], performing: Callable[[Effect[Any]], Awaitable[Any]] = aperform
) -> T:
    """Run a unit of work to its end on the running event loop."""
    try:
        ask = next(unit)
        while True:
            try:
                answer = await performing(ask)
            except BaseException as error:  # noqa: BLE001 - cancellation too: it lets go of turns
                ask = unit.throw(error)
            else:
                ask = unit.send(answer)
    except StopIteration as end:
        value: T = end.value
        return value


def driven(
    unit: Callable[Concatenate[Owner, P], Unit[T]],
) -> Callable[Concatenate[Owner, P], T]:
    """Make a blocking method of one that gives a unit of work."""

    @wraps(unit)
    def run(owner: Owner, /, *args: P.args, **options: P.kwargs) -> T:
        return drive(unit(owner, *args, **options))

    return run


def adriven(
    unit: Callable[Concatenate[Owner, P], Unit[T]],
) -> Callable[Concatenate[Owner, P], Coroutine[Any, Any, T]]:
    """Make an async method of one that gives a unit of work."""

    @wraps(unit)
    async def run(owner: Owner, /, *args: P.args, **options: P.kwargs) -> T:
        return await adrive(unit(owner, *args, **options))

    return run
