"""The table of call states, which gives the effect of each status and the rule that reports it.

The specification (Events, outbound call status notification) says that only the final status is
sent. A service that sends `answered` first is not reported. If a status is unexpected, the check
reports it and believes it, and the latest final status counts.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from segue.core.events import CallKind


class CallState(StrEnum):
    """The state of an outbound call between two notifications."""

    UNKNOWN = "unknown"
    """There has been neither a request nor a notification."""
    DIALLED = "dialled"
    """The host announced that it requested the call."""
    ANSWERED = "answered"
    COMPLETED = "completed"
    """The call was answered and is over."""
    FAILED = "failed"
    """The call was not answered and is over."""

    __hash__ = str.__hash__  # as in EventKind

    @property
    def number(self) -> int:
        """The index of the state in the order of definition, from 0."""
        return tuple(CallState).index(self)


class CallCell(NamedTuple):
    """The effect of a status on a call in one state."""

    to: CallState
    """The next state."""
    code: str | None = None
    """The rule that reports the status, or None if the status is legal."""


FINAL: Final = frozenset({CallState.COMPLETED, CallState.FAILED})
"""The states of a call that is over. No notification is expected after them."""


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
"""The cell for each state and each status, as `TABLE[state][status]`."""
