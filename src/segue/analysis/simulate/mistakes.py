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
"""A value that `MistakeMaker.places` returns and `MistakeMaker.make` accepts."""


class MistakeMaker(Protocol):
    """A way to break a rule in a generated conversation.

    Call `places` to find the places where the mistake is possible, and pass one of them to `make`.
    """

    code: str
    """The code of the rule, such as `SG103`."""
    needs: frozenset[LogPart]
    """The optional parts that a log must have for this mistake."""
    widths: range
    """The widths that `places` accepts."""

    def places(self, script: Script, width: int, /) -> Sequence[Any]:
        """Return the places in a conversation where the mistake can be made.

        `width` is one of `widths`. A greater width requires that more events around a place match
        the example on the documentation page of the rule.
        """

    def make(self, script: Script, place: Place, strangers: Iterator[str], /) -> None:
        """Make the mistake by editing `script`. `place` comes from `places`.

        `strangers` yields agents who do not take part in the conversation yet.
        """


@cache
def mistakes_of(code: str) -> tuple[MistakeMaker, ...]:
    """Return the ways to break a rule, such as `SG103`.

    The first repeats the mistake on the documentation page of the rule. Rules about fields have a
    second one, which gives a field an invalid value.
    """
    page = PageMistake(code)
    return (page, BrokenField(code)) if code in BREAKS else (page,)
