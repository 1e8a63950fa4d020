"""Mutation operators for streams. Each makes a single edit that a sender could make by accident.

An operator takes a stream of deliveries and a position, and yields all streams that the edit can
produce there. They need not be invalid: many edits of a valid stream are valid.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, TypeAlias

from segue.analysis.simulate.bodies import TRANSFERS, participant, read_delivery

Operator: TypeAlias = Callable[[Sequence[Any], int], Iterator[list[Any]]]

_STRANGER: Final = "a-9"


def drop(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Remove a delivery."""
    yield [*stream[:position], *stream[position + 1 :]]


def swap(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Exchange a delivery with the next one."""
    here, after = stream[position : position + 1], stream[position + 1 : position + 2]
    if after and here != after:
        yield [*stream[:position], *after, *here, *stream[position + 2 :]]


def repeat(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Deliver a delivery twice."""
    yield [*stream[: position + 1], deepcopy(stream[position]), *stream[position + 1 :]]


def retype(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Replace the type of a transfer by every other type with the same transition."""
    event = read_delivery(stream[position])
    if event is not None and event.label in TRANSFERS:
        transition = event.label.split()[1]
        for label in TRANSFERS:
            if label != event.label and label.endswith(transition):
                yield _with(stream, position, {"transfertype": label.split()[0]})


def reidentify(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Replace the agent by every other agent of the conversation, and by one outside it."""
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
"""All operators by name."""


def _with(stream: Sequence[Any], position: int, fields: dict[str, Any]) -> list[Any]:
    given = deepcopy(stream[position])
    given.get("body", given)["events"][0] |= fields
    return [*stream[:position], given, *stream[position + 1 :]]
