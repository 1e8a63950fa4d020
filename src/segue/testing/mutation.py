"""Mutation: what one slip of a sender makes of a conversation, and what the check says to it.

The operators are named and complete: `mutations` yields every single edit there is.  House rule:
the verdict is always worked out anew, because many edits of a valid conversation are valid too.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, Final, TypeAlias

from segue.conversation import Report, check
from segue.testing.legal_moves import TRANSFERS
from segue.testing.stories import Story, beat_of, delivery

__all__ = ["OPERATORS", "Mutation", "drop", "mutations", "reidentify", "repeat", "retype", "swap"]


class Mutation:
    """A stream with one slip in it."""

    def __init__(self, operator: str, position: int, stream: Sequence[Any]) -> None:
        self.operator = operator
        """Its name in `OPERATORS`."""
        self.position = position
        """Of the delivery that was edited."""
        self.stream = Story(stream)

    def __repr__(self) -> str:
        """Show what was done, and what became of it."""
        return f"<Mutation {self.operator} at {self.position}: {self.stream!r}>"

    @cached_property
    def report(self) -> Report:
        """What the check says to it as a closed log."""
        return check(self.stream)


Operator: TypeAlias = Callable[[Sequence[Any], int], Iterator[list[Any]]]


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
    beat = beat_of(stream[position])
    if beat is not None and beat.label in TRANSFERS:
        transition = beat.label.split()[1]
        for label in TRANSFERS:
            if label != beat.label and label.endswith(transition):
                yield _with(stream, position, {"transfertype": label.split()[0]})


def reidentify(stream: Sequence[Any], position: int) -> Iterator[list[Any]]:
    """Name every other agent of the conversation, and one who has no part in it."""
    beat = beat_of(stream[position])
    if beat is not None and beat.label in TRANSFERS:
        beats = [beat_of(given) for given in stream]
        people = dict.fromkeys(each.agent for each in beats if each and each.agent)
        for agent in (*people, "a-9"):
            if agent != beat.agent:
                event = delivery(beat._replace(agent=agent))["events"][0]
                yield _with(stream, position, {"participant": event["participant"]})


OPERATORS: Final[dict[str, Operator]] = {
    "drop": drop,
    "swap": swap,
    "repeat": repeat,
    "retype": retype,
    "re-identify": reidentify,
}
"""Every slip by its name: a stream and a position to the streams it may become there."""


def mutations(stream: Sequence[Any], *, operators: Sequence[str] = ()) -> Iterator[Mutation]:
    """Yield the stream with every single slip of these operators; none named: of all."""
    for name in operators or OPERATORS:
        for position in range(len(stream)):
            for edited in OPERATORS[name](stream, position):
                yield Mutation(name, position, edited)


def _with(stream: Sequence[Any], position: int, fields: dict[str, Any]) -> list[Any]:
    given = deepcopy(stream[position])
    body = given.get("body", given)
    body["events"][0] |= fields
    return [*stream[:position], given, *stream[position + 1 :]]
