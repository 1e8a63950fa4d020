"""Reports as rows of a data frame: the JSON document, and columns for filtering and counting."""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final

from segue.core.conversation import Report
from segue.spark.extra import DataFrame, pa

_COLUMNS: Final = {
    "conversation_id": ("string", pa.string()),
    "bot_id": ("string", pa.string()),
    "late": ("boolean", pa.bool_()),
    "replaces": ("boolean", pa.bool_()),
    "valid": ("boolean", pa.bool_()),
    "codes": ("array<string>", pa.list_(pa.string())),
    "report": ("string", pa.string()),
}
"""The type of each column, as `(Spark type, Arrow type)`."""

SCHEMA: Final = ", ".join(f"{name} {kind}" for name, (kind, _) in _COLUMNS.items())
"""The columns of a report as a Spark schema, such as `conversation_id string, …`.

`conversation_id` is null if a report does not belong to a conversation.
"""

_ARROW: Final = pa.schema([(name, kind) for name, (_, kind) in _COLUMNS.items()])
_BATCH: Final = 500


def row_of(report: Report) -> dict[str, Any]:
    """Convert a report to a dictionary with a value for each column of `SCHEMA`."""
    return {
        "conversation_id": report.conversation_id,
        "bot_id": report.bot_id,
        "late": report.late,
        "replaces": report.replaces,
        "valid": report.valid,
        "codes": [finding.code for finding in report.findings],
        "report": json.dumps(report.to_dict()),
    }


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of Arrow record batches as tuples of Python values."""
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def report_rows(
    frame: DataFrame, reports_of: Callable[[Iterator[Any]], Iterator[Report]]
) -> DataFrame:
    """Compute reports from a data frame, and return a data frame with a row for each report.

    `reports_of` is a function that is called once for each partition of `frame`. It gets an
    iterator over the rows as tuples, and yields reports.
    """

    def of_partition(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        reports = map(row_of, reports_of(rows_of(batches)))
        while some := list(islice(reports, _BATCH)):
            yield pa.RecordBatch.from_pylist(some, schema=_ARROW)

    return frame.mapInArrow(of_partition, SCHEMA)
