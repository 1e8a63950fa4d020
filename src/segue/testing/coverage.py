"""Lifecycle coverage: the phases, legal moves and rules that a test run has reached.

A move is an event in a phase, such as `released: redial entry`. Coverage is computed from reports,
whose events are replayed through the lifecycle table, so it does not matter how the events were
checked.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState, legal, reachable
from segue.core.conversation import Report
from segue.core.findings import BY_CODE
from segue.core.lifecycle import MESSAGES, Phase

_AGENTS: Final = 3
"""The number of agents in generated conversations, which is enough for every legal move."""


def _legal_moves() -> list[str]:
    """Return all moves that the specification allows, such as `released: redial entry`."""
    found: dict[Phase, dict[str, None]] = {phase: {} for phase in Phase}
    for state, _ in reachable(LifecycleState(), partial(legal, agents=_AGENTS)):
        for event in legal(state, _AGENTS):
            found[state.phase].setdefault(f"{state.phase.value}: {event.label}")
    return [move for moves in found.values() for move in moves]


class Coverage:
    """The phases, moves and rules that checked conversations have reached so far."""

    def __init__(self) -> None:
        self.phases: set[str] = set()
        """The values of `Phase` that were entered, such as `active`."""
        self.moves: set[str] = set()
        """The moves that were made, such as `released: redial entry`."""
        self.rules: set[str] = set()
        """The codes of the rules that were violated, such as `SG103`."""

    def add(self, report: Report) -> None:
        """Add the phases, moves and rules that the conversation of a report has reached."""
        state = LifecycleState()
        self.phases.add(state.phase.value)
        for number, moment in enumerate(report.timeline):
            if moment.kind in MESSAGES:
                continue
            self.moves.add(f"{state.phase.value}: {moment.kind.value}")
            state = state.after(StoryEvent(moment.kind.value, moment.agent, str(number)))
            self.phases.add(state.phase.value)
        self.rules.update(finding.code for finding in report.findings)

    def merge(self, driven: dict[str, list[str]]) -> None:
        """Add the coverage of another process, as returned by its `to_dict`."""
        for part, found in driven.items():
            vars(self)[part].update(found)

    def to_dict(self) -> dict[str, list[str]]:
        """Return a dictionary with sorted lists under the keys `phases`, `moves` and `rules`."""
        return {part: sorted(found) for part, found in vars(self).items()}

    def lines(self) -> Iterator[str]:
        """Yield lines of text: totals such as `phases: 6 of 7`, and all that was not reached."""
        possible = {
            "phases": [phase.value for phase in Phase],
            "legal moves": _legal_moves(),
            "rules": list(BY_CODE),
        }
        for (title, there_are), driven in zip(possible.items(), vars(self).values(), strict=True):
            missing = [each for each in there_are if each not in driven]
            yield f"{title}: {len(there_are) - len(missing)} of {len(there_are)}"
            for each in missing:
                name = f" {BY_CODE[each].name}" if each in BY_CODE else ""
                yield f"  not reached: {each}{name}"


def count_reports(coverage: Coverage) -> Callable[[], None]:
    """Add every report that is created from now on to `coverage`.

    Return a function without arguments that stops the counting.
    """
    made = Report.__init__

    def make(self: Report, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        coverage.add(self)

    Report.__init__ = make  # type: ignore[method-assign]
    return partial(setattr, Report, "__init__", made)
