"""Thirty layouts and more are read without a word said about them."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Segue, Write
from tests.cli.layouts import HOOK, LAYOUTS, Layout, Sent, b64, deliveries

from segue.cli import options
from segue.logs import field_mapping, platforms


@pytest.fixture(params=LAYOUTS, ids=[each.name for each in LAYOUTS])
def written(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Layout, list[str]]:
    layout: Layout = request.param
    return layout, [str(path) for path in layout.write(tmp_path, deliveries())]


def test_every_layout_is_read_as_it_is(written: tuple[Layout, list[str]], segue: Segue) -> None:
    layout, logs = written

    done = segue("segments", "--format", "json", *logs)

    assert done.code == 0, done.err
    told = [each for each in done.err.splitlines() if " left out (" not in each]
    assert len(told) <= 1
    conversations = json.loads(done.out)
    assert [each["conversation_id"] for each in conversations] == ["c-1", "c-2"], done.out
    assert all(each["valid"] for each in conversations)
    for second, each in enumerate(conversations):
        [segment] = each["segments"]
        times = [f"2026-03-02T08:00:0{second + offset}+00:00" for offset in (0, 2)]
        [connection] = segment["connections"]
        assert [connection["started_at"], connection["ended_at"]] == (
            times if layout.has_times else [None, None]
        ), segment


def test_an_object_without_a_conversation_is_not_left_out(segue: Segue, write: Write) -> None:
    sent = {"botId": "b-1", "query": "hello"}
    log = write("calls.jsonl", [*(each.text for each in deliveries()), json.dumps(sent)])

    done = segue("check", "--format", "concise", str(log))

    assert done.code == 1
    assert "SG502 conversationId of delivery was absent or null" in done.out


def test_sniff_proposes_a_command_that_reads_it(
    written: tuple[Layout, list[str]], segue: Segue
) -> None:
    _, logs = written
    found = segue("sniff", *logs)
    assert found.code == 0, found.err
    [*_, command] = found.out.splitlines()

    done = segue(*shlex.split(command)[1:], "--format", "concise")

    assert (done.code, done.out.count("SG"), done.err) == (0, 0, ""), done.out


def test_sniff_writes_settings_that_read_it(
    written: tuple[Layout, list[str]], segue: Segue, tmp_path: Path
) -> None:
    _, logs = written
    settings = tmp_path / "segue.toml"
    settings.write_text('strict = true\nbody-at = "/old"\n')

    found = segue("sniff", "--write", *logs)

    assert (found.code, found.err) == (0, f"segue: written to {settings}\n")
    assert settings.read_text().count("strict = true\n") == 1
    assert "/old" not in settings.read_text()
    done = segue("check", "--format", "concise", *logs)
    assert (done.code, done.out.count("SG"), done.err) == (0, 0, "")


WRAPPED = [json.dumps({"ts": one.iso, "in": {"body": one.text}}) for one in deliveries()]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, None),
        (
            '[tool.segue]\nlines = "csv"\njobs = 1\n\n[x]\na = 1\n',
            '[tool.segue]\nbody-at = "/in/body"\ntime-at = "/ts"\njobs = 1\n\n[x]\na = 1\n',
        ),
    ],
)
def test_other_settings_stay(
    segue: Segue, write: Write, tmp_path: Path, before: str | None, after: str | None
) -> None:
    log = write("a.log", WRAPPED)
    if before:
        write("pyproject.toml", before)

    done = segue("sniff", "--write", str(log))

    assert done.code == 0
    name = "pyproject.toml" if before else "segue.toml"
    text = (tmp_path / name).read_text()
    assert text == (after if before else 'body-at = "/in/body"\ntime-at = "/ts"\n')
    assert segue("check", str(log)).code == 0


def test_settings_that_are_written_in_an_unusual_way_are_left_alone(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    text = 'tool.segue."body-at" = "/old"\n'
    write("pyproject.toml", text)

    done = segue("sniff", "--write", str(write("a.log", WRAPPED)))

    assert done.code == 2
    assert 'cannot be edited: add these lines: body-at = "/in/body"; time-at = "/ts"' in done.err
    assert (tmp_path / "pyproject.toml").read_text() == text


def test_standard_input_is_looked_at_and_then_read(
    segue: Segue, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = "\n".join(WRAPPED).encode()
    for command in ("sniff", "check"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))

        done = segue(command, "-")

        assert done.code == 0
        assert "--body-at /in/body --time-at /ts" in done.out + done.err
        assert ("2 conversations" in done.out) is (command == "check")


def test_bodies_in_two_places_are_for_the_user_to_choose(segue: Segue, write: Write) -> None:
    sent = deliveries()
    pairs = zip(sent, reversed(sent), strict=True)
    log = write("a.log", [json.dumps({"a": one.body, "b": other.text}) for one, other in pairs])

    for command in ("sniff", "check", "stats"):
        done = segue(command, str(log))
        assert (done.code, done.out) == (2, "")
        assert "several ways: with --body-at /a, or with --body-at /b\n" in done.err
    assert segue("check", "--body-at", "/a", str(log)).code == 0


def _json(one: Sent) -> dict[str, Any]:
    return {"t": one.ms, "message": one.text, "parsed": one.body}


def _base64(one: Sent) -> dict[str, Any]:
    return {"t": one.ms, "packed": b64(one.text), "text": one.text}


@pytest.mark.parametrize(
    ("write_line", "options"),
    [
        (_json, "--body-at /parsed --time-at /t"),
        (_base64, "--body-at /text --time-at /t"),
    ],
)
def test_a_body_that_a_record_has_twice_is_one_body(
    write_line: Callable[[Sent], dict[str, Any]], options: str, segue: Segue, write: Write
) -> None:
    log = write("a.log", [json.dumps(write_line(one)) for one in deliveries()])

    found = segue("sniff", str(log))

    assert found.out.splitlines()[-1] == f"segue check {options} {log}"


ACTION = {"action": "start", "agentId": "a-1"}
ACTION_PATH = "/api/1.1/public/bot/b-1/control/transcription"


def _with_action(line: Callable[[str, str, Any], Any], query: str = "?conversationId=c-1") -> Any:
    """Return lines for all deliveries, and an action of transcription after the first one.

    `line` takes the time, the path and the body of a request.
    """
    first, *others = [line(one.iso, HOOK, one.body) for one in deliveries()]
    return [first, line("2026-03-02T08:00:00.500Z", ACTION_PATH + query, ACTION), *others]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        pytest.param(
            "--time-at /time --url-at /url",
            _with_action(lambda time, url, body: {"time": time, "url": url, "body": body}),
            id="next to a body",
        ),
        pytest.param(
            "--time-at /asked --url-at /uri",
            _with_action(lambda t, url, body: {"asked": t, "uri": url, "body": json.dumps(body)}),
            id="next to text of a body",
        ),
        pytest.param(
            "--url-at /url",
            _with_action(lambda time, url, body: {"received_at": time, "url": url, "body": body}),
            id="next to an envelope",
        ),
        pytest.param(
            "--time-at /ts --url-at /path",
            _with_action(lambda time, url, body: {"ts": time, "path": url, **body}),
            id="among the fields of a body",
        ),
        pytest.param(
            "--time-at /when --conversation-at /query/conversationId --url-at /path",
            _with_action(
                lambda time, url, body: {
                    "when": time,
                    "path": url.partition("?")[0],
                    "query": {"conversationId": "c-1"} if "?" in url else None,
                    "body": body,
                }
            ),
            id="path and query",
        ),
        pytest.param(
            "--body-at /msg --time-at /t --url-at /msg",
            _with_action(
                lambda time, url, body: {"t": time, "msg": f"POST {url} {json.dumps(body)} took 3"}
            ),
            id="in the text around a body",
        ),
        pytest.param(
            "--body-at /payload --time-at /ts --url-at /headers/1",
            _with_action(
                lambda time, url, body: {"ts": time, "headers": ["url", url], "payload": body}
            ),
            id="in a list",
        ),
        pytest.param(
            "--body-at /data/0 --time-at /at/0 --url-at /uri/0",
            _with_action(
                lambda time, url, body: {"at": [time], "uri": [url], "data": [json.dumps(body)]}
            ),
            id="lists of one text",
        ),
    ],
)
def test_time_and_address_are_found_by_their_values(
    options: str, lines: list[Any], segue: Segue, write: Write
) -> None:
    log = write("a.log", [json.dumps(each) for each in lines])

    found = segue("sniff", str(log))
    done = segue("convert", str(log))

    assert found.out.splitlines()[-1] == f"segue check {options} {log}"
    read = [json.loads(line) for line in done.out.splitlines()]
    action = read[1]
    assert [action[key] for key in ("endpoint", "bot_id", "conversation_id")] == [
        *("transcription", "b-1", "c-1")
    ]
    assert [datetime.fromisoformat(each["received_at"]) for each in read] == [
        *(deliveries()[0].at, deliveries()[0].at + timedelta(milliseconds=500)),
        *(one.at for one in deliveries()[1:]),
    ]


@pytest.mark.parametrize(
    "line",
    [
        lambda url, body: {"url": url, "body": body},
        lambda url, body: {"msg": f"POST {url} {json.dumps(body)}"},
    ],
    ids=["next to a body", "around a body"],
)
def test_a_body_with_the_url_of_a_proxy_is_not_left_out(
    line: Callable[[str, object], object], segue: Segue, write: Write
) -> None:
    """Of 24 lines one has a URL that is not that of an intake."""
    last, *others = reversed(deliveries() * 3)
    lines = [line("/proxy/7", last.body), *(line(HOOK, one.body) for one in others)]
    log = write("a.log", [json.dumps(each) for each in lines])

    done = segue("convert", str(log))

    assert done.out.count("\n") == 24
    assert "--url-at" not in done.err


def test_numbers_that_are_no_times_of_a_log_are_not_used(segue: Segue, write: Write) -> None:
    """Numbers of accounts jump, and dates of birth are years apart."""
    numbers = [1_772_438_400, 4_000_000_000, 1_100_000_000, 2_000_000_000] * 2
    lines = [
        {"account": number, "born": f"20{n * 9:02}-01-01T00:00:00Z", "seq": n, "body": one.body}
        for n, (number, one) in enumerate(zip(numbers, deliveries(), strict=True))
    ]
    log = write("a.log", [json.dumps(each) for each in lines])

    found = segue("sniff", str(log))

    assert found.out.splitlines()[-1] == f"segue check {log}"


@pytest.mark.parametrize("content", ["", "hello\n", "{}\n", '{"a": [1]}\n', "a,b\n1,2\n"])
def test_sniff_finds_nothing_in_other_files(segue: Segue, write: Write, content: str) -> None:
    done = segue("sniff", str(write("a.log", content)))

    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1


def test_sniff_writes_no_settings_where_none_are_needed(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    done = segue("sniff", "--write", str(write("a.log", [one.text for one in deliveries()])))

    assert (done.code, done.err) == (
        0,
        "segue: no options are needed, and the settings are unchanged\n",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["a.log"]


def test_sniff_removes_settings_that_are_not_needed(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    write("segue.toml", 'body-at = "/in/body"\nstrict = true\n')
    done = segue("sniff", "--write", str(write("a.log", [one.text for one in deliveries()])))

    assert (done.code, done.err) == (0, f"segue: written to {tmp_path / 'segue.toml'}\n")
    assert (tmp_path / "segue.toml").read_text() == "strict = true\n"


@pytest.fixture
def among_messages(write: Write) -> str:
    """A log of everything a server says, with the bodies among it; the last one is cut off."""
    first, *others = [{"msg": json.loads(one.text)} for one in deliveries()]
    said = [
        {"msg": "listening"},
        first,
        {"msg": "slow query"},
        *others,
        {"msg": '{"conversationId'},
    ]
    return str(write("server.jsonl", [json.dumps(each) for each in said]))


@pytest.mark.parametrize(
    "options", [(), ("--skip-others",), ("--skip-others", "--body-at", "/msg")]
)
def test_other_messages_are_left_out_and_cut_bodies_are_not(
    among_messages: str, segue: Segue, options: tuple[str, ...]
) -> None:
    done = segue("check", "--format", "concise", *options, among_messages)

    assert (done.code, done.out.count("SG501 a body"), done.out.count(": error ")) == (1, 1, 1)


def test_a_log_of_other_messages_only_has_no_body(segue: Segue, write: Write) -> None:
    log = write("server.jsonl", ['{"msg": "listening"}'])

    done = segue("check", "--skip-others", "--body-at", "/msg", str(log))

    assert done.code == 2
    assert "no line has the body of a delivery (--allow-empty accepts that)" in done.err


def test_a_way_that_only_leaves_out_less_is_the_one(segue: Segue, write: Write) -> None:
    """Some lists hold envelopes, and others bodies."""
    bodies = [json.loads(one.text) for one in deliveries()]
    lists = [{"sent": bodies[:2]}, {"sent": [{"body": each} for each in bodies[2:]]}]
    log = write("lists.jsonl", [json.dumps(each) for each in lists])

    found = segue("sniff", str(log))

    assert found.out.splitlines()[-1] == f"segue check --records-at /sent {log}"


@pytest.mark.parametrize(
    "wrap",
    [
        lambda envelope: {"level": "info", "sent": envelope},
        lambda envelope: {"level": "info", "sent": json.dumps(envelope)},
        lambda envelope: "2026-03-01T00:00:00Z host app[1]: " + json.dumps(envelope),
    ],
    ids=["object", "text of an object", "system log"],
)
def test_an_envelope_in_other_text_is_read_with_all_its_fields(
    wrap: Callable[[dict[str, Any]], Any], segue: Segue, write: Write
) -> None:
    """One envelope has an endpoint and no time, and one the delivery id of another."""
    first, *others = (
        {"received_at": one.iso, "delivery_id": one.iso, "body": one.body} for one in deliveries()
    )
    action = {
        "endpoint": "transcription",
        "bot_id": "b-1",
        "conversation_id": "c-1",
        "body": {"action": "start", "agentId": "a-1"},
    }
    envelopes = [first, action, first | {"body": others[1]["body"]}, *others]
    plain = write("plain.jsonl", [json.dumps(each) for each in envelopes])
    wrapped = [each if isinstance(each, str) else json.dumps(each) for each in map(wrap, envelopes)]
    log = write("wrapped.jsonl", wrapped)

    found, expected = (segue("check", "--format", "csv", "-q", str(each)) for each in (log, plain))

    assert "SG603" in expected.out
    assert found.out.replace(log.name, plain.name) == expected.out


def test_fields_beside_a_body_that_are_not_those_of_an_envelope_are_not_used(
    segue: Segue, write: Write
) -> None:
    lines = [
        {"request": {"endpoint": "/hooks", "delivery_id": 7, "received_at": "?", "body": one.body}}
        for one in deliveries()
    ]
    log = write("requests.jsonl", [json.dumps(each) for each in lines])

    found = segue("sniff", str(log))

    assert found.out.splitlines()[-1] == f"segue check --body-at /request/body {log}"


def test_a_table_for_people_may_have_bars_in_its_text(segue: Segue, write: Write) -> None:
    """`psql` aligns columns with `|` and quotes nothing, so a bar in a cell looks like a column."""
    said = [(one.iso, one.text) for one in deliveries()]
    width = max(len(body) for _, body in said)
    head = [f" {'at':24} | {'body':{width}} ", f"{'-' * 26}+{'-' * (width + 2)}"]
    rows = [f" {at} | {body:{width}} " for at, body in said]
    messages = [f" {at} | {json.dumps(MESSAGE)} " for at, _ in said[:4]]
    log = str(write("psql.txt", [*head, *rows, *messages, "(12 rows)"]))

    done = segue("check", "--format", "jsonl", log)

    read = f"segue: {log} is read with --lines text\n"
    assert done.err == f"{read}segue: 3 lines left out (without JSON)\n"
    assert [json.loads(line)["events"] for line in done.out.splitlines()] == [4, 4, 4]


MESSAGE = {
    "conversationId": "c-3",
    "botId": "b-1",
    "query": "a | b ; c",
    "agentId": "a-1",
    "experience": "chat",
    "author": {"type": "USER"},
    "source": "desk",
}


@pytest.mark.parametrize("at", ["1st of March, 8 o'clock", "", None, 7])
def test_a_log_without_a_time_that_can_be_read_says_so(
    segue: Segue, write: Write, at: object
) -> None:
    log = str(write("a.log", [json.dumps({"at": at, "data": one.body}) for one in deliveries()]))

    done, found = segue("check", log), segue("sniff", log)

    why = (
        "without times, because none can be read (--time-at says where they are, --time-format "
        "how they are written)"
    )
    assert (done.code, done.err) == (0, f"segue: {log} is read with --body-at /data, {why}\n")
    assert found.out.splitlines()[0].endswith(f"bodies at /data, {why}")


def test_a_log_of_bodies_alone_has_no_place_for_times(segue: Segue, write: Write) -> None:
    log = str(write("a.log", [one.text * 2 for one in deliveries()]))

    assert segue("check", log).err == f"segue: {log} is read with --records-at ''\n"


def test_sniff_names_a_file_that_is_missing(segue: Segue) -> None:
    done = segue("sniff", "nowhere.log")
    assert (done.code, done.err) == (
        2,
        "segue: nowhere.log cannot be read: No such file or directory\n",
    )


def test_a_log_like_others_is_not_mentioned(segue: Segue, write: Write) -> None:
    done = segue("check", str(write("a.log", [one.text for one in deliveries()])))
    assert (done.code, done.err) == (0, "")
    quiet = segue("check", "-q", str(write("b.log", WRAPPED)))
    assert (quiet.code, quiet.err) == (0, "")


def test_one_broken_line_among_others_is_one_finding(segue: Segue, write: Write) -> None:
    done = segue("check", "--format", "concise", str(write("a.log", ["{", *WRAPPED, '{"in'])))
    assert done.code == 1
    assert done.out.count(": error SG501 ") == 2
    assert "2 conversations" in done.out


@pytest.mark.parametrize("option", ["time", "bot", "conversation", "delivery", "endpoint", "url"])
def test_a_pointer_that_finds_nothing_is_told(segue: Segue, write: Write, option: str) -> None:
    log = str(write("a.log", WRAPPED))
    arguments = ("check", log, "--body-at", "/in/body", f"--{option}-at", "/nothing")

    done = segue(*arguments)

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"segue: --{option}-at /nothing finds no value in the first lines of {log} "
        "(--allow-empty accepts that)\n"
    )
    assert segue(*arguments, "--allow-empty").code == 0


def test_a_pointer_that_finds_something_in_any_log_is_right(segue: Segue, write: Write) -> None:
    other = [json.dumps({"time": one.iso, "in": {"body": one.body}}) for one in deliveries()]
    logs = [str(write("a.log", WRAPPED)), str(write("b.log", other)), str(write("c.log", "oops\n"))]
    for names in (logs[:2], [logs[1]]):
        done = segue("segments", *names, "--body-at", "/in/body", "--time-at", "/time")
        assert done.code == 0, done.err


def test_the_command_names_the_forms_of_lines_and_the_platforms_that_logs_read() -> None:
    assert options.LINES == field_mapping.LINES
    assert tuple(platforms.PLATFORMS) == options.PLATFORMS


def test_sniff_says_why(segue: Segue, write: Write) -> None:
    lines = [
        *(json.dumps({"ts": one.iso, "path": HOOK, "sent": one.text}) for one in deliveries()),
        json.dumps({"ts": "2026-03-02T08:01:00Z", "path": "/health", "sent": "up"}),
        json.dumps({"ts": "2026-03-02T08:01:01Z", "path": HOOK}),
    ]

    found = segue("sniff", str(write("a.log", lines)))

    assert found.out.splitlines()[1:-1] == [
        "  sample: 8 deliveries in 10 lines, 2 lines left out (without a body)",
        "  bodies: 8 JSON in text",
        "  times: in 8 of 8",
        "  addresses: 8 of hooks",
    ]


def test_lines_that_docker_writes_in_pieces_are_joined(segue: Segue, write: Write) -> None:
    """Docker writes at most 16 KiB of a line as one record, and a line feed after the last one."""
    lines = []
    for number, one in enumerate(deliveries()):
        text = f"{one.text}\n"
        at = 100 if number == 2 else len(text)
        pieces = [("stdout", text[:at]), ("stdout", text[at:]), ("stderr", "up\n")]
        lines += [
            json.dumps({"log": piece, "stream": stream, "time": one.iso})
            for stream, piece in pieces
            if piece
        ]
    log = str(write("a.log", lines))

    found = segue("sniff", log)
    done = segue("segments", "--format", "json", log)

    assert found.out.splitlines()[-1] == (
        f"segue check --lines docker --body-at /log --time-at /time --skip-others {log}"
    )
    assert [each["valid"] for each in json.loads(done.out)] == [True, True]
    assert done.err.endswith("segue: 8 lines left out (without a body)\n")
