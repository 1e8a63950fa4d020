"""The interface of the state machines, and the result of applying a delivery."""

from typing import NamedTuple, Protocol

from segue.core.engine.state import Facts, State
from segue.core.events import Delivery, Json
from segue.core.findings import Finding, Place
from segue.core.lifecycle import Decision


class MachineOutcome(Protocol):
    """The effect of one action on the session of a machine."""

    @property
    def changed(self) -> bool:
        """Whether the action changed the session."""

    @property
    def is_refused(self) -> bool:
        """Whether the action was not allowed and had no effect."""


class ControlOutcome(MachineOutcome, Protocol):
    """The effect of an action whose sender waits for the answer."""

    @property
    def code(self) -> str | None:
        """The rule that reports the action, such as `SG401`, or None if the action was allowed."""

    @property
    def state_before(self) -> str:
        """The state of the session before the action, such as `active`."""

    @property
    def expected(self) -> tuple[str, ...]:
        """The labels of the actions that the agent was allowed to send, such as `resume`."""


class ApplyResult(NamedTuple):
    """The result of applying one delivery to a state."""

    findings: tuple[Finding, ...] = ()
    """The findings about the delivery, in the order in which they were made.

    They are also added to the state, unless the action was refused.
    """
    duplicate: bool = False
    """Whether a delivery with the same id and body came before. The delivery was then not applied.
    """
    outcome: MachineOutcome | None = None
    """The effect of an action on its session, or None for other deliveries."""


class Machine(Protocol):
    """A state machine that applies the deliveries of an intake to the state of a conversation."""

    name: str
    """The name of the machine, such as `lifecycle`."""

    def apply(self, state: State, delivery: Delivery, *, enforce: bool) -> ApplyResult:
        """Apply a delivery and return its findings.

        With `enforce` an action that is not allowed is refused.
        """

    def foresee(self, state: State, delivery: Delivery) -> tuple[str, ...]:
        """Return the codes of the findings about order that the delivery would cause now.

        Notes are left out, and so are repeats (SG601) of a delivery without an id.
        """

    def position(self, state: State) -> int:
        """Return the number of events so far, which is also the position of the next event."""

    def skip(self, state: State, events: int) -> None:
        """Begin as if `events` events had already been applied, whose details are unknown."""

    def observe(self, facts: Facts, decision: Decision) -> None:
        """Observe a lifecycle event that was applied, for example to find a contradiction."""

    def close(self, state: State, place: Place) -> None:
        """Report the findings that can only be made when the conversation or its log has ended."""

    def from_json(self, state: State, value: Json) -> None:
        """Restore the machine's session from the value that the session's `to_json` returned."""
