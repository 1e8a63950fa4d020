"""What observers are told of an answered request: for logs, metrics and traces.

Records hold ids, codes, positions, statuses and times, never texts, tokens or headers.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from segue.http.request import DeliverySummary

__all__ = ["EffectRecord", "Observer", "RequestRecord", "notify"]

_LOG: Final = logging.getLogger("segue.http")


@dataclass(frozen=True, slots=True)
class EffectRecord:
    """One effect that was performed for a response: the body read, the store called, and so on."""

    name: str
    """Its kind: `ReadBody`, `Load`, `Save`, …"""
    began: float
    """Seconds since the request began."""
    seconds: float
    failed: bool


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request that was answered."""

    route: str
    """Name of the route; `none` if there is none."""
    status: int
    seconds: float
    delivery: DeliverySummary | None
    """The delivery that reached the processor, if one did."""
    effects: tuple[EffectRecord, ...]


Observer: TypeAlias = Callable[[RequestRecord], None]
"""Called after every response was made, in the thread that made it; it should be quick."""


def notify(observers: Iterable[Observer], record: RequestRecord) -> None:
    """Call the observers; one that raises is logged and changes nothing."""
    for observer in observers:
        try:
            observer(record)
        except Exception as error:  # noqa: BLE001 - code of the host
            _LOG.error("an observer failed: %s", type(error).__name__)
