"""Law 8: who is there, as segments tell it."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from tests.strategies import logs, streams

from segue import Conversation, Phase


@given(logs(streams()))
def test_one_primary_at_most_and_nobody_after_the_end(lines: list[dict[str, Any]]) -> None:
    """Presence: at most one primary is open; nothing is open after END."""
    conversation = Conversation()
    for line in lines:
        conversation.feed(line)
        present = [segment for segment in conversation.report().segments if segment.is_open]
        assert sum(segment.role == "primary" for segment in present) <= 1
        assert len({segment.agent for segment in present}) == len(present)
        if conversation.phase in (Phase.WAITING, Phase.RELEASED, Phase.SUMMARIZED, Phase.ENDED):
            assert present == []


@given(logs(streams()))
def test_the_connections_of_a_segment_are_disjoint_and_in_order(
    lines: list[dict[str, Any]],
) -> None:
    """Presence: a connection begins after the one before it ended, by position and by time."""
    conversation = Conversation()
    for line in lines:
        conversation.feed(line)
    for segment in conversation.finish().segments:
        for one, other in pairwise(segment.connections):
            assert one.closed_by is not None
            assert other.opened_by is not None
            assert one.closed_by <= other.opened_by
            assert one.ended_at is not None
            assert other.started_at is not None
            assert one.ended_at <= other.started_at
            if one.opened_by is None:  # of an agent who was only seen leaving
                assert one is segment.connections[0]
                assert one.started_at is None
            else:
                assert one.opened_by < one.closed_by
                assert one.started_at is not None
                assert one.started_at <= one.ended_at
