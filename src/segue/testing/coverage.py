"""Lifecycle coverage: which phases, legal moves and rules a test run has driven.

It reads reports, which everything that checks a conversation makes, and replays their events
through the table; so it does not matter how they were fed.
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
"""Enough to make every legal move there is."""


def _legal_moves() -> list[str]:
    """Return every move of a conversation without an offence: `released: redial entry`."""
    found: dict[Phase, dict[str, None]] = {phase: {} for phase in Phase}
    for state, _ in reachable(LifecycleState(), partial(legal, agents=_AGENTS)):
        for event in legal(state, _AGENTS):
            found[state.phase].setdefault(f"{state.phase.value}: {event.label}")
    return [move for moves in found.values() for move in moves]


class Coverage:
    """What was driven so far."""

    def __init__(self) -> None:
        self.phases: set[str] = set()
        """Values of `Phase` that were entered."""
        self.moves: set[str] = set()
        """Legal moves that were made: a phase and an event each."""
        self.rules: set[str] = set()
        """Codes of the rules that were broken."""

    def add(self, report: Report) -> None:
        """Count what a report has."""
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
        """Count what another process has driven, as its `to_dict` returns it."""
        for part, found in driven.items():
            vars(self)[part].update(found)

    def to_dict(self) -> dict[str, list[str]]:
        """Return what was driven, as JSON."""
        return {part: sorted(found) for part, found in vars(self).items()}

    def lines(self) -> Iterator[str]:
        """Yield what was covered, and what was not."""
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
                yield f"  not driven: {each}{name}"


def count_reports(coverage: Coverage) -> Callable[[], None]:
    """Count every report from now on; return a function that ends it."""
    made = Report.__init__

    def make(self: Report, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        coverage.add(self)

    Report.__init__ = make  # type: ignore[method-assign]
    return partial(setattr, Report, "__init__", made)
