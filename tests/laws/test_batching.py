"""Law 2: it does not matter how many events a delivery carries."""

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import streams
from tests.streams import body

import segue
from segue import Report
from segue.testing import batches


def account(report: Report) -> object:
    """What of a report does not depend on where in a body an event stood."""
    return (
        report.phase,
        report.events,
        [(finding.code, finding.place.event, finding.message) for finding in report.findings],
        report.segments,
    )


@given(st.data(), streams())
def test_the_same_events_in_one_delivery_or_in_many_are_the_same(
    data: st.DataObject, stream: list[Ev]
) -> None:
    """Batching: the same events in one delivery or many give the same phase and findings."""
    told = [body(event) for event in stream]

    batched = data.draw(batches(told))

    assert account(segue.check(batched)) == account(segue.check(told))
