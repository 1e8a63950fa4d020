"""Selects the conversations of the conformance suite that tell the table from every wrong one.

For each mutant of each cell: if no conversation so far notices it, one is added that does, the
shortest there is.  A mutant is noticed by a finding, by the phase, or by who is present, at any
event or at the close.  `tests.core.lifecycle` shows which mutants make no difference.
`tests.testing.make_suite` writes the conversations down.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple

from tests.core.lifecycle.library import close, take
from tests.core.lifecycle.scenes import Key, scenes
from tests.core.lifecycle.test_table_mutants import killing_stream, mutants
from tests.core.lifecycle.walker import Walker
from tests.oracle.oracle import Ev
from tests.streams import KINDS

from segue.core.events import EventKind
from segue.core.lifecycle import TABLE, PresenceEffect

__all__ = ["Told", "is_noticed", "reduced", "retold", "selected"]

Step = tuple[object, ...]
Stream = tuple[Ev, ...]


class Told(NamedTuple):
    """A conversation, what is seen of it, and the cells it asks."""

    stream: Stream
    seen: tuple[Step, ...]
    asked: Mapping[Key, tuple[int, Walker]]
    """The cells, with the position that asks each first, of the close too, and the walker there."""


def retold(stream: Stream) -> Told:
    """Return what the library says to a stream."""
    walker, seen, asked = Walker(), list[Step](), dict[Key, tuple[int, Walker]]()
    for position, event in enumerate(stream):
        asked.setdefault(_key(walker, event), (position, copy(walker)))
        seen.append(_seen(walker, event))
    seen.append(_closed(walker))
    close_key = (walker.phase, EventKind.CLOSE, walker.situation(""))
    asked.setdefault(close_key, (len(stream), walker))
    return Told(stream, tuple(seen), asked)


def _key(walker: Walker, event: Ev) -> Key:
    kind = KINDS[event.kind]
    agent = event.agent if event.kind not in ("summary", "end") else ""
    return walker.phase, kind, walker.situation(walker.resolve(kind, agent))


def _seen(walker: Walker, event: Ev) -> Step:
    """Let the walker take an event; return what a backend shows of it."""
    phase, kind, number = _key(walker, event)
    cell = TABLE[phase][kind][number]
    codes = tuple(code for _, code in take(walker, 0, event))
    reconnects = cell is not None and cell.effect is PresenceEffect.RECONNECT
    return codes, walker.phase, walker.primary, tuple(sorted(walker.consultants)), reconnects


def _closed(walker: Walker) -> Step:
    twin = copy(walker)
    codes = tuple(code for _, code in close(twin))
    return codes, twin.phase


def is_noticed(told: Told, key: Key) -> bool:
    """Whether the library, with a mutant of the cell, says anything else than it should.

    What comes before the cell is asked is the same, and is not played again.
    """
    position, before = told.asked[key]
    walker = copy(before)
    try:
        for event, seen in zip(told.stream[position:], told.seen[position:], strict=False):
            if _seen(walker, event) != seen:
                return True
        return _closed(walker) != told.seen[-1]
    except (AssertionError, LookupError, ValueError):
        return True


def selected() -> list[Told]:
    """Return the conversations, in the order they are found."""
    found: list[Told] = []
    asking: dict[Key, list[Told]] = {}
    for key, leading in scenes().items():
        for mutant in mutants(key):
            with mutant.in_place():
                if any(is_noticed(told, key) for told in reversed(asking.get(key, []))):
                    continue
            stream, _ = killing_stream(mutant, leading, shown_only=True)
            if stream is not None:
                told = retold(stream)
                found.append(told)
                for asked in told.asked:
                    asking.setdefault(asked, []).append(told)
    return found


def reduced(candidates: Sequence[Told]) -> list[Told]:
    """Return as few of the conversations as notice the same mutants: the best first, greedily."""
    asking: dict[Key, list[int]] = {}
    for number, told in enumerate(candidates):
        for asked in told.asked:
            asking.setdefault(asked, []).append(number)
    noticing: dict[int, set[int]] = {number: set() for number in range(len(candidates))}
    for index, mutant in enumerate(each for key in scenes() for each in mutants(key)):
        with mutant.in_place():
            for number in asking.get(mutant.key, ()):
                if is_noticed(candidates[number], mutant.key):
                    noticing[number].add(index)
    chosen = []
    left = set().union(*noticing.values())
    while left:
        best = max(noticing, key=lambda number: (len(noticing[number]), -number))
        left -= noticing[best]
        chosen.append(best)
        gained = noticing.pop(best)
        noticing = {number: rest for number, each in noticing.items() if (rest := each - gained)}
    return [candidates[number] for number in sorted(chosen)]
