"""The conformance suite: test vectors in JSON, and a runner for backends."""

from segue.testing.conformance.grouping import DifferenceGroup, grouped
from segue.testing.conformance.runner import (
    ConformanceDifference,
    ConformanceResult,
    run,
)
from segue.testing.conformance.vectors import (
    CHOSEN,
    GROUPS,
    conformance_suite,
    delivered,
)

__all__ = [
    "CHOSEN",
    "GROUPS",
    "ConformanceDifference",
    "ConformanceResult",
    "DifferenceGroup",
    "conformance_suite",
    "delivered",
    "grouped",
    "run",
]
