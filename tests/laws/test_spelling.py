"""Law 6: accepted spellings never matter."""

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams, streams
from tests.streams import body

import segue
from segue.testing import spellings


@given(st.data(), legal_streams() | streams())
def test_no_accepted_spelling_changes_the_outcome(data: st.DataObject, stream: list[Ev]) -> None:
    """Spelling: letter case, flags as text and unknown fields change neither findings nor segments.

    Repeats are spelled in other ways too.
    """
    plain = [body(event) for event in stream]
    other = [data.draw(spellings(each)) for each in plain]

    expected, report = segue.check(plain), segue.check(other)

    assert report.findings == expected.findings
    assert (report.phase, report.segments) == (expected.phase, expected.segments)
