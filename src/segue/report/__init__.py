"""Report formats: text for people, JSON and others for programs, HTML pages for browsers."""

from segue.report.escape import visible
from segue.report.look import Look
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer
from segue.report.row_columns import COLUMNS, Column, RowKind
from segue.report.run_summary import RunSummary

__all__ = [
    "COLUMNS",
    "FORMATS",
    "Column",
    "Look",
    "RenderOptions",
    "Renderer",
    "RowKind",
    "RunSummary",
    "renderer",
    "visible",
]
