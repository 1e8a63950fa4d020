"""`Answering`, which answers requests to endpoints, makes planned faults, and judges programs."""

import json
from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from segue.platform.answers import flaws_of
from segue.platform.rows import Endpoint
from segue.platform.sandbox.answer_edits import PlannedAnswer
from segue.platform.sandbox.faults import FaultPlace, TruthLine
from segue.platform.sandbox.operations.table import OPERATIONS
from segue.platform.sandbox.requests import RefusedRequest, SandboxRequest, read_request
from segue.platform.sandbox.state import SandboxState
from segue.server.http import Request, Response

FAULT_HEADER: Final = "x-segue-fault"
"""The name of an internal header that tells the server to drop or delay an answer.

The value is `lost`, or a number of seconds.
"""
_RETRY_AFTER: Final = timedelta(seconds=1)
_TOLERANCE: Final = timedelta(milliseconds=50)
_AGAIN: Final = timedelta(minutes=1)
"""The time in which an identical POST after a lost answer counts as a repetition."""
_REMEMBERED: Final = 1000
_LISTED: Final = {"E4": "queues", "E22": "agents", "E23": "campaigns"}
"""The kinds of objects in lists that are read in pages, such as `queues`, by endpoint."""


class _Watched(NamedTuple):
    """A request that a correct program does not repeat before the time `until`."""

    line: TruthLine
    until: datetime
    failure: str
    """A description of the failure to record if the program repeats the request."""


class Answering:
    """The part of a sandbox that answers requests to endpoints."""

    def __init__(self, state: SandboxState) -> None:
        self._state = state
        self._watched: dict[object, _Watched] = {}
        """The watched requests by identity, a tuple of method, path, query and body."""

    def answer(
        self, request: Request, row: Endpoint, path: Mapping[str, str], body: bytes
    ) -> Response:
        """Return the answer to a request, with a fault if the fault plan draws one.

        Args:
            request: The request.
            row: The endpoint that the request addresses.
            path: The path parameters by name.
            body: The request body.

        Raises:
            RefusedRequest: The request is invalid, or a fault refuses it.

        """
        call = read_request(row, path, request.query, request.headers, body)
        identity = request.method, request.path, request.query, body
        self._judge(identity)
        faults = self._state.faults
        fault = faults.draw(FaultPlace.ANSWER)
        if fault is None:
            return self._respond(call)
        if fault.refusal is not None:
            what = f"the request was refused with {fault.refusal} and had no effect"
            self._refuse(identity, fault.refusal, faults.note(fault, row.number, what))
        if fault.shifts and row.number in _LISTED and _is_later_page(call):
            faults.note(
                fault, row.number, "an item was added to the beginning of the list before this page"
            )
            _add_in_front(self._state, _LISTED[row.number])
        response = self._respond(call)
        planned = PlannedAnswer(json.loads(response.body))
        changed = fault.answer and fault.answer(faults.random, planned)
        if changed is None:
            return response
        line = faults.note(fault, row.number, changed.what)
        if changed.is_lost and request.method == "POST" and not row.repeatable:
            failure = "the same POST was sent again, so it took effect twice"
            self._watch(identity, _Watched(line, self._state.clock.now + _AGAIN, failure))
        way = "lost" if changed.is_lost else f"{changed.seconds:g}" if changed.seconds else ""
        return json_response(changed.value, ((FAULT_HEADER, way),) if way else ())

    def _respond(self, call: SandboxRequest) -> Response:
        response = json_response(OPERATIONS[call.row.number](self._state, call))
        flaws = flaws_of(call.row, response.body)
        if flaws:  # a bug in the sandbox
            raise AssertionError(f"{call.row.number}: {'; '.join(map(str, flaws))}")
        return response

    def _refuse(self, identity: object, status: int, line: TruthLine) -> None:
        clock = self._state.clock
        if clock.is_real:
            until = clock.now + _RETRY_AFTER - _TOLERANCE
            failure = "the request was repeated before the time in Retry-After"
            self._watch(identity, _Watched(line, until, failure))
        seconds = int(_RETRY_AFTER.total_seconds()) if clock.is_real else 0
        headers = (("retry-after", str(seconds)),)
        raise RefusedRequest(status, "a planned fault: repeat the request later", headers)

    def _watch(self, identity: object, watched: _Watched) -> None:
        self._watched[identity] = watched
        while len(self._watched) > _REMEMBERED:
            del self._watched[next(iter(self._watched))]

    def _judge(self, identity: object) -> None:
        """Record a failure of the program if the request repeats a watched request too early."""
        watched = self._watched.pop(identity, None)
        if watched is not None and self._state.clock.now < watched.until:
            self._state.faults.fail(watched.line, watched.failure)


def json_response(value: object, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """Return a response with status 200 and the value as its JSON body."""
    content = json.dumps(value, separators=(",", ":")).encode()
    return Response.of(200, content, headers=headers)


def _is_later_page(call: SandboxRequest) -> bool:
    page, skip = call.query.get("page"), call.body.get("skip")
    return (isinstance(page, int) and page > 1) or (isinstance(skip, int) and skip > 0)


def _add_in_front(state: SandboxState, kind: str) -> None:
    """Add a copy of the first object of a kind, with a new id, to the beginning of its table."""
    first: dict[str, Any] = deepcopy(next(iter(state.tables[kind].values())))
    first["id"] = state.new_id("new")
    state.tables[kind] = {first["id"]: first, **state.tables[kind]}
