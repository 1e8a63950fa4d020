"""The reference page of rows: the columns of each kind, from the table that rows are made by.

What a report has under the same name is described in the words of its JSON Schema.
"""

from collections.abc import Iterator, Mapping
from inspect import cleandoc
from typing import Any, Final

from segue.report import COLUMNS
from segue.report.schema import report_schema

__all__ = ["rows_page"]

_INTRODUCTION: Final = cleandoc("""
    # Rows

    `segue.to_rows(reports, KIND)` yields dicts with these keys, `segue export --to csv` and
    `--to parquet` write tables with these columns, `segue check --format csv` writes `findings`,
    and `segue segments --format csv` writes `segments`. Columns are added at the end; none changes
    its meaning.

    | type | Python | CSV | Parquet |
    |---|---|---|---|
    | text | `str` | text | `VARCHAR` |
    | integer | `int` | `12` | `BIGINT` |
    | number | `float`, of times in seconds | `29.676` | `DOUBLE` |
    | boolean | `bool` | `true`, `false` | `BOOLEAN` |
    | time | `datetime` in UTC | `2026-03-02T08:00:17.526000Z` | `TIMESTAMP WITH TIME ZONE` |
    | what is not known | `None` | an empty cell | `NULL` |

    In files, control characters in texts are written as escapes such as `\\x1b`. In CSV a text that
    a spreadsheet would take for a formula, because it begins with `=`, `+`, `-` or `@`, gets an
    apostrophe before it; rows and Parquet have it as it was sent.
""")
_KINDS: Final = {
    "findings": "a finding",
    "segments": "an agent's presence in a conversation",
    "events": "a lifecycle event",
    "conversations": "a conversation; what came after its end is in `findings` only",
}


def rows_page() -> str:
    """Return the page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    schema = report_schema()
    parts = schema["$defs"]
    described = {
        "findings": parts["finding"]["properties"],
        "segments": parts["segment"]["properties"],
        "events": parts["finding"]["properties"],
        "conversations": schema["properties"] | parts["metrics"]["properties"],
    }
    yield _INTRODUCTION
    for kind, columns in COLUMNS.items():
        yield f"\n## `{kind}`: {_KINDS[kind]}\n"
        yield "| column | type | what it is |"
        yield "|---|---|---|"
        for column in columns:
            text = column.text or _text(described[kind][column.name], parts)
            yield f"| `{column.name}` | {column.type} | {text} |"
    yield ""


def _text(described: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """Return the description of a property, or of what it refers to."""
    text: str = described.get("description", "")
    name = described.get("$ref", "").rpartition("/")[2]
    return text or parts.get(name, {}).get("description", "")
