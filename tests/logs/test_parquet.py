"""Tables: rows are lines, whatever the columns are made of."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.logs.story import CLEAN, action, all_told, body, enveloped, jsonl, lines

from segue.errors import ConfigurationError, UnreadableLog
from segue.logs import FieldMapping, replay
from segue.logs.parallel.chunks import LogChunks
from segue.logs.plan import ChunkSizes
from segue.logs.sources import lines_of

CALM: list[tuple[str | None, bool, list[str]]] = [("c-1", False, [])]
Table = Callable[..., Path]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Writes a table whose name says nothing: columns by name, each with its type and values."""

    def written(name: str = "log", **columns: tuple[str, list[Any]]) -> Path:
        path = tmp_path / name
        selected = ", ".join(
            f'unnest(${number}::{kind}[]) AS "{column}"'
            for number, (column, (kind, _)) in enumerate(columns.items(), start=1)
        )
        with duckdb.connect() as database:
            database.execute(
                f"CREATE TABLE log AS SELECT {selected}", [values for _, values in columns.values()]
            )
            quoted = str(path).replace("'", "''")
            database.execute(f"COPY log TO '{quoted}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
        return path

    return written


def texts(values: list[dict[str, Any]]) -> tuple[str, list[str]]:
    return "VARCHAR", [json.dumps(value) for value in values]


BODY = (
    "STRUCT(conversationId VARCHAR, botId VARCHAR, query VARCHAR, events STRUCT(name VARCHAR,"
    " transfertype VARCHAR, transition VARCHAR, isExtAD BOOLEAN, experience VARCHAR,"
    " reason VARCHAR, language VARCHAR, participant STRUCT(identity VARCHAR, name VARCHAR,"
    ' "type" VARCHAR), data STRUCT(language VARCHAR, locale VARCHAR, "type" VARCHAR))[])'
)


@pytest.mark.parametrize("kind", ["VARCHAR", "BLOB", "JSON"])
def test_bodies_may_be_text_or_bytes(table: Table, kind: str) -> None:
    said = [json.dumps(value) for value in lines(*CLEAN)]
    values = [text.encode() for text in said] if kind == "BLOB" else said
    assert all_told(table(body=(kind, values))) == CALM


def test_bodies_may_be_structures(table: Table) -> None:
    assert all_told(table(body=(BODY, lines(*CLEAN)))) == CALM


def test_a_row_may_be_the_body_itself(table: Table) -> None:
    rows = lines(*CLEAN)
    events = BODY.partition("events ")[2].removesuffix(")")
    path = table(
        conversationId=("VARCHAR", [row["conversationId"] for row in rows]),
        botId=("VARCHAR", [row["botId"] for row in rows]),
        query=("VARCHAR", [None for _ in rows]),
        events=(events, [row["events"] for row in rows]),
    )
    assert all_told(path) == CALM


def test_a_table_says_what_its_lines_would(table: Table, tmp_path: Path) -> None:
    """Reports, line numbers included, are those of a log of the same envelopes."""
    log = [
        enveloped("NA entry a-1", received_at="2026-03-02T09:00:00.123456Z", delivery_id="d-1"),
        enveloped("WARM exit a-2", received_at="2026-03-02T09:00:01Z", delivery_id="d-2"),
        enveloped("WARM exit a-2", received_at="2026-03-02T09:00:01Z", delivery_id="d-2"),
        action("start a-1", received_at="2026-03-02T09:00:02Z"),
        action("end a-1", received_at="2026-03-02T09:00:02Z"),
        {"conversation_id": "c-1", "bot_id": "b-2", "body": '{"conversationId": "c-1", '},
        {"body": '{"botId": "b-1", "botId": "b-1"}'},
        enveloped("END", received_at="2026-03-02T08:00:00Z"),
        enveloped("user message"),
    ]
    plain = tmp_path / "log.jsonl"
    plain.write_bytes(jsonl(log))
    names = ("received_at", "delivery_id", "bot_id", "conversation_id", "endpoint")
    columns: Mapping[str, tuple[str, list[Any]]] = {
        name: (
            "TIMESTAMPTZ" if name == "received_at" else "VARCHAR",
            [line.get(name) for line in log],
        )
        for name in names
    }
    bodies = [
        line["body"] if isinstance(line["body"], str) else json.dumps(line["body"]) for line in log
    ]
    path = table(other=("INTEGER", [1] * len(log)), body=("VARCHAR", bodies), **columns)

    assert [r.to_dict() for r in replay(path)] == [r.to_dict() for r in replay(plain)]
    assert len(list(replay(path))) == 3


@pytest.mark.parametrize("kind", ["TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMP_S", "TIMESTAMPTZ"])
def test_times_of_every_kind_are_read(table: Table, kind: str) -> None:
    times = [f"2026-03-02 09:00:0{second}" for second in range(4)]
    (report,) = replay(table(body=texts(lines(*CLEAN)), received_at=(kind, times)))
    assert [each.received_at and each.received_at.isoformat() for each in report.timeline] == [
        f"2026-03-02T09:00:0{second}+00:00" for second in range(4)
    ]


def test_other_columns_are_named_by_pointers(table: Table) -> None:
    path = table(
        body=("INTEGER", [1] * 4),
        payload=texts(lines(*CLEAN)),
        meta=('STRUCT("at" TIMESTAMP)', [{"at": "2026-03-02 09:00:00"} for _ in CLEAN]),
    )
    (report,) = replay(path, field_mapping=FieldMapping(body_at="/payload", time_at="/meta/at"))
    assert report.clean
    assert report.timeline[0].received_at is not None


def test_of_a_layout_that_keeps_the_line_all_columns_are_read(table: Table) -> None:
    path = table(conversationId=("VARCHAR", ["c-1"]), at=("TIMESTAMP", ["2026-03-02 09:00:00"]))
    (line,) = lines_of(path, field_mapping=FieldMapping(time_at="/at"))
    assert json.loads(line) == {"conversationId": "c-1", "at": "2026-03-02 09:00:00"}


def test_only_the_columns_of_an_envelope_are_read(table: Table) -> None:
    path = table(body=("VARCHAR", ["{}"]), secret=("VARCHAR", ["x"]), bot_id=("VARCHAR", [None]))
    assert list(lines_of(path)) == [b'{"body": "{}"}\n']


def test_bytes_that_are_no_text_are_a_finding(table: Table) -> None:
    path = table(body=("BLOB", [b"\xff{}", None]), conversation_id=("VARCHAR", ["c-1", "c-1"]))
    assert all_told(path, partial="both") == [("c-1", False, ["SG501 event 0", "SG501 event 0"])]


def test_what_is_no_number_is_nothing(table: Table) -> None:
    path = table(body=("STRUCT(a DOUBLE, b DOUBLE)", [{"a": "nan", "b": 1.5}]))
    assert list(lines_of(path)) == [b'{"body": {"b": 1.5}}\n']


def test_rows_keep_their_order_and_are_told_as_bytes_of_the_file(table: Table) -> None:
    count = 50_000
    path = table(body=("VARCHAR", [str(number) for number in range(count)]))
    seen: list[int] = []
    found = [json.loads(line)["body"] for line in lines_of(path, seen.append)]
    assert found == [str(number) for number in range(count)]
    assert seen == sorted(seen)
    assert seen[-1] == path.stat().st_size
    assert list(lines_of(table("empty", body=("VARCHAR", [])))) == []


@pytest.mark.parametrize("name", ["a[1]*?'.parquet", "conversation_id=c-9", "a b.jsonl"])
def test_a_name_is_a_name_and_no_pattern(table: Table, name: str) -> None:
    table("a1", body=texts(lines("END")))
    assert all_told(table(name, body=texts(lines(*CLEAN)))) == CALM


def test_a_table_without_a_body_says_what_there_is(table: Table) -> None:
    path = table(payload=("VARCHAR", []), at=("VARCHAR", []))
    with pytest.raises(
        ConfigurationError, match=r"no column is called body; the columns are at, payl"
    ):
        list(replay(path))
    with pytest.raises(ConfigurationError, match="no column is called pay; the columns are"):
        list(replay(path, field_mapping=FieldMapping(body_at="/pay")))


def test_a_damaged_table_is_unreadable(table: Table) -> None:
    path = table(body=("VARCHAR", [os.urandom(99).hex() for _ in range(100_000)]))
    data = bytearray(path.read_bytes())
    path.write_bytes(data[:-1000])
    with pytest.raises(UnreadableLog, match=r"cannot be read after row 0: [^\n]*$"):
        list(lines_of(path))
    data[-1_000_000:-500_000] = b"\xff" * 500_000
    path.write_bytes(data)
    given: list[bytes] = []
    with pytest.raises(UnreadableLog, match=r"cannot be read after row [1-9]"):
        given.extend(lines_of(path))
    assert given


def test_a_table_needs_a_file(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with table(body=("VARCHAR", ["{}"])).open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(UnreadableLog, match="<stdin> cannot be read: Parquet"):
            list(lines_of("-"))


def test_a_table_needs_the_extra(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(body=texts([body("END")]))
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ConfigurationError, match=r"reading Parquet needs .*\"segue\[duckdb\]\""):
        list(lines_of(path))


def test_a_table_is_not_shared_out(table: Table) -> None:
    path = table(body=texts(lines(*CLEAN)))
    assert LogChunks([path, path], 2, ChunkSizes(1)).processes < 2
    assert all_told(path, jobs=2) == CALM


def test_a_table_is_sorted_like_a_log(table: Table) -> None:
    order = (2, 0, 3, 1)
    path = table(
        body=texts([lines(*CLEAN)[index] for index in order]),
        received_at=("TIMESTAMP", [f"2026-03-02 09:00:0{index}" for index in order]),
    )
    assert all_told(path)[0][2]
    assert all_told(path, sort="received_at") == CALM
