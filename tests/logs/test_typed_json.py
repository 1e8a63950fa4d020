"""Bodies whose values are wrapped in their types are read as the platform sent them."""

from __future__ import annotations

from typing import Any

import pytest

from segue.logs.typed_json import without_types

PARTICIPANT = {"identity": "a-1", "customFields": {"queueId": "31"}}
EVENT = {"name": "END_OF_CONVERSATION", "isExtAD": False, "participant": PARTICIPANT}
BODY = {"conversationId": "c-1", "events": [EVENT]}


def dynamodb(value: Any) -> Any:
    match value:
        case dict():
            return {"M": {key: dynamodb(each) for key, each in value.items()}}
        case list():
            return {"L": [dynamodb(each) for each in value]}
        case bool():
            return {"BOOL": value}
        case int():
            return {"N": str(value)}
        case None:
            return {"NULL": True}
        case _:
            return {"S": value}


def opentelemetry(value: Any) -> Any:
    match value:
        case dict():
            pairs = [{"key": key, "value": opentelemetry(each)} for key, each in value.items()]
            return {"kvlistValue": {"values": pairs}}
        case list():
            return {"arrayValue": {"values": [opentelemetry(each) for each in value]}}
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case _:
            return {"stringValue": value}


AVRO = {
    "conversationId": {"string": "c-1"},
    "query": None,
    "events": {
        "array": [
            {
                "name": "END_OF_CONVERSATION",
                "isExtAD": {"boolean": False},
                "participant": {
                    "com.example.Participant": {
                        "identity": {"string": "a-1"},
                        "customFields": {"map": {"queueId": "31"}},
                    }
                },
            }
        ]
    },
}


@pytest.mark.parametrize(
    "typed",
    [dynamodb(BODY), dynamodb(BODY)["M"], opentelemetry(BODY), AVRO],
    ids=["DynamoDB", "DynamoDB, inside", "OpenTelemetry", "Avro"],
)
def test_the_types_are_removed(typed: Any) -> None:
    assert without_types(typed) == BODY


def test_numbers_are_numbers() -> None:
    body = {"conversationId": "c-1", "a": 7, "b": None}

    assert without_types(dynamodb(body)) == {"conversationId": "c-1", "a": 7}
    assert without_types(opentelemetry({"conversationId": "c-1", "a": 7})) == {
        "conversationId": "c-1",
        "a": 7,
    }
    assert without_types({"action": {"S": "x"}, "n": {"N": "1.5"}, "d": {"$numberInt": "2"}}) == {
        "action": "x",
        "n": 1.5,
        "d": 2,
    }


@pytest.mark.parametrize(
    "value",
    [
        BODY,
        {"conversationId": "c-1", "events": [{"participant": {"customFields": {"S": "x"}}}]},
        {"conversationId": "c-1", "query": None},
        {"S": "x"},
        {"M": {}},
        {"kvlistValue": 7},
        {"conversationId": {"id": "c-1"}},
        "text",
        None,
    ],
)
def test_other_values_stay(value: Any) -> None:
    assert without_types(value) is value


def test_a_value_that_is_not_of_its_type_stays() -> None:
    body = {"conversationId": {"S": "c-1"}, "n": {"N": "many"}}

    assert without_types(body) == {"conversationId": "c-1", "n": {"N": "many"}}


def test_only_the_first_levels_of_a_deep_body_are_looked_at() -> None:
    deep: Any = {"S": "x"}
    for _ in range(5000):
        deep = {"L": [deep]}

    assert without_types({"conversationId": {"S": "c"}, "x": deep})["conversationId"] == "c"
