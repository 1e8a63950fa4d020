"""Every wrong row of the table is noticed.

A mutant has another code, or another phase to go on in, in one row.  It must be killed by the cases
worked out by hand, by streams that the oracle judges, or because who is present no longer agrees
with the phase.  Verdicts never come from the table.
"""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest
from tests.lifecycle.library import close, take
from tests.lifecycle.mutation import Mutant, mutants
from tests.lifecycle.test_against_oracle import LONG_ALPHABET
from tests.oracle.by_hand import BY_HAND, log
from tests.oracle.oracle import Ev, Verdict, judge

from segue.events import EventKind
from segue.lifecycle import MESSAGES, ROWS, Phase, Roster

NOBODY = {Phase.WAITING, Phase.RELEASED, Phase.SUMMARIZED, Phase.ENDED}
Judged = tuple[tuple[Ev, ...], Verdict]


@cache
def corpus() -> list[Judged]:
    """Streams with the oracle's verdict; the hand-made ones first."""
    streams = [tuple(log(text)) for cases in BY_HAND.values() for text, _, _ in cases if text]
    random = Random("mutants")
    for _ in range(3_000):
        length = random.randint(2, 8)
        streams.append(tuple(random.choice(LONG_ALPHABET) for _ in range(length)))
    known = [stream for stream in streams if not any(event.agent == "A" for event in stream)]
    return [(stream, judge(stream)) for stream in known]


def is_equivalent(mutant: Mutant) -> bool:
    """Whether a mutant changes what nothing ever reads.

    A message and whatever comes after the end move no phase; after the end there is no close.
    """
    row = ROWS[mutant.number]
    if row.phases == (Phase.ENDED,):
        return mutant.row.to is not row.to or row.kinds == (EventKind.CLOSE,)
    return mutant.row.to is not row.to and set(row.kinds) <= MESSAGES


def is_killed(streams: Sequence[Judged]) -> bool:
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
    except (AssertionError, KeyError, ValueError):  # a mutant may lead where no cell is
        return True
    return (findings, roster.phase.value) != (verdict.findings, verdict.phase)


def is_sound(roster: Roster) -> bool:
    """Whether who is present agrees with the phase."""
    if roster.phase in NOBODY:
        return roster.primary is None and not roster.consultants
    if roster.phase is Phase.TRANSFERRING:
        return roster.primary is None
    return roster.primary is not None and (
        bool(roster.consultants) is (roster.phase is Phase.CONSULTING)
    )


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_every_mutant_of_a_row_is_killed(number: int) -> None:
    survivors = []
    for mutant in mutants():
        if mutant.number != number or is_equivalent(mutant):
            continue
        with mutant.in_place() as is_changed:
            if is_changed and not is_killed(corpus()):
                survivors.append(str(mutant))

    assert survivors == []


def test_the_table_as_it_is_survives() -> None:
    assert not is_killed(corpus())
