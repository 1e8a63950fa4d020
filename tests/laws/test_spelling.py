"""Law 6: accepted spellings never matter."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams, streams
from tests.streams import body

import segue
from segue.testing import spellings


@given(st.data(), legal_streams() | streams())
def test_no_accepted_spelling_changes_the_outcome(data: st.DataObject, stream: list[Ev]) -> None:
    """Spelling: letter case, flags as text and unknown fields change neither findings nor segments.

    Repeats are equal JSON values, so here no two events in a row are equal in the first place.
    """
    plain = [body(event) for event in stream]
    if any(
        one["events"] == other["events"]
        for one, other in pairwise([each for each in plain if "events" in each])
    ):
        return
    other = [data.draw(spellings(each)) for each in plain]

    expected, report = segue.check(plain), segue.check(other)

    assert report.findings == expected.findings
    assert (report.phase, report.segments) == (expected.phase, expected.segments)
