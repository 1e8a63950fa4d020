"""The law about the order of WARM entries: of several consultants, none is preferred."""

from collections.abc import Iterator

from tests.streams import errors

from segue.analysis.simulate.bodies import TRANSFERS, StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState
from segue.core.lifecycle import Phase

Pair = tuple[LifecycleState, LifecycleState]

_BEGINNINGS = (
    "NA entry a",
    "NA entry a, WARM entry d",
    "NA entry a, WARM entry b, WARM exit b",
    "NA entry a, COLD exit a, COLD entry d",
)
"""Beginnings of legal conversations, after which b and c are consulted."""
_AGENTS = ("a", "b", "c", "d", "e")
_LONGEST = 4
"""The maximum number of events after the WARM entries."""


def test_exchanging_two_warm_entries_turns_no_legal_conversation_into_an_error() -> None:
    """However a legal conversation goes on after two WARM entries, their order makes no error."""
    followed: set[Pair] = set()
    for beginning in _BEGINNINGS:
        before = LifecycleState().after(*map(_event, beginning.split(", ")))
        b, c = _event("WARM entry b"), _event("WARM entry c")
        pairs = {(before.after(b, c), before.after(c, b))}
        for _ in range(_LONGEST):
            pairs = {after for pair in pairs for after in _legal(*pair)} - followed
            followed |= pairs
    assert len(followed) > 1_000
    assert {one.phase for one, _ in followed} == {*Phase} - {Phase.WAITING}


def _event(label: str) -> StoryEvent:
    kind, _, agent = label.rpartition(" ")
    return StoryEvent(kind, agent)


def _legal(one: LifecycleState, other: LifecycleState) -> Iterator[Pair]:
    """Yield the two states after each event that is legal in the first one."""
    transfers = [StoryEvent(label, agent) for label in TRANSFERS for agent in _AGENTS]
    ends = StoryEvent("TRIGGER_SUMMARY_EVENT"), StoryEvent("END_OF_CONVERSATION", "a")
    for event in (*transfers, *ends):
        after, codes = one.step(event)
        if not errors(codes):
            exchanged, found = other.step(event)
            assert not errors(found), (one, event, found)
            yield after._replace(previous=None), exchanged._replace(previous=None)
