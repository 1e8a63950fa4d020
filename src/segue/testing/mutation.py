"""Mutations of streams by single edits.

The verdict of a mutation is always recomputed, because many edits of a valid stream are valid too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from segue.analysis.simulate.operators import OPERATORS
from segue.core.conversation import Report, check
from segue.core.errors import ConfigurationError
from segue.testing.stories import Story


@dataclass(frozen=True, eq=False, repr=False)
class Mutation:
    """A stream with one edit."""

    operator: str
    """The name of the edit in `OPERATORS`."""
    position: int
    """The 0-based index of the edited delivery."""
    stream: Story
    """The edited deliveries."""

    def __repr__(self) -> str:
        """Return a text with the edit and the stream."""
        return f"<Mutation {self.operator} at {self.position}: {self.stream!r}>"

    @cached_property
    def report(self) -> Report:
        """The report of the edited stream as a closed log."""
        return check(self.stream)


def mutations(stream: Sequence[Any], *, operators: Sequence[str] = ()) -> Iterator[Mutation]:
    """Yield every mutation of a stream by a single edit.

    Args:
        stream: The deliveries of a conversation.
        operators: Names in `OPERATORS`: `drop`, `swap`, `repeat`, `retype`, `re-identify`. By
            default all operators are applied.

    Raises:
        ConfigurationError: An operator is unknown.

    """
    for name in operators or OPERATORS:
        if name not in OPERATORS:
            raise ConfigurationError(
                f"unknown operator {name!r}: use any of {', '.join(OPERATORS)}"
            )
        for position in range(len(stream)):
            for edited in OPERATORS[name](stream, position):
                yield Mutation(name, position, Story(edited))
