"""Mutations: streams changed by a single edit, such as a dropped delivery.

The report of a mutation is always computed anew, because many edits of a valid stream are valid
too.
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
    """A stream with one edit, as yielded by `mutations`."""

    operator: str
    """The name of the edit, such as `drop`, which is a key of `OPERATORS`."""
    position: int
    """The 0-based index of the edited delivery."""
    stream: Story
    """The deliveries after the edit."""

    def __repr__(self) -> str:
        """Return a text such as `<Mutation drop at 2: story(…)>`."""
        return f"<Mutation {self.operator} at {self.position}: {self.stream!r}>"

    @cached_property
    def report(self) -> Report:
        """The report of `segue.check` on the edited stream."""
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
    check_choices("operators", operators, OPERATORS)
    for name in operators or OPERATORS:
        for position in range(len(stream)):
            for edited in OPERATORS[name](stream, position):
                yield Mutation(name, position, Story(edited))
