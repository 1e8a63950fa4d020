"""Hypothesis profiles: `dev`, `ci`, `thorough`, `deep`, and `mutants` for mutmut.

`HYPOTHESIS_PROFILE=deep python -m pytest` picks one by name; without it, a mutation run gets
`mutants`, a run with `CI` set gets `ci`, and everything else gets `dev`. `.ci/run` runs the laws
with `dev`, and a second time with `thorough`.

What tests count (`record_property` with a number) is summed up in the last lines of a run.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Whoever starts the tests in the background of a shell has interrupts ignored, by them and by all
# that they start; some of that is interrupted on purpose.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Options of this run are not those of the runs that tests start.
os.environ.pop("PYTEST_ADDOPTS", None)

# Modules are compiled once, not by each worker and each command that a test starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Credentials of whoever starts the tests are not theirs.
for _name in ("SEGUE_SECRET", "SEGUE_TOKEN"):
    os.environ.pop(_name, None)

settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile("ci", max_examples=25, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=100, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=2000, deadline=None)
settings.register_profile(
    "mutants",
    max_examples=25,
    deadline=None,
    derandomize=True,  # the same mutant gets the same verdict twice
    suppress_health_check=[HealthCheck.differing_executors],
)


def _profile() -> str:
    if "HYPOTHESIS_PROFILE" in os.environ:
        return os.environ["HYPOTHESIS_PROFILE"]
    if "MUTANT_UNDER_TEST" in os.environ:
        return "mutants"
    return "ci" if os.environ.get("CI") else "dev"


settings.load_profile(_profile())


_LOGGERS = ("segue", "uvicorn", "httpx2")


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """Log as in a new process, whatever servers and tools have set before in this one."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).disabled = False
    loggers = list(map(logging.getLogger, _LOGGERS))
    before = [(each.handlers, each.level, each.propagate) for each in loggers]
    yield
    for each, (handlers, level, propagate) in zip(loggers, before, strict=True):
        each.handlers, each.propagate = handlers, propagate
        each.setLevel(level)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put whatever needs a browser or Spark into the thorough tier."""
    for item in items:
        needs_much = {"browser", "spark"} & {*getattr(item, "fixturenames", ())}
        if needs_much and item.get_closest_marker("slow") is None:
            item.add_marker(pytest.mark.thorough)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Sum up what the tests counted."""
    counted: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                counted.update(
                    {name: count for name, count in report.user_properties if type(count) is int}
                )
    for name, count in sorted(counted.items()):
        terminalreporter.write_line(f"{name}: {count}")
