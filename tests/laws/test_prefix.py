"""Law 3: what was found stays found, and nothing is found later for an earlier event."""

from typing import Any

from hypothesis import given
from tests.strategies import logs, streams

import segue


@given(logs(streams()))
def test_the_findings_of_a_prefix_are_a_prefix_of_the_findings(lines: list[dict[str, Any]]) -> None:
    """Prefix: the findings of a prefix are a prefix of the findings, the close excluded."""
    whole = segue.check(lines, partial="end").findings

    for length in range(len(lines)):
        findings = segue.check(lines[:length], partial="end").findings
        assert findings == whole[: len(findings)]
