"""The log that the pytest fixture `segue_log` returns."""

import json
from typing import Any

import pytest

from segue.core.conversation.current import current_reports
from segue.core.findings import codes
from segue.logs.replaying import replay
from segue.testing.assertion import report_text


class SentLog(list[Any]):
    """A list of the deliveries that the code under test has sent, in order.

    Deliveries are E21 bodies, envelopes or JSON text. They are checked at the end of the test, and
    may belong to several conversations. If a test sends a mistake on purpose, call `expect` with
    the rule that the mistake violates.
    """

    def __init__(self) -> None:
        super().__init__()
        self._expected: set[str] = set()

    def expect(self, *rules: str) -> None:
        """Expect the deliveries to violate each of these rules.

        The check then fails if one of the rules is not violated. Findings that follow from an
        expected mistake are allowed as well.

        Args:
            rules: Codes or names of rules.

        Raises:
            UnknownRule: No rule has this code or name.

        """
        for rule in rules:
            self._expected |= codes((rule,))

    def check(self) -> None:
        """Fail the test for an unexpected error or warning, or a missing expected finding."""
        __tracebackhide__ = True
        lines = [line if isinstance(line, str | bytes) else json.dumps(line) for line in self]
        found, unexpected, failed = set[str](), set[str](), list[str]()
        for report in current_reports(replay(lines)):
            found |= {each.code for each in report.findings}
            mistakes = {each.findings[0].code for each in report.mistakes if each.findings}
            alone = (each for each in report.findings if report.mistake_of(each) is None)
            mistakes |= {each.code for each in alone if each.severity.value != "note"}
            if mistakes - self._expected:
                unexpected |= mistakes - self._expected
                failed.append(report_text(report))
        missing = sorted(self._expected - found)
        if failed:
            shown = "\n\n".join(failed)
            rules = ", ".join(f'"{code}"' for code in sorted(unexpected))
            pytest.fail(
                f"the deliveries do not conform to the specification\n\n{shown}\n\n"
                f"if this is intended, call segue_log.expect({rules})",
                pytrace=False,
            )
        if missing:
            pytest.fail(f"expected findings are missing: {', '.join(missing)}", pytrace=False)
