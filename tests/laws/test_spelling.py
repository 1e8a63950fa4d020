"""Law 6: accepted spellings never matter."""

import json

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams, streams
from tests.streams import body

import segue
from segue.testing import spellings


@given(st.data(), legal_streams() | streams())
def test_no_accepted_spelling_changes_the_outcome(data: st.DataObject, stream: list[Ev]) -> None:
    """Spelling: letter case, flags as text and unknown fields change neither findings nor segments.

    Repeats are equal JSON values, so what is equal is spelled in one way.
    """
    plain = [body(event) for event in stream]
    texts = [json.dumps(each) for each in plain]
    spelled = {text: data.draw(spellings(json.loads(text))) for text in dict.fromkeys(texts)}
    other = [spelled[text] for text in texts]

    expected, report = segue.check(plain), segue.check(other)

    assert report.findings == expected.findings
    assert (report.phase, report.segments) == (expected.phase, expected.segments)
