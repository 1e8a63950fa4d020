"""The protocol of a state machine behind an intake, and what applying a delivery returns."""

from typing import NamedTuple, Protocol

from segue.core.engine.state import Facts, State
from segue.core.events import Delivery, Json
from segue.core.findings import Finding, Place
from segue.core.lifecycle import Decision


class MachineOutcome(Protocol):
    """What one action did to the session of its machine."""

    @property
    def changed(self) -> bool:
        """Whether anything differs from before."""

    @property
    def is_refused(self) -> bool:
        """Whether the action was not allowed, and left everything unchanged."""


class ControlOutcome(MachineOutcome, Protocol):
    """What became of an action whose sender waits for the answer."""

    @property
    def code(self) -> str | None:
        """The rule that reports the action; None when it was allowed."""

    @property
    def state_before(self) -> str:
        """The state the action came in."""

    @property
    def expected(self) -> tuple[str, ...]:
        """Labels of the actions that its agent could have sent."""


class ApplyResult(NamedTuple):
    """What one delivery did."""

    findings: tuple[Finding, ...] = ()
    """Already in the state, in the order they were found; those of a refused action are not."""
    duplicate: bool = False
    """The delivery was here before, by its id; nothing was applied."""
    outcome: MachineOutcome | None = None
    """What became of an action; None for an intake without answers of its own."""


class Machine(Protocol):
    """A state machine behind an intake."""

    name: str

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply a delivery; with `enforce` refuse what is not accepted, else believe it."""

    def foresee(self, state: State, delivery: Delivery) -> tuple[str, ...]:
        """Return the codes of the errors of order that applying a delivery would give."""

    def position(self, state: State) -> int:
        """Return how many events it has placed; the position of the next one."""

    def skip(self, state: State, events: int) -> None:
        """Begin behind so many events, of which only their number is known."""

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Take note of a lifecycle event that was applied."""

    def close(self, state: State, place: Place) -> None:
        """Report what is found only when the conversation has ended or its log is over."""

    def from_json(self, state: State, value: Json) -> None:
        """Restore what the `to_json` of its session returned."""
