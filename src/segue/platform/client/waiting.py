"""Waits until a status is final, as a generator of calls and pauses."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from segue.core.errors import ConfigurationError
from segue.platform.client.errors import RequestRefused
from segue.platform.client.exchange import Exchange, PauseFor, Settings, exchange
from segue.platform.rows import Endpoint

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel


class WaitLimits(NamedTuple):
    """How long and how often a status is asked for."""

    within: timedelta
    """After this no request begins; the last one begins then."""
    every: timedelta
    """From an answer to the next request."""


def wait_until_final(
    settings: Settings,
    row: Endpoint,
    started: "PlatformModel",
    limits: WaitLimits,
    clock: Callable[[], float],
) -> Exchange:
    """Return the first status that is final, or the one at the end of the time.

    `started` is what the start of it, or an earlier reading, returned.
    """
    within, every = (seconds_of(name, span) for name, span in limits._asdict().items())
    deadline = clock() + within
    arguments = _arguments(row, started)
    found = started
    while getattr(found, "status", None) not in row.final:
        found = yield from exchange(settings, row, arguments, None, clock)
        left = deadline - clock()
        if left <= 0:
            break
        if getattr(found, "status", None) not in row.final:
            yield PauseFor(min(every, left))
    return found


def seconds_of(name: str, span: timedelta) -> float:
    """Return the seconds of a time that was given under this name.

    Raises:
        ConfigurationError: It is none, or not positive.

    """
    if not isinstance(span, timedelta):
        raise ConfigurationError(
            f"{name} is {span!r}: give a timedelta, such as timedelta(seconds=30)"
        )
    if span <= timedelta(0):
        raise ConfigurationError(f"{name} must be positive, got {span}")
    return span.total_seconds()


def _arguments(row: Endpoint, started: "PlatformModel") -> Mapping[str, Any]:
    """Return the arguments that read the status of what was started."""
    if started.raw is None:
        raise ConfigurationError(f"{row.name} waits for what a call of this client returned")
    found = {**started.arguments}
    for name, attribute in row.waits_for.items():
        value = found.get(name) or getattr(started, attribute)
        if not value:
            raise RequestRefused(
                started.raw.status, f"the answer has no {attribute} to wait for", row.number, None
            )
        found[name] = value
    taken = {arg.name for arg in (*row.path_args, *row.query)}
    return {name: value for name, value in found.items() if name in taken}
