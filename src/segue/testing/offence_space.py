"""Targets: every way the table lets a rule be offended in an otherwise clean conversation.

It decides which offences of order and presence there are to draw from: one for each rule, phase,
kind of event and situation that a clean course of three agents leads to, and only if the
conversation can be brought to its end without another finding.  The shortest come first.  It knows
rosters and beats; what is wrong with a body's shape is the faults' business.
"""

from collections import deque
from functools import cache, partial
from typing import Final, NamedTuple

from segue.lifecycle import Phase, Roster
from segue.testing.legal_moves import close, legal, state, take, tempting, twin, way
from segue.testing.stories import Beat

__all__ = ["AGENTS", "Target", "ending", "is_at", "offence", "targets"]

AGENTS: Final = 3
"""So many agents are enough for every situation a clean course leads to but one: two consultants
beside a third."""


class Target(NamedTuple):
    """One way to offend a rule."""

    code: str
    phase: Phase
    label: str
    """Of the beat that offends; empty: the log ends there."""
    situation: int


def _aim(roster: Roster, beat: Beat) -> tuple[Target, Roster] | None:
    """Return what a beat hits, and the roster after it; None: it offends no rule, or several."""
    there = twin(roster)
    situation = roster.situate(roster.resolve(beat.kind, beat.actor))
    codes = take(there, beat)
    if len(codes) != 1:
        return None
    return Target(codes[0], roster.phase, beat.label, situation), there


def offence(roster: Roster, target: Target) -> Beat | None:
    """Return the beat that offends as the target says, if it can be done here."""
    if roster.phase is not target.phase:
        return None
    for beat in tempting(roster, AGENTS):
        if beat.label == target.label and (
            roster.situate(roster.resolve(beat.kind, beat.actor)) == target.situation
            and take(twin(roster), beat) == (target.code,)
        ):
            return beat
    return None


def is_at(target: Target, roster: Roster) -> bool:
    """Whether the target can be hit here and now."""
    if not target.label:
        return roster.phase is target.phase and close(roster) == (target.code,)
    return offence(roster, target) is not None


def ending(roster: Roster) -> tuple[Beat, ...] | None:
    """Return a shortest way to the end that gives no finding; None: there is none."""
    found = way(roster, AGENTS, lambda here: here.phase is Phase.ENDED, beats=_silent)
    return None if found is None else tuple(found)


_silent: Final = partial(legal, notes=False)


@cache
def targets() -> dict[str, tuple[Target, ...]]:
    """Return the targets of every rule that the table can report."""
    found: dict[str, dict[Target, None]] = {}
    queue = deque([Roster()])
    seen: set[object] = set()
    while queue:
        roster = queue.popleft()
        if roster.known and close(roster) == ("SG108",):
            found.setdefault("SG108", {}).setdefault(Target("SG108", roster.phase, "", 0))
        for beat in tempting(roster, AGENTS):
            target, there = _aim(roster, beat) or (None, roster)
            if target and target not in found.get(target.code, ()) and ending(there) is not None:
                found.setdefault(target.code, {}).setdefault(target)
        for beat in _silent(roster, AGENTS):
            there = twin(roster)
            if not take(there, beat) and (key := state(there)) not in seen:
                seen.add(key)
                queue.append(there)
    return {code: tuple(each) for code, each in sorted(found.items())}
