"""The protocol of the state machines of intakes, and the result of applying a delivery."""

from typing import NamedTuple, Protocol

from segue.core.engine.state import Facts, State
from segue.core.events import Delivery, Json
from segue.core.findings import Finding, Place
from segue.core.lifecycle import Decision


class MachineOutcome(Protocol):
    """The effect of one action on the session of its machine."""

    @property
    def changed(self) -> bool:
        """Whether the session changed."""

    @property
    def is_refused(self) -> bool:
        """Whether the action was not allowed and had no effect."""


class ControlOutcome(MachineOutcome, Protocol):
    """The result of an action whose sender waits for the answer."""

    @property
    def code(self) -> str | None:
        """The rule that reports the action, or None if it was allowed."""

    @property
    def state_before(self) -> str:
        """The state before the action."""

    @property
    def expected(self) -> tuple[str, ...]:
        """Labels of the actions that its agent could have sent."""


class ApplyResult(NamedTuple):
    """The result of one delivery."""

    findings: tuple[Finding, ...] = ()
    """The findings in the order they were made. They are in the state unless the action was
    refused.
    """
    duplicate: bool = False
    """Whether a delivery with this id came before. This one was then not applied."""
    outcome: MachineOutcome | None = None
    """The result of an action, or None for an intake without answers of its own."""


class Machine(Protocol):
    """A state machine that receives the deliveries of an intake."""

    name: str

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply a delivery. With `enforce` refuse an action that is not allowed."""

    def foresee(self, state: State, delivery: Delivery) -> tuple[str, ...]:
        """Return the codes of the errors of order that the delivery would give now."""

    def position(self, state: State) -> int:
        """Return the number of events so far, which is the position of the next one."""

    def skip(self, state: State, events: int) -> None:
        """Start after `events` events of which only their number is known."""

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Take note of a lifecycle event that was applied."""

    def close(self, state: State, place: Place) -> None:
        """Report the findings that are made only when the conversation or its log has ended."""

    def from_json(self, state: State, value: Json) -> None:
        """Restore a session that was written by its `to_json`."""
