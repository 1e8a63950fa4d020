"""What senders get wrong: one mistake for every rule, read off the rule's page, and broken fields.

Whether a conversation then gives exactly that finding is for the check to say.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol, TypeAlias

from segue.analysis.simulate.broken_field import BREAKS, BrokenField
from segue.analysis.simulate.page_mistake import PageMistake
from segue.analysis.simulate.script import LogPart, Script

Place: TypeAlias = Any
"""What `Mistake.places` returns and `Mistake.make` takes."""


class Mistake(Protocol):
    """One way to offend a rule."""

    code: str
    needs: frozenset[LogPart]
    """What a log must have for it."""
    widths: range
    """Those that `places` takes."""

    def places(self, script: Script, width: int, /) -> Sequence[Any]:
        """Return where it can be made; a greater width asks for more of the page's context."""

    def make(self, script: Script, place: Place, strangers: Iterator[str], /) -> None:
        """Make it at one of its places; `strangers` are agents who take no part."""


@cache
def mistakes_of(code: str) -> tuple[Mistake, ...]:
    """Return the mistakes that offend a rule: that of its page, and broken fields if it has any."""
    page = PageMistake(code)
    return (page, BrokenField(code)) if code in BREAKS else (page,)
