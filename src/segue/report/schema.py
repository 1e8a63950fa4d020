"""The packaged JSON Schema of a report, on which other programs can rely."""

import json
from importlib.resources import files
from typing import Any


def schema_text() -> str:
    """Return the text of the schema."""
    return files("segue.report").joinpath("report.schema.json").read_text("utf-8")


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of `Report.to_dict()`."""
    schema: dict[str, Any] = json.loads(schema_text())
    return schema
