"""Arguments become the request that the specification shows, or are refused."""

import json
from typing import Any

import pytest
from tests.platform.vectors import REFUSED, REQUESTS

from segue.errors import ConfigurationError
from segue.platform.requests import Dialects, build_request
from segue.platform.table import endpoint

DIAL = {"bot": "st-1", "target": "tel:+49", "caller": "1", "machine_detection": "detect"}
ASSIGN = {"stream": "st-1", "org": "o-1", "session": "s1", "agent": "a-1", "callback_url": "u"}
SUITE = {"bot": "st-1", "file_name": "f", "file_type": "json", "import_type": "new",
         "delimiter": ",", "description": "d"}  # fmt: skip
SKILLS = {"stream": "st-1", "skill_group": "5f", "name": "L"}
GROUP = {"stream": "st-1", "agent_group": "ag-1", "name": "N", "description": "", "managers": []}
DIALOUT = "POST /api/1.1/public/bot/st-1/voicedesk/dialout"


def sent(
    number: str, arguments: dict[str, Any], dialects: Dialects = "", **extra: object
) -> tuple[str, dict[str, str], Any]:
    """The request as method and target, headers, and body."""
    request = build_request(endpoint(number), arguments, extra, dialects)
    body = None if request.body is None else json.loads(request.body)
    return f"{request.method} {request.target}", dict(request.headers), body


@pytest.mark.parametrize(("number", "arguments", "target", "headers", "body"), REQUESTS)
def test_a_request_is_built(
    number: str, arguments: dict[str, Any], target: str, headers: dict[str, str], body: object
) -> None:
    assert sent(number, arguments) == (target, headers, body)


@pytest.mark.parametrize(("number", "arguments", "message"), REFUSED)
def test_wrong_arguments_are_refused(number: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"\({number}\): .*{message}"):
        build_request(endpoint(number), arguments)


@pytest.mark.parametrize(
    ("number", "arguments", "dialects", "target", "body"),
    [
        ("E2", DIAL, "samples", DIALOUT,
         {"target": "tel:+49", "caller": "1", "machineDetection": "detect", "bot": "st-1"}),
        ("E2", DIAL, "reference", f"{DIALOUT}?target=tel%3A%2B49&caller=1&machinedetection=detect",
         None),
        ("E2", {**DIAL, "timers": {"tone_timeout_ms": 1}}, {"E2 place of parameters": "reference"},
         (f"{DIALOUT}?target=tel%3A%2B49&caller=1&timers=%7B%22toneTimeoutMs%22%3A1%7D"
         "&machinedetection=detect"), None),
        ("E2", DIAL, {"E2 name of a member": "samples"}, DIALOUT,
         {"target": "tel:+49", "caller": "1", "machineDetection": "detect", "bot": "st-1"}),
        ("E6", SKILLS, "samples", "POST /agentdesk/api/v1/public/st-1/skill-groups/5f",
         {"name": "L", "id": "5f"}),
        ("E6", SKILLS, {"E7": "samples"}, "PUT /agentdesk/api/v1/public/st-1/skill-groups/5f",
         {"name": "L", "id": "5f"}),
        ("E7", GROUP, {"E7": "samples"}, "POST /agentdesk/api/v1/public/st-1/agent-groups/ag-1",
         {"name": "N", "description": "", "managers": []}),
        ("E9", ASSIGN, "reference", ("POST /agentdesk/api/v1/public/st-1/assign-conversation"
         "?callbackUrl=u&orgId=o-1&botSessionId=s1&aId=a-1"), None),
        ("E9", ASSIGN, "samples", "POST /agentdesk/api/v1/public/st-1/assign-conversation",
         {"callbackUrl": "u", "orgId": "o-1", "botSessionId": "s1", "aId": "a-1"}),
        ("E19", SUITE, "samples", "POST /api/public/stream/st-1/testsuite/import",
         {"fileName": "f", "fileType": "json", "importType": "new", "delimiter": ",",
          "description": "d"}),
        ("E25", {"skip": 5}, "samples", "POST /api/public/getSessions", {"offset": 5}),
        ("E25", {"skip": 5}, "reference", "POST /api/public/getSessions", {"skip": 5}),
    ],
)  # fmt: skip
def test_a_dialect_decides_where_the_specification_says_two_things(
    number: str, arguments: dict[str, Any], dialects: Dialects, target: str, body: object
) -> None:
    found, _, members = sent(number, arguments, dialects)

    assert (found, members) == (target, body)


def test_empty_text_stands_for_a_number_where_the_specification_allows_it() -> None:
    arguments = {"app": "s", "account": "a", "kind": "sms", "skip": "", "page": "", "limit": ""}

    assert sent("E23", arguments)[2] == {"type": "sms", "skip": "", "page": "", "limit": ""}


def test_members_that_are_not_shown_can_be_sent() -> None:
    _, _, body = sent("E5", {"stream": "st-1", "queue": "qu-1"}, name="Billing", isActive=False)

    assert body == {"name": "Billing", "isActive": False}


def test_a_queue_of_an_answer_can_stand_in_a_request() -> None:
    hours = endpoint("E13").model.model_validate({"id": "h-1", "name": "Days"})
    arguments = {"stream": "st-1", "name": "Billing", "hours": hours}

    assert sent("E3", arguments)[2]["hoursOfOperation"] == {"id": "h-1", "name": "Days"}


@pytest.mark.parametrize(
    ("number", "arguments", "extra", "body"),
    [
        ("E5", {"stream": "st-1", "queue": "qu-1"}, {"description": None}, {"description": None}),
        ("E21", {"bot": "st-1"}, {"language": None, "author": {"type": None}},
         {"language": None, "author": {"type": None}}),
        ("E3", {"stream": "st-1", "name": "B", "hours": "h-1"}, {"is_active": None, "orgId": None},
         {"name": "B", "hoursOfOperation": {"id": "h-1"}, "isActive": None, "orgId": None}),
        ("E3", {"stream": "st-1", "name": "B", "hours": "h-1", "description": None}, {},
         {"name": "B", "hoursOfOperation": {"id": "h-1"}}),
    ],
)  # fmt: skip
def test_null_is_sent_where_it_is_written(
    number: str, arguments: dict[str, Any], extra: dict[str, Any], body: dict[str, Any]
) -> None:
    assert sent(number, arguments, **extra)[2] == body


def test_null_is_not_sent_in_a_query_nor_where_a_member_is_required() -> None:
    target, _, body = sent("E2", DIAL, "reference", trunk=None)

    assert (target.count("trunk"), body) == (0, None)
    with pytest.raises(ConfigurationError, match="name"):
        sent("E3", {"stream": "st-1", "hours": "h-1"}, name=None)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), "\ud800", {1, object()}])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(ConfigurationError, match="E2"):
        build_request(endpoint("E2"), {**DIAL, "metadata": {"x": value}})


def test_a_lone_surrogate_in_a_path_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="surrogates"):
        build_request(endpoint("E14"), {"bot": "\ud800"})


def test_a_lone_surrogate_in_a_query_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="surrogates"):
        build_request(endpoint("E20"), {"bot": "st-1", "language": "\ud800"})


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'reference' or 'samples', got 'sample'"):
        build_request(endpoint("E6"), SKILLS, dialects="sample")


def test_an_endpoint_without_a_body_takes_no_member() -> None:
    with pytest.raises(ConfigurationError, match="unknown argument name"):
        build_request(endpoint("E4"), {"stream": "st-1", "name": "x"})


def test_null_in_free_data_is_sent() -> None:
    body = sent("E2", {**DIAL, "metadata": {"order": None}})[2]

    assert body["metadata"] == {"order": None}
