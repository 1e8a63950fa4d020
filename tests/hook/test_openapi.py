"""The description of the interface, held against the specification of OpenAPI and the answers."""

import json
from functools import cache
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests.adapters.transports import core
from tests.hook.table import CASES, Case

from segue.hook import LIMITS, Limits, Operation, Problem
from segue.hook.openapi import describe
from segue.hook.route import ROUTES, match
from segue.report.schema import report_schema


@cache
def document(*, reading: bool = True) -> dict[str, Any]:
    routes = [each for each in ROUTES if reading or each.operation is not Operation.READ]
    return describe(report_schema(), limits=LIMITS, routes=routes)


@pytest.mark.parametrize("reading", [True, False])
def test_the_document_is_valid(*, reading: bool) -> None:
    errors = list(OpenAPIV31SpecValidator(document(reading=reading)).iter_errors())

    assert errors == []


def test_every_route_is_described() -> None:
    described = {
        (path, method.upper()) for path, item in document()["paths"].items() for method in item
    }

    assert described == {(route.path, route.method) for route in ROUTES}


def test_the_document_tells_the_limits_that_hold() -> None:
    limits = Limits(page=7, feed_seconds=3, max_id_length=9)
    paths = describe(report_schema(), limits=limits)["paths"]

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
    titles = json.dumps(document()["paths"])
    missing = {problem for problem in Problem if problem.title not in titles}

    assert missing == {Problem.NO_ROUTE, Problem.WRONG_METHOD}


def test_no_two_problems_have_the_same_type() -> None:
    types = [problem.type for problem in Problem]

    assert len(set(types)) == len(types)


def _schema(case: Case, status: int) -> dict[str, Any] | None:
    found = match(unquote(case.target.partition("?")[0]))
    if found is None or case.method in ("HEAD", "OPTIONS") or status == 405:
        return None
    operation = document()["paths"][found.route.path][found.route.method.lower()]
    [content] = operation["responses"][str(status)]["content"].values()
    schema: dict[str, Any] = content["schema"]
    return schema


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_answer_is_as_it_is_described(case: Case) -> None:
    answer = core(case)
    schema = _schema(case, answer.status)
    if schema is None:
        schema = {"$ref": "#/components/schemas/Problem"} if answer.status >= 400 else {}
    if not answer.body:
        return
    is_page = answer.headers["content-type"].startswith("text/html")
    value = answer.body.decode() if is_page else json.loads(answer.body)

    validator = Draft202012Validator(
        {**schema, "components": document()["components"]},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )

    assert [error.message for error in validator.iter_errors(value)] == []


def test_a_body_without_a_conversation_does_not_fit_the_description() -> None:
    """The schemas can fail: they are not empty."""
    schema = {
        "$ref": "#/components/schemas/Delivery",
        "components": document()["components"],
    }
    validator = Draft202012Validator(schema)

    assert not validator.is_valid({"botId": "st-1", "query": "x"})
    assert validator.is_valid(MESSAGE)


MESSAGE = {
    "conversationId": "c-1",
    "botId": "st-1",
    "query": "x",
    "agentId": "a-1",
    "experience": "chat",
    "author": {"type": "USER"},
    "source": "desk",
}
