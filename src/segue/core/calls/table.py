"""The table of a call: where each status leads, and the rule that reports it.

The specification (Events, outbound call status notification) says that only the final status is
sent; a service that sends `answered` before it is not reported.  A status that was not expected has
been sent all the same: the latest final one counts.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from segue.core.events import CallKind


class CallState(StrEnum):
    """Where a call stands between two notifications."""

    UNKNOWN = "unknown"
    """Nothing was said of it."""
    DIALLED = "dialled"
    """The host said that it asked for it."""
    ANSWERED = "answered"
    COMPLETED = "completed"
    FAILED = "failed"

    __hash__ = str.__hash__  # as in EventKind

    @property
    def number(self) -> int:
        """Its place among the states."""
        return tuple(CallState).index(self)


class CallCell(NamedTuple):
    """Where a status leads in one state."""

    to: CallState
    code: str | None = None
    """The rule that reports it; None where it is legal."""


FINAL: Final = frozenset({CallState.COMPLETED, CallState.FAILED})
"""States after which nothing more is sent."""


def _cell(state: CallState, kind: CallKind) -> CallCell:
    if state not in FINAL:
        return CallCell(CallState(kind.value))
    if kind is CallKind.ANSWERED:
        return CallCell(state, "SG703")
    return CallCell(CallState(kind.value), "SG702")


_STATUSES: Final = tuple(kind for kind in CallKind if kind is not CallKind.UNPROCESSABLE)
TABLE: Final[Mapping[CallState, Mapping[CallKind, CallCell]]] = MappingProxyType(
    {state: {kind: _cell(state, kind) for kind in _STATUSES} for state in CallState}
)
"""Every state and status."""
