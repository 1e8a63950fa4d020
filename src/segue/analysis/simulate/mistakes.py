"""The mistakes that break a rule: the mistake on the rule's page, and broken fields.

A mistake may cause findings of other rules, too. `inject` rejects such conversations.
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
    """A way to break a rule in a generated conversation."""

    code: str
    """The code of the rule, such as `SG103`."""
    needs: frozenset[LogPart]
    """The optional parts that a log must have for this mistake."""
    widths: range
    """The widths that `places` accepts."""

    def places(self, script: Script, width: int, /) -> Sequence[Any]:
        """Return the places in a conversation where the mistake can be made.

        A greater width requires more events around a place to match the rule's page.
        """

    def make(self, script: Script, place: Place, strangers: Iterator[str], /) -> None:
        """Make the mistake at one of the places, by editing `script`.

        `strangers` yields agents who do not take part in the conversation yet.
        """


@cache
def mistakes_of(code: str) -> tuple[Mistake, ...]:
    """Return one or two mistakes that break a rule: that of its page, and a broken field."""
    page = PageMistake(code)
    return (page, BrokenField(code)) if code in BREAKS else (page,)
