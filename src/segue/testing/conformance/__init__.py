"""The conformance suite: test cases in JSON, called vectors, and a runner for backends."""

from segue.testing.conformance.grouping import DifferenceGroup, grouped
from segue.testing.conformance.runner import (
    ConformanceResult,
    run,
)
from segue.testing.conformance.vectors import (
    CHOSEN,
    conformance_suite,
)

__all__ = [
    "CHOSEN",
    "ConformanceResult",
    "DifferenceGroup",
    "conformance_suite",
    "grouped",
    "run",
]
