"""Waiting for a job of the platform, as a generator of requests and pauses without I/O."""

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
    """The time limit and the interval with which the status of a job is polled."""

    within: timedelta
    """The time limit of the wait. The last request is sent when the limit is reached."""
    every: timedelta
    """The pause between an answer and the next request."""


def wait_until_final(
    settings: Settings,
    row: Endpoint,
    started: "PlatformModel",
    limits: WaitLimits,
    clock: Callable[[], float],
) -> Exchange:
    """Poll the status of a job, and return it when it is final or when the time is over.

    Args:
        settings: The settings of the client.
        row: The endpoint that returns the status.
        started: The answer to the call that started the job, or an earlier status of the job.
        limits: The time limit and the interval.
        clock: A function that returns a monotonic time in seconds.

    Raises:
        ConfigurationError: A limit is invalid, or `started` is not the result of a call.
        RequestRefused: `started` lacks the id of the job.

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
    """Return the number of seconds of a timedelta argument.

    Raises:
        ConfigurationError: The argument is not a timedelta or not positive. `name` is its name in
            the message.

    """
    if not isinstance(span, timedelta):
        raise ConfigurationError(
            f"`{name}` must be a timedelta, got {span!r}: use timedelta(seconds=30)"
        )
    if span <= timedelta(0):
        raise ConfigurationError(f"`{name}` must be positive, got {span}")
    return span.total_seconds()


def _arguments(row: Endpoint, started: "PlatformModel") -> Mapping[str, Any]:
    """Return the arguments of a request for the status of a job, such as the id of the job.

    Raises:
        ConfigurationError: `started` is not the result of a call.
        RequestRefused: `started` lacks the id of the job.

    """
    if started.raw is None:
        raise ConfigurationError(f"{row.name} can only wait for the result of a call of the client")
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
