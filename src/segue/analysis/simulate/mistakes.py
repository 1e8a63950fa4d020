"""The mistakes that break each rule: the one of its page, and broken fields.

A mistake may cause other findings too. `inject` checks each conversation for them.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol, TypeAlias

from segue.analysis.simulate.broken_field import BREAKS, BrokenField
from segue.analysis.simulate.page_mistake import PageMistake
from segue.analysis.simulate.script import LogPart, Script

Place: TypeAlias = Any
"""A value that `Mistake.places` returns and `Mistake.make` accepts."""


class Mistake(Protocol):
    """A way to break a rule."""

    code: str
    needs: frozenset[LogPart]
    """The parts that a log must have."""
    widths: range
    """The widths that `places` accepts."""

    def places(self, script: Script, width: int, /) -> Sequence[Any]:
        """Return the possible places.

        A greater width requires more context of the page to match.
        """

    def make(self, script: Script, place: Place, strangers: Iterator[str], /) -> None:
        """Make the mistake at a place. `strangers` are agents who do not take part."""


@cache
def mistakes_of(code: str) -> tuple[Mistake, ...]:
    """Return the mistakes that break a rule: the one of its page, and perhaps a broken field."""
    page = PageMistake(code)
    return (page, BrokenField(code)) if code in BREAKS else (page,)
