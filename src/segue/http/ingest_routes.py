"""What senders do: deliveries (E21) and transcription actions (E1).

It decides how a receipt is answered.  House rules: all that headers and addresses say is judged
before a byte of the body is read, except what is to be kept in the quarantine; the conversation is
the processor's alone.
"""

from collections.abc import Mapping
from typing import Any, Final

from segue.events import HOOKS, TRANSCRIPTION, Intake
from segue.findings import Finding
from segue.http.body import Body, Lack, ReadBody, refused_unread
from segue.http.params import Call, Unusable
from segue.http.problem import Problem, answer, refuse
from segue.http.request import Response, Told
from segue.processor import ControlReceipt, DeliveryOutcome, Processor, Receipt, Unit

__all__ = ["Sending"]

_LACKS: Final = {
    Lack.TOO_LARGE: Problem.TOO_LARGE,
    Lack.TOO_SLOW: Problem.TOO_SLOW,
    Lack.CUT_OFF: Problem.CUT_OFF,
}
_PROBLEMS: Final = {
    DeliveryOutcome.UNREADABLE: Problem.UNREADABLE,
    DeliveryOutcome.UNFILED: Problem.UNFILED,
    DeliveryOutcome.REJECTED: Problem.REJECTED,
    DeliveryOutcome.REUSED: Problem.REUSED,
    DeliveryOutcome.FORBIDDEN: Problem.NOT_ALLOWED,
    DeliveryOutcome.REFUSED: Problem.NOT_IN_STATE,
}
"""Every outcome but those that are answered with 200."""


class Sending:
    """The routes of senders."""

    def __init__(self, processor: Processor) -> None:
        self._processor = processor

    def deliver(self, call: Call) -> Unit[Response]:
        """Receive one delivery."""
        body = yield from self._body(call, HOOKS)
        if isinstance(body, Response):
            return body
        try:
            bot_id, delivery_id = call.id("botId"), call.delivery_id()
        except Unusable:
            return (yield from self._keep(call, HOOKS, body, Problem.BAD_PARAMETER))
        receipt = yield from self._processor.receiving(
            bot_id, body, delivery_id=delivery_id, allowed_bots=call.principal.bots
        )
        return _told(_receipt(receipt), receipt, bot_id)

    def control(self, call: Call) -> Unit[Response]:
        """Apply one transcription action."""
        body = yield from self._body(call, TRANSCRIPTION)
        if isinstance(body, Response):
            return body
        try:
            bot_id, delivery_id = call.id("botId"), call.delivery_id()
            conversation_id = call.parameter("conversationId") or ""
        except Unusable:
            return (yield from self._keep(call, TRANSCRIPTION, body, Problem.BAD_PARAMETER))
        receipt = yield from self._processor.controlling(
            bot_id,
            conversation_id,
            body,
            delivery_id=delivery_id,
            allowed_bots=call.principal.bots,
        )
        return _told(_control_receipt(receipt), receipt, bot_id)

    def _body(self, call: Call, intake: Intake) -> Unit[bytes | Response]:
        bots = call.principal.bots
        if bots is not None and call.named["botId"] not in bots:
            return refuse(Problem.NOT_ALLOWED)
        unread = refused_unread(call.request.headers, call.limits)
        if unread is not None:
            return refuse(unread)
        body: Body = yield ReadBody(call.limits.max_body_bytes, call.limits.body_seconds)
        if body.lack is None:
            return body.data
        if body.lack is Lack.CUT_OFF:
            return (yield from self._keep(call, intake, body.data, Problem.CUT_OFF))
        return refuse(_LACKS[body.lack])

    def _keep(self, call: Call, intake: Intake, body: bytes, problem: Problem) -> Unit[Response]:
        yield from self._processor.keeping(intake, call.named["botId"], body, reason=problem.type)
        return refuse(problem)


def _receipt(receipt: Receipt) -> Response:
    problem = _PROBLEMS.get(receipt.outcome)
    if problem is not None:
        return _refused(problem, receipt.findings, {})
    value = {
        "status": "ok",
        "conversationId": receipt.conversation_id,
        "phase": receipt.phase,
        "expected": list(receipt.expected),
        "findings": [finding.to_dict() for finding in receipt.findings],
        "duplicate": receipt.duplicate,
    }
    return answer(200, value)


def _control_receipt(receipt: ControlReceipt) -> Response:
    problem = _PROBLEMS.get(receipt.outcome)
    state = {
        "state": receipt.state,
        "changed": receipt.changed,
        "generation": receipt.generation,
        "allowed": list(receipt.allowed),
    }
    if problem is not None:
        more = state if problem is Problem.NOT_IN_STATE else {}
        return _refused(problem, receipt.findings, more)
    value = {
        "status": "success",
        **state,
        "findings": [finding.to_dict() for finding in receipt.findings],
        "duplicate": receipt.duplicate,
    }
    return answer(200, value)


def _refused(problem: Problem, findings: tuple[Finding, ...], more: Mapping[str, Any]) -> Response:
    if problem is Problem.NOT_ALLOWED:
        return refuse(problem)  # not a word about somebody else's conversation
    return refuse(problem, findings=findings, more=more)


def _told(response: Response, receipt: Receipt | ControlReceipt, bot_id: str) -> Response:
    found = tuple((finding.code, finding.place.event) for finding in receipt.findings)
    told = Told(receipt.outcome.value, receipt.conversation_id, bot_id, found)
    return Response(response.status, response.headers, response.body, told)
