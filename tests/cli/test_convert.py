"""Logs of other layouts and platforms are written as envelopes, and read alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import Segue, Write
from tests.cli.layouts import LAYOUTS, Layout, deliveries
from tests.logs.test_conversion import CONNECT, GENESYS, TWILIO

PLATFORMS = {"genesys": GENESYS, "connect": CONNECT, "twilio": TWILIO}


@pytest.mark.parametrize("layout", LAYOUTS, ids=[each.name for each in LAYOUTS])
def test_every_layout_is_written_as_lines(
    segue: Segue, write: Write, tmp_path: Path, layout: Layout
) -> None:
    logs = [str(path) for path in layout.write(tmp_path, deliveries())]

    done = segue("convert", *logs)

    assert done.code == 0
    assert done.err.splitlines()[-1].startswith("segue: 8 lines written")
    found = [json.loads(line) for line in done.out.splitlines()]
    bodies = [each.get("body", each) for each in found]
    bodies = [json.loads(each) if isinstance(each, str) else each for each in bodies]
    assert [each["events"] for each in bodies] == [one.body["events"] for one in deliveries()]
    assert segue("check", "--format", "concise", str(write("w.jsonl", done.out))).err == ""


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_platform_is_told_or_recognised(segue: Segue, write: Write, platform: str) -> None:
    log = str(write("x.log", [json.dumps(each) for each in PLATFORMS[platform]]))

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


def test_converted_events_are_in_the_order_of_their_times(segue: Segue, write: Write) -> None:
    """A line without a time stays after the line before it."""
    log = str(write("x.log", [*map(json.dumps, reversed(CONNECT)), "{"]))

    done = segue("convert", "--from", "connect", log)

    lines = done.out.splitlines()
    assert lines.pop(1) == "{"
    times = [json.loads(line)["received_at"] for line in lines]
    seconds = [5, 25, 30, 50]
    assert times == [f"2026-03-02T08:00:{second:02}+00:00" for second in seconds]


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


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_lines_that_are_no_deliveries_keep_their_bytes(tmp_path: Path, encoding: str) -> None:
    """Not UTF-8, blanks and a carriage return at the end, and what the output cannot encode."""
    delivery = b'{"conversationId":"c","botId":"b","events":[]}'
    lines = [b'\xff{"a":1}\n', delivery + b" \t\r\n", b"{\x00\n", "ü\xa0\n".encode(), delivery]
    (tmp_path / "u.jsonl").write_bytes(b"".join(lines))

    done = subprocess.run(
        [sys.executable, "-m", "segue", "convert", str(tmp_path / "u.jsonl")],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"segue: 5 lines written, 0 left out\n")
    assert done.stdout == b"".join(lines) + b"\n"


def test_a_line_that_is_not_read_whole_is_not_written(segue: Segue, write: Write) -> None:
    delivery = '{"conversationId":"c","botId":"b","events":[]}'
    log = str(write("u.jsonl", [delivery, f'{{"a":"{"x" * (17 << 20)}"}}', delivery]))

    done = segue("convert", log)

    said = f"segue: line 2 of {log} is larger than 16 MiB and cannot be written again\n"
    assert done == (2, f"{delivery}\n", said)


def test_a_value_that_is_not_read_whole_is_not_written(segue: Segue, write: Write) -> None:
    delivery = '{"conversationId":"c","botId":"b","events":[]}'
    log = str(write("u.json", [f'[{delivery}, {{"a":"{"x" * (17 << 20)}"}}, {delivery}]']))

    done = segue("convert", log)

    said = f"segue: line 2 of {log} is larger than 16 MiB and cannot be written again\n"
    assert done == (2, f"{delivery}\n", said)


def test_convert_counts_what_it_leaves_out(segue: Segue, write: Write) -> None:
    log = str(write("x.log", ["INFO up", *(f"got {one.text}" for one in deliveries()), 'x {"a']))
    done = segue("convert", log)
    assert done.err.endswith("segue: 9 lines written, 1 left out\n")
    assert json.loads(done.out.splitlines()[-1]) == {"body": '{"a\n'}
    assert segue("convert", "-q", "--lines", "text", log).err == ""
    assert segue("convert", str(write("empty.log", ""))).code == 2
