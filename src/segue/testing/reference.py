"""The reference implementation: the answers and views of a correct backend.

They are derived from the public report of a `segue.Conversation`. A delivery that cannot be
assigned to a conversation leaves the conversation unchanged, as it does on the server.
"""

from collections.abc import Mapping
from typing import Any

from segue.core.conversation import Conversation
from segue.core.events import INTAKES, ReceiptKind
from segue.core.wire import DeliveryContext, read_body
from segue.testing.backend import BackendDelivery
from segue.testing.compare import outline

_OK, _UNREADABLE, _REFUSED, _UNFILED = 200, 400, 409, 422


def view(conversation: Conversation) -> dict[str, Any]:
    """Return the state of a conversation as a mapping with all keys in `VIEW_KEYS`.

    The value of `primary` is None if there is no primary agent, and an empty string if no event
    named the primary agent. A backend may return None in both cases.
    """
    report = conversation.report()
    held = {segment.agent: segment.role for segment in report.segments if segment.is_open}
    named = next((agent for agent, role in held.items() if role == "primary"), None)
    is_held = report.phase.value in ("active", "consulting")
    return {
        "phase": report.phase.value,
        "findings": [finding.code for finding in report.findings],
        "primary": "" if is_held and named is None else named,
        "consultants": sorted(agent for agent, role in held.items() if role != "primary"),
        "present": sorted(held),
        "ended": report.phase.value == "ended",
        "events": report.events,
        "segments": [outline(segment.to_dict()) for segment in report.segments],
        "segment_agents": [segment.agent for segment in report.segments],
        "transcription": report.transcription["state"],
    }


def answer(conversation: Conversation, delivered: BackendDelivery) -> dict[str, Any]:
    """Feed a delivery to a conversation, and return the answer of a correct backend.

    In the result, `status` is the HTTP status, and `findings` are the codes of the findings in this
    delivery. The answer to a transcription action also has `state` and `changed`.
    """
    intake = INTAKES[delivered.endpoint]
    if intake.receipt is ReceiptKind.CONTROL:
        return _command(conversation, delivered.body)
    given = delivered.body if isinstance(delivered.body, Mapping) else delivered.body.encode()
    delivery = read_body(given, intake, DeliveryContext(bot_id=delivered.bot_id))
    codes = {flaw.code for flaw in delivery.flaws if not flaw.is_believed}
    if "SG501" in codes:
        return {"status": _UNREADABLE}
    if delivery.conversation_id is None or "SG508" in codes:
        return {"status": _UNFILED}
    step = conversation.feed(delivery, delivery_id=delivered.delivery_id)
    found = [finding.code for finding in step.findings]
    if "SG603" in found:
        return {"status": _UNFILED}
    again = {"duplicate": True} if step.duplicate else {}
    return {"status": _OK, "findings": found, **again}


def _command(conversation: Conversation, body: str | Mapping[str, Any]) -> dict[str, Any]:
    control = conversation.control(body)
    if not control.accepted:
        return {"status": _REFUSED, "state": control.state}
    found = [finding.code for finding in control.findings]
    return {"status": _OK, "state": control.state, "changed": control.changed, "findings": found}
