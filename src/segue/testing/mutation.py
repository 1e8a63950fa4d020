"""Streams with one edit in them, and what the check says to each.

The verdict is always worked out anew, because many edits of a valid conversation are valid too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from segue.analysis.simulate.operators import OPERATORS
from segue.core.conversation import Report, check
from segue.core.options import check_choices
from segue.testing.stories import Story


@dataclass(frozen=True, eq=False, repr=False)
class Mutation:
    """A stream with one edit in it."""

    operator: str
    """Its name in `OPERATORS`."""
    position: int
    """Of the delivery that was edited."""
    stream: Story
    """The deliveries, edited."""

    def __repr__(self) -> str:
        """Return the edit and the stream."""
        return f"<Mutation {self.operator} at {self.position}: {self.stream!r}>"

    @cached_property
    def report(self) -> Report:
        """The report of the stream as a closed log."""
        return check(self.stream)


def mutations(stream: Sequence[Any], *, operators: Sequence[str] = ()) -> Iterator[Mutation]:
    """Yield the stream with every single edit of these operators, or of all if none is named.

    Raises `ConfigurationError` for an operator that is not in `OPERATORS`.
    """
    check_choices("operators", operators, OPERATORS)
    for name in operators or OPERATORS:
        for position in range(len(stream)):
            for edited in OPERATORS[name](stream, position):
                yield Mutation(name, position, Story(edited))
