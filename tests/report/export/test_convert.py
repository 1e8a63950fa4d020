"""The public function, conversations that cannot be written, and what no export contains."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.report.export.story import COLD, DAY, REDIAL, SAMPLE, converted, objects, timed
from tests.report.hostile import HOSTILE, SECRET, hostile
from tests.report.story import line, log

import segue
from segue.report.export import FORMATS

TIMED = [each for each in FORMATS if each != "segments"]


@pytest.mark.parametrize("to", FORMATS)
def test_a_log_may_be_a_path_lines_or_mappings(to: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{each}\n" for each in COLD), "utf-8")

    exported = converted(COLD, to)

    assert "".join(segue.convert(path, to)) == exported
    assert "".join(segue.convert(str(path), to)) == exported
    assert "".join(segue.convert([path], to, jobs=2)) == exported
    assert converted(map(json.loads, COLD), to) == exported


@pytest.mark.parametrize("to", FORMATS)
def test_reports_have_forgotten_what_was_said(to: str) -> None:
    [report] = segue.replay(REDIAL)

    assert "".join(segue.convert(report, to)) == converted(REDIAL, to)
    assert converted(segue.replay(REDIAL), to) == converted(REDIAL, to)
    assert converted([report], to) == converted(REDIAL, to)
    assert "message" in converted(COLD, to) or to in {"segments", "vcon"}


def test_reports_tell_lifecycle_events_only() -> None:
    exported = json.loads(converted(segue.replay(COLD), "ocel"))["events"]

    assert [each["type"] for each in exported] == [
        "NA entry",
        "COLD exit",
        "COLD entry",
        "NA exit",
        "END_OF_CONVERSATION",
    ]


def test_an_unknown_format_is_refused_at_once() -> None:
    with pytest.raises(
        segue.ConfigurationError, match=r"`to` must be one of vcon, xes, .*, got 'csv'"
    ):
        segue.convert(COLD, "csv")


@pytest.mark.parametrize("source", [b"{}", {}, 7])
def test_what_is_no_log_is_refused_at_once(source: object) -> None:
    with pytest.raises(
        segue.ConfigurationError, match="a log must be a path or an iterable of lines"
    ):
        segue.convert(source, "xes")  # type: ignore[arg-type]


def test_options_of_reading_that_cannot_be_meant_are_refused_at_once() -> None:
    with pytest.raises(segue.ConfigurationError, match="`sort` must be"):
        segue.convert(COLD, "xes", sort="size")


def test_options_of_reading_count() -> None:
    lines = [*COLD, *timed("09:00:00 NA entry a-1", conversation="c-2")]

    [only] = objects(converted(lines, "vcon", conversations=("c-2",), partial="end"))

    assert only["dialog"][0]["interaction_id"] == "c-2"
    assert only["analysis"][0]["body"]["findings"] == []


@pytest.mark.parametrize("to", TIMED)
def test_a_conversation_without_times_is_refused(to: str) -> None:
    lines = log("NA entry a-1", "NA exit a-1", "END")

    expected = (
        f"conversation 'c-1' cannot be written: {to} needs times, but event 0 .NA entry. has none"
    )
    with pytest.raises(segue.ConfigurationError, match=expected):
        list(segue.convert(lines, to))


@pytest.mark.parametrize("to", FORMATS)
def test_it_is_left_out_for_whoever_wants_to_hear_of_it(to: str) -> None:
    left: list[tuple[str, str]] = []
    lines = [*log("NA entry a-1", "END", conversation="c-9"), *COLD]

    exported = "".join(segue.convert(lines, to, left_out=lambda *each: left.append(each)))

    assert left == [("c-9", f"{to} needs times, but event 0 (NA entry) has none")]
    assert exported == converted(COLD, to)


@pytest.mark.parametrize("to", TIMED)
@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        (line("user message"), "event 1 (user message) has none"),
        (line("start a-1"), "transcription action 0 (start) has none"),
        (
            '{"endpoint": "notifications", "body": {"conversationId": "c-1", "status": "failed"}}',
            "call notification 0 (call failed) has none",
        ),
    ],
)
def test_messages_and_actions_need_times_as_well(to: str, missing: str, reason: str) -> None:
    left: list[str] = []
    lines = [REDIAL[0], missing, *REDIAL[1:]]

    list(segue.convert(lines, to, left_out=lambda _, why: left.append(why)))

    assert left == [f"{to} needs times, but {reason}"]
    assert json.loads(converted(lines, "segments"))["numResults"] == 1


@pytest.mark.parametrize("to", TIMED)
@pytest.mark.parametrize("year", ["1969", "2554"])
def test_times_that_no_receipt_has_are_refused(to: str, year: str) -> None:
    left: list[str] = []
    lines = [each.replace(DAY, f"{year}-03-02T") for each in REDIAL]

    list(segue.convert(lines, to, left_out=lambda _, why: left.append(why)))

    assert left == [f"{to} needs times from 1970 to 2553, but the conversation has others"]


@pytest.mark.parametrize("to", TIMED)
def test_a_conversation_of_nothing_that_can_be_placed_is_refused(to: str) -> None:
    [report] = segue.replay([json.dumps({"conversationId": "c-1", "botId": "b", "events": [{}]})])

    with pytest.raises(segue.ConfigurationError, match="no event or action has one"):
        list(segue.convert(report, to))


def test_a_conversation_without_a_bot_has_none() -> None:
    lines = [each.replace('"botId": "st-1"', '"other": 1') for each in COLD]

    [vcon] = objects(converted(lines, "vcon"))
    [request] = objects(converted(lines, "otlp"))
    trace = json.loads(converted(lines, "trace"))["traceEvents"]

    assert [party.get("type") for party in vcon["parties"]] == ["person", "person", "person"]
    assert vcon["dialog"][0]["parties"] == [0, 1]
    [service] = request["resourceSpans"][0]["resource"]["attributes"]
    assert service["value"] == {"stringValue": "unknown_service"}
    assert "process_labels" not in {each["name"] for each in trace}


def test_times_never_run_backwards() -> None:
    lines = timed(
        "09:00:00 NA entry a-1",
        "09:05:00 user message",
        "09:01:00 agent message a-1",
        "09:04:00 NA exit a-1",
        "09:03:00 END",
    )

    exported = json.loads(converted(lines, "ocel"))["events"]

    assert [each["id"][-1] for each in exported] == ["0", "1", "2", "3", "4"]
    # 09:01 tells that 09:05 is ahead, and 09:03 that 09:04 is.
    assert [each["time"][11:19] for each in exported] == [
        "09:00:00", "09:01:00", "09:01:00", "09:03:00", "09:03:00",
    ]  # fmt: skip


def test_what_came_too_early_does_not_make_a_conversation_longer() -> None:
    lines = [*COLD[:3], *timed("08:00:00 user message"), *COLD[3:]]

    [request] = objects(converted(lines, "otlp"))

    [root, *_] = request["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert int(root["endTimeUnixNano"]) - int(root["startTimeUnixNano"]) == 130 * 10**9


def test_what_cannot_be_placed_has_a_time_all_the_same() -> None:
    body = {"conversationId": "c-1", "botId": "st-1", "events": [{}]}
    lines = [json.dumps({"received_at": f"{DAY}09:00:00Z", "body": body})]

    [vcon] = objects(converted(lines, "vcon"))

    assert vcon["created_at"] == f"{DAY}09:00:00.000000Z"
    assert vcon["dialog"] == []
    assert vcon["analysis"][0]["body"]["findings"]


def test_an_agent_in_another_spelling_is_the_same_agent() -> None:
    lines = timed("09:00:00 NA entry a-1", "09:01:00 agent message A-1", "09:02:00 NA exit A-1")

    exported = json.loads(converted(lines, "ocel"))

    assert {each["id"] for each in exported["objects"] if each["type"] == "agent"} == {"agent/a-1"}


def test_a_delivery_that_comes_twice_is_told_once() -> None:
    twice = [
        json.dumps(json.loads(each) | {"delivery_id": str(number)})
        for number, each in enumerate(COLD)
        for _ in range(2)
    ]

    for to in FORMATS:
        assert converted(twice, to) == converted(COLD, to)


def test_findings_after_the_end_are_told_within_the_window() -> None:
    late = [*COLD, line("user message", at="09:30:00"), line("NA entry a-1", at="09:31:00")]

    for to in FORMATS:
        assert converted(late, to, window=0) == converted(COLD, to)
    (whole,) = map(json.loads, converted(late, "vcon").splitlines())
    (usual,) = map(json.loads, converted(COLD, "vcon").splitlines())
    assert (whole["uuid"], whole["dialog"]) == (usual["uuid"], usual["dialog"])
    findings = [each["code"] for each in whole["analysis"][0]["body"]["findings"]]
    assert findings == ["SG110"]


def test_what_belongs_to_no_conversation_is_not_told() -> None:
    for to in FORMATS:
        assert converted(["{", *COLD, '"x"'], to) == converted(COLD, to)


@pytest.mark.parametrize("to", FORMATS)
def test_no_text_of_a_conversation_is_in_an_export(to: str) -> None:
    lines = [
        json.dumps({"received_at": f"{DAY}09:00:0{number}Z", "body": json.loads(each)})
        for number, each in enumerate(hostile()[:-1])
    ]

    exported = converted(lines, to)

    assert exported.isascii() or to == "xes"
    assert SECRET not in exported
    assert not any(each in exported for each in HOSTILE)
    shown = converted(lines, to, include_text=True)
    assert (SECRET in shown) is (to != "segments")


@pytest.mark.parametrize("to", FORMATS)
def test_no_mail_address_and_no_other_custom_field_is_in_an_export(to: str) -> None:
    fields = {"agentEmail": "ada@example.org", "queueId": "qu-1", "tier": "gold"}
    who = {"identity": "a-1", "name": "Ada", "type": "agent", "customFields": fields}
    lines = [line("NA entry a-1", at="09:00:00", participant=who), *REDIAL[1:]]

    exported = converted(lines, to, include_text=True)

    assert "a-1" in exported
    assert not any(each in exported for each in ("ada@", "gold", "tier"))


@pytest.mark.parametrize("to", FORMATS)
def test_names_in_any_script_are_what_they_were(to: str) -> None:
    lines = [each.replace("a-1", "\N{GRINNING FACE} Zoë") for each in COLD]

    exported = converted(lines, to)

    shown = (
        exported if to == "xes" else str([json.loads(each) for each in _documents(exported, to)])
    )
    assert "\N{GRINNING FACE} Zoë" in shown


def _documents(exported: str, to: str) -> list[str]:
    return exported.splitlines() if to in {"vcon", "otlp"} else [exported]


def test_the_same_log_is_the_same_bytes_whatever_the_machine() -> None:
    program = (
        "import hashlib, segue, sys\n"
        "for to in ('vcon', 'xes', 'ocel', 'trace', 'otlp', 'segments'):\n"
        "    exported = ''.join(segue.convert(sys.argv[1], to, left_out=lambda *_: None))\n"
        "    print(to, hashlib.sha256(exported.encode()).hexdigest())\n"
    )
    exported = {
        subprocess.run(
            [sys.executable, "-c", program, str(SAMPLE)],
            env=os.environ | given,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for given in (
            {"PYTHONHASHSEED": "1", "TZ": "Asia/Kolkata", "LC_ALL": "C"},
            {"PYTHONHASHSEED": "2", "TZ": "America/New_York", "LC_ALL": "C.UTF-8"},
        )
    }

    assert len(exported) == 1
    assert len(exported.pop().splitlines()) == 6


def test_it_is_written_as_it_comes() -> None:
    def lines() -> Iterator[str]:
        yield from COLD
        raise ZeroDivisionError

    pieces = segue.convert(lines(), "vcon", window=0)

    assert next(pieces).startswith('{"vcon"')
    with pytest.raises(ZeroDivisionError):
        next(pieces)
