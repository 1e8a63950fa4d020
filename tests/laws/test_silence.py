"""Law 7, first half: what is legal is not reported. The other half is in test_one_mistake.py."""

from hypothesis import given
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams
from tests.streams import body

import segue


@given(legal_streams())
def test_a_legal_conversation_has_neither_errors_nor_warnings(stream: list[Ev]) -> None:
    """Valid is silent: there may be notes where the specification says nothing, and no more."""
    report = segue.check(map(body, stream))

    assert {finding.severity for finding in report.findings} <= {"note"}
    assert (report.valid, report.phase) == (True, "ended")
