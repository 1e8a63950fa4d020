"""The adapter for AWS Lambda alone, with a core that records, and with events as they are sent."""

import json
from typing import Any

import pytest
from tests.server.adapters.recording import Recorder
from tests.server.adapters.transports import second
from tests.server.http import world
from tests.server.http.table import E21, FINE, Case
from tests.server.http.world import SENDS

from segue.server.adapters.lambda_handler import LambdaHandler
from segue.server.http import Body, BodyError, Request

CASE = Case("", 200, None, "POST", "/a/b%20c?x=%31&x=2", (("auth", "t"),), b"{}")

FIRST: dict[str, Any] = {
    "resource": "/{proxy+}",
    "path": "/a/b%20c",
    "httpMethod": "POST",
    "headers": {"auth": "u", "Content-Type": "application/json"},
    "multiValueHeaders": {"auth": ["t", "u"], "Content-Type": ["application/json"]},
    "queryStringParameters": {"x": "2 &"},
    "multiValueQueryStringParameters": {"x": ["1", "2 &"]},
    "requestContext": {"path": "/prod/a/b%20c", "stage": "prod"},
    "body": "{}",
    "isBase64Encoded": False,
}


BALANCER: dict[str, Any] = {
    "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:…"}},
    "httpMethod": "POST",
    "path": "/a/b%20c",
    "queryStringParameters": {"x": "2%20%26+%252B", "y%5B%5D": ""},
    "headers": {"auth": "u", "content-type": "application/json"},
    "body": "{}",
    "isBase64Encoded": False,
}
"""An event as an Application Load Balancer sends it."""
MANY: dict[str, Any] = {
    name: value
    for name, value in BALANCER.items()
    if name not in ("queryStringParameters", "headers")
} | {
    "multiValueQueryStringParameters": {"x": ["1", "2%20%26+%252B"], "y%5B%5D": [""]},
    "multiValueHeaders": {"auth": ["t", "u"], "content-type": ["application/json"]},
}
"""The same with multi-value headers enabled for the target group."""


def hand(event: dict[str, Any], limit: int | None = None) -> Recorder:
    recorder = Recorder(limit)
    LambdaHandler(recorder.hook)(event)
    return recorder


def seen(request: Request) -> tuple[object, ...]:
    return request.method, request.path, request.mount, request.parameters()


def test_an_event_of_an_http_api_is_handed_over() -> None:
    request = hand(second(CASE)).request

    assert seen(request) == ("POST", "/a/b c", "", {"x": ("1", "2")})
    assert request.headers.get("auth") == "t"


def test_a_stage_is_where_it_is_mounted() -> None:
    assert seen(hand(second(CASE, "prod")).request)[1:3] == ("/a/b c", "/prod")
    assert seen(hand(second(CASE, "prod") | {"rawPath": "/a"}).request)[1:3] == ("/a", "/prod")


def test_a_path_that_only_begins_like_the_stage_is_left_alone() -> None:
    event = second(CASE, "prod") | {"rawPath": "/product/a"}

    assert seen(hand(event).request)[1:3] == ("/product/a", "/prod")


def test_an_event_that_names_no_stage_is_mounted_nowhere() -> None:
    event = second(CASE)
    del event["requestContext"]["stage"]

    assert seen(hand(event).request)[1:3] == ("/a/b c", "")


@pytest.mark.parametrize("context", [None, {}, {"path": "/elsewhere"}])
def test_an_event_of_a_rest_api_that_names_no_stage_is_mounted_nowhere(
    context: dict[str, str] | None,
) -> None:
    event = {name: part for name, part in FIRST.items() if name != "requestContext"}
    if context is not None:
        event["requestContext"] = context

    assert seen(hand(event).request)[1:3] == ("/a/b c", "")


def test_an_event_of_a_rest_api_is_handed_over() -> None:
    request = hand(FIRST).request

    assert seen(request) == ("POST", "/a/b c", "/prod", {"x": ("1", "2 &")})
    assert request.headers.get("auth") == "t,u"
    assert request.headers.get("content-type") == "application/json"


@pytest.mark.parametrize(
    ("event", "first", "auth"), [(BALANCER, (), "u"), (MANY, ("1",), "t,u")], ids=["one", "many"]
)
def test_an_event_of_a_load_balancer_has_a_query_as_it_was_sent(
    event: dict[str, Any], first: tuple[str, ...], auth: str
) -> None:
    request = hand(event).request

    assert seen(request) == ("POST", "/a/b c", "", {"x": (*first, "2 & %2B"), "y[]": ("",)})
    assert request.headers.get("auth") == auth


def test_a_load_balancer_is_answered_in_its_own_form() -> None:
    one, many = (LambdaHandler(Recorder().hook)(event) for event in (BALANCER, MANY))

    assert one["statusDescription"] == many["statusDescription"] == "200 OK"
    assert one["headers"] == {"content-length": "2", "x-one": "é"}
    assert many["multiValueHeaders"] == {"content-length": ["2"], "x-one": ["é"]}
    assert "multiValueHeaders" not in one
    assert "headers" not in many
    assert "statusDescription" not in LambdaHandler(Recorder().hook)(FIRST)


@pytest.mark.parametrize(
    "changed",
    [
        {"multiValueHeaders": None, "multiValueQueryStringParameters": None},
        {"multiValueHeaders": {}, "multiValueQueryStringParameters": {}},
    ],
)
def test_single_values_are_taken_where_there_are_no_others(changed: dict[str, Any]) -> None:
    request = hand(FIRST | changed).request

    assert request.headers.get("auth") == "u"
    assert request.parameters() == {"x": ("2 &",)}


@pytest.mark.parametrize("event", [FIRST, second(CASE)], ids=["first", "second"])
def test_parts_that_are_null_are_empty(event: dict[str, Any]) -> None:
    names = ("headers", "multiValueHeaders", "queryStringParameters", "rawQueryString", "body",
             "multiValueQueryStringParameters")  # fmt: skip
    recorder = hand(event | dict.fromkeys(names), limit=10)

    assert recorder.request.parameters() == {}
    assert recorder.request.headers.get("auth") is None
    assert recorder.body == Body(b"")


@pytest.mark.parametrize(
    ("body", "encoded", "expected"),
    [
        ("{}", False, Body(b"{}")),
        ("é", False, Body("é".encode())),
        ("e30=", True, Body(b"{}")),
        ("/w==", True, Body(b"\xff")),
        ("e30", True, Body(b"", BodyError.CUT_OFF)),
        ("é30=", True, Body(b"", BodyError.CUT_OFF)),
        ("\ud800", False, Body(b"", BodyError.CUT_OFF)),
        ("x" * 11, False, Body(b"x" * 10, BodyError.TOO_LARGE)),
        ("", False, Body(b"")),
    ],
)
def test_a_body_is_taken_out_of_the_event(body: str, *, encoded: bool, expected: Body) -> None:
    event = FIRST | {"body": body, "isBase64Encoded": encoded}

    assert hand(event, limit=10).body == expected


def test_a_parameter_that_is_no_text_is_one_that_cannot_be_used() -> None:
    event = FIRST | {
        "multiValueQueryStringParameters": {"conversationId": ["\ud800"]},
    }

    assert "\ufffd" in hand(event).request.parameters()["conversationId"][0]


def test_a_delivery_is_received_and_answered() -> None:
    event = FIRST | {
        "path": E21,
        "headers": {"token": SENDS},
        "multiValueHeaders": None,
        "body": FINE.decode(),
    }

    answer = world.aws_lambda()(event, None)

    assert answer["statusCode"] == 200
    assert answer["headers"]["content-type"] == "application/json"
    assert answer["isBase64Encoded"] is False
    assert json.loads(answer["body"])["conversationId"] == "c-new"
