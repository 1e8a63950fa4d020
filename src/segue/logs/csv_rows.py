r"""Reads the rows of a CSV or TSV table as JSON lines.

Each row becomes a JSON object whose keys are the columns of the header. The header does not count
as a line. Empty cells are omitted. Without a header, the keys are column numbers from 1. Quotes
within a cell are doubled (RFC 4180) or written as `\"`.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

DELIMITERS: Final = ",;\t|"
_BACKSLASHED: Final = re.compile(rb'\{\s*\\"')
_QUOTED: Final = re.compile(r'"(?:[^"]|"")*"')


def lines_of_rows(lines: Iterable[bytes], head: bytes, longest: int) -> Iterator[bytes]:
    """Convert a CSV table to JSON lines, one object such as `{"id": "7"}` for each row.

    Yield each line as bytes. Raises `csv.Error` for a cell longer than `longest`.

    Args:
        lines: The lines of the table.
        head: The first bytes of the table, from which the delimiter is detected.
        longest: The maximum number of characters of a cell.

    """
    csv.field_size_limit(max(csv.field_size_limit(), longest))
    has_backslashes = _BACKSLASHED.search(head) is not None
    rows = csv.reader(
        (line.decode("utf-8", "surrogateescape") for line in lines),
        delimiter=delimiter_of(head),
        doublequote=not has_backslashes,
        escapechar="\\" if has_backslashes else None,
    )
    first = next(rows, [])
    has_header = not any("{" in cell for cell in first)
    keys = [cell.strip().removeprefix("\ufeff") for cell in first]
    if not has_header:
        keys = [str(number) for number in range(1, len(first) + 1)]
        yield _line(keys, first)
    for row in rows:
        yield _line(keys, row)


def delimiter_of(head: bytes) -> str:
    """Detect the delimiter of a CSV table from its first line.

    Return the most frequent of the characters `,`, `;`, tab and `|` outside quotes, or a comma if
    the line contains none of them.
    """
    first = _QUOTED.sub("", head.partition(b"\n")[0].decode("utf-8", "replace"))
    return max(DELIMITERS, key=first.count)


def _line(keys: list[str], row: list[str]) -> bytes:
    cells = {key: cell for key, cell in zip(keys, row, strict=False) if cell}
    return json.dumps(cells).encode() + b"\n" if cells else b"\n"
