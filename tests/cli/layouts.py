"""Layouts that companies have for the deliveries of a log, each written as its tool writes it.

A layout returns what is given to a command.  All hold the same eight deliveries of two
conversations; some hold other lines as well.
"""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote_plus

import pytest
from tests.builders import Sender

HOOK: Final = "/agentdesk/api/v1/hooks/b-1"
_BEGIN: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)


class Sent(NamedTuple):
    """A delivery, and when it was received."""

    at: datetime
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def iso(self) -> str:
        return self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    @property
    def ms(self) -> int:
        return int(self.at.timestamp() * 1000)


def deliveries() -> list[Sent]:
    """Two conversations by turns, with quotes, backslashes and other letters in a name."""
    sender = Sender(bot="b-1", names=('Zoë "Z" \\ {x}',) * 3, text="hello")
    texts = ("NA entry a-1", "NA exit a-1", "summary", "END")
    bodies = [sender.body(text, conversation=each) for text in texts for each in ("c-1", "c-2")]
    return [Sent(_BEGIN + timedelta(seconds=n), body) for n, body in enumerate(bodies)]


class Layout(NamedTuple):
    """How a tool writes a log."""

    name: str
    write: Callable[[Path, Sequence[Sent]], list[Path]]
    has_times: bool


LAYOUTS: Final[list[Layout]] = []

_Write = Callable[[Path, Sequence[Sent]], "list[Path]"]
_Line = Callable[[Sent], object]


def layout(*, has_times: bool = True) -> Callable[[_Write], _Write]:
    """Return a decorator that adds a layout."""

    def add(write: _Write) -> _Write:
        LAYOUTS.append(Layout(write.__name__, write, has_times))
        return write

    return add


def lines(*, has_times: bool = True, others: Iterable[str] = ()) -> Callable[[_Line], _Line]:
    """Add a layout of lines, one for each delivery, with other lines before and after."""

    def add(function: _Line) -> _Line:
        def write(folder: Path, sent: Sequence[Sent]) -> list[Path]:
            made = map(function, sent)
            texts = [each if isinstance(each, str) else json.dumps(each) for each in made]
            return [text(folder, "app.log", "\n".join([*others, *texts, *others, ""]))]

        LAYOUTS.append(Layout(function.__name__, write, has_times))
        return function

    return add


def text(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def nginx(value: str) -> str:
    return "".join(
        chr(byte) if 31 < byte < 127 and byte not in b'"\\' else f"\\x{byte:02X}"
        for byte in value.encode()
    )


def b64(value: str) -> str:
    return base64.b64encode(value.encode()).decode()


@lines(has_times=False)
def bodies(one: Sent) -> object:
    return one.body


@lines()
def envelopes(one: Sent) -> object:
    return {"received_at": one.iso, "bot_id": "b-1", "body": one.body}


@layout(has_times=False)
def pretty_array(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    return [text(folder, "dump.json", json.dumps([one.body for one in sent], indent=2))]


@layout(has_times=False)
def pretty_objects_in_xz(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    objects = "\n".join(json.dumps(one.body, indent=4) for one in sent)
    return [text(folder, "dump.json.xz", lzma.compress(objects.encode()))]


@lines()
def docker_json_file(one: Sent) -> object:
    return {"log": f"{one.text}\n", "stream": "stdout", "time": one.iso.replace("Z", "000400Z")}


@lines()
def docker_json_file_with_a_logger(one: Sent) -> object:
    return {"log": f"INFO  [hooks] got {one.text}\n", "stream": "stderr", "time": one.iso}


@lines(others=["[pod/hooks-5d9 app] 2026-03-02T07:59:00Z listening on 8080 {}"])
def kubectl_logs_with_prefix_and_timestamps(one: Sent) -> object:
    return f"[pod/hooks-5d9 app] {one.iso} {one.text}"


@lines(others=["2026-03-02T07:59:00.000000001Z stderr F starting"])
def container_runtime(one: Sent) -> object:
    return f"{one.iso.replace('Z', '000400Z')} stdout F {one.text}"


@lines(others=["<30>1 2026-03-02T07:59:00Z host systemd 1 - - Started hooks."])
def syslog_of_rfc_5424(one: Sent) -> object:
    return f"<14>1 {one.iso} host hooks 4711 - - {one.text}"


@lines(has_times=False)
def syslog_without_a_year(one: Sent) -> object:
    return f"{one.at:%b %e %H:%M:%S} host hooks[4711]: {one.text}"


@lines(others=['10.0.0.9 - - [02/Mar/2026:07:59:00 +0000] "GET /health HTTP/1.1" 200 2 "-" "kube"'])
def nginx_access_log(one: Sent) -> object:
    return (
        f'10.0.0.1 - - [{one.at:%d/%b/%Y:%H:%M:%S +0000}] "POST {HOOK} HTTP/1.1" 200 31 '
        f'"{nginx(one.text)}" "platform/1.0"'
    )


@lines()
def access_log_with_backslashes(one: Sent) -> object:
    body = one.text.replace("\\", "\\\\").replace('"', '\\"')
    return f'{one.iso} "POST {HOOK} HTTP/1.1" 200 "{body}" 0.004'


@lines(others=["2026-03-02 07:59:00,000 INFO root: starting, pid 7"])
def python_logging(one: Sent) -> object:
    return (
        f"{one.at:%Y-%m-%d %H:%M:%S},{one.at:%f}".removesuffix("000") + f" INFO app: got {one.text}"
    )


@lines(others=["2026-03-02 07:59:00,000 INFO app: got b''"])
def python_logging_of_bytes(one: Sent) -> object:
    time = f"{one.at:%Y-%m-%d %H:%M:%S},{one.at:%f}".removesuffix("000")
    return f"{time} INFO app: got {one.text.encode()!r}"


@lines()
def structlog_on_a_console(one: Sent) -> object:
    return f"{one.iso} hook    body={one.text!r} url={HOOK}"


@lines()
def structlog_with_keys_and_values(one: Sent) -> object:
    return f"url={HOOK!r} body={one.body!r} event='hook' timestamp={one.iso!r}"


@lines(others=['10.0.0.1:5 [02/Mar/2026:07:59:00.000] f b/s 0/0 200 {} "GET /health HTTP/1.1"'])
def haproxy_with_a_captured_body(one: Sent) -> object:
    body = "".join(
        chr(byte) if 31 < byte < 127 and byte not in b'"#{|}' else f"#{byte:02X}"
        for byte in one.text.encode()
    )
    time = f"{one.at:%d/%b/%Y:%H:%M:%S}.000"
    return f'10.0.0.1:5 [{time}] f b/s 0/0 200 {{{body}}} "POST {HOOK} HTTP/1.1"'


@lines()
def table_copied_from_postgresql(one: Sent) -> object:
    escaped = one.text.replace("\\", "\\\\")
    return f"7\t{one.at:%Y-%m-%d %H:%M:%S}+00\t{HOOK}\t{escaped}"


@lines()
def table_printed_by_psql(one: Sent) -> object:
    return f"{one.at:%Y-%m-%d %H:%M:%S}+00|{HOOK}|{one.text}"


@lines(others=["SET client_encoding = 'UTF8';", "", "-- Data for Name: hook_log"])
def statements_that_insert(one: Sent) -> object:
    quoted = one.text.replace("'", "''")
    values = f"'{one.iso}', '{HOOK}', '{quoted}'"
    return f"INSERT INTO log (at, url, body) VALUES ({values});"  # noqa: S608 - only text


def _sql(value: str) -> str:
    """Return a string of SQL as mysqldump escapes it."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')
    return f"'{escaped}'"


@layout()
def dump_with_all_rows_in_a_statement(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    """Write what mysqldump writes, whose extended INSERT is on by default."""
    rows = [f"({n},{_sql(f'{one.at:%F %T}')},{_sql(one.text)})" for n, one in enumerate(sent)]
    head = "-- MySQL dump 10.13\nCREATE TABLE `hooks` (\n  `id` int NOT NULL,\n  `body` json\n);\n"
    dump = f"{head}INSERT INTO `hooks` VALUES {','.join(rows)};\nUNLOCK TABLES;\n"  # noqa: S608 - text
    return [text(folder, "dump.sql", dump)]


@lines(has_times=False)
def list_printed_by_redis(one: Sent) -> object:
    quoted = nginx(one.text).replace("\\x22", '\\"').replace("\\x5C", "\\\\")
    return f' 3) "{quoted}"'


@layout(has_times=False)
def stream_piped_from_redis(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    rows = [f"{one.ms}-0\nurl\n{HOOK}\nbody\n{one.text}\n" for one in sent]
    return [text(folder, "x.txt", "".join(rows))]


@lines()
def journal_of_systemd(one: Sent) -> object:
    return {
        "_PID": "7",
        "__REALTIME_TIMESTAMP": f"{one.ms}000",
        "MESSAGE": f"POST {HOOK} {one.text}",
        "__MONOTONIC_TIMESTAMP": "1000002",
    }


@lines()
def journal_of_systemd_with_colors(one: Sent) -> object:
    message = f"\x1b[32mINFO\x1b[0m POST {HOOK} {one.text}"
    return {"__REALTIME_TIMESTAMP": f"{one.ms}000", "MESSAGE": [*message.encode()]}


def typed(value: object) -> dict[str, object]:
    """Wrap a value in the types of DynamoDB."""
    if isinstance(value, dict):
        return {"M": {key: typed(each) for key, each in value.items()}}
    if isinstance(value, list):
        return {"L": [typed(each) for each in value]}
    return {"BOOL": value} if isinstance(value, bool) else {"S": value}


@lines()
def table_exported_from_dynamodb(one: Sent) -> object:
    return {"Item": {"received": {"S": one.iso}, "url": {"S": HOOK}, "body": typed(one.body)}}


@layout()
def logs_of_opentelemetry(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    records = [
        {
            "timeUnixNano": f"{one.ms}000000",
            "body": {"stringValue": one.text},
            "attributes": [{"key": "url.path", "value": {"stringValue": HOOK}}],
        }
        for one in sent
    ]
    scopes = [{"scope": {}, "logRecords": each} for each in (records[:3], records[3:])]
    resources = [{"resource": {}, "scopeLogs": [each]} for each in scopes]
    return [text(folder, "x.json", json.dumps({"resourceLogs": resources}))]


@layout(has_times=False)
def list_of_texts(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    return [text(folder, "x.json", json.dumps([one.text for one in sent]))]


@layout()
def console_with_objects_over_several_lines(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    logged = [f"{one.iso} POST {HOOK} {json.dumps(one.body, indent=2)}\nok\n" for one in sent]
    return [text(folder, "x.log", "".join(logged))]


@lines(others=['{"level":30,"time":1772438300000,"msg":"listening"}'])
def pino_http(one: Sent) -> object:
    request = {"method": "POST", "url": HOOK, "body": one.body}
    return {"level": 30, "time": one.ms, "pid": 7, "req": request, "msg": "request"}


@lines()
def body_as_string_at_a_pointer(one: Sent) -> object:
    return {"ts": one.iso, "request": {"path": HOOK, "body": one.text}, "response": {"status": 200}}


@lines()
def ids_beside_the_body(one: Sent) -> object:
    body = {key: each for key, each in one.body.items() if key not in ("conversationId", "botId")}
    return {
        "timestamp": one.at.timestamp(),
        "conversationId": one.body["conversationId"],
        "payload": body,
        "url": f"https://hooks.example{HOOK}?v=2",
    }


def har(sent: Sequence[Sent], indent: int | None) -> str:
    def entry(method: str, url: str, at: str, **request: Any) -> dict[str, Any]:
        return {
            "startedDateTime": at,
            "time": 3.2,
            "request": {"method": method, "url": url, "headers": [], **request},
            "response": {"status": 200, "content": {"mimeType": "text/html", "text": "{}"}},
        }

    entries = [entry("GET", "https://x.example/logo.png", sent[0].iso)]
    for one in sent:
        data = {"mimeType": "application/json", "text": one.text}
        entries.append(entry("POST", f"https://x.example{HOOK}", one.iso, postData=data))
    log = {"version": "1.2", "creator": {"name": "x"}, "pages": [], "entries": entries}
    return json.dumps({"log": log}, indent=indent)


@layout()
def har_of_a_browser(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    return [text(folder, "x.har", har(sent, 2))]


@layout()
def har_on_one_line(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    return [text(folder, "x.har", har(sent, None))]


def table(sent: Sequence[Sent], header: Sequence[str], **form: Any) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, **form)
    writer.writerow(header)
    for number, one in enumerate(sent):
        writer.writerow([number, one.iso, json.dumps(one.body, indent=1), ""])
    return stream.getvalue()


@layout()
def csv_with_a_body_column(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    return [text(folder, "x.csv", table(sent, ["id", "created_at", "payload", "note"]))]


@layout()
def csv_of_a_spreadsheet(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    content = table(sent, ["nr", "received_at", "body", "x"], delimiter=";", quoting=csv.QUOTE_ALL)
    return [text(folder, "x.csv", f"\ufeff{content}")]


@layout()
def csv_with_backslashes(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    form = {"doublequote": False, "escapechar": "\\", "quoting": csv.QUOTE_ALL}
    return [text(folder, "x.csv", table(sent, ["id", "ts", "request body", "n"], **form))]


@layout()
def csv_without_a_header(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    content = table(sent, ["id", "created_at", "payload", "note"]).partition("\n")[2]
    return [text(folder, "x.csv", content)]


@layout()
def tab_separated_without_quotes(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    rows = ["time\tchannel\tevent", *(f"{one.iso}\tvoice\t{one.text}" for one in sent)]
    return [text(folder, "x.tsv", "\n".join(rows))]


@layout()
def parquet_of_a_warehouse(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    duckdb = pytest.importorskip("duckdb")
    rows = text(folder, "rows.json", "\n".join(json.dumps({"t": s.iso, "p": s.text}) for s in sent))
    target = folder / "x.parquet"
    columns = "columns = {t: 'VARCHAR', p: 'VARCHAR'}"
    duckdb.sql(
        f"COPY (SELECT t AS event_time, p AS payload, 1 AS n FROM "  # noqa: S608 - our file
        f"read_json('{rows}', format = 'newline_delimited', {columns})) TO '{target}'"
    )
    rows.unlink()
    return [target]


@lines()
def pub_sub_messages(one: Sent) -> object:
    return {"message": {"data": b64(one.text), "publishTime": one.iso, "timestamp": one.ms}}


@layout(has_times=False)
def firehose_batches(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    batches = [
        {"requestId": "r", "records": [{"data": b64(one.text)} for one in sent[at : at + 3]]}
        for at in (0, 3, 6)
    ]
    return [text(folder, "x.log", "".join(f"{json.dumps(each)}\n" for each in batches))]


@layout(has_times=False)
def queue_messages_in_a_function(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    records = [{"messageId": "m", "body": one.text, "eventSource": "aws:sqs"} for one in sent]
    return [text(folder, "event.json", json.dumps({"Records": records}, indent=2))]


@layout()
def cloudwatch_events(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    events = [{"timestamp": one.ms, "message": one.text, "ingestionTime": one.ms} for one in sent]
    return [text(folder, "x.json", json.dumps({"events": events, "nextForwardToken": "f/1"}))]


@layout()
def search_hits(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    hits = [{"_id": "1", "_source": {"@timestamp": one.iso, "message": one.text}} for one in sent]
    return [text(folder, "x.json", json.dumps({"took": 1, "hits": {"hits": hits}}, indent=1))]


@layout(has_times=False)
def objects_without_a_break(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    return [text(folder, "part-0000", "".join(one.text for one in sent))]


@layout(has_times=False)
def several_objects_a_line(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    rows = (" ".join(one.text for one in sent[at : at + 2]) for at in (0, 2, 4, 6))
    return [text(folder, "x.log", "\n".join(rows))]


@layout(has_times=False)
def an_array_a_line(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    rows = (json.dumps([one.body for one in sent[at : at + 2]]) for at in (0, 2, 4, 6))
    return [text(folder, "x.log", "\n".join(rows))]


@lines()
def string_within_a_string(one: Sent) -> object:
    return {"date": one.iso, "message": json.dumps(one.text)}


@lines(has_times=False)
def form_of_a_proxy(one: Sent) -> object:
    return {"path": HOOK, "form": f"v=1&payload={quote_plus(one.text)}"}


@layout()
def zip_of_one_file(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        rows = [json.dumps({"time": one.iso, "event": one.body}) for one in sent]
        archive.writestr("logs/x.jsonl", "\n".join(rows))
    return [text(folder, "x.zip", stream.getvalue())]


def rotated(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    """Write `x.log`, `x.log.1` and `x.log.2.gz`, the newest first, as a shell lists them."""
    parts = [sent[6:], sent[3:6], sent[:3]]
    texts = ["".join(f"{one.iso} {one.text}\n" for one in part) for part in parts]
    packed = gzip.compress(texts[2].encode())
    return [
        text(folder, "x.log", texts[0]),
        text(folder, "x.log.1", texts[1]),
        text(folder, "x.log.2.gz", packed),
    ]


@layout()
def rotated_files(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    return rotated(folder, sent)


@layout()
def folder_of_rotated_files(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    rotated(folder / "logs", sent)
    return [folder / "logs"]


@layout(has_times=False)
def folder_of_days(folder: Path, sent: Sequence[Sent]) -> list[Path]:
    for number, one in enumerate(sent, start=5):
        text(folder, f"logs/2026/03/{number}/part-0.json", one.text)
    text(folder, "logs/.DS_Store", b"\0\0\0\1Bud1")
    return [folder / "logs"]
