"""The call of a conversation in every export, beside its transcription."""

import json
from typing import Any

import pytest
from tests.builders import Sender, body as bodies
from tests.core.calls.vectors import COMPLETED

import segue
from segue.report.export import FORMATS

SENDER = Sender()


def at(minute: int, second: int = 0) -> dict[str, str]:
    return {"received_at": f"2026-11-21T13:{minute:02d}:{second:02d}Z"}


def hook(label: str, *when: int) -> dict[str, Any]:
    return {**at(*when), "body": bodies(SENDER.event(label))}


IDS = {"conversation_id": "c-1", "bot_id": "st-1"}
ACTION = {"endpoint": "transcription", **IDS, "body": {"action": "start", "agentId": "a-1"}}
CALL = {"endpoint": "notifications", **IDS, "body": {**COMPLETED, "reasonCode": "Busy Here"}}
TRANSFER = {"endpoint": "transfers", **IDS, "body": [1]}
LOG = [
    hook("NA entry", 12, 30),
    {**at(12, 31), **ACTION},
    {**at(12, 40), **TRANSFER},
    {**at(13, 22), **CALL},
    hook("NA exit", 13, 30),
    hook("END", 13, 40),
]


def converted(to: str) -> str:
    return "".join(segue.convert([json.dumps(line) for line in LOG], to))


def test_vcon_has_the_call_in_its_analysis() -> None:
    (analysis,) = json.loads(converted("vcon"))["analysis"]

    assert analysis["body"]["call"]["state"] == "completed"
    assert analysis["body"]["call"]["call_time"] == 57.0


def test_xes_has_the_notification_as_an_event() -> None:
    text = converted("xes")

    assert '<string key="call" value="completed"/>' in text
    assert text.count('<string key="concept:name" value="call completed"/>') == 1
    assert text.count('<string key="concept:name" value="transfer callback"/>') == 1
    assert text.count('<string key="findings" value="SG704"/>') == 1


def test_ocel_has_types_ids_and_findings_of_their_own() -> None:
    found = json.loads(converted("ocel"))
    named = {event["id"]: event for event in found["events"]}

    assert {"call/c-1/0", "transfer/c-1/0", "action/c-1/0"} <= {
        each.replace("st-1/", "") for each in named
    }
    types = {each["name"] for each in found["eventTypes"]}
    assert {event["type"] for event in found["events"]} <= types
    (call,) = (event for event in found["events"] if event["type"] == "call completed")
    assert {"name": "findings", "value": "SG704"} in call["attributes"]


def test_trace_and_otlp_have_the_time_of_the_call() -> None:
    slices = [
        each for each in json.loads(converted("trace"))["traceEvents"] if each.get("cat") == "call"
    ]
    assert [(each["name"], each["dur"]) for each in slices] == [("completed", 57_000_000)]

    request = json.loads(converted("otlp"))
    spans = request["resourceSpans"][0]["scopeSpans"][0]["spans"]
    (call,) = (span for span in spans if span["name"] == "call")
    assert int(call["endTimeUnixNano"]) - int(call["startTimeUnixNano"]) == 57 * 10**9


@pytest.mark.parametrize("to", [to for to, each in FORMATS.items() if each.needs == "everything"])
def test_a_conversation_that_has_only_a_call_is_exported(to: str) -> None:
    assert "".join(segue.convert([json.dumps({**at(13, 22), **CALL})], to))
