"""Whatever comes, in whatever request: there is an answer, and it keeps every promise.

What is promised is taken from the document that the server itself hands out, and from what the
source of the requests knows of their senders.
"""

import io
import json
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from tests.server.adapters.odd import PRIVATE, Odd, odd_request, odd_requests
from tests.server.adapters.transports import Answer, through_asgi, through_core, through_wsgi
from tests.server.http import world
from tests.server.http.table import Case
from tests.server.http.tokens import SECRET

import segue
from segue.report.schema import report_schema
from segue.server.http import HttpApp, LogObserver, ReadBody, RequestLimits
from segue.server.http.request import DrainBody
from segue.server.processor import Effect, Store

MANY, PIECES = 100_000, 20
LIMITS = RequestLimits(feed_seconds=0)  # nobody is kept waiting for news
FREE = ("/healthz", "/readyz", "/openapi.json")
HIDDEN = (SECRET, PRIVATE, *(token.rpartition(".")[2] for token in (world.SENDS, world.READS)))
"""What belongs in no answer and in no log: a secret, a customer's text, signatures."""


class Kept(NamedTuple):
    """All there is in a store, but for the quarantine."""

    journal: object
    conversations: object
    waiting: int


def kept(store: Store) -> Kept:
    rows = store.list(None, 1000, None)
    conversations = [store.load(row.key).conversation for row in rows]
    return Kept(store.journal(0, 1000, None), conversations, store.stats().waiting)


class Seen(NamedTuple):
    """An answer, and what it took to give it."""

    answer: Answer
    has_read: bool
    """Whether the body was read in order to use it."""
    has_drained: bool
    """Whether the body was read in order to keep the connection."""
    has_changed: bool
    """Whether the store has, the quarantine aside."""
    quarantined: int
    logged: str


@contextmanager
def logs() -> Iterator[io.StringIO]:
    """Yield what everything of Segue logs."""
    logger, text = logging.getLogger("segue"), io.StringIO()
    handler, level = logging.StreamHandler(text), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield text
    finally:
        logger.setLevel(level)
        logger.removeHandler(handler)


class World:
    """The world of the table behind the core, ASGI and WSGI."""

    def __init__(self) -> None:
        self._store = segue.MemoryStore()
        self._app = HttpApp(
            world.processor(self._store),
            auth=world.AUTH,
            read=True,
            report_schema=report_schema,
            limits=LIMITS,
            observers=(LogObserver(),),
        )
        self._before = kept(self._store)
        self._asgi = segue.asgi(world.processor(), auth=world.AUTH, read=True, limits=LIMITS)
        self._wsgi = segue.wsgi(world.processor(), auth=world.AUTH, read=True, limits=LIMITS)

    def through_the_core(self, case: Case) -> Seen:
        asked, quarantined = list[Effect[Any]](), self._store.stats().quarantined
        with logs() as logged:
            answer = through_core(self._app, case, asked=asked)
        return Seen(
            answer,
            any(type(ask) is ReadBody for ask in asked),
            any(isinstance(ask, DrainBody) for ask in asked),
            kept(self._store) != self._before,
            self._store.stats().quarantined - quarantined,
            logged.getvalue(),
        )

    def through_the_adapters(self, case: Case) -> Iterator[tuple[Answer, bool]]:
        """Yield what ASGI and WSGI answer, and whether they have read."""
        reads = list[str]()

        async def counting(scope: Any, receive: Any, send: Any) -> None:
            async def counted() -> Any:
                reads.append("asgi")
                return await receive()

            await self._asgi(scope, counted, send)

        class Counted(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:
                reads.append("wsgi")
                return super().read(size)

        def counting_too(environ: Any, start_response: Any) -> Any:
            return self._wsgi(environ | {"wsgi.input": Counted(case.body)}, start_response)

        yield through_asgi(counting, case), "asgi" in reads
        yield through_wsgi(counting_too, case), "wsgi" in reads


unchanged: list[World] = []
"""A world that no request has changed yet: to make one takes longer than to judge a request."""


def answers(case: Case) -> tuple[Seen, list[tuple[Answer, bool]]]:
    """Return what the core answers, and ASGI and WSGI."""
    here = unchanged.pop() if unchanged else World()
    found, others = here.through_the_core(case), list(here.through_the_adapters(case))
    if not found.has_changed:
        unchanged.append(here)
    return found, others


@cache
def document() -> dict[str, Any]:
    found = World().through_the_core(Case("", 200, None, "GET", "/openapi.json", (), b""))
    value: dict[str, Any] = json.loads(found.answer.body)
    return value


def described(case: Case) -> dict[str, Any] | None:
    """The methods of the path that a request goes to; None: there is no such path."""
    path = unquote(case.target.partition("?")[0], errors="replace")
    for template, methods in document()["paths"].items():
        name = ".+" if template == "/conversations/{conversationId}" else "(?:(?!%2[Ff])[^/])+"
        is_intake = "requestBody" in methods.get("post", ())
        sent = re.sub("/+", "/", path).rstrip("/") if is_intake else path
        if re.fullmatch(re.sub(r"\\{\w+\\}", name, re.escape(template)), sent, re.DOTALL):
            found: dict[str, Any] = methods
            return found
    return None


PROBLEM = {"$ref": "#/components/schemas/ProblemDetails"}


def promised(odd: Odd) -> dict[int, Any]:
    """The statuses that may be answered, and their schemas."""
    if any(name.lower() == "transfer-encoding" for name, _ in odd.case.headers):
        return {400: PROBLEM}  # beside the length, which every request here has
    return allowed(odd)


def allowed(odd: Odd) -> dict[int, Any]:
    """The statuses that what is known of a request leaves open, and the schema of each answer."""
    problem = PROBLEM
    methods, method = described(odd.case), odd.case.method
    if methods is None:
        return {404: problem}
    asked = "GET" if method == "HEAD" else method
    if method == "OPTIONS":
        return {204: None}
    if asked not in {each.upper() for each in methods}:
        return {405: problem}
    listed = methods[asked.lower()]
    schemas: dict[int, Any] = {}
    for status, response in listed["responses"].items():
        [content] = response["content"].values()
        schemas[int(status)] = content["schema"]
    assert schemas[200] != problem
    if "security" not in listed:
        return {200: schemas[200]}
    never = {503, 408}  # the store is well, and nobody sends slowly
    if odd.is_trusted is True:
        never.add(401)
    if odd.is_trusted is False:
        never = schemas.keys() - {401, 403}
    return {status: schema for status, schema in schemas.items() if status not in never}


@cache
def validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(
        json.loads(schema) | {"components": document()["components"]},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )


def judge(odd: Odd) -> int:
    """Hold one request to every promise; return the status it is answered with."""
    case, (found, others) = odd.case, answers(odd.case)
    answer, schemas = found.answer, promised(odd)
    status = answer.status

    assert status in schemas
    is_problem = answer.headers.get("content-type") == "application/problem+json"
    assert is_problem is (status >= 400)
    if case.method == "HEAD" or status == 204:
        assert answer.body == b""
    else:
        validator(json.dumps(schemas[status])).validate(json.loads(answer.body))

    if odd.is_trusted is False or status in (401, 404, 405, 415):
        assert not found.has_read
    if status != 200:
        assert not found.has_changed
    is_kept = found.has_read and status in (400, 422)
    assert found.quarantined == is_kept  # and nothing that was read and cannot be used is lost

    told = answer.body.decode() + str(answer.headers) + found.logged
    assert not [each for each in HIDDEN if each in told]

    for other, has_read in others:
        assert other == answer
        was_asked = found.has_read or found.has_drained
        assert has_read == was_asked or not case.body  # of nothing, nothing need be read
    return status


@given(odd_requests)
@settings(max_examples=200)
def test_any_request_is_answered_as_promised(odd: Odd) -> None:
    """Law: an answer the document has, nothing read too early, nothing half kept, nothing told."""
    judge(odd)


@pytest.mark.thorough
def test_the_source_of_odd_requests_leads_everywhere() -> None:
    """The law can fail: it is asked of every answer a sender can provoke."""
    random = Random(1)

    statuses = {judge(odd_request(random)) for _ in range(300)}

    assert statuses >= {200, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422}


@pytest.mark.slow
@pytest.mark.skipif("SEGUE_LONG" not in os.environ, reason="takes minutes; set SEGUE_LONG=1")
@pytest.mark.parametrize("piece", range(PIECES))
def test_a_hundred_thousand_odd_requests_are_answered_as_promised(piece: int) -> None:
    random = Random(int(os.environ.get("SEGUE_SEED", "0")) * PIECES + piece)
    for _ in range(MANY // PIECES):
        judge(odd_request(random))
