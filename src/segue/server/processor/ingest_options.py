"""The options of a processor for judging and storing deliveries."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from segue.core.findings import Finding, Policy
from segue.core.wire import BodyLimits

LONGEST_HOLD: Final = timedelta(days=1)
"""The maximum time for which other processes may hold deliveries, if this process holds none."""
_NEVER_REJECTED: Final = frozenset({"SG403", "SG404", "SG405", "SG406", "SG407"})
"""The codes of checks across two endpoints. Deliveries to two endpoints have no order, so no single
delivery is to blame."""


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """The options of a `Processor` that affect how deliveries are judged and stored."""

    policy: Policy
    callbacks: frozenset[str]
    """The kinds of callbacks that have a handler, here or in another process."""
    clock: Callable[[], datetime]
    store_text: bool
    limits: BodyLimits
    patience: timedelta | None
    """The time for which deliveries that are out of order wait for others, or None not to wait."""

    @property
    def longest_hold(self) -> timedelta:
        """The maximum time for which a delivery is held, here or in another process."""
        return self.patience or LONGEST_HOLD


def is_rejected(policy: Policy, findings: Iterable[Finding]) -> bool:
    """Return whether the policy rejects a delivery because of one of its findings."""
    return any(found.code not in _NEVER_REJECTED and policy.rejects(found) for found in findings)
