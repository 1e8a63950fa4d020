"""What may be known of an answered request: for logs, metrics and traces.

It decides which facts there are: ids, codes, positions, statuses and times, never a text, a token
or a header.  House rules: one value a request, told once, after the answer is made; an observer
that fails changes no answer.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from segue.http.request import Response, Told
from segue.processor import Effect, Unit

__all__ = ["Answered", "Asked", "Observer", "watched"]

_LOG: Final = logging.getLogger("segue.http")


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that was done outside for the answer: the body read, the store asked, and so on."""

    name: str
    """What kind of ask: `ReadBody`, `Load`, `Save`, …"""
    began: float
    """Seconds since the request began."""
    seconds: float
    failed: bool


@dataclass(frozen=True, slots=True)
class Answered:
    """One request that was answered."""

    route: str
    """Name of the route; `none`: there is none."""
    status: int
    seconds: float
    told: Told | None
    """Of a delivery that reached the processor; None: there is nothing to tell."""
    asks: tuple[Asked, ...]


Observer: TypeAlias = Callable[[Answered], None]
"""Told of every answer, in the thread that made it; it should be quick."""


def watched(
    unit: Unit[Response], route: str, observers: Iterable[Observer], clock: Callable[[], float]
) -> Unit[Response]:
    """Run a unit as it is, and tell the observers what it asked and answered."""
    began, asks = clock(), list[Asked]()
    response = yield from _noting(unit, asks, began, clock)
    answered = Answered(route, response.status, clock() - began, response.told, tuple(asks))
    for observer in observers:
        try:
            observer(answered)
        except Exception as error:  # noqa: BLE001 - somebody else's code
            _LOG.error("an observer failed: %s", type(error).__name__)
    return response


def _noting(
    unit: Unit[Response], asks: list[Asked], began: float, clock: Callable[[], float]
) -> Unit[Response]:
    try:
        ask = next(unit)
        while True:
            since = clock()
            try:
                answer = yield ask
            except BaseException as error:  # noqa: BLE001 - it is the unit's to judge
                asks.append(_asked(ask, began, since, clock(), failed=True))
                ask = unit.throw(error)
            else:
                asks.append(_asked(ask, began, since, clock(), failed=False))
                ask = unit.send(answer)
    except StopIteration as end:
        response: Response = end.value
        return response


def _asked(ask: Effect[Any], began: float, since: float, now: float, *, failed: bool) -> Asked:
    return Asked(type(ask).__name__.lstrip("_"), since - began, now - since, failed)
