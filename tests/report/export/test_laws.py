"""What holds for the export of every conversation."""

import json
import re
from typing import Any

import xmlschema
from hypothesis import given, strategies as st
from jsonschema import Draft7Validator, FormatChecker
from tests.report.export.story import DATA, converted, schema
from tests.report.export.test_otlp import read
from tests.report.export.test_vcon import check_references

import segue
from segue.core.conversation.current import current_reports
from segue.report.export import FORMATS
from segue.testing import conversations, event_logs

SCHEMAS = {
    name: Draft7Validator(schema(name), format_checker=FormatChecker())
    for name in ("vcon_json_schema.json", "cc_json_schema.json", "ocel20.json")
}
XES = xmlschema.XMLSchema(DATA / "xes.xsd")


@given(conversations())
def test_every_conversation_with_times_is_told_and_keeps_to_the_schemas(lines: list[Any]) -> None:
    """With a time in every line, no format refuses, and each document is what its schema says."""
    exported = {to: "".join(segue.convert(lines, to)) for to in FORMATS}

    for line in exported["vcon"].splitlines():
        vcon = json.loads(line)
        SCHEMAS["vcon_json_schema.json"].validate(vcon)
        SCHEMAS["cc_json_schema.json"].validate(vcon)
        check_references(vcon)
    SCHEMAS["ocel20.json"].validate(json.loads(exported["ocel"]))
    XES.validate(exported["xes"])
    for line in exported["otlp"].splitlines():
        for span in read(line).resource_spans[0].scope_spans[0].spans:
            assert span.start_time_unix_nano <= span.end_time_unix_nano
    trace = json.loads(exported["trace"])["traceEvents"]
    assert all(each["dur"] >= 0 for each in trace if each["ph"] == "X")


@given(conversations())
def test_every_export_counts_the_same_transfers(lines: list[Any]) -> None:
    reports = list(current_reports(segue.replay(lines)))
    taken = [row for report in reports for row in report.transfers if row.taken]
    metrics = [report.metrics for report in reports]
    exported = {to: "".join(segue.convert(lines, to)) for to in ("vcon", "trace", "otlp", "ocel")}
    vcons = [json.loads(line) for line in exported["vcon"].splitlines()]
    spans = [
        span
        for line in exported["otlp"].splitlines()
        for span in json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ]
    follows = [
        relation
        for each in json.loads(exported["ocel"])["objects"]
        for relation in each["relationships"]
        if relation["qualifier"] == "follows"
    ]
    arrows = [each for each in json.loads(exported["trace"])["traceEvents"] if each["ph"] == "s"]

    assert sum(each.transfers_cold + each.transfers_warm for each in metrics) == len(taken)
    dialogs = [dialog["type"] for each in vcons for dialog in each["dialog"]]
    assert dialogs.count("transfer") == len(taken)
    assert len(arrows) == len(taken)
    assert sum(len(span.get("links", ())) for span in spans) == len(taken)
    known = {
        (number, row.from_segment, row.to_segment)
        for number, report in enumerate(reports)
        for row in report.transfers
        if row.taken and None not in (row.from_segment, row.to_segment)
    }
    assert len(follows) == len(known)


@given(conversations())
def test_times_for_process_mining_ascend(lines: list[Any]) -> None:
    """Tools that sort by time keep the events of one delivery in order."""
    exported = json.loads("".join(segue.convert(lines, "ocel")))["events"]
    traces = re.findall("<trace>.*?</trace>", "".join(segue.convert(lines, "xes")), re.DOTALL)
    by_conversation: dict[str, list[str]] = {}
    for event in exported:
        name = next(
            each["objectId"] for each in event["relationships"] if each["qualifier"] == "of"
        )
        by_conversation.setdefault(name, []).append(event["time"])
    in_traces = [re.findall('"time:timestamp" value="([^"]*)"', trace) for trace in traces]

    for times in [*by_conversation.values(), *in_traces]:
        assert times == sorted(set(times))
    assert sorted(by_conversation.values()) == sorted(in_traces)


@given(conversations(), st.data())
def test_a_missing_time_is_the_only_reason_to_refuse(lines: list[Any], data: st.DataObject) -> None:
    """Where a line has no time, a format tells the conversation, or names what has none."""
    bare = data.draw(st.sets(st.integers(0, max(len(lines) - 1, 0))))
    cut = [
        {key: value for key, value in line.items() if key != "received_at" or index not in bare}
        for index, line in enumerate(lines)
    ]

    for to in FORMATS:
        reasons: list[str] = []
        list(segue.convert(cut, to, left_out=lambda _, why, to_=reasons: to_.append(why)))  # type: ignore[misc]
        assert all(reason.startswith(f"{to} needs times, but ") for reason in reasons)
        assert not reasons or bare


@given(st.data(), st.sampled_from(["vcon", "otlp", "xes", "segments"]))
def test_conversations_are_told_as_if_alone(data: st.DataObject, to: str) -> None:
    """In whatever way conversations are mixed, each of them is exported in the same bytes."""
    exported = [data.draw(conversations(conversation_id=name)) for name in ("c-1", "c-2")]
    owners = [number for number, lines in enumerate(exported) for _ in lines]
    rests = [iter(lines) for lines in exported]
    mixed = [next(rests[number]) for number in data.draw(st.permutations(owners))]

    together = _parts(converted(mixed, to, key="bot"), to)

    alone = [part for lines in exported for part in _parts(converted(lines, to, key="bot"), to)]
    assert sorted(together) == sorted(alone)


def _parts(exported: str, to: str) -> list[str]:
    """What a document says of each conversation."""
    if to == "xes":
        return re.findall("<trace>.*?</trace>", exported, re.DOTALL)
    if to == "segments":
        return [json.dumps(each) for each in json.loads(exported)["data"]]
    return exported.splitlines()


@given(event_logs(), st.sampled_from(list(FORMATS)))
def test_an_export_is_the_same_for_the_same_log(lines: list[str], to: str) -> None:
    """Twice the same log is twice the same bytes, whether its lines are text or values."""
    assert converted(map(json.loads, lines), to) == converted(lines, to)


@given(event_logs())
def test_segments_reconcile_with_the_reports(lines: list[str]) -> None:
    """Every segment of every report is exported, with its agent, its start and its end."""
    rows = json.loads(converted(lines, "segments"))["data"]

    assert [
        (row["conversationID"], row["agent"]["agentId"], row["segmentEndTime"] is None)
        for row in rows
    ] == [
        (report.conversation_id, each.agent, each.connections[-1].ended_at is None)
        for report in current_reports(segue.replay(lines))
        for each in report.segments
    ]
    assert len({row["segmentID"] for row in rows}) == len(rows)
