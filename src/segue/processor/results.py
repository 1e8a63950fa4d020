"""What the processor returns: receipts of deliveries, and views of what is stored.

A result holds nothing that its reader may not see.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar, cast

from segue.conversation import Report
from segue.engine import MACHINES, ActionMachine, ApplyResult, State
from segue.events import ReceiptKind
from segue.findings import Finding
from segue.lifecycle import expected
from segue.processor.records import DeliveryOutcome, JournalEntry
from segue.processor.submission import Submission

__all__ = [
    "RECEIPTS",
    "ControlReceipt",
    "ConversationView",
    "FeedEntry",
    "Judgement",
    "Page",
    "Receipt",
]

T_co = TypeVar("T_co", covariant=True)

_NOT_APPLIED: Final = ApplyResult()


@dataclass(frozen=True, slots=True, repr=False)
class Judgement:
    """What was decided about a delivery."""

    outcome: DeliveryOutcome
    submission: Submission
    findings: tuple[Finding, ...] = ()
    state: State | None = None
    """The conversation now; None if it is unknown, or not for this sender."""
    step: ApplyResult = _NOT_APPLIED
    """What applying it did, also if that was refused afterwards."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one delivery of events."""

    outcome: DeliveryOutcome
    conversation_id: str | None = None
    phase: str | None = None
    """Phase of the conversation now; None if it is unknown, or not for this sender."""
    expected: tuple[str, ...] = ()
    """Which events would be legal now."""
    findings: tuple[Finding, ...] = ()
    duplicate: bool = False

    @classmethod
    def of(cls, judgement: Judgement) -> "Receipt":
        """Describe a judgement while its conversation is locked."""
        state = judgement.state
        return cls(
            outcome=judgement.outcome,
            conversation_id=judgement.submission.conversation_id or None,
            phase=None if state is None else state.phase.value,
            expected=() if state is None else expected(state.presence, state.names),
            findings=judgement.findings,
            duplicate=judgement.outcome is DeliveryOutcome.DUPLICATE,
        )


@dataclass(frozen=True, slots=True)
class ControlReceipt:
    """What became of one transcription action."""

    outcome: DeliveryOutcome
    conversation_id: str | None = None
    state: str | None = None
    """State of the transcription now; None if it is unknown, or not for this sender."""
    changed: bool = False
    generation: int = 0
    allowed: tuple[str, ...] = ()
    """What its agent may send now."""
    findings: tuple[Finding, ...] = ()
    duplicate: bool = False

    @classmethod
    def of(cls, judgement: Judgement) -> "ControlReceipt":
        """Describe a judgement while its conversation is locked."""
        outcome, state, action = judgement.outcome, judgement.state, judgement.step.outcome
        conversation_id = judgement.submission.conversation_id
        if state is None:
            return cls(outcome, conversation_id or None, findings=judgement.findings)
        machine = cast("ActionMachine[Any]", MACHINES[judgement.submission.intake.machine])
        session = machine.session(state)
        agent = next((event.agent for event in judgement.submission.delivery.events), "")
        return cls(
            outcome=outcome,
            conversation_id=conversation_id,
            state=str(session.state),
            changed=outcome is DeliveryOutcome.APPLIED and action is not None and action.changed,
            generation=session.generation,
            allowed=session.allowed(agent),
            findings=judgement.findings,
            duplicate=outcome is DeliveryOutcome.DUPLICATE,
        )


RECEIPTS: Final[Mapping[ReceiptKind, Callable[[Judgement], Receipt | ControlReceipt]]] = {
    ReceiptKind.DELIVERY: Receipt.of,
    ReceiptKind.CONTROL: ControlReceipt.of,
}


@dataclass(frozen=True, slots=True)
class ConversationView:
    """What is known of one conversation."""

    report: Report
    expected: tuple[str, ...]
    bot_id: str
    """The owner; empty if no bot was named."""

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the documented JSON object, and what is expected next."""
        return {**self.report.to_dict(), "expected": list(self.expected)}


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One delivery that gave findings or changed the phase."""

    cursor: str
    conversation_id: str
    bot_id: str
    endpoint: str
    received_at: datetime
    phase_before: str
    phase: str
    findings: tuple[dict[str, Any], ...]
    """As a report writes them."""

    @classmethod
    def of(cls, entry: JournalEntry) -> "FeedEntry":
        """Read an entry of the journal, without its body."""
        return cls(
            cursor=str(entry.number),
            conversation_id=entry.conversation_id,
            bot_id=entry.owner,
            endpoint=entry.endpoint,
            received_at=entry.received_at,
            phase_before=entry.phase_before,
            phase=entry.phase,
            findings=tuple(json.loads(entry.findings)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self) | {
            "bot_id": self.bot_id or None,
            "received_at": self.received_at.isoformat(),
            "findings": list(self.findings),
        }


@dataclass(frozen=True, slots=True)
class Page(Generic[T_co]):
    """A page of a list, and where the next one begins."""

    items: tuple[T_co, ...]
    next: str | None
    """Pass it as `after`. None at the end of the list; the feed always gives one."""
