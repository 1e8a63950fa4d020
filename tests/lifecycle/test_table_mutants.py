"""Every wrong row of the table is noticed, or changes nothing that anybody could notice.

A mutant has another code, another phase to go on in, or another effect in one row.  It is equivalent
when no roster that can come about (of up to three agents) tells it from the original; that is
computed, not claimed.  All others must be killed: by the cases worked out by hand, by streams judged
by the oracle, or because who is present no longer agrees with the phase.
"""

from collections import deque
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from segue.events import EventKind
from segue.lifecycle import ROWS, Phase, Roster, advance
from segue.lifecycle.advance import MESSAGES
from tests.lifecycle.library import close, take
from tests.lifecycle.mutation import Mutant, mutants
from tests.lifecycle.test_against_oracle import LONG_ALPHABET, clone
from tests.oracle.by_hand import BY_HAND, log
from tests.oracle.oracle import Ev, Verdict, judge

EVENTS = [kind for kind in EventKind if kind.is_entry or kind.is_exit]
NOBODY = {Phase.WAITING, Phase.RELEASED, Phase.SUMMARIZED, Phase.ENDED}


@cache
def corpus() -> list[tuple[tuple[Ev, ...], Verdict]]:
    """Streams with the oracle's verdict; the hand-made ones first."""
    streams = [tuple(log(text)) for cases in BY_HAND.values() for text, _, _ in cases if text]
    random = Random("mutants")
    for _ in range(4_000):
        length = random.randint(2, 8)
        streams.append(tuple(random.choice(LONG_ALPHABET) for _ in range(length)))
    known = [stream for stream in streams if not any(event.agent == "A" for event in stream)]
    return [(stream, judge(stream)) for stream in known]


@cache
def rosters() -> list[Roster]:
    """Every roster of up to three agents, up to what was reported before."""
    found = [Roster()]
    queue = deque(found)
    seen = {outcome(found[0])}
    while queue:
        roster = queue.popleft()
        for kind in (*EVENTS, EventKind.SUMMARY, EventKind.END):
            for agent in "abc" if kind in EVENTS else ("",):
                twin = clone(roster)
                advance(twin, kind, agent)
                if outcome(twin) not in seen:
                    seen.add(outcome(twin))
                    found.append(twin)
                    queue.append(twin)
    return found


def outcome(roster: Roster) -> object:
    """What of a roster can be told apart, now or later."""
    if roster.phase is Phase.ENDED:
        return (roster.phase, roster.present)
    return (
        roster.phase, roster.primary, roster.consultants, roster.last, roster.doubted,
        tuple(sorted(roster.marks.items())), tuple(sorted(roster.reliefs.items())),
    )  # fmt: skip


def steps(row_number: int) -> list[tuple[Roster, EventKind, str]]:
    """Every roster before an event to which this row applies."""
    row = ROWS[row_number]
    return [
        (roster, kind, agent)
        for roster in rosters()
        if roster.phase in row.phases
        for kind in row.kinds
        for agent in ("abc" if kind in EVENTS or kind in MESSAGES else ("",))
    ]


def results(row_number: int) -> list[object]:
    found: list[object] = []
    for roster, kind, agent in steps(row_number):
        twin = clone(roster)
        try:
            move = advance(twin, kind, agent)
        except Exception as error:  # noqa: BLE001 - a mutant may break anything
            found.append(type(error))
        else:
            over = kind is EventKind.CLOSE  # nothing follows, only the phase is shown
            found.append((move.code, twin.phase if over else outcome(twin)))
    return found


def is_killed(mutant: Mutant, streams: Sequence[tuple[tuple[Ev, ...], Verdict]]) -> bool:
    return any(differs(stream, verdict) for stream, verdict in streams)


def differs(stream: tuple[Ev, ...], verdict: Verdict) -> bool:
    """Whether the library, as mutated, says anything else than the oracle of this stream."""
    roster = Roster()
    findings: list[tuple[int | None, str]] = []
    try:
        for position, event in enumerate(stream):
            findings += take(roster, position, event)
            if not is_sound(roster):
                return True
        findings += close(roster)
    except Exception:  # noqa: BLE001 - a mutant may break anything
        return True
    return (findings, roster.phase.value) != (verdict.findings, verdict.phase)


def is_sound(roster: Roster) -> bool:
    """Whether who is present agrees with the phase."""
    if roster.phase in NOBODY:
        return roster.primary is None and not roster.consultants
    if roster.phase is Phase.TRANSFERRING:
        return roster.primary is None
    return (
        roster.primary is not None
        and bool(roster.consultants) is (roster.phase is Phase.CONSULTING)
        and not set(roster.present) & set(roster.marks)
        and len(set(roster.present)) == len(roster.present)
    )


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_every_mutant_of_a_row_is_killed_or_cannot_be_told_apart(number: int) -> None:
    original = results(number)
    streams = list(corpus())
    survivors = []
    for mutant in mutants():
        if mutant.number != number:
            continue
        with mutant.in_place() as is_changed:
            if not is_changed or results(number) == original:
                continue
            if not is_killed(mutant, streams):
                survivors.append(str(mutant))

    assert survivors == []


def test_the_mutator_is_alive() -> None:
    changed = [mutant for mutant in mutants() if mutant.number == 4]
    with changed[0].in_place() as is_changed:
        assert is_changed
        assert is_killed(changed[0], corpus())
    assert not is_killed(changed[0], corpus())
