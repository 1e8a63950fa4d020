"""The description of the interface, held against the specification of OpenAPI and the answers."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests.server.adapters.transports import core
from tests.server.http import world
from tests.server.http.table import CASES, E1, E21, FINE, HEADERS, Case
from tests.server.http.world import READS, action

import segue
from segue.report.schema import report_schema
from segue.server.http import HttpApp, Inspector, Problem, RequestLimits
from segue.server.http.openapi import describe
from segue.server.http.request import LIMITS
from segue.server.http.response_schemas import response_schemas
from segue.server.inspector.recent_causes import JournalCauses


def app(*, reading: bool = True) -> HttpApp:
    """An application with all routes, or with those that are open without readers."""
    return HttpApp(
        world.processor(),
        auth=world.AUTH,
        report_schema=report_schema,
        read=reading,
        inspector=Inspector(b"", "", lambda _: {}, JournalCauses()) if reading else None,
    )


@cache
def document(*, reading: bool = True) -> dict[str, Any]:
    found: dict[str, Any] = describe(app(reading=reading).routes, report_schema(), LIMITS)
    return found


@pytest.mark.parametrize("reading", [True, False])
def test_the_document_is_valid(*, reading: bool) -> None:
    errors = list(OpenAPIV31SpecValidator(document(reading=reading)).iter_errors())

    assert errors == []


def test_no_property_is_always_null() -> None:
    """Generators of clients make an error, or a class without members, of such a property."""
    objects = [each for each in _objects(document()) if isinstance(each.get("properties"), dict)]
    properties = [(name, schema) for each in objects for name, schema in each["properties"].items()]

    assert len(properties) > 200
    assert [name for name, schema in properties if schema.get("type") in ("null", ["null"])] == []


def _objects(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _objects(each)


@pytest.mark.parametrize(
    ("change", "is_valid"),
    [
        ({}, True),
        ({"query": None, "author": None}, True),
        ({"query": "Hello"}, False),
        ({"author": "agent"}, False),
        ({"query": 7}, False),
    ],
)
def test_a_body_with_events_only_has_no_message(change: dict[str, Any], *, is_valid: bool) -> None:
    component = document()["components"]["schemas"]["EventDelivery"]
    validator = Draft202012Validator({**document(), **component})
    body = json.loads(FINE)

    assert validator.is_valid(body | change) is is_valid


def test_every_route_is_described() -> None:
    described = {
        (path, method.upper()) for path, item in document()["paths"].items() for method in item
    }

    assert described == {
        (route.path, method)
        for route in app().routes
        for method in route.methods
        if method in ("GET", "POST")
    }
    assert len(described) == 16


def test_the_document_tells_the_limits_that_hold() -> None:
    limits = RequestLimits(page=7, feed_seconds=3, max_id_length=9)
    paths = describe(app().routes, report_schema(), limits)["paths"]

    found = {
        each["name"]: each["schema"]
        for path in paths.values()
        for operation in path.values()
        for each in operation.get("parameters", ())
    }
    assert found["limit"] == {"type": "integer", "minimum": 1, "maximum": 7}
    assert found["wait"] == {"type": "number", "minimum": 0, "maximum": 3}
    assert {
        found[name]["maxLength"] for name in ("botId", "conversationId", "Idempotency-Key")
    } == {9}


def test_every_problem_is_described_somewhere() -> None:
    details = " ".join(texts(document()["paths"]))
    missing = {problem for problem in Problem if problem.detail not in details}

    assert missing == {Problem.NO_ROUTE, Problem.WRONG_METHOD}


def test_no_two_problems_have_the_same_type() -> None:
    types = [problem.type for problem in Problem]

    assert len(set(types)) == len(types)


def _schema(case: Case, status: int) -> dict[str, Any] | None:
    path = unquote(case.target.partition("?")[0])
    routes = [route for route in app().routes if route.pattern("").fullmatch(path)]
    if not routes or case.method in ("HEAD", "OPTIONS") or status == 405:
        return None
    operation = document()["paths"][routes[0].path][case.method.lower()]
    [content] = operation["responses"][str(status)]["content"].values()
    schema: dict[str, Any] = content["schema"]
    return schema


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.thorough)])
def test_every_answer_is_as_it_is_described(step: int, subtests: pytest.Subtests) -> None:
    for case in CASES[::step]:
        with subtests.test(case.name):
            _is_as_described(case)


def _is_as_described(case: Case) -> None:
    answer = core(case)
    schema = _schema(case, answer.status)
    if schema is None:
        schema = {"$ref": "#/components/schemas/ProblemDetails"} if answer.status >= 400 else {}
    if not answer.body:
        return
    is_page = answer.headers["content-type"].startswith("text/html")
    value = answer.body.decode() if is_page else json.loads(answer.body)

    validator = Draft202012Validator(
        {**schema, "components": document()["components"]},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )

    assert [error.message for error in validator.iter_errors(value)] == []


def test_the_document_says_what_it_is() -> None:
    found = document()

    assert found.keys() == {"openapi", "info", "paths", "components"}
    assert found["openapi"] == "3.1.0"
    assert found["info"]["title"] == "Segue"
    assert found["info"]["version"] == segue.__version__
    assert found["components"].keys() == {"schemas", "securitySchemes"}
    assert found["components"]["schemas"]["Document"] == {"type": "object"}


def operation(name: str) -> dict[str, Any]:
    [found] = [
        each
        for path in document()["paths"].values()
        for each in path.values()
        if each["operationId"] == name
    ]
    assert isinstance(found, dict)
    return found


def referring(schema: str, media: str = "application/json") -> dict[str, Any]:
    return {media: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def test_a_route_for_everybody_is_described_in_full() -> None:
    assert operation("ready") == {
        "operationId": "ready",
        "summary": "Report whether the store answers and callbacks are delivered",
        "responses": {
            "200": {"description": "Done.", "content": referring("ServiceStatus")},
            "503": {
                "description": (
                    "The store does not answer, and nothing was applied. Send the same request "
                    "again a little later. Or: Too many calls of handlers do not return, so "
                    "callbacks are not delivered any more. Restart the process. Deliveries are "
                    "still applied."
                ),
                "content": referring("ProblemDetails", "application/problem+json"),
                "headers": {"Retry-After": {"schema": {"type": "integer"}}},
            },
        },
    }
    assert operation("inspect")["responses"] == {
        "200": {"description": "Done.", "content": referring("HtmlPage", "text/html")}
    }


def test_a_route_of_senders_is_described_in_full() -> None:
    found = operation("transcription")
    answers = found["responses"]

    assert found["requestBody"] == {"required": True, "content": referring("TranscriptionBody")}
    assert found["security"] == [{"auth": []}, {"token": []}, {"bearer": []}]
    assert [(each["name"], each["in"], each["required"]) for each in found["parameters"]] == [
        ("botId", "path", True),
        ("conversationId", "query", True),
        ("Idempotency-Key", "header", False),
    ]
    assert list(answers) == [
        *("200", "400", "401", "403", "408", "409", "411", "413", "415", "421", "422", "503")
    ]
    assert answers["401"] == {
        "description": (
            "The request has no token. Send a JWT in the header auth, in token, or as "
            "Authorization: Bearer. Or: The token is malformed, expired, signed by an unknown "
            "key, or contradicts another header. Send a new token."
        ),
        "content": referring("ProblemDetails", "application/problem+json"),
    }
    assert [status for status in answers if "headers" in answers[status]] == ["503"]


def test_a_route_of_readers_is_described_in_full() -> None:
    found = operation("feed")

    assert "requestBody" not in found
    assert len(found["security"]) == 3
    assert [
        (each["name"], each["in"], each["required"], each["schema"]) for each in found["parameters"]
    ] == [
        ("after", "query", False, {"type": "string", "pattern": "^(now|[0-9]{1,18})$"}),
        ("limit", "query", False, {"type": "integer", "minimum": 1, "maximum": 200}),
        ("wait", "query", False, {"type": "number", "minimum": 0, "maximum": 20}),
    ]


def test_ids_are_described_as_they_are_taken() -> None:
    long = {"type": "string", "maxLength": 1024}
    named = {each["name"]: each["schema"] for each in operation("transcription")["parameters"]}
    [page, _] = operation("list")["parameters"]

    assert named == {
        "botId": {**long, "minLength": 1, "pattern": "^[^/]+$"},  # one part of a path
        "conversationId": {**long, "minLength": 1},
        "Idempotency-Key": long,
    }
    assert page["schema"] == {"type": "string", "pattern": "^[0-9]{1,18}$"}


def texts(value: Any) -> Iterator[str]:
    """The summaries and descriptions of a document."""
    if isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in ("summary", "description") and isinstance(item, str):
                yield item
            else:
                yield from texts(item)


def test_what_people_read_is_written_as_people_write() -> None:
    """It begins with a capital, or names a field; a capital further on is no shouting."""
    schemas = document()["components"]["schemas"]
    answers = [schemas[name] for name in response_schemas()]
    found = list(texts([document()["info"], document()["paths"], answers]))

    assert [answer["description"] for answer in answers if "description" in answer] == [
        "A transcription action that is allowed now, and the agents that may send it.",
        "The action was applied, now or before.",
        "One page of the list of conversations.",
        "One conversation in the list.",
        "One page of the lifecycle events of a conversation.",
        "One delivery that gave findings or changed the phase.",
        "One page of the feed.",
        "One page of the findings of a conversation.",
        "A delivery that waits for others that it overtook.",
        "The sentences that the inspector shows above all conversations.",
        "The data that the inspector shows of a conversation.",
        "The numbers of items that are not listed.",
        "The reason why the request was refused (RFC 9457).",
        "A body that was answered but not applied, without the body.",
        "One page of the bodies that were answered but not applied.",
        "The delivery was applied, is held, or was applied before.",
        "A request from an accepted sender that was answered with 4xx.",
        "A finding of an answer, without its text.",
        "One page of the newest refusals of the answering process.",
        "The result of applying a body again.",
        "Whether the process is alive, and whether its store answers.",
        "One lifecycle event of a conversation.",
        "A document in HTML.",
    ]
    assert "Pass it as `after`; null at the end of the list." in found
    for text in found:
        assert text[0].isupper() or text[0] == "`", text
        assert text[1].islower() or text[1:].startswith((" ", "next`")), text
        assert text.rstrip(".")[-1].islower() or text.endswith(("JSON", "HTML.", ")", ").")), text
        assert text != text.upper(), text


def fitting(name: str) -> Callable[[object], bool]:
    """Whether a value fits a schema of the document."""
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}
    ).is_valid


def told(method: str, target: str, body: bytes = b"") -> dict[str, Any]:
    headers = HEADERS if method == "POST" else (("auth", READS),)
    found = json.loads(core(Case("", 0, None, method, target, headers, body)).body)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Received", ("POST", E21, FINE)),
        ("Controlled", ("POST", f"{E1}?conversationId=c-open", action("end"))),
        ("ProblemDetails", ("GET", "/nowhere")),
        ("ServiceStatus", ("GET", "/readyz")),
        ("ConversationPage", ("GET", "/conversations")),
        ("FeedPage", ("GET", "/feed")),
        ("RefusalPage", ("GET", "/refusals")),
        ("QuarantinePage", ("GET", "/quarantine")),
        ("InspectorDrawing", ("GET", "/inspect/c-open")),
        ("InspectorCauses", ("GET", "/causes")),
        ("Report", ("GET", "/conversations/c-open")),
        ("EventPage", ("GET", "/conversations/c-open?page=events")),
        ("FindingPage", ("GET", "/conversations/c-open?page=findings")),
    ],
)
def test_an_answer_has_every_field_that_is_described_and_no_other(
    name: str, asked: tuple[Any, ...]
) -> None:
    value = told(*asked)
    fits = fitting(name)

    assert fits(value)
    assert not fits({**value, "more": 1})
    assert not fits([value])
    for field in value:
        assert not fits({each: value[each] for each in value if each != field})
    for field in ("state", "changed", "generation", "allowed") if name == "ProblemDetails" else ():
        assert not fits({**value, field: {}})


def test_events_are_told_in_pages() -> None:
    page = told("GET", "/conversations/c-open?page=events&limit=1")
    (item,) = page["items"]

    assert {**item, "received_at": None} == {
        "event": 0,
        "kind": "NA entry",
        "agent": "a-1",
        "received_at": None,
        "phase": "waiting",
    }
    assert fitting("TimelineEventRow")(item)
    assert not fitting("TimelineEventRow")({**item, "event": "0"})
    if page["next"] is not None:
        after = told("GET", f"/conversations/c-open?page=events&after={page['next']}")
        assert all(each["event"] > 0 for each in after["items"])


@pytest.mark.parametrize(
    ("path", "name"), [("/conversations", "ConversationRow"), ("/feed", "FeedItem")]
)
def test_a_page_has_items_of_one_kind(path: str, name: str) -> None:
    page = told("GET", path)
    item, fits = page["items"][0], fitting(name)

    assert fits(item)
    assert not fits({**item, "more": 1})
    for field in item:
        assert not fits({each: item[each] for each in item if each != field})

    fits = fitting({"ConversationRow": "ConversationPage", "FeedItem": "FeedPage"}[name])
    assert fits({"items": [], "next": None})
    assert fits({"items": [item, item], "next": "7"})
    assert not fits({"items": [], "next": 7})
    assert not fits({"items": {}, "next": None})
    assert not fits({"items": [item, {}], "next": None})


def test_a_body_without_a_conversation_does_not_fit_the_description() -> None:
    """The schemas can fail: they are not empty."""
    fits = fitting("HooksBody")

    assert not fits({"botId": "st-1", "query": "x"})
    assert fits(MESSAGE)


def test_an_action_without_an_agent_does_not_fit_the_description() -> None:
    fits = fitting("TranscriptionBody")

    assert fits({"action": "start", "agentId": "a-1"})
    assert not fits({"action": "start"})


MESSAGE = {
    "conversationId": "c-1",
    "botId": "st-1",
    "query": "x",
    "agentId": "a-1",
    "experience": "chat",
    "author": {"type": "USER"},
    "source": "desk",
}
