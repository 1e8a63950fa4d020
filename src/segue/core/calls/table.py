"""The table of call states: the effect of each status, and the rule that reports it.

The specification (Events, outbound call status notification) says that only the final status is
sent. A service that sends `answered` first is not reported. An unexpected status is believed, and
the latest final one counts.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from segue.core.events import CallKind


class CallState(StrEnum):
    """The state of a call between two notifications."""

    UNKNOWN = "unknown"
    """The call is not known yet."""
    DIALLED = "dialled"
    """The host announced the call."""
    ANSWERED = "answered"
    COMPLETED = "completed"
    FAILED = "failed"

    __hash__ = str.__hash__  # as in EventKind

    @property
    def number(self) -> int:
        """The index of the state."""
        return tuple(CallState).index(self)


class CallCell(NamedTuple):
    """The effect of a status in one state."""

    to: CallState
    code: str | None = None
    """The rule that reports the status, or None if it is legal."""


FINAL: Final = frozenset({CallState.COMPLETED, CallState.FAILED})
"""States of a call that is over, after which no notification is expected."""


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
"""The cells by state and status."""
