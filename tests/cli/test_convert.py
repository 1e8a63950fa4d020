"""Logs of other layouts and platforms are written as envelopes, and read alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.cli.command import Segue, Write
from tests.cli.layouts import LAYOUTS, Layout, deliveries
from tests.logs.test_conversion import CONNECT, GENESYS, QUEUE_LOG, TWILIO, line_of

PLATFORMS: dict[str, Sequence[object]] = {
    "genesys": GENESYS,
    "connect": CONNECT,
    "twilio": TWILIO,
    "queue_log": QUEUE_LOG.splitlines(),
}


@pytest.mark.parametrize("layout", LAYOUTS, ids=[each.name for each in LAYOUTS])
def test_every_layout_is_written_as_lines(
    segue: Segue, write: Write, tmp_path: Path, layout: Layout
) -> None:
    logs = [str(path) for path in layout.write(tmp_path, deliveries())]

    done = segue("convert", *logs)

    assert done.code == 0
    assert done.err.splitlines()[-1].startswith("segue: 8 lines written")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [each["body"]["events"] for each in found] == [
        one.body["events"] for one in deliveries()
    ]
    assert segue("check", "--format", "concise", str(write("w.jsonl", done.out))).err == ""


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_platform_is_told_or_recognised(segue: Segue, write: Write, platform: str) -> None:
    log = str(write("x.log", [line_of(each) for each in PLATFORMS[platform]]))

    alone, told = segue("check", log), segue("check", log, "--from", platform)

    assert alone.err == f"segue: {log} is read with --from {platform}\n"
    assert (told.code, told.err) == (0, "")
    assert alone.out == told.out
    assert "1 conversation" in told.out
    assert segue("check", log, "--severity", "SG502=error").code == 1
    done = segue("convert", "--from", platform, log)
    assert done.code == 0
    same = segue("check", "--severity", "SG502=note", str(write("y.log", done.out)))
    assert same.out.partition("── findings by")[0].count("error[") == 0
    assert same.code == 0


@pytest.mark.parametrize(
    ("platform", "lines", "key"),
    [
        ("genesys", [each["eventBody"] for each in GENESYS], "topicName"),
        ("connect", [each["detail"] for each in CONNECT], "detail"),
    ],
)
def test_parts_of_events_are_refused_by_their_name(
    segue: Segue, write: Write, platform: str, lines: list[object], key: str
) -> None:
    """A body without the name of its event does not say what happened."""
    log = str(write("x.log", [*map(json.dumps, lines)]))

    done = segue("check", log)

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"segue: {log} cannot be read: its lines are parts of {platform} events: log the whole "
        f"events, with {key}, so that --from {platform} reads them\n"
    )
    assert segue("check", "--from", platform, log).code == 2


def test_converted_events_are_in_the_order_of_their_times(segue: Segue, write: Write) -> None:
    log = str(write("x.log", [*map(json.dumps, reversed(CONNECT)), "{"]))

    done = segue("convert", "--from", "connect", log)

    lines = done.out.splitlines()
    assert done.code == 1
    named, counts = done.err.splitlines()
    assert named == f"segue: {log} is not written: cut off"
    assert counts.startswith("segue: 4 lines written")
    assert counts.endswith("1 could not be read")
    times = [json.loads(line)["received_at"] for line in lines]
    seconds = [5, 25, 30, 50]
    assert times == [f"2026-03-02T08:00:{second:02}+00:00" for second in seconds]


@pytest.mark.parametrize("options", [(), ("--from", "connect"), ("--from", "queue_log")])
def test_blank_lines_are_not_counted(segue: Segue, write: Write, options: Sequence[str]) -> None:
    """A call in queue_log is told by three lines, the second of which has no effect."""
    lines = {
        (): ['{"conversationId": "c", "botId": "b", "events": []}'],
        ("--from", "connect"): [json.dumps(each) for each in CONNECT],
        ("--from", "queue_log"): [
            f"1772438400|c|q|{each}|1|2|3"
            for each in ("NONE|ENTERQUEUE", "SIP/a|RINGNOANSWER", "NONE|ABANDON")
        ],
    }[tuple(options)]
    counts = {(): (1, 0), ("--from", "connect"): (4, 5), ("--from", "queue_log"): (1, 2)}
    spaced = [text for line in lines for text in (line, "", "  ")]

    done = segue("convert", *options, str(write("x.log", spaced)))

    written, left_out = counts[tuple(options)]
    lines_word = "line" if written == 1 else "lines"
    assert done.err == f"segue: {written} {lines_word} written, {left_out} left out\n"


def test_a_pointer_to_conversations_leads_into_events(segue: Segue, write: Write) -> None:
    log = str(write("x.log", [json.dumps(each) for each in TWILIO]))
    told = ("--from", "twilio", "--conversation-at", "/AccountSid", "--format", "jsonl")
    assert '"conversation_id":"AC1"' in segue("check", *told, log).out.replace(": ", ":")


def test_events_that_mean_nothing_are_refused(segue: Segue, write: Write) -> None:
    log = str(write("x.log", ['{"detail": {"eventType": "COMPLETED", "contactId": "c-1"}}']))
    done = segue("check", "--from", "connect", log)
    assert done.code == 2
    assert "no line is a connect event that can be converted" in done.err
    assert segue("convert", "--from", "connect", log).code == 2


def test_a_log_of_deliveries_has_no_events_of_another_platform(segue: Segue, write: Write) -> None:
    log = str(write("x.log", [*(one.text for one in deliveries()), "{"]))

    for command in ("check", "convert"):
        assert segue(command, "--from", "twilio", log) == (
            2,
            "",
            f"segue: {log} cannot be read: no line is an event of twilio\n",
        )


BODY = {"conversationId": "c", "botId": "b", "events": []}


def converted(segue: Segue, write: Write, *lines: str, options: Sequence[str] = ()) -> list[object]:
    """Return the envelopes of lines that can all be read."""
    done = segue("convert", *options, str(write("u.jsonl", [*lines])))
    assert (done.code, done.err) == (0, f"segue: {len(lines)} lines written, 0 left out\n")
    return [json.loads(line) for line in done.out.splitlines()]


def test_every_line_is_an_envelope_with_its_body_as_an_object(segue: Segue, write: Write) -> None:
    text, action = json.dumps(BODY), {"action": "end", "agentId": "a"}
    lines = [
        text,
        json.dumps({"body": text, "delivery_id": "7", "mine": 1}),
        json.dumps({"body": action, "endpoint": "transcription", "conversation_id": "c"}),
        json.dumps({"body": ["x"], "endpoint": "transfers", "bot_id": "b", "asked_at": ""}),
    ]

    assert converted(segue, write, *lines) == [
        {"body": BODY},
        {"delivery_id": "7", "body": BODY},
        {"endpoint": "transcription", "conversation_id": "c", "body": action},
        {"endpoint": "transfers", "bot_id": "b", "asked_at": "", "body": ["x"]},
    ]


def test_times_are_written_with_their_zone(segue: Segue, write: Write) -> None:
    times = 1772438400, "2026-03-02 09:00:00", "03.02.2026 09:00"
    lines = [json.dumps({"received_at": at, "body": BODY}) for at in times]
    options = "--time-zone", "Europe/Berlin", "--time-format", "%m.%d.%Y %H:%M"

    found = converted(segue, write, *lines, options=options)

    assert [each["received_at"] for each in found if isinstance(each, dict)] == [
        "2026-03-02T08:00:00+00:00",
        "2026-03-02T09:00:00+01:00",
        "2026-03-02T09:00:00+01:00",
    ]


def test_lines_that_cannot_be_read_are_told_and_not_written(segue: Segue, write: Write) -> None:
    body = json.dumps(BODY)
    lines = [
        *(body, '{"a', body.replace("[]", '[], "x": 1e999'), "[]"),
        json.dumps({"received_at": "soon", "body": BODY}),
        f'{{"a":"{"x" * (17 << 20)}"}}',
    ]
    log = str(write("u.jsonl", lines))

    done = segue("convert", log)

    assert done.code == 1
    assert [json.loads(line) for line in done.out.splitlines()] == [{"body": BODY}] * 2
    assert done.err.splitlines() == [
        f"segue: line 2 of {log} is not written: cut off",
        f"segue: line 3 of {log} is not written: a number in it is too large",
        f"segue: line 4 of {log} is not written: not an object",
        f"segue: line 5 of {log} is written without its time, which cannot be read",
        f"segue: line 6 of {log} is not written: larger than 16 MiB",
        "segue: 2 lines written, 0 left out, 5 could not be read",
    ]


def test_ten_lines_of_a_log_are_named_and_the_others_counted(segue: Segue, write: Write) -> None:
    log = str(write("u.jsonl", [json.dumps(BODY), *["{"] * 12]))

    done = segue("convert", "-q", log)

    assert done.code == 1
    *named, others = done.err.splitlines()
    assert named == [f"segue: line {n} of {log} is not written: cut off" for n in range(2, 12)]
    assert others == f"segue: {log}: 2 more lines could not be read"


def test_convert_counts_what_it_leaves_out(segue: Segue, write: Write) -> None:
    log = str(write("x.log", ["INFO up", *(f"got {one.text}" for one in deliveries()), 'x {"a']))
    done = segue("convert", log)
    assert done.err.splitlines()[-2:] == [
        f"segue: line 10 of {log} is not written: cut off",
        "segue: 8 lines written, 1 left out, 1 could not be read",
    ]
    assert done.code == 1
    quiet = segue("convert", "-q", "--lines", "text", log)
    assert quiet.err == f"segue: line 10 of {log} is not written: cut off\n"
    assert segue("convert", str(write("empty.log", ""))).code == 2
