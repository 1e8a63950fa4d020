"""Mutation operators: functions that make a single edit a sender could make by accident.

An operator takes a list of deliveries (the stream) and a position. It yields a copy of the stream
for each result that the edit can have at this position. Many edits of a valid stream give another
valid stream.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, TypeAlias

from segue.analysis.simulate.bodies import TRANSFERS, participant, read_delivery

Operator: TypeAlias = Callable[[Sequence[Any], int], Iterator[list[Any]]]
"""A function that takes a stream and a position, and yields edited copies of the stream."""

_STRANGER: Final = "a-9"


def drop(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Yield the stream without the delivery at a position."""
    yield [*stream[:position], *stream[position + 1 :]]


def swap(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Yield the stream with two adjacent deliveries exchanged, unless they are equal."""
    here, after = stream[position : position + 1], stream[position + 1 : position + 2]
    if after and here != after:
        yield [*stream[:position], *after, *here, *stream[position + 2 :]]


def repeat(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Yield the stream with the delivery at a position repeated."""
    yield [*stream[: position + 1], deepcopy(stream[position]), *stream[position + 1 :]]


def retype(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Yield a stream for each other type of a transfer, such as `WARM exit` for `COLD exit`."""
    event = read_delivery(stream[position])
    if event is not None and event.label in TRANSFERS:
        transition = event.label.split()[1]
        for label in TRANSFERS:
            if label != event.label and label.endswith(transition):
                yield _with(stream, position, {"transfertype": label.split()[0]})


def reidentify(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Yield a stream for each other agent of a transfer.

    The agents are the others in the conversation, and one from outside.
    """
    event = read_delivery(stream[position])
    if event is not None and event.label in TRANSFERS:
        events = [read_delivery(given) for given in stream]
        agents = dict.fromkeys(each.agent for each in events if each and each.agent)
        for agent in (*agents, _STRANGER):
            if agent != event.agent:
                yield _with(stream, position, {"participant": participant(agent)})


OPERATORS: Final[dict[str, Operator]] = {
    "drop": drop,
    "swap": swap,
    "repeat": repeat,
    "retype": retype,
    "re-identify": reidentify,
}
"""All mutation operators, by name."""


def _with(stream: Sequence[Any], position: int, fields: dict[str, Any]) -> list[Any]:
    given = deepcopy(stream[position])
    given.get("body", given)["events"][0] |= fields
    return [*stream[:position], given, *stream[position + 1 :]]
