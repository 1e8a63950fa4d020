"""Hypothesis profiles: `dev`, `ci`, `thorough`, `deep`, and `mutants` for mutmut.

`HYPOTHESIS_PROFILE=deep python -m pytest` selects a profile by name. Otherwise, mutation runs use
`mutants`, runs with `CI` set use `ci`, and all others use `dev`. `.ci/run` selects `thorough` for
the thorough tier.

Numbers that tests record with `record_property` are added up and printed at the end of a run.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, find, settings
from hypothesis.strategies import booleans

# A shell makes background processes and their children ignore SIGINT, but some tests interrupt
# processes that they start.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Compile modules once instead of in each worker and each command that a test starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests must not use the credentials of the user who runs them.
for _name in ("SEGUE_SECRET", "SEGUE_TOKEN"):
    os.environ.pop(_name, None)

settings.register_profile("dev", max_examples=15, deadline=None)
settings.register_profile("ci", max_examples=15, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=2000, deadline=None)
settings.register_profile(
    "mutants",
    max_examples=25,
    deadline=None,
    derandomize=True,  # keeps the result of a mutant reproducible
    suppress_health_check=[HealthCheck.differing_executors],
)


def _profile() -> str:
    if "HYPOTHESIS_PROFILE" in os.environ:
        return os.environ["HYPOTHESIS_PROFILE"]
    if "MUTANT_UNDER_TEST" in os.environ:
        return "mutants"
    return "ci" if os.environ.get("CI") else "dev"


settings.load_profile(_profile())


def pytest_collection_finish() -> None:
    """Spare the garbage collector the tests and modules, which stay to the end."""
    find(booleans(), bool)  # older versions of Hypothesis cannot create their generator later
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _options() -> None:
    """Keep the options of this run from the pytest runs that tests start."""
    os.environ.pop("PYTEST_ADDOPTS", None)


_LOGGERS = ("segue", "uvicorn", "httpx2")


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """Reset logging before each test, because servers and tools change its configuration."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).disabled = False
    loggers = list(map(logging.getLogger, _LOGGERS))
    before = [(each.handlers, each.level, each.propagate) for each in loggers]
    yield
    for each, (handlers, level, propagate) in zip(loggers, before, strict=True):
        each.handlers, each.propagate = handlers, propagate
        each.setLevel(level)


_TESTS: Final = Path(__file__).parent
_ACCELERATED: Final = frozenset({"cli", "logs", "report"})
"""Where Python's own reading of logs gives way to the compiled one, if that is installed."""
_ON_THE_NETWORK: Final = frozenset(
    f"test_{name}.py"
    for name in ("call", "conformance", "connections", "inspector", "sandbox", "send", "serve")
)
"""The tests of commands that serve, send or call. They never come to the compiled reading."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need a browser or Spark as `thorough`, and those of logs as `accelerated`."""
    for item in items:
        folder = item.path.relative_to(_TESTS).parts[0]
        needs_much = {"browser", "spark"} & {*getattr(item, "fixturenames", ())}
        if needs_much and item.get_closest_marker("slow") is None:
            item.add_marker(pytest.mark.thorough)
        if folder in _ACCELERATED and item.path.name not in _ON_THE_NETWORK:
            item.add_marker(pytest.mark.accelerated)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sums of the numbers that tests recorded."""
    counted: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                counted.update(
                    {name: count for name, count in report.user_properties if type(count) is int}
                )
    for name, count in sorted(counted.items()):
        terminalreporter.write_line(f"{name}: {count}")
