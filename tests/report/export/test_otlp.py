"""`otlp`: spans of a conversation, as the classes of OpenTelemetry read them."""

import json
from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from tests.report.export.story import COLD, REDIAL, SAMPLE, WARM, converted, objects, timed

import segue

NINE = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()) * 10**9
IDS = ("traceId", "spanId", "parentSpanId")


def spans(lines: list[str], **given: Any) -> list[dict[str, Any]]:
    [request] = objects(converted(lines, "otlp", **given))
    [resource] = request["resourceSpans"]
    [scope] = resource["scopeSpans"]
    return list(scope["spans"])


def read(line: str) -> ExportTraceServiceRequest:
    """What a receiver reads; OTLP has ids in hexadecimal, where Protobuf has base64."""
    return ParseDict(_in_base64(json.loads(line)), ExportTraceServiceRequest())


def _in_base64(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _in_base64(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_in_base64(each) for each in value]
    return b64encode(bytes.fromhex(value)).decode() if key in IDS else value


def facts(thing: dict[str, Any]) -> dict[str, Any]:
    return {each["key"]: next(iter(each["value"].values())) for each in thing["attributes"]}


def lasts(span: dict[str, Any]) -> tuple[float, float]:
    start, end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
    return (start - NINE) / 10**9, (end - NINE) / 10**9


def test_a_conversation_is_a_trace() -> None:
    root, *others = exported = spans(COLD)

    assert [(span["name"], *lasts(span)) for span in exported] == [
        ("conversation", 0, 130),
        ("primary segment", 10, 60),
        ("NA connection", 10, 60),
        ("primary segment", 65, 120),
        ("COLD connection", 65, 120),
    ]
    ids = [span["spanId"] for span in exported]
    assert [span.get("parentSpanId") for span in exported] == [None, ids[0], ids[1], ids[0], ids[3]]
    assert {span["traceId"] for span in others} == {root["traceId"]}
    assert (len(root["traceId"]), len(root["spanId"]), len(set(ids))) == (32, 16, 5)
    assert facts(root) == {
        "segue.conversation.id": "c-1",
        "segue.bot.id": "st-1",
        "segue.phase": "ended",
        "segue.valid": True,
        "segue.findings": "0",
    }
    assert facts(exported[1]) == {
        "segue.agent.id": "a-1",
        "segue.agent.name": "Ada",
        "segue.role": "primary",
        "segue.kind": "NA",
        "segue.outcome": "transferred",
    }
    assert facts(exported[2]) == {"segue.opened_by": "NA", "segue.closed_by": "COLD"}


def test_a_transfer_is_a_link_to_the_segment_before() -> None:
    for lines, kind in ((COLD, "COLD"), (WARM, "WARM")):
        giver, taker = [span for span in spans(lines) if span["name"].endswith("segment")]

        assert "links" not in giver
        [link] = taker["links"]
        assert (link["traceId"], link["spanId"]) == (giver["traceId"], giver["spanId"])
        assert facts(link) == {"segue.transfer": kind}


def test_a_redial_is_a_second_connection_of_one_segment() -> None:
    _, segment, first, second = spans(REDIAL)

    assert [lasts(span) for span in (segment, first, second)] == [(0, 480), (0, 240), (300, 480)]
    assert first["parentSpanId"] == second["parentSpanId"] == segment["spanId"]
    assert first["spanId"] != second["spanId"]


def test_states_of_the_transcription_are_spans() -> None:
    exported = [span for span in spans(WARM) if span["name"].startswith("transcription ")]

    assert [(facts(span)["segue.state"], *lasts(span)) for span in exported] == [
        ("active", 5, 30),
        ("hold", 30, 60),
        ("active", 60, 110),
        ("ended", 110, 130),
    ]


def test_what_happened_is_an_event_of_the_root() -> None:
    root = spans(COLD)[0]

    assert [event["name"] for event in root["events"]] == [
        "user message",
        "NA entry",
        "agent message",
        "COLD exit",
        "COLD entry",
        "NA exit",
        "END_OF_CONVERSATION",
    ]
    assert root["events"][0]["timeUnixNano"] == str(NINE)
    assert facts(root["events"][1]) == {"segue.position": "1", "segue.agent.id": "a-1"}
    assert facts(spans(COLD, include_text=True)[0]["events"][0])["segue.text"] == "Hello"


def test_a_conversation_with_errors_has_the_status_error() -> None:
    lines = timed("09:00:00 NA entry a-1", "09:01:00 COLD entry a-2", "09:02:00 NA exit a-2")
    root = spans(lines)[0]

    assert root["status"] == {"message": "SG103, SG108", "code": Status.STATUS_CODE_ERROR}
    assert spans(COLD)[0]["status"] == {}
    found = [event for event in root["events"] if event["name"].startswith("SG")]
    assert [(event["name"], event["timeUnixNano"]) for event in found] == [
        ("SG103", str(NINE + 60 * 10**9)),
        ("SG108", str(NINE + 120 * 10**9)),
    ]
    assert facts(found[0])["segue.rule"] == "cold-entry-before-exit"


def test_a_receiver_reads_the_whole_sample() -> None:
    lines = converted(SAMPLE.read_bytes().splitlines(), "otlp").splitlines()

    traces = set()
    for line in lines:
        request = read(line)
        exported: list[Span] = list(request.resource_spans[0].scope_spans[0].spans)
        known = {span.span_id for span in exported}
        assert len(known) == len(exported)
        for span in exported:
            assert len(span.trace_id) == 16
            assert len(span.span_id) == 8
            assert span.kind == Span.SPAN_KIND_INTERNAL
            assert span.start_time_unix_nano <= span.end_time_unix_nano
            assert (span.parent_span_id in known) is (span is not exported[0])
            times = [event.time_unix_nano for event in span.events]
            assert times == sorted(times)
            assert all(link.span_id in known for link in span.links)
        assert request.resource_spans[0].resource.attributes[0].key == "service.name"
        traces.add(exported[0].trace_id)
    assert len(traces) == len(lines) == 59


def test_the_scope_has_our_name_and_version() -> None:
    [request] = map(json.loads, converted(COLD, "otlp").splitlines())

    [scope] = request["resourceSpans"][0]["scopeSpans"]
    assert scope["scope"] == {"name": "segue", "version": segue.__version__}


def test_a_span_of_the_transcription_has_its_state_in_its_name() -> None:
    names = [span["name"] for span in spans(WARM)]

    assert [name for name in names if name.startswith("transcription")] == [
        "transcription active", "transcription hold", "transcription active", "transcription ended",
    ]  # fmt: skip
