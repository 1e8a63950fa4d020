"""Rows of tables are lines of JSON."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from segue.errors import UnreadableLog
from segue.logs import FieldMapping
from segue.logs.csv_rows import DELIMITERS, delimiter_of, lines_of_rows
from segue.logs.sources import lines_of

CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=9)
ROWS = st.lists(st.tuples(CELLS, CELLS), max_size=5)


def rows(text: str) -> list[object]:
    stream = io.BytesIO(text.encode())
    found = lines_of_rows(stream, text[:999].encode(), 1 << 20)
    return [json.loads(line) if line.strip() else None for line in found]


@given(rows_=ROWS, delimiter=st.sampled_from(DELIMITERS), is_quoted=st.booleans())
def test_what_was_written_is_read(
    rows_: list[tuple[str, str]], delimiter: str, *, is_quoted: bool
) -> None:
    stream = io.StringIO(newline="")
    dialect = csv.unix_dialect if is_quoted else csv.excel
    csv.writer(stream, dialect, delimiter=delimiter).writerows([("a", "b"), *rows_])

    wanted = [{key: cell for key, cell in zip("ab", row, strict=True) if cell} for row in rows_]
    assert rows(stream.getvalue()) == [each or None for each in wanted]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('id,body\n1,"{""a"": ""x,y\n""}"\n', [{"id": "1", "body": '{"a": "x,y\n"}'}]),
        ('"id","body"\n"1","{\\"a\\": \\"\\\\\\"\\"}"\n', [{"id": "1", "body": '{"a": "\\""}'}]),
        ('\ufeffid;body\n1;"{""a"": 1, ""b"": 2}"\n', [{"id": "1", "body": '{"a": 1, "b": 2}'}]),
        ('1\t{"a": 1}\n2\t{"b": 2}\n', [{"1": "1", "2": '{"a": 1}'}, {"1": "2", "2": '{"b": 2}'}]),
        ("a,b\n1\n\n,\n1,2,3\n", [{"a": "1"}, None, None, {"a": "1", "b": "2"}]),
        ("a,b", []),
        ("", []),
    ],
)
def test_tables_of_all_kinds_are_read(text: str, found: object) -> None:
    assert rows(text) == found


def test_quotes_do_not_count_for_the_delimiter() -> None:
    assert delimiter_of(b'"a,b,c";"d,e"\n1;2') == ";"
    assert delimiter_of(b"body") == ","


def test_bytes_that_are_not_utf_8_are_left_to_the_reader() -> None:
    [line] = lines_of_rows([b"a\n", b"\xff\n"], b"", 99)
    assert line == b'{"a": "\\udcff"}\n'


def test_a_cell_without_end_is_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.logs.sources._ENOUGH", 10)
    limit = csv.field_size_limit(10)
    path = tmp_path / "x.csv"
    path.write_text('a,b\n1,2\n3,"' + "xxxxxxxx\n" * 9)
    try:
        lines = lines_of(path, None, FieldMapping(lines="csv"))
        assert next(lines) == b'{"a": "1", "b": "2"}\n'
        with pytest.raises(UnreadableLog, match="cannot be read after line 1: field larger"):
            list(lines)
    finally:
        csv.field_size_limit(limit)
