"""`xes`: traces and events, against the schema of the standard."""

from xml.etree import ElementTree as ET

import xmlschema
from tests.report.export.story import COLD, DATA, SAMPLE, WARM, converted, timed
from tests.report.hostile import CANARY
from tests.report.story import line

import segue
from segue.core.conversation.current import current_reports

SCHEMA = xmlschema.XMLSchema(DATA / "xes.xsd")


def traces(document: str) -> list[ET.Element]:
    SCHEMA.validate(document)
    return ET.fromstring(document).findall("trace")  # noqa: S314 - our own


def values(element: ET.Element) -> dict[str, str]:
    return {each.attrib["key"]: each.attrib["value"] for each in element if each.tag != "event"}


def test_a_trace_is_a_conversation() -> None:
    [trace] = traces(converted(COLD, "xes"))

    assert values(trace) == {
        "concept:name": "c-1",
        "bot": "st-1",
        "phase": "ended",
        "valid": "true",
    }
    assert [values(event)["concept:name"] for event in trace.findall("event")] == [
        "user message",
        "NA entry",
        "agent message",
        "COLD exit",
        "COLD entry",
        "NA exit",
        "END_OF_CONVERSATION",
    ]
    assert values(trace.findall("event")[1]) == {
        "concept:name": "NA entry",
        "lifecycle:transition": "complete",
        "time:timestamp": "2026-03-02T09:00:10.000000Z",
        "org:resource": "a-1",
        "org:role": "primary",
        "segment": "0",
        "position": "1",
    }


def test_the_transcription_is_an_activity_with_a_lifecycle() -> None:
    [trace] = traces(converted(WARM, "xes"))

    exported = [values(event) for event in trace.findall("event")]
    actions = [each for each in exported if each["concept:name"] == "transcription"]
    assert [(each["lifecycle:transition"], each["action"]) for each in actions] == [
        ("start", "start"),
        ("suspend", "pause handover=false"),
        ("resume", "resume"),
        ("complete", "end"),
    ]
    assert [each["concept:name"] for each in exported][:4] == [
        "NA entry",
        "transcription",
        "transcription",
        "WARM entry",
    ]
    assert exported[3]["org:role"] == "consultant"


def test_events_of_one_delivery_are_a_microsecond_apart() -> None:
    texts = "09:00:00 NA entry a-1", "09:00:00 NA exit a-1", "09:00:00 END"
    [trace] = traces(converted(timed(*texts), "xes"))

    times = [values(event)["time:timestamp"] for event in trace.findall("event")]
    assert times == [
        "2026-03-02T09:00:00.000000Z",
        "2026-03-02T09:00:00.000001Z",
        "2026-03-02T09:00:00.000002Z",
    ]


def test_every_event_has_a_time_and_a_resource() -> None:
    [trace] = traces(converted(COLD, "xes"))

    exported = [values(event) for event in trace.findall("event")]
    assert all(each["time:timestamp"].endswith("Z") for each in exported)
    assert [each["org:resource"] for each in exported] == [
        "customer", "a-1", "a-1", "a-1", "a-2", "a-2", "system",
    ]  # fmt: skip


def test_findings_stand_at_their_events_and_at_the_trace() -> None:
    [trace] = traces(converted(timed("09:00:00 NA entry a-1", "09:01:00 COLD entry a-2"), "xes"))

    assert values(trace)["findings"] == "SG103 SG107 SG108"
    assert values(trace)["valid"] == "false"
    assert values(trace.findall("event")[1])["findings"] == "SG103"


def test_names_of_a_sender_are_text_and_nothing_else() -> None:
    who = {"identity": CANARY, "name": CANARY}
    lines = [line("NA entry a-1", CANARY, "09:00:00", participant=who)]

    [trace] = traces(converted(lines, "xes"))

    shown = values(trace)["concept:name"]
    assert shown.startswith("\\x1b[31m<b>&\"'\\r\\n::error::")
    assert "\\ufffe" in shown
    assert values(trace.findall("event")[0])["org:resource"] == shown


def test_texts_are_told_on_demand_only() -> None:
    [trace] = traces(converted(COLD, "xes", include_text=True))

    assert values(trace.findall("event")[0])["text"] == "Hello"


def test_an_empty_log_is_a_log() -> None:
    assert traces(converted([], "xes")) == []


UNTIMED = "c-00054"
"""The conversation of the sample that has an event without a time."""


def test_the_sample_keeps_to_the_schema() -> None:
    exported = traces(converted(SAMPLE.read_bytes().splitlines(), "xes"))

    reports = [
        report
        for report in current_reports(segue.replay(SAMPLE))
        if report.conversation_id not in {None, UNTIMED}
    ]
    assert [values(trace)["concept:name"] for trace in exported] == [
        report.conversation_id for report in reports
    ]
    for trace, report in zip(exported, reports, strict=True):
        names = [values(event)["concept:name"] for event in trace.findall("event")]
        kinds = {moment.kind.value for moment in report.timeline}
        assert [name for name in names if name in kinds] == [
            moment.kind.value for moment in report.timeline
        ]
        messages = sum(name.endswith("message") for name in names)
        assert messages == report.metrics.messages


def test_the_schema_notices_what_is_wrong() -> None:
    document = converted(COLD, "xes")

    assert not SCHEMA.is_valid(document.replace("<date key", "<time key"))
    assert not SCHEMA.is_valid(document.replace("09:00:10.000000Z", "nine"))
