"""The JSON Schema of a report, which is packaged so that other programs can rely on it."""

import json
from importlib.resources import files
from typing import Any


def schema_text() -> str:
    """Return the text of the packaged file `report.schema.json`."""
    return files("segue.report").joinpath("report.schema.json").read_text("utf-8")


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of `Report.to_dict()` as a dict."""
    schema: dict[str, Any] = json.loads(schema_text())
    return schema
