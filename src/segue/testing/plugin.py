"""The pytest plugin, with three fixtures and the option `--lifecycle-coverage`.

Every pytest run in the environment imports this module. It therefore imports only pytest, and loads
names of `segue.testing` when a fixture or the option uses them. The environment may have an older
pytest than the extra `testing` asks for, so annotations with newer names of pytest are strings.
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
    """Add the option `--lifecycle-coverage` to pytest."""
    parser.getgroup("segue", "conversation lifecycle").addoption(
        "--lifecycle-coverage",
        action="store_true",
        help="Show which phases, legal moves and rules of the lifecycle the tests have reached.",
    )


@pytest.fixture
def lifecycle_checker() -> "Callable[..., Report]":
    """Return a function that checks the events of one conversation.

    `lifecycle_checker(events)` calls `assert_conforms`, and `lifecycle_checker(events,
    violates="SG103")` calls `assert_violates`. Other keyword arguments are passed on.
    """

    def check(events: Iterable[Any], *, violates: str | None = None, **how: Any) -> "Report":
        __tracebackhide__ = True
        if violates is None:
            return testing.assert_conforms(events, **how)
        return testing.assert_violates(events, violates, **how)

    return check


@pytest.fixture
def segue_log() -> "Iterator[SentLog]":
    """Provide a list that checks the deliveries appended to it at the end of the test.

    Append each body that the code under test sends: `segue_log.append(body)`.
    """
    log = testing.SentLog()
    yield log
    log.check()


@pytest.fixture
def segue_sandbox(request: pytest.FixtureRequest) -> "Iterator[TestSandbox]":
    """Provide a simulated platform for one test.

    Use `segue_sandbox.url`, `segue_sandbox.token` and `segue_sandbox.advance("10m")`. The marker
    `@pytest.mark.segue_sandbox(faults=["callback-twice"], seed=7)` sets the options of the
    `TestSandbox`. A test that passes still fails at its end if the program under test mishandled a
    fault that the sandbox made.
    """
    marker = request.node.get_closest_marker("segue_sandbox")
    with testing.TestSandbox(**(marker.kwargs if marker else {})) as sandbox:
        yield sandbox
    if sandbox.faults.failed and not request.node.stash.get(_FAILED, False):
        pytest.fail(str(testing.RunVerdict(sandbox.faults)), pytrace=False)


def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> None:
    """Record whether the test function has failed, so that fixtures report no second failure."""
    if call.when == "call":
        item.stash[_FAILED] = call.excinfo is not None


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `segue_sandbox`, and collect coverage with `--lifecycle-coverage`."""
    config.addinivalue_line(
        "markers", "segue_sandbox(faults, seed, pace): options of the fixture segue_sandbox"
    )
    if config.getoption("--lifecycle-coverage"):
        config.stash[_COVERAGE] = testing.Coverage()
        config.add_cleanup(testing.count_reports(config.stash[_COVERAGE]))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the lifecycle coverage of a pytest-xdist worker to the controller."""
    coverage = session.config.stash.get(_COVERAGE, None)
    workeroutput = getattr(session.config, "workeroutput", None)
    if coverage is not None and workeroutput is not None:
        workeroutput[_KEY] = coverage.to_dict()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:  # noqa: ANN401 - of pytest-xdist, which may be absent
    """Add the lifecycle coverage of a pytest-xdist worker to that of the controller."""
    coverage = node.config.stash.get(_COVERAGE, None)
    driven = getattr(node, "workeroutput", {}).get(_KEY)
    if coverage is not None and driven is not None:
        coverage.merge(driven)


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    """Print the lifecycle coverage if it was collected."""
    coverage = config.stash.get(_COVERAGE, None)
    if coverage is not None:
        terminalreporter.section("lifecycle coverage")
        for line in coverage.lines():
            terminalreporter.write_line(line)
