"""What follows from what: the search of the library against the oracle's."""

import random
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest
from tests.oracle.by_hand import log
from tests.oracle.oracle import TRANSFERS, Ev
from tests.oracle.roots import UNREADABLE, explained
from tests.streams import body, clean_streams, short, single_edits

import segue

EVENTS = [
    *(Ev(kind, agent) for kind in sorted(TRANSFERS) for agent in "ab"),
    *(Ev("summary"), Ev("end")),
]
BEGINNINGS = [each for each in product(EVENTS, repeat=2) if each[0].agent != "b"]
AFTERWARDS = [*EVENTS, Ev("user message", "a"), Ev("agent message", "b")]

# log -> errors; behind < the position of the one that an error follows, ! a root
BY_HAND = {
    "N+a C+b C-a N-b E": "1:SG103!",
    "an exit comes too early: N+a W+b N-a W-b N-a E": "2:SG204! 4:SG201<2",
    "an exit comes after the end: N+a W+b N-a E W-b": "2:SG204! 4:SG110<2",
    "another exit comes after the end: N+a W+b N-a E W-c": "2:SG204! 4:SG110!",
    "one of many that may come after the end: C+a C+b N-b E R+b": "0:SG101! 1:SG103! 4:SG110<1",
    "somebody new who may have been there: W-a W-a S E N+b": "0:SG101! 2:SG106! 4:SG110<2",
    "somebody new, but not in this way: W-a W-a S E C+b": "0:SG101! 2:SG106! 4:SG110!",
    "somebody known who was not there: W-a W-a S E C+a": "0:SG101! 2:SG106! 4:SG110!",
    "only the first after the end: N+a N-a E N+b E": "3:SG110! 4:SG109<3",
    "the end's own SG107: N+a E N-a E": "1:SG107! 2:SG110<1 3:SG109<1",
    "the close: N+a": "close:SG107! close:SG108<close",
    "the close, behind more mistakes than the search can take: W-a W-b W-a W-b R-a": (
        "0:SG101! 4:SG113! close:SG108!"
    ),
    "two mistakes: N+a N-b N-c E": "1:SG201! 2:SG201!",
    "the same event twice costs nothing: N+a N-b N-b E": "1:SG201!",
    "unreadable: ? N-a E": "1:SG101<0",
    "unreadable, and more: ? C+b N-b N-c": "1:SG101<0 3:SG201! close:SG108!",
    "unreadable at the close: N+a N-a ?": "close:SG108<2",
    "summary: N+a S N-a E": "1:SG106!",
    "who left cannot be the one who was there meanwhile: "
    "N+a W-a/x C-a W+a W-a N-b S E": "1:SG202! 3:SG117!",
    "nor after the end: N+a W+b C-a C+b W-b N-b W+b E": "4:SG202! 6:SG115! 7:SG107<6",
    "unreadable among many: N+a N-a R+a ? W+b W+b/x N-b E/x N-a": "6:SG202! 8:SG110<6",
    "late by two: N+a W+b W-b C-a N-c C+c E": "4:SG201! 5:SG115<4 6:SG107<4",
}


@pytest.mark.parametrize("case", BY_HAND)
def test_roots_by_hand(case: str) -> None:
    events = _events(case.rpartition(": ")[2])

    assert _written(_reported(events)) == _written(explained(events)) == BY_HAND[case]


def test_every_sequence_of_two_events() -> None:
    _agree(product(EVENTS, repeat=2))


def test_a_sample_of_random_sequences() -> None:
    _agree(_random(60, seed=1))


def test_a_sample_of_sequences_of_five_events() -> None:
    chance = random.Random(5)
    _agree(tuple(chance.choices(EVENTS, k=5)) for _ in range(20))


@pytest.mark.slow
def test_every_sequence_of_three_events() -> None:
    _agree(product(EVENTS, repeat=3))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_random_sequences_of_four_to_eight_events(part: int) -> None:
    _agree(islice(_random(20_000, seed=2), part, None, 20))


@pytest.mark.slow
@pytest.mark.parametrize("begun", BEGINNINGS, ids=short)
def test_every_sequence_of_five_events(begun: tuple[Ev, ...]) -> None:
    """In 180 parts, by the first two events, so that they can be run apart: `-k 'N+a and C-b'`."""
    _agree((*begun, *rest) for rest in product(EVENTS, repeat=3))


@pytest.mark.parametrize("partial", ["start", "end", "both"])
def test_a_sample_of_logs_that_are_cut(partial: Any) -> None:
    """Without redial exits: what is true of a first event that is never legal is not said."""
    cut = [each for each in _random(20, seed=3) if "redial exit" not in {ev.kind for ev in each}]
    _agree(iter(cut), partial)


def _agree(sequences: Iterator[tuple[Ev, ...]], partial: Any = None) -> None:
    for events in sequences:
        if next((each.agent for each in events if each.agent), "a") == "a":
            expected = explained(events, partial or "")
            found = _reported(events, partial)[: len(expected)]
            assert (short(events), found) == (short(events), expected)


def _random(number: int, seed: int) -> Iterator[tuple[Ev, ...]]:
    """Yield clean streams with a few edits, and whatever comes, of 4 to 8 events."""
    chance = random.Random(seed)
    clean = [each for each in clean_streams(8) if len(each) > 3]
    for _ in range(number):
        events = tuple(chance.choices(EVENTS, k=chance.randint(4, 8)))
        if chance.random() < 0.7:
            events = chance.choice(clean)
            for _ in range(chance.randint(1, 3)):
                events = chance.choice([each for _, each in single_edits(events, "ab")])[:8]
        if chance.random() < 0.1:
            where = chance.randrange(len(events))
            events = (*events[:where], UNREADABLE, *events[where:])
        if chance.random() < 0.1:
            events = (*events, chance.choice(AFTERWARDS))
        yield events


def _reported(events: tuple[Ev, ...], partial: Any = None) -> list[Any]:
    """Return the errors of families 1 and 2 with those they follow, as the oracle writes them."""
    report = segue.check(map(_body, events), partial=partial)
    return [
        (
            (finding.place.event, finding.code),
            finding.follows and (finding.follows.place.event, finding.follows.code),
        )
        for finding in report.findings
        if finding.code < "SG3" and finding.rule.severity == "error"
    ]


def _body(event: Ev) -> dict[str, Any]:
    if event != UNREADABLE:
        return body(event)
    found = body(Ev("NA entry", "a"))
    del found["events"][0]["participant"]["identity"]
    return found


def _events(shorthand: str) -> tuple[Ev, ...]:
    return tuple(UNREADABLE if word == "?" else log(word)[0] for word in shorthand.split())


def _written(found: list[Any]) -> str:
    def where(each: Any) -> str:
        return "close" if each[0] is None else str(each[0])

    return " ".join(
        f"{where(error)}:{error[1]}{'!' if root is None else '<' + where(root)}"
        for error, root in found
    )
