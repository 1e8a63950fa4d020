"""Repairs by brute force: every stream that edits can make of another, and what `check` says of it.

Nothing of the search, of its table of places or of its bounds is used here.  A repaired stream is
written from left to right, any event at any place, and given up as soon as it is dearer than
allowed or its beginning has an error; what it cost is counted when it is there.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from tests.oracle.oracle import Ev
from tests.streams import body

import segue
from segue.analysis.repairs import EditKind
from segue.analysis.simulate.bodies import TRANSFERS
from segue.core.edits import PRICES, REPEATED
from segue.core.findings import BY_CODE, Severity

__all__ = ["PlacedEvent", "acceptable", "cheaper", "price_of"]

INSERTED: Final = tuple(kind for kind in TRANSFERS if kind != "redial exit")
MESSAGES: Final = ("user message", "agent message")


class PlacedEvent(NamedTuple):
    """One event of a repaired stream."""

    origin: int | None
    kind: str
    agent: str


@cache
def said(stream: tuple[tuple[str, str], ...], *, is_open: bool) -> tuple[tuple[str, ...], ...]:
    """Return the codes of the lifecycle's findings at each event, those of the close last."""
    events = [Ev(kind, agent) for kind, agent in stream]
    report = segue.check(map(body, events), partial="end" if is_open else None)
    codes: list[list[str]] = [[] for _ in range(len(stream) + 1)]
    for finding in report.findings:
        if finding.rule.family in (1, 2) or finding.code == "SG601":
            codes[-1 if finding.place.event is None else finding.place.event].append(finding.code)
    return tuple(map(tuple, codes))


def acceptable(
    original: tuple[Ev, ...],
    sequence: tuple[PlacedEvent, ...],
    moved: frozenset[int],
    *,
    strict: bool,
    is_open: bool = False,
) -> bool:
    """Whether a stream is what a repair may make of another."""
    before = said(tuple((ev.kind, ev.agent) for ev in original), is_open=is_open)
    codes = said(tuple((each.kind, each.agent) for each in sequence), is_open=is_open)
    if codes[-1] or not sequence:  # a conversation is never repaired by leaving all of it out
        return False
    for each, found in zip(sequence, codes, strict=False):
        kept: tuple[str, ...] = ()
        if each.origin is not None and each.origin not in moved:
            event = original[each.origin]
            if (event.kind, event.agent) == (each.kind, each.agent):
                kept = before[each.origin]
        if not all(_may_stay(code, kept, strict=strict) for code in found):
            return False
    return True


def _may_stay(code: str, before: tuple[str, ...], *, strict: bool) -> bool:
    """Whether a repaired stream may have a finding where there were these before."""
    match BY_CODE[code].severity:
        case Severity.NOTE:
            return not strict
        case Severity.WARNING:
            return not strict and code in before
        case _:
            return False


def price_of(
    original: tuple[Ev, ...], sequence: tuple[PlacedEvent, ...]
) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield what a stream costs, for each choice of events that count as moved."""
    before = said(tuple((ev.kind, ev.agent) for ev in original), is_open=False)
    cost = 0
    for each in sequence:
        if each.origin is None:
            cost += PRICES[EditKind.INSERT]
            continue
        kept = original[each.origin]
        cost += PRICES[EditKind.RETYPE] * (kept.kind != each.kind)
        cost += PRICES[EditKind.REIDENTIFY] * (kept.agent != each.agent)
    origins = [each.origin for each in sequence if each.origin is not None]
    for index in set(range(len(original))) - set(origins):
        cost += REPEATED if "SG601" in before[index] else PRICES[EditKind.DELETE]
    for size in range(len(origins) + 1):
        for moved in combinations(origins, size):
            rest = [origin for origin in origins if origin not in moved]
            if rest == sorted(rest) and not any(
                original[origin].kind in MESSAGES for origin in moved
            ):
                yield cost + size * PRICES[EditKind.MOVE], frozenset(moved)


def cheaper(
    original: tuple[Ev, ...], agents: tuple[str, ...], below: int, *, strict: bool
) -> tuple[PlacedEvent, ...] | None:
    """Return an acceptable stream that costs less; None: there is none."""
    for sequence in _streams(original, agents, below, (), 0, strict=strict):
        for cost, moved in price_of(original, sequence):
            if cost < below and acceptable(original, sequence, moved, strict=strict):
                return sequence
    return None


def _streams(
    original: tuple[Ev, ...],
    agents: tuple[str, ...],
    below: int,
    sequence: tuple[PlacedEvent, ...],
    spent: int,
    *,
    strict: bool,
) -> Iterator[tuple[PlacedEvent, ...]]:
    """Yield every stream that begins like this and may cost less."""
    if spent >= below or _has_error(sequence):
        return
    left = [i for i in range(len(original)) if all(i != each.origin for each in sequence)]
    messages = [i for i in left if original[i].kind in MESSAGES]
    if not messages and spent + REPEATED * len(left) < below:
        yield sequence
    for each, cost in _next(original, agents, left, messages):
        # What is out of turn makes at least one event a moved or a lost one, now or later.
        late = REPEATED if each.origin is not None and each.origin != left[0] else 0
        if spent + cost + late < below:
            more = (*sequence, each)
            yield from _streams(original, agents, below, more, spent + cost, strict=strict)


def _next(
    original: tuple[Ev, ...], agents: tuple[str, ...], left: list[int], messages: list[int]
) -> Iterator[tuple[PlacedEvent, int]]:
    """Yield what may stand next, and its cost, that of moving it left out."""
    for index in left:
        if index in messages[1:]:
            continue  # messages stay in order
        for kind, agent, cost in _shapes(original[index], agents):
            yield PlacedEvent(index, kind, agent), cost
    for kind in (*INSERTED, "end"):
        for agent in ("",) if kind == "end" else agents:
            yield PlacedEvent(None, kind, agent), PRICES[EditKind.INSERT]


def _has_error(sequence: tuple[PlacedEvent, ...]) -> bool:
    codes = said(tuple((each.kind, each.agent) for each in sequence), is_open=True)
    return any(BY_CODE[code].severity is Severity.ERROR for found in codes for code in found)


def _shapes(kept: Ev, agents: tuple[str, ...]) -> Iterator[tuple[str, str, int]]:
    kinds = [kept.kind]
    if kept.kind in TRANSFERS:
        transition = kept.kind.split()[1]
        kinds += [k for k in TRANSFERS if k != kept.kind and k.endswith(transition)]
    names = [kept.agent]
    if kept.kind in TRANSFERS or kept.kind == "agent message":
        names += [agent for agent in agents if agent != kept.agent]
    for kind in kinds:
        for agent in names:
            cost = PRICES[EditKind.RETYPE] * (kind != kept.kind)
            yield kind, agent, cost + PRICES[EditKind.REIDENTIFY] * (agent != kept.agent)
