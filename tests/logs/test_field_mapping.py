"""Pointers into other people's lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.logs.story import CLEAN, all_told, body, jsonl, lines, told

from segue.errors import ConfigurationError
from segue.logs import FieldMapping, replay

LAYOUT = FieldMapping(body_at="/payload", time_at="/ts")


def wrapped(value: Any, **others: Any) -> dict[str, Any]:
    return {"payload": value, **others}


def test_a_body_is_found_where_the_layout_says() -> None:
    log = [wrapped(line, ts=f"2026-03-02T09:00:0{n}Z") for n, line in enumerate(lines(*CLEAN))]
    (report,) = replay(log, field_mapping=LAYOUT)
    assert report.clean
    assert report.metrics.duration is not None
    assert report.metrics.duration.total_seconds() == 3


def test_lines_of_bytes_and_text_are_laid_out_like_mappings() -> None:
    log = [wrapped(line) for line in lines(*CLEAN)]
    for source in (log, [json.dumps(line) for line in log], jsonl(log).splitlines()):
        assert all_told(source, field_mapping=LAYOUT) == [("c-1", False, [])]


def test_a_body_may_be_json_text() -> None:
    log = [wrapped(json.dumps(line)) for line in lines(*CLEAN)]
    assert all_told(log, field_mapping=LAYOUT) == [("c-1", False, [])]


def test_the_line_itself_is_the_body_unless_the_layout_says_otherwise() -> None:
    log = [line | {"ts": 1772445600 + n} for n, line in enumerate(lines(*CLEAN))]
    (report,) = replay(log, field_mapping=FieldMapping(time_at="/ts"))
    assert report.clean
    assert report.metrics.duration is not None


def test_ids_and_the_endpoint_are_found_too() -> None:
    field_mapping = FieldMapping(
        body_at="/record/0",
        bot_at="/bot",
        conversation_at="/call~1id",
        delivery_at="/~0id",
        endpoint_at="/to",
    )
    entry = body("NA entry a-1")
    del entry["conversationId"], entry["botId"]
    shared = {"bot": "b-1", "call/id": "c-9", "~id": "d-1"}
    start = {"action": "start", "agentId": "a-1"}
    log = [
        {"record": [entry], **shared},
        {"record": [entry], **shared},
        {"record": [start], **shared, "to": "transcription"},
    ]
    (report,) = replay(log, field_mapping=field_mapping, partial="end")
    assert report.conversation_id == "c-9"
    assert report.bot_id == "b-1"
    assert report.events == 1
    assert report.transcription["state"] == "active"


@pytest.mark.parametrize("line", [{}, {"payload": None}, {"other": {}}])
def test_a_line_without_a_body_is_a_finding_that_says_where_it_was_sought(line: Any) -> None:
    (report,) = replay([line], field_mapping=LAYOUT)
    (finding,) = report.findings
    assert finding.code == "SG501"
    assert finding.place.line == 1
    assert "no body at /payload" in finding.message


def test_a_line_without_a_body_belongs_to_the_conversation_its_layout_names() -> None:
    field_mapping = FieldMapping(body_at="/payload", conversation_at="/id")
    (report,) = replay([{"id": "c-1"}], field_mapping=field_mapping)
    assert report.conversation_id == "c-1"
    assert told(report) == ["SG501 event 0"]


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"payload":1}', b"\xff", 7])
def test_an_unreadable_line_of_another_form_is_a_finding(line: object) -> None:
    assert all_told([line], field_mapping=LAYOUT) == [(None, False, ["SG501"])]


def test_a_time_of_another_type_is_a_finding() -> None:
    (report,) = replay([wrapped(body("NA entry a-1"), ts={})], field_mapping=LAYOUT, partial="end")
    assert told(report) == ["SG509 event 0"]


DOCUMENT = {
    "": "empty key",
    "a/b": "slash",
    "m~n": "tilde",
    "~1": "escaped twice",
    "list": ["zero", {"deep": "one"}],
    "01": "digits",
    "é": "accent",
    "text": "abc",
}


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", DOCUMENT),
        ("/", "empty key"),
        ("/a~1b", "slash"),
        ("/m~0n", "tilde"),
        ("/~01", "escaped twice"),
        ("/list/0", "zero"),
        ("/list/1/deep", "one"),
        ("/01", "digits"),
        ("/é", "accent"),
        ("/list/2", None),
        ("/list/-", None),
        ("/list/-1", None),
        ("/list/01", None),
        ("/list/+1", None),
        ("/list/ 1", None),
        ("/list/\N{ARABIC-INDIC DIGIT ONE}", None),
        ("/list/deep", None),
        ("/list/" + "9" * 5000, None),
        ("/text/0", None),
        ("/nothing/at/all", None),
    ],
)
def test_pointers_are_followed_as_rfc_6901_says(pointer: str, found: object) -> None:
    assert FieldMapping(body_at=pointer).envelope(DOCUMENT) == {"body": found}


@pytest.mark.parametrize("pointer", ["payload", "payload/0", "$.payload", "/a~", "/a~2b", 5, b"/a"])
@pytest.mark.parametrize(
    "name", ["body_at", "time_at", "bot_at", "conversation_at", "delivery_at", "endpoint_at"]
)
def test_what_is_no_pointer_is_refused_with_a_word_on_how_to_write_one(
    name: str,
    pointer: Any,
) -> None:
    with pytest.raises(ConfigurationError, match=f"{name} must be a JSON Pointer such as /payload"):
        FieldMapping(**{name: pointer})


def test_a_layout_has_a_body() -> None:
    with pytest.raises(ConfigurationError, match="body_at"):
        FieldMapping(body_at=None)  # type: ignore[arg-type]


def test_layouts_are_values() -> None:
    assert FieldMapping(body_at="/a") == FieldMapping(body_at="/a")
    assert FieldMapping(body_at="/a") != FieldMapping(body_at="/b")
    assert "_paths" not in repr(LAYOUT)


URL = FieldMapping(body_at="/request/body", url_at="/request/url", time_at="/at")


def of_url(url: object, body: object, **others: Any) -> dict[str, Any]:
    return {"request": {"url": url, "body": body}, **others}


def test_a_url_names_endpoint_bot_and_conversation() -> None:
    call = "https://x/api/1.1/public/bot/b-1/control/transcription?conversationId=c-1"
    log = [
        of_url("/agentdesk/api/v1/hooks/b-1", told_body)
        for told_body in ({**line, "botId": None} for line in lines("NA entry a-1"))
    ]
    log.append(of_url(call, {"action": "start", "agentId": "a-1"}))
    (report,) = replay(log, field_mapping=URL, partial="end")
    assert (report.conversation_id, report.bot_id) == ("c-1", "b-1")
    assert report.transcription["state"] == "active"


def test_lines_of_other_addresses_are_left_out() -> None:
    log = [of_url("/health", {"up": True}), of_url("/agentdesk/api/v1/hooks/b-1", lines(*CLEAN)[0])]
    assert all_told(log, field_mapping=URL, partial="end") == [("c-1", False, [])]


def test_what_the_line_says_counts_more_than_its_url() -> None:
    mapping = FieldMapping("/body", bot_at="/bot", url_at="/url")
    envelope = mapping.envelope({"body": {}, "bot": "b-2", "url": "/agentdesk/api/v1/hooks/b-1"})
    assert envelope == {"body": {}, "bot_id": "b-2", "endpoint": "hooks"}


def test_a_pointer_goes_on_in_a_string_that_holds_json() -> None:
    inner = json.dumps({"payload": json.dumps(lines("NA entry a-1")[0])})
    mapping = FieldMapping(body_at="/log/payload")
    for log in ({"log": inner}, {"log": f"INFO {inner}\n"}):
        assert all_told([log], field_mapping=mapping, partial="end") == [("c-1", False, [])]
    assert all_told([{"log": "INFO"}], field_mapping=mapping) == [(None, False, ["SG501"])]


def test_an_envelope_is_read_where_no_body_is_named() -> None:
    line = {"body": lines("NA entry a-1")[0], "bot_id": "b-9", "ts": "2026-03-02T09:00:00Z"}
    envelope = FieldMapping(time_at="/ts").envelope(line)
    assert envelope == {"body": line["body"], "bot_id": "b-9", "received_at": line["ts"]}


def test_the_members_of_an_envelope_stand_in_one_order() -> None:
    names = ["endpoint", "delivery_id", "conversation_id", "bot_id", "received_at", "body"]
    envelope = FieldMapping(time_at="/ts").envelope(dict.fromkeys(names, "x"))
    assert envelope is not None
    assert list(envelope) == names[::-1]


def test_lines_of_text_are_envelopes() -> None:
    told_lines = [json.dumps(line) for line in lines(*CLEAN)]
    log = [f"2026-03-02T09:00:0{n}Z app: {line}" for n, line in enumerate(told_lines)]
    log.insert(2, "2026-03-02T09:00:02Z app: nothing to see")
    (report,) = replay(log, field_mapping=FieldMapping(lines="text"))
    assert report.clean
    assert report.metrics.duration is not None
    broken = [*log, 'INFO {"conversationId": "c-1"']
    assert all_told(broken, field_mapping=FieldMapping(lines="text"))[-1] == (
        None,
        False,
        ["SG501"],
    )


def test_lines_have_a_known_form() -> None:
    with pytest.raises(
        ConfigurationError, match="`lines` must be one of json, text, csv, docker, got 'xml'"
    ):
        FieldMapping(lines="xml")  # type: ignore[arg-type]
