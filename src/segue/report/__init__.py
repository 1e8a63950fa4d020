"""Report formats: text for people, JSON and others for programs, HTML pages for browsers."""

from segue.report.renderers import renderer
from segue.report.row_columns import COLUMNS
from segue.report.run_summary import RunSummary

__all__ = [
    "COLUMNS",
    "RunSummary",
    "renderer",
]
