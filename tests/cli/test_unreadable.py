"""A log that is none ends every command with exit code 2 and one line that says what to do."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.cli.command import Segue, Write
from tests.families import family

from segue.logs.contents import describe_contents
from segue.report.renderers import FORMATS
from segue.testing import story

BODY = {
    "conversationId": "c-1",
    "botId": "b-1",
    "events": [{"name": "END_OF_CONVERSATION", "reason": "x"}],
}
COMMANDS = ["check", "segments", "repair", "stats", "causes", "export --to xes"]


@family("command", COMMANDS)
@family(
    ("content", "said"),
    [
        (
            '{"request": {"body": "{\\"conversationId\\": \\"c-1\\"}"}}\n',
            "strings with JSON are at /request/body, but none has an event",
        ),
        (
            '{"body": {"conversationId": "c\\u0000", "events": []}}\n',
            "it is JSON that cannot be read: a NUL character in a string",
        ),
        ('{"body": {"events": [], "events": []}}\n', "JSON that cannot be read: a key twice"),
        (
            '{"items": [{"conversationId": "c-1"}]}\n',
            "bodies are in the list at /items, but none has an event",
        ),
        ('{"level": "info", "msg": "up"}\n', "(it has 'level', 'msg')"),
        ("nothing of note\nhappened\n", "it is not JSON"),
        ("user,agent\nann,bob\n", "without a column of bodies (it has 'user', 'agent')"),
        ('08:00 sent:\n{\n  "a": 1\n}\n', "text with JSON in it, but no body"),
        ('08:00 sent {"a": 1}\n', "text with JSON in it, but no body"),
        ("<html><body></body></html>\n", "it looks like XML or HTML"),
        ('<?xml version="1.0"?>\n<a/>\n', "it looks like XML or HTML"),
        ("<!DOCTYPE html>\n", "it looks like XML or HTML"),
        (
            '<134>1 2026-01-01T00:00:00Z host app - - - {"level":"info"}\n',
            "text with JSON in it, but no body",
        ),
        ("MZ-1 up\nMZ-1 down\n", "it is not JSON"),
        ("RIFF reader started\n", "it is not JSON"),
        ("GIF8 is a word\n", "it is not JSON"),
        ("Rar! it is\n", "it is not JSON"),
        ("MZ\x90\0\3\0\0\0", "it looks like a program"),
        ("RIFF$\x08\0\0WAVEfmt ", "it looks like a RIFF file"),
        ("%PDF-1.7\n%\n", "it looks like a PDF document"),
        ("\0\1\2\3\0\1\n\2\3\n", "it looks like binary data"),
        ("[1, 2]\n", "no body with conversationId or events\n"),
        ("", "there are no lines"),
        ("\n \n", "all lines are blank"),
    ],
)
def test_a_file_of_another_kind_is_refused_by_one_line(
    segue: Segue, write: Write, command: str, content: str, said: str
) -> None:
    done = segue(*command.split(), str(write("a.log", content)))
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("beginning", "said"),
    [
        (b"SQLite format 3\0", "an SQLite database: sqlite3 -json"),
        (b"\xd4\xc3\xb2\xa1\2\0\4\0", "captured packets: tshark -r"),
        (b"\n\r\r\n\x1c\0\0\0\x4d\x3c\x2b\x1a", "captured packets: tshark -r"),
        (b"2224:9:websocket;0:~8:response;339:", "flows of mitmproxy: mitmdump -nr"),
        (b"ARROW1\0\0", "an Arrow table"),
        (b"Obj\1\4", "an Avro file: avro-tools tojson"),
        (b"ORC\n\x2f", "an ORC table"),
        (b"\x80\4\x95\1\0", "a pickle of Python"),
        (b"REDIS0011\xfa\t", "a dump of Redis"),
        (b"LPKSHHRH\0", "a journal of systemd: journalctl --file"),
        (b"interactions:\n- request:\n    body: '", "a cassette of VCR: yq -o json"),
        (b"\x5d\0\0\x80\0" + b"\xff" * 8, "lzma: unpack it with unlzma"),
    ],
)
@pytest.mark.parametrize("command", ["check", "sniff", "convert"])
def test_a_binary_file_is_refused_though_it_contains_a_body(
    segue: Segue, tmp_path: Path, command: str, beginning: bytes, said: str
) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(beginning + b"\n" + json.dumps(BODY).encode() + b"\n")

    done = segue(command, str(log))

    assert (done.code, done.out) == (2, "")
    assert f"a.log cannot be read: it looks like {said}" in done.err
    assert len(done.err) < 400
    assert "--lines" not in done.err


@pytest.mark.parametrize("line", ["ORCHESTRATOR up", "REDIS0011 up", "Object up", "1:2:3; up"])
def test_words_at_the_beginning_of_a_text_are_no_magic_numbers(
    segue: Segue, write: Write, line: str
) -> None:
    done = segue("sniff", str(write("a.log", [line, *[f"got {json.dumps(BODY)}"] * 2])))

    assert done.code == 0
    assert "--lines text" in done.out


@pytest.mark.parametrize(
    "wrap", [lambda body: body, lambda body: {"ts": 1, "request": body}], ids=["bare", "wrapped"]
)
def test_bodies_whose_fields_were_turned_into_text_are_refused(
    segue: Segue, write: Write, wrap: Callable[[object], object]
) -> None:
    body = BODY | {"events": json.dumps(BODY["events"])}
    retyped = segue("check", str(write("a.log", [json.dumps(wrap(body))] * 2)))
    one = segue("check", str(write("b.log", [json.dumps(body)])))

    assert (retyped.code, retyped.out) == (2, "")
    assert "has turned the fields of bodies into text, such as `events`" in retyped.err
    assert (one.code, "SG503" in one.out) == (1, True)  # one body may be a mistake of the sender


@pytest.mark.parametrize("begun", ["", "\n", '[\n"x",'])
def test_a_log_of_an_overlong_line_is_refused_with_its_number(
    segue: Segue, write: Write, begun: str
) -> None:
    path = write("u.jsonl", [f'{begun}{{"a": "{"x" * (17 << 20)}"}}'])

    done = segue("check", str(path))

    number = 2 if begun else 1
    assert done.code == 2
    assert done.err.endswith(f"delivery; line {number} is larger than 16 MiB\n")


def test_a_long_text_is_described_in_little_memory() -> None:
    head = [b'a,"' + b"x" * (15 << 20) + b",b\n"]
    tracemalloc.start()
    try:
        said = describe_contents(head)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert said.startswith("it is a table without a column of bodies (it has 'a', ")
    assert most < 100 << 20


def test_a_table_is_recognized_by_its_whole_lines() -> None:
    rows = [f"{n},{'x' * 9_000}\n".encode() for n in range(20)]

    assert "(it has '0', 'xxxx" in describe_contents(rows)


def test_sniff_tells_blank_lines_from_none(segue: Segue, write: Write) -> None:
    blank = segue("sniff", str(write("a.log", "\n \n")))
    assert (blank.code, blank.err.rpartition(": ")[2]) == (2, "all lines are blank\n")
    empty = segue("sniff", str(write("b.log", "")))
    assert (empty.code, empty.err.rpartition(": ")[2]) == (2, "there are no lines\n")


def test_a_workbook_is_called_one(segue: Segue, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "calls.xlsx", "w") as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("xl/workbook.xml", "<workbook/>")

    done = segue("check", str(tmp_path / "calls.xlsx"))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "calls.xlsx cannot be read: it is an Excel workbook: save it as CSV" in done.err


@pytest.mark.parametrize(
    ("form", "said"),
    [("text", "no line contains a JSON object"), ("csv", "its rows have no body")],
)
def test_lines_of_a_form_without_bodies_are_refused(
    segue: Segue, write: Write, form: str, said: str
) -> None:
    done = segue("check", "--lines", form, str(write("a.log", "user,agent\nann,bob\n")))
    assert done.code == 2
    assert said in done.err


def test_one_bad_time_in_twenty_leaves_the_others_recognised(segue: Segue, write: Write) -> None:
    lines = [{"at": f"2026-03-02T08:{n:02}:00Z", "sent": BODY} for n in range(20)]
    lines[7]["at"] = "yesterday"
    log = write("a.log", [json.dumps(each) for each in lines])
    assert "--time-at /at" in segue("sniff", str(log)).out
    lines[8]["at"] = "yesterday, too"
    log = write("a.log", [json.dumps(each) for each in lines])
    assert "--time-at /at" not in segue("sniff", str(log)).out


def test_diff_and_send_refuse_it_too(segue: Segue, write: Write) -> None:
    other, good = write("a.log", ["{}"]), write("b.log", [json.dumps(BODY)])
    assert segue("diff", str(other), str(good)).code == 2
    assert segue("diff", str(good), str(other)).code == 2
    done = segue("send", "--bot", "b-1", str(other), "http://127.0.0.1:1")
    assert done.code == 2
    assert "a.log cannot be read: its line is not a delivery" in done.err


def test_one_unreadable_line_among_readable_ones_is_a_finding(segue: Segue, write: Write) -> None:
    done = segue("check", str(write("a.log", ["oops", *["?"] * 998, json.dumps(BODY)])))
    assert done.code == 1
    assert "SG501" in done.out
    assert done.out.endswith(" in 1000 lines\n999 errors\n") or "1 conversation" in done.out


def test_a_log_is_judged_by_its_first_thousand_lines(segue: Segue, write: Write) -> None:
    done = segue("check", str(write("a.log", ["?"] * 1000 + [json.dumps(BODY)])))
    assert (done.code, done.out) == (2, "")
    assert "none of 1000 lines is a delivery" in done.err


def test_what_was_read_before_another_file_is_shown(segue: Segue, write: Write) -> None:
    good, other = write("a.log", [json.dumps(BODY)]), write("b.log", ["{}"])
    done = segue("check", str(good), str(other))
    assert done.code == 2
    assert "1 conversation" in done.out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("filters", "said"),
    [
        (["--conversation", "c-9"], "there is no conversation 'c-9'"),
        (["--conversation", "c-1", "--conversation", "c-9"], "there is no conversation 'c-9'"),
        (["--since", "2030-01-01"], "no delivery was received between --since and --until"),
        (["--until", "2001-01-01"], "no delivery was received between --since and --until"),
        (["--conversation", "c-1", "--since", "2030-01-01"], "'c-1' between --since and --until"),
    ],
)
def test_a_filter_that_matches_nothing_is_refused_unless_allowed(
    segue: Segue, write: Write, command: str, filters: list[str], said: str
) -> None:
    line = json.dumps({"received_at": "2026-03-02T08:00:00Z", "body": BODY})
    arguments = [*command.split(), str(write("a.log", [line])), *filters]
    done = segue(*arguments)
    assert done.code == 2
    assert said in done.err
    allowed = segue(*arguments, "--allow-empty")
    assert allowed.code in (0, 1)
    assert "there is no" not in allowed.err


@pytest.mark.parametrize("form", [each for each in FORMATS if each != "csv"])
@pytest.mark.parametrize("filters", [["--conversation=c-9"], ["--since=2030-01-01"]])
def test_a_filter_that_matches_nothing_shows_the_error_only(
    segue: Segue, write: Write, form: str, filters: list[str]
) -> None:
    line = json.dumps({"received_at": "2026-03-02T08:00:00Z", "body": BODY})

    done = segue("check", str(write("a.log", [line])), *filters, "--format", form)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_the_setting_allows_empty_logs_too(segue: Segue, write: Write, tmp_path: Path) -> None:
    (tmp_path / "segue.toml").write_text("allow-empty = true\n")
    assert segue("check", str(write("a.log", ""))).code == 0


def test_a_conversation_in_one_of_two_logs_is_a_difference(segue: Segue, write: Write) -> None:
    other = {**BODY, "conversationId": "c-2"}
    logs = [
        str(write(f"{each['conversationId']}.log", [json.dumps(each)])) for each in (BODY, other)
    ]
    assert segue("diff", *logs, "--conversation", "c-1").code == 1
    done = segue("diff", *logs, "--conversation", "c-9")
    assert done.code == 2
    assert "match no delivery of either log" in done.err


@pytest.mark.parametrize("content", ["", "?\n"])
def test_workers_refuse_it_as_one_process_does(
    segue: Segue, write: Write, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    from segue.logs import plan  # noqa: PLC0415

    monkeypatch.setattr(plan, "DEFAULT_CHUNK_SIZES", plan.ChunkSizes(4, 4))
    log = str(write("a.log", content * 20))
    alone, together = segue("check", log), segue("check", log, "--jobs", "2")
    assert alone == together
    assert alone.code == 2


@pytest.mark.parametrize(
    ("element", "options"),
    [
        ("BODY", "--records-at /sent"),
        ('{"body": BODY}', "--records-at /sent"),
        ('{"payload": BODY}', "--records-at /sent --body-at /payload"),
    ],
)
def test_all_bodies_of_the_list_are_read_with_what_is_proposed_for_a_wrong_one(
    element: str, options: str, segue: Segue, write: Write
) -> None:
    bodies = story("NA entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1")
    elements = ", ".join(element.replace("BODY", json.dumps(body)) for body in bodies)
    write("log.jsonl", f'{{"sent": [{elements}]}}\n{{"sent": []}}\n')

    refused = segue("check", "log.jsonl", "--records-at", "/list")
    done = segue("check", "log.jsonl", *options.split())

    assert refused.err.endswith(f"bodies are in the list at /sent: try {options}\n")
    assert (done.code, done.out) == (0, "1 conversation, clean, 3 events in 3 lines\nno findings\n")


def test_a_list_that_is_not_there_is_named(segue: Segue, write: Write) -> None:
    write("log.json", '{"sent": [1, 2]}')

    done = segue("check", "log.json", "--records-at", "/list")

    assert done.code == 2
    assert done.err == (
        "segue: log.json: no list with elements is at /list (--records-at) "
        "(--allow-empty accepts that)\n"
    )


@family("command", COMMANDS)
def test_a_path_that_the_system_refuses_is_named(segue: Segue, command: str) -> None:
    name = "x" * 300

    done = segue(*command.split(), name)

    assert (done.code, done.out) == (2, "")
    assert done.err == f"segue: {name} cannot be used: File name too long\n"
