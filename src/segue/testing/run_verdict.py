"""What became of a run with faults: how many were made, how many survived, and what did not."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from segue.platform.sandbox.faults import FaultPlan
from segue.report.plurals import pluralize

_SHOWN: Final = 20
_TOLD: Final = 3
"""How many of these with their stories."""


@dataclass(slots=True)
class RunVerdict:
    """The result of a run."""

    faults: FaultPlan
    """Which faults were made, and which were not survived."""
    conversations: int = 0
    """How many were sent."""
    deliveries: int = 0
    """How many were sent, repeated ones included."""
    compared: Counter[str] = field(default_factory=Counter)
    """How often each key of the view was compared."""

    @property
    def survived(self) -> bool:
        """Whether nothing went wrong, with and without faults."""
        return not self.faults.failed

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON."""
        made, failed = self.faults.counts, self.faults.failed
        return {
            "survived": self.survived,
            "conversations": self.conversations,
            "deliveries": self.deliveries,
            "compared": dict(self.compared),
            "faults": {
                name: {"made": count, "failed": failed[name]}
                for name, count in sorted(made.items())
            },
            "failures": [line.to_dict() for line in self.faults.failures],
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the verdict as text."""
        made, failed = self.faults.counts, self.faults.failed
        if self.conversations:
            compared = f"; compared: {', '.join(sorted(self.compared))}" if self.compared else ""
            yield (
                f"{pluralize(self.conversations, 'conversation')} in {self.deliveries} "
                f"{'delivery' if self.deliveries == 1 else 'deliveries'}{compared}"
            )
        if made:
            yield f"\n  {'fault':24} made  survived"
        for name, count in sorted(made.items()):
            yield f"  {name:24} {count:4}  {count - failed[name]:8}"
        yield from self._failures()
        lost = sum(failed[name] for name in made)
        if made:
            yield f"\nsurvived {made.total() - lost} of {pluralize(made.total(), 'fault')}"
        elif not failed:
            yield "nothing went wrong"
        if failed[""]:
            yield f"{failed['']} went wrong without a fault"  # conversations and callbacks

    def _failures(self) -> Iterator[str]:
        """Yield what was not survived, the first ones with their stories."""
        for number, line in enumerate(self.faults.failures[:_SHOWN]):
            yield f"\n  {line.fault or 'without a fault'}, {line.where}: {line.what}"
            yield f"    {line.failure}"
            if number < _TOLD:
                yield from (f"    {at:>2}  {sent}" for at, sent in enumerate(line.story))
        hidden = self.faults.failed.total() - _SHOWN
        if hidden > 0:
            yield f"\n  and {hidden} more"
