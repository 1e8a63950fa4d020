"""Rows as Parquet with typed columns, written by DuckDB (extra `duckdb`).

Rows are kept as JSON lines in a folder of the caller until all are known. Control characters in
text are escaped, because JSON and UTF-8 cannot represent every character that senders can send.
"""

import json
import shutil
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from segue.core.errors import ConfigurationError
from segue.logs import duckdb_connection
from segue.report.csv_table import TableRenderer, time_text
from segue.report.escape import visible
from segue.report.renderers import RenderOptions
from segue.report.row_columns import COLUMNS, ColumnType
from segue.report.rows import Row

_TYPES: Final[Mapping[ColumnType, str]] = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "time": "TIMESTAMPTZ",
}
_COPY: Final = (
    "COPY (SELECT * FROM read_json(?, format = 'newline_delimited', columns = {columns}))"
    " TO {target} (FORMAT parquet, COMPRESSION zstd)"
)


class ParquetTable(TableRenderer):
    """Collects rows and writes them as a Parquet file at the end.

    Args:
        stream: A binary file to write to.
        folder: A temporary folder that the caller deletes.
        options: The options, of which only the kind of rows is used.

    Raises:
        ConfigurationError: If the extra is not installed.

    """

    def __init__(
        self, stream: BinaryIO, folder: Path, options: RenderOptions | None = None
    ) -> None:
        duckdb_connection.connect("writing Parquet").close()
        self._stream = stream
        self._lines = folder / "rows.jsonl"
        self._table = folder / "rows.parquet"
        self._file = self._lines.open("w", encoding="ascii")
        super().__init__(self._file.write, options or RenderOptions())

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Add rows to those that are collected."""
        for row in rows:
            values = {name: _value(value) for name, value in row.items()}
            self._write(f"{json.dumps(values)}\n")

    def close(self) -> None:
        """Close the temporary file in which the rows are collected."""
        self._file.close()

    def _write_end(self) -> None:
        self.close()
        columns = {column.name: _TYPES[column.type] for column in COLUMNS[self._options.rows]}
        query = _COPY.format(columns=columns, target=_literal(str(self._table)))
        with (
            duckdb_connection.connect("writing Parquet") as database,
            duckdb_connection.errors_as(
                lambda reason: ConfigurationError(f"cannot write the table: {reason}")
            ),
        ):
            database.execute(query, [str(self._lines)])
        with self._table.open("rb") as table:
            shutil.copyfileobj(table, self._stream)


def _value(value: object) -> object:
    if isinstance(value, str):
        return visible(value)
    return time_text(value) if isinstance(value, datetime) else value


def _literal(text: str) -> str:
    return "'{}'".format(text.replace("'", "''"))
