"""Reports for people and for programs. The full account is in `segue.report.full`, with rich."""

from segue.report.escape import visible
from segue.report.renderer import PLAIN, Concise, Json, JsonLines, Renderer, counted, where
from segue.report.tally import Tally

__all__ = [
    "PLAIN",
    "Concise",
    "Json",
    "JsonLines",
    "Renderer",
    "Tally",
    "counted",
    "visible",
    "where",
]
