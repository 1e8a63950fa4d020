"""Parquet: rows of a table as the lines they would be in a log of JSON lines.

It decides which columns make a line and how their values are written.  House rules: (1) a row is a
line, in the order of the file, and its number stands for the number of the line; (2) text is passed
on as it is, for only the wire knows what it says; (3) null within a structure is a key that is not
there, because a column cannot leave one out.  It refuses to know what a body means.
"""

import json
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from segue.errors import ConfigurationError, UnreadableLog
from segue.logs import _duckdb
from segue.logs.field_mapping import ENVELOPE, FieldMapping

__all__ = ["PARQUET", "rows_of"]

PARQUET: Final = b"PAR1"

_AT_ONCE: Final = 1000
_FROM: Final = "FROM read_parquet(?, hive_partitioning = false)"
_TYPES: Final = f"SELECT column_name, column_type FROM (DESCRIBE SELECT * {_FROM})"  # noqa: S608
_EXTENT: Final = "SELECT num_rows FROM parquet_file_metadata(?)"
_BODY: Final = "body"
_BARE: Final = frozenset({"conversationId", "events"})
_TEXTS: Final = frozenset({"VARCHAR", "JSON"})

_Reader: TypeAlias = Callable[[Any], object]


def rows_of(
    path: str, progress: Callable[[int], None] | None, field_mapping: FieldMapping | None
) -> Generator[bytes, None, None]:
    """Yield the rows of a file as lines: of the columns that the field mapping or an envelope has.

    Raises `UnreadableLog` for a damaged file, `ConfigurationError` without the extra and for a
    table in which no column can be the body.
    """
    with _duckdb.connect("reading Parquet") as database:
        from duckdb import Error  # noqa: PLC0415 - an extra, and heavy

        count = 0
        try:
            [(total,)] = database.execute(_EXTENT, [path]).fetchall()
            types = dict(database.execute(_TYPES, [path]).fetchall())
            columns = _columns(types, field_mapping, path)
            readers = [(name, _reader(types[name])) for name in columns]
            wanted = ", ".join(_selected(name, types[name]) for name in columns)
            database.execute(f"SELECT {wanted} {_FROM}", [path])
            while rows := database.fetchmany(_AT_ONCE):
                yield from (_line(readers, row) for row in rows)
                count += len(rows)
                if progress is not None:
                    progress(Path(path).stat().st_size * count // total)
        except Error as error:
            msg = f"{path} cannot be read beyond row {count}: {_duckdb.reason(error)}"
            raise UnreadableLog(msg) from error


def _line(readers: list[tuple[str, _Reader]], row: tuple[object, ...]) -> bytes:
    values = ((name, read(value)) for (name, read), value in zip(readers, row, strict=True))
    # Without the key, an envelope would not be one.
    line = {name: value for name, value in values if value is not None or name == _BODY}
    return json.dumps(line).encode() + b"\n"


def _columns(types: Mapping[str, str], field_mapping: FieldMapping | None, path: str) -> list[str]:
    """Return the columns that make a line."""
    if field_mapping is None:
        if _BODY in types:
            return [name for name in types if name in ENVELOPE]
        if not types.keys() & _BARE:
            msg = _no_body(types, path, "no column is called body")
            raise ConfigurationError(msg)
        return list(types)
    keys = field_mapping.keys
    if keys is None:
        return list(types)
    body = field_mapping.body_key
    if body not in types:
        msg = _no_body(types, path, f"no column is called {body}")
        raise ConfigurationError(msg)
    return [name for name in types if name in keys]


def _no_body(types: Mapping[str, str], path: str, reason: str) -> str:
    names = ", ".join(sorted(types))
    return f"{path}: {reason}; there are {names}: say which is the body, such as --body-at /payload"


def _selected(name: str, kind: str) -> str:
    """Return what SQL gives of a column: text and bytes as they are, structures as their JSON."""
    quoted = '"{}"'.format(name.replace('"', '""'))
    if kind == "BLOB":
        return quoted
    if kind in _TEXTS:
        return f"{quoted}::VARCHAR"
    return f"to_json({quoted})::VARCHAR"


def _reader(kind: str) -> _Reader:
    """Return what makes JSON of the value that is selected."""
    if kind == "BLOB":
        return _from_bytes
    return _as_it_is if kind in _TEXTS else _from_json


def _as_it_is(value: str | None) -> str | None:
    return value


def _from_bytes(value: bytes | None) -> str | None:
    # What is no UTF-8 is told by the wire, which cannot have bytes within a line.
    return None if value is None else value.decode("utf-8", "surrogateescape")


def _from_json(value: str | None) -> object:
    return None if value is None else _told(json.loads(value, parse_constant=_nothing))


def _nothing(_: str) -> None:
    """Take what is no number for nothing."""


def _told(value: object) -> object:
    """Leave out what is null, however deep."""
    if isinstance(value, dict):
        return {key: _told(each) for key, each in value.items() if each is not None}
    return [_told(each) for each in value] if isinstance(value, list) else value
