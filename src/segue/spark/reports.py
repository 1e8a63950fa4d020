"""Reports as rows: what a worker hands back.

House rules: the report itself is the documented JSON, ASCII only; the columns beside it are for
those who filter and count.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from segue.conversation import Report
from segue.spark.extra import arrow

__all__ = ["SCHEMA", "batches_of", "row_of"]

SCHEMA: Final = (
    "conversation_id string, late boolean, valid boolean, codes array<string>, report string"
)
"""Of the reports, as Spark writes it; an id of no conversation is null."""

_ARROW: Final = arrow.schema(
    [
        ("conversation_id", arrow.string()),
        ("late", arrow.bool_()),
        ("valid", arrow.bool_()),
        ("codes", arrow.list_(arrow.string())),
        ("report", arrow.string()),
    ]
)
_AT_ONCE: Final = 500


def row_of(report: Report) -> dict[str, Any]:
    """Return a report as a row."""
    return {
        "conversation_id": report.conversation_id,
        "late": report.late,
        "valid": report.valid,
        "codes": [finding.code for finding in report.findings],
        "report": json.dumps(report.to_dict()),
    }


def batches_of(reports: Iterable[Report]) -> Iterator[arrow.RecordBatch]:
    """Yield reports as rows, some at a time."""
    rows = map(row_of, reports)
    while some := list(islice(rows, _AT_ONCE)):
        yield arrow.RecordBatch.from_pylist(some, schema=_ARROW)
