"""Lifecycle coverage: which phases, moves and rules a test run has driven.

It decides what there is to cover: every phase, every legal move of the table (a kind of event in a
phase), and every rule.  House rule: it reads reports, which everything that checks a conversation
makes, and tells their events over again; so it does not matter how they were fed.  It does not know
pytest.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Final

from segue.conversation import Report
from segue.events import EventKind
from segue.findings import BY_CODE, RULES
from segue.lifecycle import MESSAGES, Phase, Roster, advance
from segue.testing.legal_moves import legal, state, take, twin

__all__ = ["Coverage", "listening"]

_NOBODYS: Final = (EventKind.SUMMARY, EventKind.END)


_AGENTS: Final = 3
"""So many make every legal move there is."""


def _legal_moves() -> list[str]:
    """Return every move of a conversation without an offence: `released: redial entry`."""
    found: dict[Phase, dict[str, None]] = {phase: {} for phase in Phase}
    queue, seen = deque([Roster()]), set[object]()
    while queue:
        roster = queue.popleft()
        for beat in legal(roster, _AGENTS):
            found[roster.phase].setdefault(f"{roster.phase.value}: {beat.label}")
            there = twin(roster)
            take(there, beat)
            if (key := state(there)) not in seen:
                seen.add(key)
                queue.append(there)
    return [move for moves in found.values() for move in moves]


class Coverage:
    """What was driven so far."""

    def __init__(self) -> None:
        self.phases: set[str] = set()
        self.moves: set[str] = set()
        self.rules: set[str] = set()

    def add(self, report: Report) -> None:
        """Count what a report tells."""
        roster = Roster()
        self.phases.add(roster.phase.value)
        for moment in report.timeline:
            if moment.kind in MESSAGES:
                continue
            agent = "" if moment.kind in _NOBODYS else moment.agent
            self.moves.add(f"{roster.phase.value}: {moment.kind.value}")
            advance(roster, moment.kind, agent)
            self.phases.add(roster.phase.value)
        self.rules.update(finding.code for finding in report.findings)

    def merge(self, told: dict[str, list[str]]) -> None:
        """Count what another process has driven, as its `to_dict` tells."""
        self.phases.update(told["phases"])
        self.moves.update(told["moves"])
        self.rules.update(told["rules"])

    def to_dict(self) -> dict[str, list[str]]:
        """Return what was driven, as JSON."""
        return {
            "phases": sorted(self.phases),
            "moves": sorted(self.moves),
            "rules": sorted(self.rules),
        }

    def lines(self) -> Iterator[str]:
        """Yield what was covered, and what was not."""
        yield from _part("phases", self.phases, [phase.value for phase in Phase])
        yield from _part("legal moves", self.moves, _legal_moves())
        yield from _part("rules", self.rules, [rule.code for rule in RULES])


def _part(title: str, driven: set[str], there_are: Iterable[str]) -> Iterator[str]:
    possible = list(there_are)
    missing = [each for each in possible if each not in driven]
    yield f"{title}: {len(possible) - len(missing)} of {len(possible)}"
    for each in missing:
        name = f" {BY_CODE[each].name}" if each in BY_CODE else ""
        yield f"  not driven: {each}{name}"


def listening(coverage: Coverage) -> Any:  # noqa: ANN401 - what undoes it
    """Have every report counted from now on; return what puts an end to it."""
    made = Report.__init__

    def make(self: Report, *given: Any, **named: Any) -> None:  # noqa: ANN401
        made(self, *given, **named)
        coverage.add(self)

    Report.__init__ = make  # type: ignore[method-assign]

    def stop() -> None:
        Report.__init__ = made  # type: ignore[method-assign]

    return stop
