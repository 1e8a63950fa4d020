"""The verdict on a run in which the sandbox made faults."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from segue.platform.sandbox.faults import FaultPlan
from segue.report.plurals import pluralize

_SHOWN: Final = 20
"""The maximum number of failures to show."""
_TOLD: Final = 3
"""The number of failures that are shown with their deliveries."""


@dataclass(slots=True)
class RunVerdict:
    """The verdict on a run with faults.

    As a string it is a table of the faults, followed by the failures.
    """

    faults: FaultPlan
    """The plan of the run, which counts the faults that were made and collects the failures."""
    conversations: int = 0
    """The number of conversations sent."""
    deliveries: int = 0
    """The number of deliveries sent, including repeated ones."""
    compared: Counter[str] = field(default_factory=Counter)
    """The number of comparisons by key of the view, such as `phase`."""

    @property
    def survived(self) -> bool:
        """Whether no failure occurred, with or without a fault."""
        return not self.faults.failed

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as a JSON object."""
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
        """Yield the verdict as lines of text: totals, a table of faults, and the failures."""
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
            yield f"{failed['']} failed without a fault"  # conversations and callbacks

    def _failures(self) -> Iterator[str]:
        """Yield the lines of the first 20 failures, and the deliveries of the first three."""
        for number, line in enumerate(self.faults.failures[:_SHOWN]):
            yield f"\n  {line.fault or 'without a fault'}, {line.where}: {line.what}"
            yield f"    {line.failure}"
            if number < _TOLD:
                yield from (f"    {at:>2}  {sent}" for at, sent in enumerate(line.story))
        hidden = self.faults.failed.total() - _SHOWN
        if hidden > 0:
            yield f"\n  and {hidden} more"
