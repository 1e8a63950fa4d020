"""The routes of the quarantine: a list of refused bodies, and an action that applies one again.

The list contains ids, codes and the answers, but no text from senders. Replaying needs the
permission to read and the permission to send to the endpoint.
"""

from typing import Any, Final

from segue.core.errors import ConfigurationError
from segue.core.events import intakes
from segue.server.http.auth import READ, Principal
from segue.server.http.ingest_routes import PROBLEMS
from segue.server.http.problem import Problem, problem_response
from segue.server.http.request import Response, short_id
from segue.server.http.routes import Params, Route, not_allowed
from segue.server.processor import Quarantined, Unit, listed

_PAGE: Final = 50
_ANSWERS: Final = {
    **{outcome.value: problem for outcome, problem in PROBLEMS.items()},
    **{problem.type: problem for problem in Problem},
    "damaged": Problem.STORE_UNAVAILABLE,
}
"""The problem that the sender received, by the reason stored in the quarantine."""


def _list(params: Params) -> Unit[Response]:
    """List the bodies that were answered but not applied, newest first."""
    principal = params.principal
    page = yield from params.processor.queries.quarantined(
        params.cursor(), params.limit(_PAGE), principal.bots
    )
    items = [_item(each, principal) for each in page.items]
    return Response.of(200, {"items": items, "next": page.next})


def _replay(params: Params) -> Unit[Response]:
    """Apply a quarantined body again. If it is refused again, it gets a new number."""
    number, principal = params.number("number"), params.principal
    item = yield from params.processor.queries.quarantined_body(number, principal.bots)
    if item is None:
        return problem_response(Problem.NOT_REPLAYABLE)
    if not _may_replay(item, principal):
        return not_allowed("it may not send to the endpoint of this body,", item.endpoint)
    try:
        receipt = yield from params.processor.ingest.resubmit(item)
    except ConfigurationError:
        return problem_response(Problem.NOT_REPLAYABLE)
    problem = PROBLEMS.get(receipt.outcome)
    answer: dict[str, Any] = {
        "outcome": receipt.outcome.value,
        "status": 200 if problem is None else problem.status,
        "conversation_id": short_id(receipt.conversation_id),
        "findings": listed(receipt.findings),
    }
    return Response.of(200, answer)


def _item(item: Quarantined, principal: Principal) -> dict[str, Any]:
    answer = _ANSWERS.get(item.reason)
    return {
        "number": item.number,
        "at": item.received_at.isoformat(timespec="milliseconds"),
        "endpoint": item.endpoint,
        "bot_id": short_id(item.bot_id),
        "conversation_id": short_id(item.conversation_id),
        "delivery_id": short_id(item.delivery_id),
        "reason": item.reason,
        "status": None if answer is None else answer.status,
        "title": None if answer is None else answer.title,
        "codes": list(item.codes),
        "bytes": item.size,
        "may_replay": _may_replay(item, principal),
    }


def _may_replay(item: Quarantined, principal: Principal) -> bool:
    intake = intakes.INTAKES.get(item.endpoint)
    return intake is not None and intake.permission in principal.permissions


QUARANTINE_ROUTES: Final = (
    Route("quarantine", "/quarantine", READ, _list, "QuarantinePage", ("after", "limit")),
    Route(
        "replay",
        "/quarantine/{number}/replay",
        READ,
        _replay,
        "Replayed",
        problems=(Problem.NOT_REPLAYABLE,),
        is_action=True,
    ),
)
