"""Rows as Parquet: the same rows, read by DuckDB."""

import io
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.report.export.story import COLD, SAMPLE
from tests.report.hostile import CANARY, hostile

import segue
from segue.core.conversation.current import current_reports
from segue.logs import duckdb_connection
from segue.report import COLUMNS, RunSummary
from segue.report.escape import visible
from segue.report.parquet_table import ParquetTable
from segue.report.renderers import RenderOptions
from segue.report.row_columns import RowKind

pytest.importorskip("duckdb")

KINDS: tuple[RowKind, ...] = ("findings", "segments", "events", "conversations", "figures")


def written(
    reports: list[segue.Report], rows: RowKind, folder: Path
) -> tuple[list[str], list[str], list[Any]]:
    """Names, types and rows of a table."""
    stream = io.BytesIO()
    waiting = folder / "waiting's"
    waiting.mkdir()
    table = ParquetTable(stream, waiting, RenderOptions(rows=rows))
    for report in reports:
        table.show(report)
    table.finish(RunSummary())
    path = folder / "table.parquet"
    path.write_bytes(stream.getvalue())
    with duckdb_connection.connect("a test") as database:
        found = database.read_parquet(str(path))
        names, types = found.columns, list(map(str, found.types))
        # DuckDB makes times of Python with a package of its own: a text will do
        columns = [
            f"strftime({name}, '%Y-%m-%dT%H:%M:%S.%f')" if "TIME" in type_ else f'"{name}"'
            for name, type_ in zip(names, types, strict=True)
        ]
        return names, types, found.project(", ".join(columns)).fetchall()


def plain(value: object) -> object:
    """A value, or the text of a time."""
    return f"{value:%Y-%m-%dT%H:%M:%S.%f}" if isinstance(value, datetime) else value


@pytest.mark.parametrize("rows", KINDS)
def test_a_table_has_the_rows_of_the_reports(rows: RowKind, tmp_path: Path) -> None:
    reports = list(current_reports(segue.replay(SAMPLE)))

    names, _, found = written(reports, rows, tmp_path)

    right = list(segue.to_rows(reports, rows))
    assert names == [column.name for column in COLUMNS[rows]]
    assert found == [tuple(map(plain, row.values())) for row in right]
    assert len(right) > 5


def test_columns_have_types_even_where_all_is_unknown(tmp_path: Path) -> None:
    names, types, rows = written(list(segue.replay(COLD)), "findings", tmp_path)

    assert rows == []
    assert types[names.index("line")] == "BIGINT"
    assert types[names.index("message")] == "VARCHAR"


def test_times_are_times(tmp_path: Path) -> None:
    names, types, rows = written(list(segue.replay(COLD)), "events", tmp_path)

    assert types[names.index("received_at")] == "TIMESTAMP WITH TIME ZONE"
    assert rows[0][names.index("received_at")] == "2026-03-02T09:00:10.000000"


def test_texts_that_no_table_can_hold_are_shown_as_escapes(tmp_path: Path) -> None:
    names, _, rows = written(list(segue.replay(hostile())), "events", tmp_path)

    assert rows[0][names.index("conversation_id")] == visible(CANARY)


def test_what_duckdb_cannot_do_is_said_in_a_line(tmp_path: Path) -> None:
    table = ParquetTable(io.BytesIO(), tmp_path, RenderOptions(rows="events"))
    (tmp_path / "rows.parquet").mkdir()

    with pytest.raises(segue.ConfigurationError, match="cannot write the table: "):
        table.finish(RunSummary())
    table.close()


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)

    with pytest.raises(segue.ConfigurationError, match=r"writing Parquet needs an extra.*duckdb"):
        ParquetTable(io.BytesIO(), tmp_path)
