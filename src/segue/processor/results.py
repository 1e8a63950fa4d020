"""From what was decided to what is answered, while the conversation stands still.

It decides nothing.  House rule: without a state there is nothing to tell of the conversation.
"""

from dataclasses import dataclass

from segue.engine import State
from segue.findings import Finding
from segue.lifecycle import expected
from segue.processor.receipt import ControlReceipt, DeliveryOutcome, Receipt
from segue.processor.submission import Sent
from segue.transcription import Outcome as Act
from segue.transcription import Session, allowed

__all__ = ["Done", "control_receipt", "receipt"]


@dataclass(frozen=True, slots=True, repr=False)
class Done:
    """What became of a delivery."""

    outcome: DeliveryOutcome
    sent: Sent
    findings: tuple[Finding, ...] = ()
    state: State | None = None
    """The conversation as it stands now; None: unknown, or not for this sender."""
    act: Act | None = None
    """What a transcription action did."""


def receipt(done: Done) -> Receipt:
    """Answer a delivery to the hook."""
    state = done.state
    return Receipt(
        outcome=done.outcome,
        conversation_id=done.sent.conversation_id or None,
        phase=None if state is None else state.phase.value,
        expected=() if state is None else expected(state.roster),
        findings=done.findings,
        duplicate=done.outcome is DeliveryOutcome.DUPLICATE,
    )


def control_receipt(done: Done) -> ControlReceipt:
    """Answer a transcription action."""
    sent, state, act = done.sent, done.state, done.act
    if state is None:
        return ControlReceipt(done.outcome, sent.conversation_id or None, findings=done.findings)
    session = state.session or Session()
    agent = next((event.agent for event in sent.delivery.events), "")
    return ControlReceipt(
        outcome=done.outcome,
        conversation_id=sent.conversation_id,
        state=session.state.value,
        changed=act is not None and act.changed and done.outcome is DeliveryOutcome.APPLIED,
        generation=session.generation,
        allowed=allowed(session.state, agent, session.controller),
        findings=done.findings,
        duplicate=done.outcome is DeliveryOutcome.DUPLICATE,
    )
