"""The course of a conversation: what may come next, what is found, and the shortest way anywhere.

Everything here is asked of the table the check reads, so no generator can disagree with it.  House
rules: agents turn up in the order a-1, a-2, …, so that no two courses differ by names only, and the
simplest comes first, so that whatever is drawn from it shrinks to a short story.  It knows beats
and rosters; how they look as deliveries is the story's business.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from operator import eq
from typing import Final, TypeAlias

from segue.events import EventKind
from segue.lifecycle import MESSAGES, TABLE, Effect, Phase, Roster, advance, is_legal
from segue.testing.stories import Beat

__all__ = [
    "TRANSFERS",
    "Codes",
    "close",
    "legal",
    "names",
    "possible",
    "state",
    "take",
    "tempting",
    "twin",
    "way",
    "way_out",
]

Codes: TypeAlias = tuple[str, ...]

TRANSFERS: Final = tuple(kind.value for kind in EventKind if kind.is_entry or kind.is_exit)
_TALK: Final = (EventKind.USER_MESSAGE.value, EventKind.AGENT_MESSAGE.value)
_SUMMARY, _END = EventKind.SUMMARY.value, EventKind.END.value
_CLOSING: Final = (_END, "NA exit", "WARM exit", "COLD entry", "NA entry")
"""What brings a conversation nearer to its end, the shortest way first."""
_LONGEST: Final = 8
"""No way to anywhere is longer."""


def twin(roster: Roster) -> Roster:
    """Return a roster that goes its own way from here."""
    other = copy(roster)
    other.marks = dict(roster.marks)
    other.reliefs = dict(roster.reliefs)
    other.known = dict(roster.known)
    return other


def take(roster: Roster, beat: Beat) -> Codes:
    """Let a roster take a beat; return what is found there."""
    move = advance(roster, beat.kind, beat.actor, beat, same=eq)
    own = () if move.code is None else (move.code,)
    return (*own, "SG206") if move.respelled and move.code != "SG601" else own


def close(roster: Roster) -> Codes:
    """Return what is found when the log ends here. The roster stays as it is."""
    if roster.phase is Phase.ENDED:
        return ()
    move = advance(twin(roster), EventKind.CLOSE, "")
    return ("SG108",) if move.code is None else (move.code, "SG108")


def names(roster: Roster, agents: int) -> list[str]:
    """Return the agents there may be: those so far and, if there is room, one more."""
    known = list(roster.known)
    following = (f"a-{number}" for number in range(1, agents + 1))
    newcomer = next((name for name in following if name not in roster.known), None)
    return known if newcomer is None else [*known, newcomer]


def possible(roster: Roster, agents: int, *, messages: bool = False) -> Iterator[Beat]:
    """Yield every beat there is, allowed or not, the simplest first."""
    people = names(roster, agents)
    for label in (*TRANSFERS, *(_TALK if messages else ())):
        for agent in people:
            yield Beat(label, agent)
    yield Beat(_SUMMARY)
    if roster.phase is Phase.SUMMARIZED:
        yield Beat(_SUMMARY, language="de")
    yield Beat(_END, roster.last or roster.primary or "a-1")


def tempting(roster: Roster, agents: int) -> Iterator[Beat]:
    """Yield every beat there is, messages too, and those that spell a known agent in capitals."""
    for beat in possible(roster, agents, messages=True):
        yield beat
        if beat.agent in roster.known and (beat.kind.is_exit or beat.kind.is_entry):
            capitals = beat._replace(agent=beat.agent.upper())
            if roster.resolve(beat.kind, capitals.agent) == beat.agent:
                yield capitals


def legal(
    roster: Roster, agents: int, *, messages: bool = False, notes: bool = True
) -> Iterator[Beat]:
    """Yield the beats the specification allows now, the simplest first."""
    for beat in possible(roster, agents, messages=messages):
        cell = TABLE[roster.phase][beat.kind][roster.situate(beat.actor)]
        if (
            cell is not None
            and is_legal(cell.code)
            and (notes or cell.code is None)
            and (beat.kind in MESSAGES or beat.actor == "" or cell.effect is not Effect.NONE)
        ):
            yield beat


def way_out(roster: Roster) -> list[Beat]:
    """Return the shortest legal way to the end; the roster takes it."""
    taken: list[Beat] = []
    while roster.phase is not Phase.ENDED:
        options = {beat.label: beat for beat in [*legal(roster, 9, notes=False)][::-1]}
        taken.append(next(options[label] for label in _CLOSING if label in options))
        take(roster, taken[-1])
    return taken


def way(
    roster: Roster,
    agents: int,
    is_there: Callable[[Roster], bool],
    *,
    beats: Callable[[Roster, int], Iterable[Beat]] = possible,
) -> Sequence[Beat] | None:
    """Return a shortest course without a finding to where `is_there`; None: there is none."""
    queue: deque[tuple[Roster, tuple[Beat, ...]]] = deque([(roster, ())])
    seen: set[object] = set()
    while queue:
        here, taken = queue.popleft()
        if is_there(here):
            return taken
        if len(taken) == _LONGEST:
            continue
        for beat in beats(here, agents):
            there = twin(here)
            if not take(there, beat) and (key := state(there)) not in seen:
                seen.add(key)
                queue.append((there, (*taken, beat)))
    return None


def state(roster: Roster) -> object:
    """Return all of a roster that may ever matter, to compare."""
    return (
        roster.phase,
        roster.primary,
        roster.consultants,
        roster.last,
        roster.doubted,
        roster.early_summary,
        roster.na_entered,
        roster.told,
        roster.previous,
        tuple(roster.known),
        tuple(sorted(roster.marks.items())),
        tuple(sorted(roster.reliefs.items())),
    )
