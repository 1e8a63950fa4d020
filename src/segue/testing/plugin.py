"""The pytest plugin: three fixtures, and which of the lifecycle a run has driven.

Every pytest run in an environment imports this module, so it imports pytest and nothing heavy;
names of `segue.testing` are loaded when a fixture or the option uses them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from segue import testing

if TYPE_CHECKING:
    from segue.core.conversation import Report
    from segue.testing.coverage import Coverage
    from segue.testing.sandbox_fixture import TestSandbox
    from segue.testing.sent_log import SentLog

_COVERAGE: "pytest.StashKey[Coverage]" = pytest.StashKey()
_FAILED: pytest.StashKey[bool] = pytest.StashKey()
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

    The test fails with the story and the repair unless they conform; with `violates="SG103"`,
    unless they offend that rule and no other.
    """

    def check(events: Iterable[Any], *, violates: str | None = None, **how: Any) -> "Report":
        __tracebackhide__ = True
        if violates is None:
            return testing.assert_conforms(events, **how)
        return testing.assert_violates(events, violates, **how)

    return check


@pytest.fixture
def segue_log() -> "Iterator[SentLog]":
    """Collect what a sender under test sends: `segue_log.append(body)`; checked at the end."""
    log = testing.SentLog()
    yield log
    log.check()


@pytest.fixture
def segue_sandbox(request: pytest.FixtureRequest) -> "Iterator[TestSandbox]":
    """Serve the platform, for one test: `segue_sandbox.url`, `.token`, `.advance("10m")`.

    `@pytest.mark.segue_sandbox(faults=["callback-twice"], seed=7)` sets its options. The test fails
    if a fault was not survived, unless it has failed by itself.
    """
    marker = request.node.get_closest_marker("segue_sandbox")
    with testing.TestSandbox(**(marker.kwargs if marker else {})) as sandbox:
        yield sandbox
    if sandbox.faults.failed and not request.node.stash.get(_FAILED, False):
        pytest.fail(str(testing.RunVerdict(sandbox.faults)), pytrace=False)


def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> None:
    """Remember whether the test itself has failed, so that nothing is reported twice."""
    if call.when == "call":
        item.stash[_FAILED] = call.excinfo is not None


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and count reports until the end, if coverage is asked for."""
    config.addinivalue_line(
        "markers", "segue_sandbox(faults, seed, pace): options of the fixture segue_sandbox"
    )
    if config.getoption("--lifecycle-coverage"):
        config.stash[_COVERAGE] = testing.Coverage()
        config.add_cleanup(testing.count_reports(config.stash[_COVERAGE]))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what was driven here to the pytest-xdist controller, if there is one."""
    coverage = session.config.stash.get(_COVERAGE, None)
    workeroutput = getattr(session.config, "workeroutput", None)
    if coverage is not None and workeroutput is not None:
        workeroutput[_KEY] = coverage.to_dict()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:  # noqa: ANN401 - of pytest-xdist, which may be absent
    """Count what another process has driven."""
    coverage = node.config.stash.get(_COVERAGE, None)
    driven = getattr(node, "workeroutput", {}).get(_KEY)
    if coverage is not None and driven is not None:
        coverage.merge(driven)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show what was driven, and what was not."""
    coverage = config.stash.get(_COVERAGE, None)
    if coverage is not None:
        terminalreporter.section("lifecycle coverage")
        for line in coverage.lines():
            terminalreporter.write_line(line)
