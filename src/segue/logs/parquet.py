"""Reads the rows of a Parquet file as JSON lines.

Each row becomes a line with a JSON object whose keys are the columns. Lines are numbered in the
order of the rows. Text is not changed. Nulls within a structure are omitted, because a column
cannot omit a key.
"""

import json
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from segue.core.errors import ConfigurationError, UnreadableLog
from segue.logs import duckdb_connection
from segue.logs.field_mapping import ENVELOPE, FieldMapping

PARQUET: Final = b"PAR1"

_BATCH: Final = 1000
_FROM: Final = "FROM read_parquet(?, hive_partitioning = false)"
_TYPES: Final = (
    "SELECT column_name, column_type"
    " FROM (DESCRIBE SELECT * FROM read_parquet(?, hive_partitioning = false))"
)
_EXTENT: Final = "SELECT num_rows FROM parquet_file_metadata(?)"
_BODY: Final = "body"
_BARE: Final = frozenset({"conversationId", "events"})
_TEXTS: Final = frozenset({"VARCHAR", "JSON"})

_Reader: TypeAlias = Callable[[Any], object]


def rows_of(
    path: str, progress: Callable[[int], None] | None, field_mapping: FieldMapping | None
) -> Generator[bytes, None, None]:
    """Yield each row of a file as a line of JSON, with the columns that are needed.

    The columns are those of the field mapping, or else those of an envelope or a body.

    Raises `UnreadableLog` for a damaged file, and `ConfigurationError` if the extra is not
    installed or no column can be the body.
    """
    count = 0
    with (
        duckdb_connection.connect("reading Parquet") as database,
        duckdb_connection.errors_as(
            lambda reason: UnreadableLog(f"{path} cannot be read after row {count}: {reason}")
        ),
    ):
        [(total,)] = database.execute(_EXTENT, [path]).fetchall()
        types = dict(database.execute(_TYPES, [path]).fetchall())
        columns = _columns(types, field_mapping, path)
        wanted, readers = zip(*(_selected(name, types[name]) for name in columns), strict=True)
        database.execute(f"SELECT {', '.join(wanted)} {_FROM}", [path])
        while rows := database.fetchmany(_BATCH):
            yield from (_line(columns, readers, row) for row in rows)
            count += len(rows)
            if progress is not None:
                progress(Path(path).stat().st_size * count // total)


def _line(names: list[str], readers: tuple[_Reader, ...], row: tuple[object, ...]) -> bytes:
    cells = zip(names, readers, row, strict=True)
    values = ((name, read(value)) for name, read, value in cells)
    # The key of the body is kept, because a line without it would not be an envelope.
    line = {name: value for name, value in values if value is not None or name == _BODY}
    return json.dumps(line).encode() + b"\n"


def _columns(types: Mapping[str, str], field_mapping: FieldMapping | None, path: str) -> list[str]:
    """Return the names of the columns to read."""
    if field_mapping is None:
        if _BODY in types:
            return [name for name in types if name in ENVELOPE]
        if not types.keys() & _BARE:
            raise ConfigurationError(_no_body(types, path, "no column is called body"))
        return list(types)
    keys = field_mapping.keys
    if keys is None:
        return list(types)
    body = field_mapping.body_key
    if body not in types:
        raise ConfigurationError(_no_body(types, path, f"no column is called {body}"))
    return [name for name in types if name in keys]


def _no_body(types: Mapping[str, str], path: str, reason: str) -> str:
    names = ", ".join(sorted(types))
    found = f"{path}: {reason}; the columns are {names}"
    return f"{found}: name the column of the body, such as --body-at /payload"


def _selected(name: str, kind: str) -> tuple[str, _Reader]:
    """Return the SQL that selects a column, and a function that converts a cell to a JSON value.

    Text and bytes are selected unchanged. All other types are selected as JSON.
    """
    quoted = '"{}"'.format(name.replace('"', '""'))
    if kind == "BLOB":
        return quoted, _from_bytes
    if kind in _TEXTS:
        return f"{quoted}::VARCHAR", _unchanged
    return f"to_json({quoted})::VARCHAR", _from_json


def _unchanged(value: str | None) -> str | None:
    return value


def _from_bytes(value: bytes | None) -> str | None:
    # JSON text cannot hold bytes that are not UTF-8. The line reader reports them.
    return None if value is None else value.decode("utf-8", "surrogateescape")


def _from_json(value: str | None) -> object:
    return None if value is None else _without_nulls(json.loads(value, parse_constant=_null))


def _null(_: str) -> None:
    """Return None, so that NaN and the infinities are read as null."""


def _without_nulls(value: object) -> object:
    """Return a JSON value without the keys of objects whose value is null, at any depth."""
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value
