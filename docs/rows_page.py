"""Generate the reference page of the columns of each kind of row.

A column without a description of its own has that of the report's JSON Schema for the same name.
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
    and `segue segments --format csv` writes `segments`. New columns are added at the end, and no
    column changes its meaning.

    | type | Python | CSV | Parquet |
    |---|---|---|---|
    | text | `str` | text | `VARCHAR` |
    | integer | `int` | `12` | `BIGINT` |
    | number | `float` (durations in seconds) | `29.676` | `DOUBLE` |
    | boolean | `bool` | `true`, `false` | `BOOLEAN` |
    | time | `datetime` in UTC | `2026-03-02T08:00:17.526000Z` | `TIMESTAMP WITH TIME ZONE` |
    | unknown | `None` | an empty cell | `NULL` |

    In files, control characters in texts are written as escapes such as `\\x1b`. In CSV, texts that
    a spreadsheet would read as a formula, because they begin with `=`, `+`, `-` or `@`, are
    preceded by an apostrophe. Rows and Parquet contain them as they were sent.
""")
_KINDS: Final = {
    "findings": "a finding",
    "segments": "an agent's presence in a conversation",
    "events": "a lifecycle event",
    "conversations": "a conversation; what came after the window is only in `findings`",
    "figures": "a metric of a conversation that is not the same as told and as mended",
}


def rows_page() -> str:
    """Return the reference page of the columns in Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    schema = report_schema()
    parts = schema["$defs"]
    described = {
        "findings": parts["finding"]["properties"],
        "segments": parts["segment"]["properties"],
        "events": parts["finding"]["properties"],
        "conversations": schema["properties"] | parts["metrics"]["properties"],
        "figures": parts["metrics"]["properties"],
    }
    yield _INTRODUCTION
    for kind, columns in COLUMNS.items():
        yield f"\n## `{kind}`: {_KINDS[kind]}\n"
        yield "| column | type | meaning |"
        yield "|---|---|---|"
        for column in columns:
            text = column.text or _text(described[kind][column.name], parts)
            yield f"| `{column.name}` | {column.type} | {text} |"
    yield ""


def _text(described: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """Return the description of a property in the JSON Schema.

    A property without a description has that of the definition it refers to.
    """
    text: str = described.get("description", "")
    name = described.get("$ref", "").rpartition("/")[2]
    return text or parts.get(name, {}).get("description", "")
