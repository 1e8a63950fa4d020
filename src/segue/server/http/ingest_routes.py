"""The routes of senders, one for each intake, such as deliveries (E21) or actions (E1).

An intake is an endpoint that accepts bodies. Headers and path are checked before a byte of the body
is read. A body that was read and refused is quarantined.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import quote, urlencode

from segue.core.events import HOOKS, INTAKES, Intake, ReceiptKind
from segue.core.findings import Finding
from segue.server.http.problem import Problem, problem_response
from segue.server.http.request import (
    Body,
    BodyError,
    DeliverySummary,
    Headers,
    ReadBody,
    Request,
    RequestLimits,
    Response,
)
from segue.server.http.routes import BadParameter, Params, Route, not_allowed
from segue.server.processor import (
    LONGEST_LABEL,
    MOST_EXPECTED,
    RECEIPTS,
    ControlReceipt,
    DeliveryOutcome,
    Receipt,
    SubmissionContext,
    Unit,
    listed,
)

if TYPE_CHECKING:
    from segue.core.transcription import AllowedAction
    from segue.server.http.response_schemas import (
        ActionAllowed,
        Controlled,
        ControlState,
        More,
        Received,
    )

_ID: Final = "idempotency-key"
_SAME_ID: Final = "webhook-id"
_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_PLAIN_JSON: Final = frozenset({None, "", "application/json"})
_JSON: Final = re.compile(r"(?:application|text)/json|application/[!#$&^_.+0-9a-z-]+\+json")
_PLAIN: Final = "identity"
"""The `Content-Encoding` of a body that is not compressed."""
_CHARSETS: Final = frozenset({"utf-8", "utf8", "us-ascii"})
_BODY_PROBLEMS: Final = {
    BodyError.TOO_LARGE: Problem.LARGE_BODY,
    BodyError.TOO_SLOW: Problem.SLOW_BODY,
    BodyError.CUT_OFF: Problem.CUT_OFF_BODY,
    BodyError.NO_LENGTH: Problem.NO_LENGTH,
}
_KEPT: Final = frozenset({Problem.CUT_OFF_BODY, Problem.BAD_PARAMETER})
"""Problems after which this module quarantines the body. The processor does so for its own
problems."""
PROBLEMS: Final = {
    DeliveryOutcome.UNREADABLE: Problem.UNREADABLE_BODY,
    DeliveryOutcome.TOO_LARGE: Problem.LARGE_BODY,
    DeliveryOutcome.UNADDRESSABLE: Problem.UNUSABLE_ID,
    DeliveryOutcome.UNFILED: Problem.UNFILED_DELIVERY,
    DeliveryOutcome.REJECTED: Problem.REJECTED_DELIVERY,
    DeliveryOutcome.REUSED: Problem.DELIVERY_ID_REUSED,
    DeliveryOutcome.FORBIDDEN: Problem.NOT_ALLOWED,
    DeliveryOutcome.REFUSED: Problem.ACTION_NOT_ALLOWED,
}
"""The problem to answer with, by the outcome of a delivery. The other outcomes are answered with
200."""
_NO_QUERY: Final = "the address has no ?conversationId="
_MOST_AGENTS: Final = 20
_MODELS: Final = {ReceiptKind.DELIVERY: "Received", ReceiptKind.CONTROL: "Controlled"}


def ingest_routes() -> Iterator[Route]:
    """Yield a POST route for each endpoint in `INTAKES`."""
    for intake in INTAKES.values():
        respond, model = partial(_receive, intake), _MODELS[intake.receipt]
        named = intake.name, intake.path, intake.permission
        yield Route(*named, respond, model, query=intake.query, intake=intake)


def _receive(intake: Intake, params: Params) -> Unit[Response]:
    named, headers = params.variables["botId"], params.request.headers
    bots, limits, ingest = params.principal.bots, params.limits, params.processor.ingest
    if bots is not None and named not in bots:
        return not_allowed("it may not act for the bot of the address,", named)
    problem = _refused_unread(headers, limits)
    if problem is not None:
        return problem_response(problem)
    body: Body = yield ReadBody(limits.max_body_bytes, limits.body_seconds)
    is_lost = not body.data and headers.get("transfer-encoding") is not None  # by some servers
    error = BodyError.NO_LENGTH if is_lost and body.error is None else body.error
    problem = None if error is None else _BODY_PROBLEMS[error]
    bot_id, delivery_id, conversation_id, request_id = "", None, None, None
    one_id, other_id = headers.get(_ID) or None, headers.get(_SAME_ID) or None
    parameter = _SAME_ID if one_id and other_id and one_id != other_id else ""
    try:
        is_in_address = intake.query or intake.is_callback
        conversation_id = params.parameter("conversationId") if is_in_address else None
        request_id = params.parameter("requestId") if intake.is_callback else None
        bot_id = params.storable(named, "botId")
        delivery_id = params.storable(one_id or other_id, _ID if one_id else _SAME_ID)
    except BadParameter as error:
        parameter = parameter or str(error)
    if parameter:
        problem = problem or Problem.BAD_PARAMETER
    if problem is not None:
        if problem in _KEPT:
            yield from ingest.quarantine(
                intake, named, body.data, reason=problem.type, conversation_id=conversation_id
            )
        is_about = problem is Problem.BAD_PARAMETER
        response = problem_response(problem, parameter=parameter if is_about else "")
        return replace(response, closes=problem is Problem.NO_LENGTH)
    context = SubmissionContext(
        bot_id,
        conversation_id,
        delivery_id=delivery_id,
        allowed_bots=bots,
        request_id=request_id,
        longest_id=limits.max_id_length,
    )
    receipt = yield from ingest.submit(intake, body.data, context, RECEIPTS[intake.receipt])
    codes = tuple(map(_code, receipt.findings))
    delivery = DeliverySummary(receipt.outcome.value, receipt.conversation_id, bot_id, codes)
    problem = PROBLEMS.get(receipt.outcome)
    if problem is None:
        response = _applied(receipt, params.request, named)
    else:
        is_nowhere = intake.query and not receipt.conversation_id
        response = _refused(receipt, problem, _NO_QUERY if is_nowhere else "")
    return replace(response, delivery=delivery)


def _refused_unread(headers: Headers, limits: RequestLimits) -> Problem | None:
    """Return the problem for which a request is refused before its body is read.

    Return None if the headers give no reason to refuse it.
    """
    content_type = headers.get("content-type")
    if content_type not in _PLAIN_JSON and not _is_json(content_type or ""):
        return Problem.NOT_JSON
    if (headers.get("content-encoding") or _PLAIN).lower() != _PLAIN:
        return Problem.NOT_JSON
    length = headers.get("content-length")
    if length is None:
        return None
    if _LENGTH.fullmatch(length) is None:
        return Problem.BAD_LENGTH
    return Problem.LARGE_BODY if int(length) > limits.max_body_bytes else None


def _is_json(content_type: str) -> bool:
    media, *parameters = content_type.lower().split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(' \t"') for name, _, value in pairs if name.strip() == "charset")
    return (
        _JSON.fullmatch(media.strip()) is not None
        and "," not in content_type  # two headers in one
        and _CHARSETS.issuperset(charsets)
    )


def _refused(receipt: Receipt | ControlReceipt, problem: Problem, parameter: str) -> Response:
    if problem is Problem.NOT_ALLOWED:  # hide the conversations of other bots
        return problem_response(problem)
    more: ControlState | None = None
    if problem is Problem.ACTION_NOT_ALLOWED and isinstance(receipt, ControlReceipt):
        more = _state(receipt)
    findings = listed(receipt.findings)
    return problem_response(problem, findings=findings, more=more, parameter=parameter)


def _code(finding: Finding) -> tuple[str, int | None]:
    return finding.code, finding.place.event


def _applied(receipt: Receipt | ControlReceipt, request: Request, bot_id: str) -> Response:
    findings = listed(receipt.findings) if receipt.findings else []
    answer: Controlled | Received
    if isinstance(receipt, ControlReceipt):
        answer = {
            "status": "success",
            **_state(receipt),
            "findings": findings,
            "duplicate": receipt.duplicate,
        }
    else:
        answer = {
            "status": "ok",
            "conversationId": receipt.conversation_id,
            "phase": receipt.phase,
            "expected": [each[:LONGEST_LABEL] for each in receipt.expected[:MOST_EXPECTED]],
            "findings": findings,
            "duplicate": receipt.duplicate,
        }
        if receipt.held:
            answer["held"] = True
        if len(findings) < len(receipt.findings) or len(answer["expected"]) < len(receipt.expected):
            answer["more"] = _more(receipt, len(findings), request, bot_id)
    return Response.of(200, answer)


def _more(receipt: Receipt, number: int, request: Request, bot_id: str) -> "More":
    """Count the findings and expected events that a response omits.

    The result also contains the address at which a reader finds all findings. `number` is the
    number of findings in the response.
    """
    place = request.path.removesuffix(HOOKS.path.format(botId=bot_id))
    query = urlencode({"botId": bot_id, "page": "findings"})
    name = quote(receipt.conversation_id or "", safe="")
    return {
        "findings": len(receipt.findings) - number,
        "expected": max(0, len(receipt.expected) - MOST_EXPECTED),
        "read": f"{request.mount}{place}/conversations/{name}?{query}",
    }


def _state(receipt: ControlReceipt) -> "ControlState":
    return {
        "state": receipt.state,
        "changed": receipt.changed,
        "generation": receipt.generation,
        "allowed": [_allowed(each) for each in receipt.allowed],
    }


def _allowed(action: "AllowedAction") -> "ActionAllowed":
    """Return an allowed transcription action as JSON values.

    At most 20 of the agents that may send the action are listed.
    """
    value = action.to_dict()
    if isinstance(value["agents"], list):
        value["agents"] = value["agents"][:_MOST_AGENTS]
    return cast("ActionAllowed", value)
