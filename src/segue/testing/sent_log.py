"""The log that the fixture `segue_log` collects and checks."""

import json
from typing import Any

import pytest

from segue.core.findings import codes
from segue.logs import replay
from segue.testing.assertion import report_text


class SentLog(list[Any]):
    """What the code under test has sent: E21 bodies, envelopes or JSON text, in order.

    It is checked when the test is over, each conversation by itself; `expect` names what the test
    sends wrong on purpose.
    """

    def __init__(self) -> None:
        super().__init__()
        self._expected: set[str] = set()

    def expect(self, *rules: str) -> None:
        """Allow findings of these rules (codes or names), and require each of them.

        What follows from an expected mistake is allowed, too.
        """
        for rule in rules:
            self._expected |= codes((rule,))

    def check(self) -> None:
        """Fail unless what was sent conforms, apart from what is expected."""
        __tracebackhide__ = True
        lines = [line if isinstance(line, str | bytes) else json.dumps(line) for line in self]
        found, unexpected, failed = set[str](), set[str](), list[str]()
        for report in replay(lines):
            found |= {each.code for each in report.findings}
            roots = [each for each in report.findings if each.follows is None]
            mistakes = {each.code for each in roots if each.severity.value != "note"}
            if mistakes - self._expected:
                unexpected |= mistakes - self._expected
                failed.append(report_text(report))
        missing = sorted(self._expected - found)
        if failed:
            shown = "\n\n".join(failed)
            rules = ", ".join(f'"{code}"' for code in sorted(unexpected))
            pytest.fail(
                f"what was sent does not conform\n\n{shown}\n\n"
                f"if it is sent on purpose: segue_log.expect({rules})",
                pytrace=False,
            )
        if missing:
            pytest.fail(f"{', '.join(missing)} was expected and not found", pytrace=False)
