"""No repair costs less: held against every stream that edits can make, checked by `segue.check`.

Nothing of the search is used to find those; see `brute`.
"""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from tests.analysis.repairs.brute import PlacedEvent, acceptable, cheaper, price_of
from tests.oracle.oracle import Ev
from tests.streams import body

from segue.analysis.repairs import EditKind, Repair, repair
from segue.analysis.simulate.bodies import TRANSFERS

Stream = tuple[Ev, ...]

SYMBOLS = (
    *(Ev(kind, agent) for kind in TRANSFERS for agent in "ab"),
    Ev("summary"),
    Ev("end"),
    Ev("agent message", "a"),
    Ev("agent message", "b"),
    Ev("user message", "a"),
)
KINDS = {"TRIGGER_SUMMARY_EVENT": "summary", "END_OF_CONVERSATION": "end"}


def placed_events(done: Repair) -> tuple[PlacedEvent, ...]:
    """Return the repaired stream as the brute force writes it."""
    return tuple(
        PlacedEvent(event.origin, KINDS.get(event.kind.value, event.kind.value), event.agent)
        for event in done.edited
        if EditKind.DELETE not in event.edits
    )


def agents_of(stream: Stream) -> tuple[str, ...]:
    """Return whom the stream names: `system` is who tells an end."""
    ends = ["system"] if Ev("end") in stream else []
    return tuple(dict.fromkeys([ev.agent for ev in stream if ev.agent] + ends)) or ("unknown",)


def prove(stream: Stream, *, strict: bool, dearest: int) -> bool:
    """Hold one repair against the brute force; False: it would take too long."""
    done = repair(map(body, stream), strict=strict)
    if done.cost > dearest:
        return False  # its brute force takes minutes
    new = placed_events(done)
    assert done.is_least
    assert any(
        cost == done.cost and acceptable(stream, new, moved, strict=strict)
        for cost, moved in price_of(stream, new)
    ), (stream, new)
    assert cheaper(stream, agents_of(stream), done.cost, strict=strict) is None, (stream, new)
    return True


def drawn(random: Random, longest: int) -> Iterator[Stream]:
    """Yield streams, most of which begin and end as conversations do."""
    while True:
        stream = [random.choice(SYMBOLS) for _ in range(random.randint(1, longest))]
        if random.random() < 0.6:
            stream[0] = Ev("NA entry", "a")
        if random.random() < 0.6:
            stream[-1] = Ev("end")
        yield tuple(stream)


@pytest.mark.parametrize("strict", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_no_repair_of_two_events_costs_less(strict: bool) -> None:  # noqa: FBT001
    for stream in product(SYMBOLS, repeat=2):
        if agents_of(stream)[0] != "b":  # the same with other names
            prove(stream, strict=strict, dearest=9)


@pytest.mark.thorough
@pytest.mark.parametrize("strict", [False, True])
def test_no_repair_of_up_to_six_events_costs_less(strict: bool) -> None:  # noqa: FBT001
    streams = drawn(Random(20 + strict), 6)

    proven = sum(prove(next(streams), strict=strict, dearest=8) for _ in range(80))

    assert proven > 20


@pytest.fixture
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search as long as anybody else's streams are searched."""
    monkeypatch.setattr("segue.core.edits.cheapest._EFFORTS", ((True, 0, 20_000), (False, 7, None)))


@pytest.mark.slow
@pytest.mark.usefixtures("_patience")
@pytest.mark.parametrize("strict", [False, True])
def test_no_repair_of_three_events_costs_less(strict: bool) -> None:  # noqa: FBT001
    for stream in product(SYMBOLS, repeat=3):
        if agents_of(stream)[0] != "b":
            prove(stream, strict=strict, dearest=10)


@pytest.mark.slow
@pytest.mark.usefixtures("_patience")
@pytest.mark.parametrize("seed", range(8))
def test_no_dear_repair_of_up_to_six_events_costs_less(seed: int) -> None:
    streams = drawn(Random(seed), 6)

    for _ in range(100):
        prove(next(streams), strict=seed % 2 == 1, dearest=10)
