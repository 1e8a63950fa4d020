"""Reports as rows: the documented JSON, in ASCII, and columns to filter and count by."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from segue.conversation import Report
from segue.spark.extra import pa

__all__ = ["SCHEMA", "batches_of", "row_of"]

SCHEMA: Final = (
    "conversation_id string, late boolean, valid boolean, codes array<string>, report string"
)
"""The columns of a report; the id is null if it belongs to no conversation."""

_ARROW: Final = pa.schema(
    [
        ("conversation_id", pa.string()),
        ("late", pa.bool_()),
        ("valid", pa.bool_()),
        ("codes", pa.list_(pa.string())),
        ("report", pa.string()),
    ]
)
_BATCH: Final = 500


def row_of(report: Report) -> dict[str, Any]:
    """Return a report as a row."""
    return {
        "conversation_id": report.conversation_id,
        "late": report.late,
        "valid": report.valid,
        "codes": [finding.code for finding in report.findings],
        "report": json.dumps(report.to_dict()),
    }


def batches_of(reports: Iterable[Report]) -> Iterator[pa.RecordBatch]:
    """Yield reports as rows, some at a time."""
    rows = map(row_of, reports)
    while some := list(islice(rows, _BATCH)):
        yield pa.RecordBatch.from_pylist(some, schema=_ARROW)
