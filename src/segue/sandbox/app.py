"""`Sandbox`: every endpoint of the platform with state, for one process or behind a server."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from threading import RLock
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote

from segue.client import MemoryTransport, ReceivedAnswer, SentRequest
from segue.durations import read_duration
from segue.errors import ConfigurationError
from segue.http import Authenticator, Body, Headers, Principal, Problem, ReadBody, Request, Response
from segue.http.problem import problem_response
from segue.platform import Endpoint
from segue.platform.answers import read_answer
from segue.platform.models.base import RawAnswer
from segue.processor import Effect, Processor, Unit, drive, perform
from segue.sandbox.clock import SandboxClock
from segue.sandbox.control import PREFIX, control
from segue.sandbox.operations.table import EFFECTS, OPERATIONS, TASKS
from segue.sandbox.outgoing import PostSender, SentPost
from segue.sandbox.requests import RefusedRequest, find_route, read_request
from segue.sandbox.seeding import seed_state
from segue.sandbox.state import SandboxState
from segue.stores import MemoryStore

__all__ = ["Sandbox"]

_LARGEST: Final = 1024 * 1024
_SECONDS: Final = 10.0
_KEEP: Final = "/:@!$&'()*+,;=-._~"


class Sandbox:
    """The platform of the specification, on this machine.

    Args:
        seed: Of the ids and of everything else that is drawn.
        clock: When things happen: by default a clock that stands still until `advance`.
        auth: Who may call; None for everybody who sends some token.
        outgoing: Where callbacks and deliveries are posted; by default they are only remembered.

    """

    def __init__(
        self,
        *,
        seed: int = 0,
        clock: SandboxClock | None = None,
        auth: Authenticator | None = None,
        outgoing: PostSender | None = None,
    ) -> None:
        clock = clock or SandboxClock()
        processor = Processor(store=MemoryStore(), clock=lambda: clock.now)
        random = Random(seed)  # noqa: S311 - ids of a test double
        outgoing = outgoing or PostSender()
        self.state = SandboxState(clock, random, processor, outgoing, EFFECTS, TASKS)
        """What it knows."""
        self._auth = auth
        self._lock = RLock()
        seed_state(self.state)

    def __repr__(self) -> str:
        return f"Sandbox(now={self.now.isoformat()})"

    # In one process.

    @property
    def transport(self) -> MemoryTransport:
        """What a `segue.client.Client` calls this sandbox by, without a network."""
        return MemoryTransport(self.answer)

    @property
    def now(self) -> datetime:
        """The time of the sandbox."""
        return self.state.clock.now

    @property
    def sent(self) -> tuple[SentPost, ...]:
        """What it posted so far, in order."""
        return tuple(self.state.outgoing.sent)

    def advance(self, duration: str | timedelta) -> None:
        """Let time pass, such as `"10m"`, and have happen what becomes due.

        Raises:
            ConfigurationError: The duration cannot be read, or is negative.

        """
        try:
            span = read_duration(duration) if isinstance(duration, str) else duration
            with self._lock:
                self.state.clock.advance(span)
        except ValueError as error:
            raise ConfigurationError(str(error)) from None

    def follow(self) -> None:
        """Have happen what is due by the real time, if the clock follows it."""
        with self._lock:
            self.state.clock.follow()

    def answer(self, request: SentRequest) -> ReceivedAnswer:
        """Answer a request of this process."""
        path, _, query = request.target.partition("?")
        known = Request(
            method=request.method,
            path=path,
            headers=Headers(request.headers.items()),
            query=query,
        )

        def performing(effect: Effect[Any]) -> object:
            return Body(request.body or b"") if isinstance(effect, ReadBody) else perform(effect)

        response = drive(self._respond(known, path), performing)
        return ReceivedAnswer(response.status, dict(response.headers), response.body)

    def close(self) -> None:
        """Close the store of the conversations."""
        self.state.processor.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Behind a server.

    def handle(self, request: Request) -> Unit[Response]:
        """Answer a request of a server, whose path is decoded."""
        response = yield from self._respond(request, quote(request.path, safe=_KEEP))
        return response

    def _respond(self, request: Request, path: str) -> Unit[Response]:
        try:
            principal = yield from self._principal(request.headers)
            if isinstance(principal, Problem):
                return problem_response(principal)
            is_control = path == PREFIX or path.startswith(f"{PREFIX}/")
            found = None if is_control else find_route(request.method, path)
            if found is not None:
                _check_scope(found[0], principal)
            body: Body = yield ReadBody(_LARGEST, _SECONDS)
            if body.error is not None:
                return _problem(
                    RefusedRequest(400, "The body cannot be used", f"it is {body.error}")
                )
            with self._lock:
                self.state.clock.follow()
                if found is None:
                    return _json(control(self.state, request.method, path, body.data))
                return self._called(request, *found, body.data)
        except RefusedRequest as refusal:
            return _problem(refusal)

    def _principal(self, headers: Headers) -> Unit[Principal | Problem]:
        if self._auth is not None:
            return (yield from self._auth.authenticate(headers))
        yield from ()
        has_token = headers.get("auth") or headers.get("token")
        return Principal() if has_token else Problem.NO_TOKEN

    def _called(
        self, request: Request, row: Endpoint, path: Mapping[str, str], body: bytes
    ) -> Response:
        names = {header.name.lower() for header in row.headers}
        headers = {name: value for name in names if (value := request.headers.get(name))}
        call = read_request(row, path, request.query, headers, body)
        value = OPERATIONS[row.number](self.state, call)
        response = _json(value)
        _check_answer(row, response.body)
        return response


def _check_scope(row: Endpoint, principal: Principal) -> None:
    """Raise `RefusedRequest` if the token names scopes, and not that of the endpoint."""
    if not principal.scopes or row.scope is None:
        return
    if row.scope not in principal.scopes and not principal.scopes.issuperset(row.scope.split()):
        raise RefusedRequest(
            403, "The token does not allow this", f"{row.number} needs {row.scope}"
        )


def _check_answer(row: Endpoint, body: bytes) -> None:
    """Raise if an answer of ours does not fit its own row: a defect of the sandbox."""
    flaws = read_answer(row, RawAnswer(200, {}, body), {}).flaws
    if flaws:
        raise AssertionError(f"{row.number}: {'; '.join(map(str, flaws))}")


def _json(value: object) -> Response:
    return Response.of(200, json.dumps(value, separators=(",", ":")).encode())


def _problem(refusal: RefusedRequest) -> Response:
    value = {
        "type": "about:blank",
        "title": refusal.title,
        "status": refusal.status,
        "detail": refusal.detail,
    }
    return Response.of(refusal.status, value, "application/problem+json")
