"""Mutation operators over streams: every single edit of a kind that a sender's slip can be.

An operator takes a stream of deliveries and a position, and yields the streams that the edit can
give there. What a check says to them is not known here: many edits of a valid stream are valid.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, TypeAlias

from segue.analysis.simulate.bodies import TRANSFERS, participant, read_delivery

Operator: TypeAlias = Callable[[Sequence[Any], int], Iterator[list[Any]]]

_STRANGER: Final = "a-9"


def drop(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Lose a delivery."""
    yield [*stream[:position], *stream[position + 1 :]]


def swap(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Let a delivery arrive after the one that follows it."""
    here, after = stream[position : position + 1], stream[position + 1 : position + 2]
    if after and here != after:
        yield [*stream[:position], *after, *here, *stream[position + 2 :]]


def repeat(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Deliver something twice."""
    yield [*stream[: position + 1], deepcopy(stream[position]), *stream[position + 1 :]]


def retype(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Send every other type of transfer that has the same transition."""
    event = read_delivery(stream[position])
    if event is not None and event.label in TRANSFERS:
        transition = event.label.split()[1]
        for label in TRANSFERS:
            if label != event.label and label.endswith(transition):
                yield _with(stream, position, {"transfertype": label.split()[0]})


def reidentify(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Name every other agent of the conversation, and one who has no part in it."""
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
"""Every operator by its name."""


def _with(stream: Sequence[Any], position: int, fields: dict[str, Any]) -> list[Any]:
    given = deepcopy(stream[position])
    given.get("body", given)["events"][0] |= fields
    return [*stream[:position], given, *stream[position + 1 :]]
