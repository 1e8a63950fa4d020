"""`ocel`: objects, events and how they are related."""

import json
from typing import Any

from jsonschema import Draft7Validator, FormatChecker
from tests.report.export.story import COLD, SAMPLE, WARM, converted, schema, timed
from tests.report.story import line

VALIDATOR = Draft7Validator(schema("ocel20.json"), format_checker=FormatChecker())


def ocel(lines: list[str] | list[bytes], **given: Any) -> dict[str, Any]:
    document = json.loads(converted(lines, "ocel", **given))
    VALIDATOR.validate(document)
    return dict(document)


def related(thing: dict[str, Any]) -> dict[str, str]:
    return {each["qualifier"]: each["objectId"] for each in thing["relationships"]}


def named(thing: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["value"] for each in thing["attributes"]}


def test_events_belong_to_objects() -> None:
    exported = ocel(COLD)["events"]

    assert [(event["id"], event["type"]) for event in exported] == [
        ("event/c-1/0", "user message"),
        ("event/c-1/1", "NA entry"),
        ("event/c-1/2", "agent message"),
        ("event/c-1/3", "COLD exit"),
        ("event/c-1/4", "COLD entry"),
        ("event/c-1/5", "NA exit"),
        ("event/c-1/6", "END_OF_CONVERSATION"),
    ]
    assert exported[1]["time"] == "2026-03-02T09:00:10.000000Z"
    assert related(exported[0]) == {"of": "conversation/c-1"}
    assert related(exported[4]) == {
        "of": "conversation/c-1",
        "by": "agent/a-2",
        "in": "segment/c-1/1",
    }
    assert named(exported[4]) == {"position": "4", "resource": "a-2"}
    assert [named(exported[each])["resource"] for each in (0, 6)] == ["customer", "system"]


def test_objects_are_related() -> None:
    exported = {each["id"]: each for each in ocel(WARM)["objects"]}

    assert list(exported) == [
        "conversation/c-1",
        "segment/c-1/0",
        "segment/c-1/1",
        "agent/a-1",
        "agent/a-2",
    ]
    assert related(exported["segment/c-1/1"]) == {
        "part of": "conversation/c-1",
        "held by": "agent/a-2",
        "follows": "segment/c-1/0",
        "consults": "segment/c-1/0",
    }
    assert named(exported["agent/a-1"]) == {"name": "Ada"}
    assert named(exported["conversation/c-1"]) == {
        "bot": "st-1",
        "phase": "ended",
        "valid": "true",
        "findings": "SG119",
    }
    assert named(exported["segment/c-1/1"])["kind"] == "WARM"


def test_actions_are_events_of_their_own() -> None:
    exported = [event for event in ocel(WARM)["events"] if event["id"].startswith("action/")]

    assert [event["type"] for event in exported] == [
        "transcription start",
        "transcription pause",
        "transcription resume",
        "transcription end",
    ]


def test_agents_and_queues_are_shared() -> None:
    who = {"identity": "a-1", "name": "Ada", "type": "agent"}
    who |= {"customFields": {"queueId": "qu-1", "queueName": "Orders"}}  # type: ignore[dict-item]
    lines = [
        line("NA entry a-1", conversation, "09:00:00", participant=who)
        for conversation in ("c-1", "c-2")
    ]

    document = ocel(lines)
    exported = document["objects"]

    assert [related(each).get("from") for each in document["events"]] == ["queue/qu-1"] * 2
    assert [each["id"] for each in exported] == [
        "conversation/c-1",
        "segment/c-1/0",
        "agent/a-1",
        "queue/qu-1",
        "conversation/c-2",
        "segment/c-2/0",
    ]
    assert related(exported[5])["from"] == "queue/qu-1"


def test_one_name_for_two_things_makes_two_objects() -> None:
    exported = ocel(timed("09:00:00 NA entry a-1", conversation="a-1"))["objects"]

    assert {"conversation/a-1", "agent/a-1"} <= {each["id"] for each in exported}


def test_findings_and_texts() -> None:
    exported = ocel(timed("09:00:00 NA entry a-1", "09:01:00 COLD entry a-2"))

    assert named(exported["events"][1])["findings"] == "SG103"
    assert named(ocel(COLD, include_text=True)["events"][0])["text"] == "Hello"


def test_an_empty_log_has_types_only() -> None:
    exported = ocel([])

    assert (exported["events"], exported["objects"]) == ([], [])
    assert [each["name"] for each in exported["objectTypes"]] == [
        "conversation",
        "segment",
        "agent",
        "queue",
    ]


def test_the_sample_keeps_to_the_schema_and_to_itself() -> None:
    exported = ocel(SAMPLE.read_bytes().splitlines())

    attributes = {
        kind: {
            each["name"]: {a["name"] for a in each["attributes"]}
            for each in exported[f"{kind}Types"]
        }
        for kind in ("event", "object")
    }
    known = {each["id"] for each in exported["objects"]}
    assert len(known) == len(exported["objects"])
    assert len({each["id"] for each in exported["events"]}) == len(exported["events"])
    for kind in ("event", "object"):
        for each in exported[f"{kind}s"]:
            assert named(each).keys() <= attributes[kind][each["type"]]
            assert set(related(each).values()) <= known
