"""The routes of senders, one for each intake: deliveries (E21) and transcription actions (E1).

What headers and path say is judged before a byte of the body is read. A body that was read and is
refused goes to the quarantine.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from segue.events import INTAKES, Intake, ReceiptKind
from segue.findings import Finding
from segue.http.body import Body, BodyError, ReadBody, refused_unread
from segue.http.params import BadParameter, Params
from segue.http.problem import Problem, json_response, problem_response
from segue.http.request import DeliverySummary, Response
from segue.http.routes import Route
from segue.processor import (
    RECEIPTS,
    ControlReceipt,
    DeliveryOutcome,
    Receipt,
    SubmissionContext,
    Unit,
)

if TYPE_CHECKING:
    from segue.http.response_schemas import Controlled, ControlState, Received

__all__ = ["ingest_routes"]

_BODY_PROBLEMS: Final = {
    BodyError.TOO_LARGE: Problem.LARGE_BODY,
    BodyError.TOO_SLOW: Problem.SLOW_BODY,
    BodyError.CUT_OFF: Problem.CUT_OFF_BODY,
}
_KEPT: Final = frozenset({Problem.CUT_OFF_BODY, Problem.BAD_PARAMETER})
"""Problems whose bodies go to the quarantine here; the processor does so for its own."""
_PROBLEMS: Final = {
    DeliveryOutcome.UNREADABLE: Problem.UNREADABLE_BODY,
    DeliveryOutcome.UNFILED: Problem.UNFILED_DELIVERY,
    DeliveryOutcome.REJECTED: Problem.REJECTED_DELIVERY,
    DeliveryOutcome.REUSED: Problem.DELIVERY_ID_REUSED,
    DeliveryOutcome.FORBIDDEN: Problem.NOT_ALLOWED,
    DeliveryOutcome.REFUSED: Problem.ACTION_NOT_ALLOWED,
}
"""Every outcome but those that are answered with 200."""
_MODELS: Final = {ReceiptKind.DELIVERY: "Received", ReceiptKind.CONTROL: "Controlled"}


def ingest_routes() -> Iterator[Route]:
    """Yield a route for each row of `INTAKES`."""
    for intake in INTAKES.values():
        respond, model = partial(_receive, intake), _MODELS[intake.receipt]
        route = Route(intake.name, intake.path, intake.permission, respond, model, intake.query)
        yield replace(route, intake=intake)


def _receive(intake: Intake, params: Params) -> Unit[Response]:
    named, bots, limits = params.variables["botId"], params.principal.bots, params.limits
    ingest = params.processor.ingest
    if bots is not None and named not in bots:
        return problem_response(Problem.NOT_ALLOWED)
    problem = refused_unread(params.request.headers, limits)
    if problem is not None:
        return problem_response(problem)
    body: Body = yield ReadBody(limits.max_body_bytes, limits.body_seconds)
    problem = None if body.error is None else _BODY_PROBLEMS[body.error]
    bot_id, delivery_id, conversation_id = "", None, None
    try:
        bot_id, delivery_id = params.id("botId"), params.delivery_id()
        conversation_id = params.parameter(intake.query[0]) if intake.query else None
    except BadParameter:
        problem = problem or Problem.BAD_PARAMETER
    if problem is not None:
        if problem in _KEPT:
            yield from ingest.quarantine(intake, named, body.data, reason=problem.type)
        return problem_response(problem)
    context = SubmissionContext(bot_id, conversation_id, delivery_id=delivery_id, allowed_bots=bots)
    receipt = yield from ingest.submit(intake, body.data, context, RECEIPTS[intake.receipt])
    codes = tuple(map(_code, receipt.findings))
    delivery = DeliverySummary(receipt.outcome.value, receipt.conversation_id, bot_id, codes)
    return replace(_response(receipt), delivery=delivery)


def _response(receipt: Receipt | ControlReceipt) -> Response:
    problem = _PROBLEMS.get(receipt.outcome)
    if problem is None:
        return json_response(200, _applied(receipt))
    if problem is Problem.NOT_ALLOWED:  # nothing about the conversation of another bot
        return problem_response(problem)
    more: ControlState | None = None
    if problem is Problem.ACTION_NOT_ALLOWED and isinstance(receipt, ControlReceipt):
        more = _state(receipt)
    return problem_response(problem, findings=receipt.findings, more=more)


def _code(finding: Finding) -> tuple[str, int | None]:
    return finding.code, finding.place.event


def _applied(receipt: Receipt | ControlReceipt) -> "Received | Controlled":
    findings = list(map(Finding.to_dict, receipt.findings))
    if isinstance(receipt, ControlReceipt):
        return {
            "status": "success",
            **_state(receipt),
            "findings": findings,
            "duplicate": receipt.duplicate,
        }
    return {
        "status": "ok",
        "conversationId": receipt.conversation_id,
        "phase": receipt.phase,
        "expected": list(receipt.expected),
        "findings": findings,
        "duplicate": receipt.duplicate,
    }


def _state(receipt: ControlReceipt) -> "ControlState":
    return {
        "state": receipt.state,
        "changed": receipt.changed,
        "generation": receipt.generation,
        "allowed": list(receipt.allowed),
    }
