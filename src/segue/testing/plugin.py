"""The pytest plugin: two fixtures, and which of the lifecycle a run has driven.

House rule: every pytest run in an environment loads this module, wanted or not; so at its top it
imports pytest and nothing else, and whatever is heavier is imported by whoever asks for it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from segue.conversation import Report
    from segue.testing.coverage import Coverage

__all__ = [
    "SentLog",
    "lifecycle_checker",
    "pytest_addoption",
    "pytest_configure",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
    "pytest_unconfigure",
    "segue_log",
]

_COVERAGE: "pytest.StashKey[Coverage]" = pytest.StashKey()
_STOP: "pytest.StashKey[Callable[[], None]]" = pytest.StashKey()
_KEY = "segue_lifecycle_coverage"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.getgroup("segue", "conversation lifecycle").addoption(
        "--lifecycle-coverage",
        action="store_true",
        help="Show which phases, legal moves and rules of the lifecycle the tests have driven.",
    )


@pytest.fixture
def lifecycle_checker() -> "Callable[..., Report]":
    """Check the events of one conversation: `lifecycle_checker(events)`.

    It fails with the story and the repair unless they conform; with `violates="SG103"`, unless they
    offend that rule and no other.
    """
    from segue.testing.assertion import assert_conforms, assert_violates  # noqa: PLC0415

    def check(events: Iterable[Any], *, violates: str | None = None, **how: Any) -> "Report":  # noqa: ANN401
        __tracebackhide__ = True
        if violates is None:
            return assert_conforms(events, **how)
        return assert_violates(events, violates, **how)

    return check


class SentLog(list[Any]):
    """What the code under test has sent: E21 bodies, envelopes or JSON text, in order.

    When the test is over it is checked, each conversation by itself; what a test means to send
    wrong it says with `expect`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._expected: set[str] = set()

    def expect(self, *rules: str) -> None:
        """Allow findings of these rules (codes or names), and require each of them."""
        from segue.findings import codes  # noqa: PLC0415

        for rule in rules:
            self._expected |= codes((rule,))

    def check(self) -> None:
        """Fail unless what was sent conforms, but for what is expected."""
        __tracebackhide__ = True
        if not self:
            return
        import json  # noqa: PLC0415

        from segue.logs import replay  # noqa: PLC0415
        from segue.testing.assertion import report_text  # noqa: PLC0415

        lines = [line if isinstance(line, str | bytes) else json.dumps(line) for line in self]
        found, failed = set[str](), list[str]()
        for report in replay(lines):
            codes = {each.code for each in report.findings if each.severity.value != "note"}
            found |= {each.code for each in report.findings}
            if codes - self._expected:
                failed.append(report_text(report))
        missing = sorted(self._expected - found)
        if failed:
            told = "\n\n".join(failed)
            pytest.fail(f"what was sent does not conform\n\n{told}", pytrace=False)
        if missing:
            pytest.fail(f"{', '.join(missing)} was expected and not found", pytrace=False)


@pytest.fixture
def segue_log() -> Iterator[SentLog]:
    """Collect what a sender under test sends: `segue_log.append(body)`; checked at the end."""
    log = SentLog()
    yield log
    log.check()


def pytest_configure(config: pytest.Config) -> None:
    """Begin to listen, if coverage is asked for."""
    if config.getoption("--lifecycle-coverage"):
        from segue.testing.coverage import Coverage, listening  # noqa: PLC0415

        config.stash[_COVERAGE] = Coverage()
        config.stash[_STOP] = listening(config.stash[_COVERAGE])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Listen no more."""
    stop = config.stash.get(_STOP, None)
    if stop is not None:
        stop()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that started this one, if there is one, what was driven here."""
    coverage = session.config.stash.get(_COVERAGE, None)
    workeroutput = getattr(session.config, "workeroutput", None)
    if coverage is not None and workeroutput is not None:
        workeroutput[_KEY] = coverage.to_dict()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:  # noqa: ANN401 - of pytest-xdist, which may be absent
    """Count what another process has driven."""
    coverage = node.config.stash.get(_COVERAGE, None)
    told = getattr(node, "workeroutput", {}).get(_KEY)
    if coverage is not None and told is not None:
        coverage.merge(told)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show what was driven, and what was not."""
    coverage = config.stash.get(_COVERAGE, None)
    if coverage is not None:
        terminalreporter.section("lifecycle coverage")
        for line in coverage.lines():
            terminalreporter.write_line(line)
