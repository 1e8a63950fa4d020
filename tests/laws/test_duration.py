"""Law 9: every instant of a conversation is accounted for, once."""

from datetime import timedelta
from typing import Any

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams, logs, streams

import segue

ENDED: st.SearchStrategy[list[Ev]] = legal_streams() | streams().map(
    lambda stream: [*stream, Ev("end")]
)


@given(logs(ENDED))
def test_the_parts_of_the_duration_add_up(lines: list[dict[str, Any]]) -> None:
    """Duration: it is connected_time + transfer_gap + drop_gap + lost_time + wrapup_time.

    All are known if every agent is seen entering, except for `lost_time`, which is not known where
    nobody is told to be in charge.
    """
    report = segue.check(lines)
    metrics = report.metrics
    parts = (
        metrics.connected_time,
        metrics.transfer_gap,
        metrics.drop_gap,
        metrics.lost_time,
        metrics.wrapup_time,
    )

    known = [part for part in parts if part is not None]
    assert min(known) >= timedelta()
    if all(segment.kind for segment in report.segments):
        assert len(known) >= len(parts) - (metrics.lost_time is None)
        assert metrics.duration is not None
        assert sum(known, timedelta()) <= metrics.duration
    if len(known) == len(parts):
        assert sum(known, timedelta()) == metrics.duration


@given(logs(legal_streams(), timed=st.booleans()))
def test_a_legal_conversation_with_all_its_times_has_a_duration(
    lines: list[dict[str, Any]],
) -> None:
    """Duration: it is known exactly when the first entry and the end have a time."""
    events = [line for line in lines if "events" in line["body"]]

    known = all("received_at" in line for line in (events[0], events[-1]))

    assert (segue.check(lines).metrics.duration is not None) == known
