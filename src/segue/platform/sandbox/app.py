"""`Sandbox`, which answers requests to every endpoint, in-process or through a server."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from os import PathLike
from pathlib import Path
from random import Random
from threading import RLock
from typing import Any, Final, Self
from urllib.parse import quote

from segue.core.durations import read_duration
from segue.core.errors import ConfigurationError
from segue.core.events import HOOKS, TRANSCRIPTION
from segue.core.options import check_option
from segue.platform.client import MemoryTransport, ReceivedAnswer, SentRequest, TransportFailed
from segue.platform.rows import Endpoint
from segue.platform.sandbox.answering import FAULT_HEADER, Answering, json_response
from segue.platform.sandbox.clock import SandboxClock
from segue.platform.sandbox.control import PREFIX, control, page
from segue.platform.sandbox.faults import FaultPlan
from segue.platform.sandbox.operations.table import EFFECTS, TASKS
from segue.platform.sandbox.outgoing import PostSender, SentPost
from segue.platform.sandbox.requests import RefusedRequest, find_route
from segue.platform.sandbox.seeding import seed_state
from segue.platform.sandbox.state import SandboxState
from segue.platform.sandbox.state_file import StateFile
from segue.platform.table import ENDPOINTS
from segue.server.http import (
    Authenticator,
    Body,
    Headers,
    Principal,
    Problem,
    ReadBody,
    Request,
    Response,
)
from segue.server.http.framing import finished, in_origin_form
from segue.server.http.problem import problem_response
from segue.server.processor import Compute, Effect, Processor, Unit, drive, perform
from segue.server.stores import MemoryStore, SqliteStore

_LARGEST: Final = 1024 * 1024
_SECONDS: Final = 10.0
_SESSIONS: Final = 1000
"""The minimum number of recorded conversations to keep when old ones are removed."""
_INSTANT: Final = timedelta(microseconds=1)
_KEEP: Final = "/:@!$&'()*+,;=-._~"
_WITH_BLANKS: Final = sorted(
    {scope for row in ENDPOINTS for scope in row.scopes if " " in scope}, key=len, reverse=True
)
_NAMES: Final = re.compile(rf"(?<![^ ])(?:{'|'.join(map(re.escape, _WITH_BLANKS))}|[^ ]+)(?![^ ])")
"""A pattern that matches each scope in a text of scopes separated by spaces.

Some names of scopes contain spaces themselves.
"""


class Sandbox:
    """A simulation of the platform that keeps its state in memory or in a file.

    A sandbox answers requests to all endpoints, posts callbacks, and makes faults on request. Its
    `transport` connects a client to it.

    Args:
        seed: The seed for ids and all other random choices.
        clock: The clock that decides when things happen. By default it only moves on `advance`.
        auth: The authenticator of requests. By default any non-empty token is accepted.
        outgoing: The sender of callbacks and deliveries. By default they are recorded but not sent.
        faults: The faults to make in answers and callbacks. By default there are no faults.
        keep: A file in which the state is stored. If it already contains a state, the sandbox
            continues with it.
        pace: The number of times that a program reads an object, such as a training, before the
            object moves to its next state. With 0 all moves happen at once. Objects that no
            endpoint reads, such as calls, move at once as well. By default the clock decides.

    Raises:
        ConfigurationError: `keep` is not a file of a sandbox, or cannot be written.

    """

    def __init__(
        self,
        *,
        seed: int = 0,
        clock: SandboxClock | None = None,
        auth: Authenticator | None = None,
        outgoing: PostSender | None = None,
        faults: FaultPlan | None = None,
        keep: str | PathLike[str] | None = None,
        pace: int | None = None,
    ) -> None:
        clock = clock or SandboxClock()
        self._file = None if keep is None else StateFile(Path(keep))
        store = MemoryStore() if keep is None else SqliteStore(keep)
        processor = Processor(store=store, clock=lambda: clock.now)
        random = Random(seed)
        outgoing = outgoing or PostSender()
        faults = faults or FaultPlan()
        self.state = SandboxState(clock, random, processor, outgoing, EFFECTS, TASKS, faults, pace)
        """The objects, clock and random generator of the simulation."""
        self._answering = Answering(self.state)
        self._auth = auth
        self._lock = RLock()
        self._noted: set[str] = set()
        self._noted_since = self.now
        self._noted_at = self.now - _INSTANT
        if self._file is None or not self._file.load(self.state):
            seed_state(self.state)
        if self._file is not None:
            outgoing.on_sent = partial(self._file.add_post, remembered=outgoing.sent)
        self._save()

    def __repr__(self) -> str:
        return f"Sandbox(now={self.now.isoformat()})"

    @property
    def transport(self) -> MemoryTransport:
        """A transport that connects a `segue.platform.client.Client` without a network."""
        return MemoryTransport(self.answer)

    @property
    def faults(self) -> FaultPlan:
        """The fault plan, which also contains the faults made so far and their outcomes."""
        return self.state.faults

    @property
    def now(self) -> datetime:
        """The current time of the sandbox's clock, as an aware datetime."""
        return self.state.clock.now

    @property
    def sent(self) -> tuple[SentPost, ...]:
        """The last 1,000 callbacks and deliveries that the sandbox posted, in order."""
        return tuple(self.state.outgoing.sent)

    def advance(self, duration: str | timedelta) -> None:
        """Advance the clock, and perform the tasks that become due, such as callbacks.

        Args:
            duration: A timedelta, or text such as `"10m"`.

        Raises:
            ConfigurationError: The duration cannot be parsed, or is negative.

        """
        check_option("duration", duration, str | timedelta, example='"10m"')
        try:
            span = read_duration(duration) if isinstance(duration, str) else duration
            steps, is_passing = self.state.clock.steps(span), True
            while is_passing:
                with self._lock:
                    is_passing = next(steps, False)
                    if not is_passing:
                        self._save()
                self.state.outgoing.send_waiting()
        except ValueError as error:
            raise ConfigurationError(str(error)) from None

    def note_delivery(
        self, bot_id: str, conversation_id: str, endpoint: str, body: Mapping[str, Any] | str
    ) -> None:
        """Record a delivery that was sent to a hook, so that endpoint E25 lists its conversation.

        At least the last 1,000 conversations are kept.

        Args:
            bot_id: The id of the bot.
            conversation_id: The id of the conversation.
            endpoint: The kind of the delivery by the name of its intake, such as `hooks`.
            body: The JSON object or text that was sent.

        """
        with self._lock:
            # Give each delivery a distinct time, even if the clock does not move, because older
            # conversations are purged by time.
            self._noted_at = now = max(self.now, self._noted_at + _INSTANT)
            processor = self.state.processor
            if endpoint == HOOKS.name:
                processor.receive(bot_id, body, received_at=now)
            elif endpoint == TRANSCRIPTION.name:
                processor.control(bot_id, conversation_id, body, received_at=now)
            if len(self._noted) >= _SESSIONS and conversation_id not in self._noted:
                processor.purge(self._noted_since)
                self._noted_since = now
                self._noted.clear()
            self._noted.add(conversation_id)

    def follow(self) -> None:
        """Perform the scheduled tasks that are due, and send the requests that they cause.

        A task becomes due by the real time if the clock follows it, or by the `pace` of the
        sandbox.
        """
        with self._lock:
            self.state.catch_up()
            self._save()
        self.state.outgoing.send_waiting()

    def answer(self, request: SentRequest) -> ReceivedAnswer:
        """Return the answer to a request that a client in the same process makes.

        Raises:
            TransportFailed: A fault loses the answer.

        """
        path, _, query = request.target.partition("?")
        known = Request(
            method=request.method,
            path=path,
            headers=Headers(request.headers.items()),
            query=query,
        )

        def performing(effect: Effect[Any]) -> object:
            return Body(request.body or b"") if isinstance(effect, ReadBody) else perform(effect)

        response = drive(self._respond(known, path, []), performing)
        headers = dict(response.headers)
        if headers.pop(FAULT_HEADER, "") == "lost":
            raise TransportFailed("the answer was lost")
        return ReceivedAnswer(response.status, headers, response.body)

    def close(self) -> None:
        """Close the store of conversations and the state file."""
        self.state.processor.close()
        if self._file is not None:
            self._save()
            self._file.close()

    def _save(self) -> None:
        if self._file is not None:
            self._file.save(self.state)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def handle(self, request: Request) -> Unit[Response]:
        """Return a generator that answers a request from a server.

        The server has percent-decoded the path of the request. The generator yields effects for a
        driver to perform, such as reading the body, and returns the response.
        """
        request, bodies = in_origin_form(request), list[Body]()
        path = quote(request.path, safe=_KEEP)
        response = yield from self._respond(request, path, bodies)
        return (yield from finished(request, bodies[-1] if bodies else None, response))

    def _respond(self, request: Request, path: str, bodies: list[Body]) -> Unit[Response]:
        """Return the response to a request, and append its body to `bodies` if it was read."""
        if (request.method, path) == ("GET", f"{PREFIX}/page"):
            return page()
        try:
            principal = yield from self._principal(request.headers)
            if isinstance(principal, Problem):
                return problem_response(principal)
            is_control = path == PREFIX or path.startswith(f"{PREFIX}/")
            found = None if is_control else find_route(request.method, path)
            if found is not None:
                _check_scope(found[0], principal)
            body: Body = yield ReadBody(_LARGEST, _SECONDS)
            bodies.append(body)
            if body.error is not None:
                return _problem(RefusedRequest(400, f"the body is {body.error}"))
        except RefusedRequest as refusal:
            return _problem(refusal)
        outgoing = self.state.outgoing
        with self._lock:
            response = self._answer(request, path, found, body.data)
            first = outgoing.take_first()
        for post in first:
            yield Compute(post)
        yield Compute(outgoing.send_waiting)
        return response

    def _answer(
        self,
        request: Request,
        path: str,
        found: tuple[Endpoint, Mapping[str, str]] | None,
        body: bytes,
    ) -> Response:
        self.state.catch_up()
        try:
            if found is None:
                return json_response(control(self.state, request.method, path, body))
            return self._answering.answer(request, *found, body)
        except RefusedRequest as refusal:
            return _problem(refusal)
        finally:
            self._save()

    def _principal(self, headers: Headers) -> Unit[Principal | Problem]:
        if self._auth is not None:
            return (yield from self._auth.authenticate(headers))
        yield from ()
        has_token = headers.get("auth") or headers.get("token")
        return Principal() if has_token else Problem.NO_TOKEN


def _check_scope(row: Endpoint, principal: Principal) -> None:
    """Check that a token has one of the endpoint's scopes. A token without scopes is accepted.

    Raises:
        RefusedRequest: The token has only other scopes (403).

    """
    text = principal.scope_text
    given = principal.scopes if text is None else frozenset(_NAMES.findall(text))
    if given and row.scopes and given.isdisjoint(row.scopes):
        raise RefusedRequest(403, f"{row.number} needs the scope {row.shown_scope}")


def _problem(refusal: RefusedRequest) -> Response:
    value = {
        "type": "about:blank",
        "title": HTTPStatus(refusal.status).phrase,
        "status": refusal.status,
        "detail": refusal.detail,
    }
    return Response.of(refusal.status, value, "application/problem+json", refusal.headers)
