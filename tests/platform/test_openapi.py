"""The description of the platform is OpenAPI 3.1, and has what the table has."""

import json
import re
from collections import Counter
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from tests.platform.vectors import ANSWERS, REQUESTS

from segue import __version__
from segue.platform.openapi import describe_platform
from segue.platform.requests import build_request
from segue.platform.rows import Endpoint
from segue.platform.table import ENDPOINTS, endpoint

DOCUMENT = describe_platform(__version__)
OPERATIONS: dict[str, dict[str, Any]] = {
    operation["operationId"]: {**operation, "path": path, "method": method.upper()}
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def schema(value: dict[str, Any]) -> dict[str, Any]:
    """The schema with the components that it may refer to."""
    return {**value, "components": DOCUMENT["components"]}


def test_the_document_is_valid() -> None:
    assert list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors()) == []
    assert DOCUMENT["openapi"] == "3.1.0"


def test_every_reference_leads_somewhere_and_every_component_is_used() -> None:
    used = Counter(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(DOCUMENT)))

    unused = DOCUMENT["components"]["schemas"].keys() - used.keys()
    assert used.keys() <= DOCUMENT["components"]["schemas"].keys()
    assert unused == set()


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.number)
def test_a_row_is_an_operation_with_all_that_the_specification_admits(row: Endpoint) -> None:
    found = OPERATIONS[row.name]

    assert (found["method"], found["path"]) == (row.method, row.path)
    assert [each["what"] for each in found.get("x-segue-not-shown", [])] == [
        each.what for each in row.unknown
    ]
    assert [each["what"] for each in found.get("x-segue-variants", [])] == [
        each.what for each in row.variants
    ]
    assert [each["what"] for each in found.get("x-segue-chosen", [])] == [
        each.what for each in row.chosen
    ]
    names = [each["name"] for each in found["parameters"] if each["in"] == "path"] if (
        "parameters" in found
    ) else []  # fmt: skip
    assert names == re.findall(r"\{(\w+)\}", row.path)
    assert {each["name"] for each in found.get("parameters", []) if each["in"] == "header"} == {
        header.name for header in row.headers
    }


def test_the_account_wide_sessions_are_an_operation_of_their_own() -> None:
    assert OPERATIONS.keys() == {row.name for row in ENDPOINTS} | {"sessions.list_of_account"}
    assert OPERATIONS["sessions.list_of_account"]["path"] == "/api/public/getSessions"


@pytest.mark.parametrize(("number", "arguments"), [each[:2] for each in REQUESTS])
def test_what_we_send_is_described(number: str, arguments: dict[str, Any]) -> None:
    row = endpoint(number)
    request = build_request(row, arguments, dialects="reference")
    name = row.name if request.target != row.account_path else f"{row.name}_of_account"
    found = OPERATIONS[name]

    assert request.method == found["method"]
    if request.body is None:
        assert "requestBody" not in found
    else:
        described = found["requestBody"]["content"]["application/json"]["schema"]
        jsonschema.Draft202012Validator(schema(described)).validate(json.loads(request.body))
    known = {each["name"] for each in found.get("parameters", []) if each["in"] == "query"}
    sent = {each.partition("=")[0] for each in request.target.partition("?")[2].split("&") if each}
    assert sent <= known


@pytest.mark.parametrize(("number", "body"), [each[:2] for each in ANSWERS if not each[4]])
def test_an_answer_without_flaws_is_described(number: str, body: str) -> None:
    answer = OPERATIONS[endpoint(number).name]["responses"]["200"]
    if "content" in answer:
        described = answer["content"]["application/json"]["schema"]
        jsonschema.Draft202012Validator(schema(described)).validate(json.loads(body))
    else:
        assert number in {"E1", "E21"}


@pytest.mark.parametrize(
    ("number", "body"),
    [(each[0], each[1]) for each in ANSWERS if each[4] and each[4][0].startswith("SG503")],
)
def test_what_came_as_another_type_is_not_described(number: str, body: str) -> None:
    described = OPERATIONS[endpoint(number).name]["responses"]["200"]["content"]
    valid = jsonschema.Draft202012Validator(schema(described["application/json"]["schema"]))

    assert not valid.is_valid(json.loads(body))


def test_vocabularies_are_open() -> None:
    status = DOCUMENT["components"]["schemas"]["Campaign"]["properties"]["status"]

    assert status["type"] == ["string", "null"]
    assert status["x-extensible-enum"][:2] == ["Active", "Completed"]
    priority = DOCUMENT["components"]["schemas"]["CampaignFilters"]["properties"]["priority"]
    assert priority["items"] == {"type": "integer", "minimum": 1, "maximum": 5}
    skip = DOCUMENT["components"]["schemas"]["CampaignSearch"]["properties"]["skip"]
    assert jsonschema.Draft202012Validator(skip).is_valid("")
    assert not jsonschema.Draft202012Validator(skip).is_valid("7")


def test_links_lead_from_what_is_created_to_what_takes_it() -> None:
    links = {
        (row.name, name): link["parameters"]
        for row in ENDPOINTS
        for name, link in OPERATIONS[row.name]["responses"]["200"].get("links", {}).items()
    }

    assert links[("training.start", "training.get")] == {
        "path.botId": "$request.path.botId",
        "path.jobGroupId": "$response.body#/_id",
    }
    assert links[("queues.create", "queues.update")] == {
        "path.queueId": "$response.body#/id",
        "path.streamId": "$request.path.streamId",
    }
    for (_, target), parameters in links.items():
        places = {f"{each['in']}.{each['name']}" for each in OPERATIONS[target]["parameters"]}
        assert parameters.keys() <= places


def test_callbacks_are_posted_to_the_urls_of_the_request() -> None:
    [(url, posted)] = OPERATIONS["calls.start"]["callbacks"]["notifyurl"].items()

    assert url == "{$request.query.notifyurl}"
    content = posted["post"]["requestBody"]["content"]["application/json"]
    notification = jsonschema.Draft202012Validator(schema(content["schema"]))
    notification.validate(
        {"conversationId": "c", "status": "completed", "reasonCode": "caller-disconnected",
         "callconnecttime": "2/3/2026, 10:00:00 AM", "duration": "12", "machinedetection": "new"}
    )  # fmt: skip
    assert not notification.is_valid({"status": 1})
    assert list(OPERATIONS["conversations.assign"]["callbacks"]["callbackUrl"]) == [
        "{$request.query.callbackUrl}"
    ]


def test_no_object_is_named_as_one_of_its_members() -> None:
    """Generators make a variable of each."""
    for name, component in DOCUMENT["components"]["schemas"].items():
        assert name.lower() not in {member.lower() for member in component["properties"]}, name
