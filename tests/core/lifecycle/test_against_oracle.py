"""The library and the oracle agree: on every short stream, and on many long ones.

The oracle is plain imperative code written from the page alone; the library walks a table. What
both say is either right or a reading of the page that two people had.
"""

from copy import copy
from itertools import product
from random import Random

import pytest
from tests.core.lifecycle.library import close, judged, take
from tests.core.lifecycle.walker import Walker
from tests.oracle.oracle import Ev, judge

from segue.analysis.simulate.bodies import TRANSFERS

pytestmark = pytest.mark.no_cover  # measuring coverage would triple their time

LONG, SHORT = 5, 4
ALPHABET = [
    *(Ev(kind, agent) for kind, agent in product(TRANSFERS, "ab")),
    Ev("summary"),
    Ev("end"),
]
FIRST = [event for event in ALPHABET if event.agent != "b"]
"""Up to renaming, the first agent named is a."""


@pytest.mark.thorough
@pytest.mark.parametrize("first", FIRST, ids=lambda event: f"{event.kind} {event.agent}".strip())
def test_every_stream_of_up_to_five_events_over_two_agents(first: Ev) -> None:
    assert compare([first], [], Walker(), LONG) == sum(
        _branches(first, each) for each in range(LONG)
    )


def test_every_stream_of_up_to_four_events_over_two_agents() -> None:
    for first in FIRST:
        compared = compare([first], [], Walker(), SHORT)
        assert compared == sum(_branches(first, each) for each in range(SHORT))


def _branches(first: Ev, length: int) -> int:
    """How many streams begin with this event and have so many more."""
    nameless, named = 2, 8  # events that begin no naming, and those that make an agent a
    unnamed, any_agent = (0, 1) if first.agent else (1, 0)
    for _ in range(length):
        unnamed, any_agent = unnamed * nameless, any_agent * len(ALPHABET) + unnamed * named
    return unnamed + any_agent


def compare(
    events: list[Ev], findings: list[tuple[int | None, str]], before: Walker, longest: int
) -> int:
    """Compare all continuations of a stream, sharing the library's work on common beginnings."""
    walker = copy(before)
    findings = [*findings, *take(walker, len(events) - 1, events[-1])]
    closed = copy(walker)
    verdict = judge(events)
    assert (verdict.findings, verdict.phase) == ([*findings, *close(closed)], closed.phase.value)
    if len(events) == longest:
        return 1
    following = ALPHABET if any(event.agent for event in events) else FIRST
    return 1 + sum(compare([*events, event], findings, walker, longest) for event in following)


LONG_ALPHABET = [
    *(Ev(kind, agent) for kind, agent in product(TRANSFERS, "abcA")),
    *(Ev("agent message", agent) for agent in "abcA"),
    Ev("user message", "a"),
    Ev("summary"),
    Ev("summary"),
    Ev("summary", tag="another"),
]


@pytest.mark.parametrize("partial", ["", "end", "start", "both"])
@pytest.mark.parametrize("count", [1_000, pytest.param(15_000, marks=pytest.mark.thorough)])
def test_long_streams_with_messages_and_another_letter_case(partial: str, count: int) -> None:
    random = Random(f"long {partial}")
    for _ in range(count):
        events = [random.choice(LONG_ALPHABET) for _ in range(random.randint(3, 10))]
        if partial in ("start", "both"):
            events[0] = Ev(random.choice(TRANSFERS[:-1]), random.choice("abc"))
        if random.random() < 0.4:
            events.append(Ev("end"))
        assert judged(events, partial) == judge(events, partial)
