"""Reports shown: in full for a person, in a line for `grep`, as JSON for a program."""

from segue.report.escape import visible
from segue.report.renderers import FORMATS, Renderer, renderer
from segue.report.run_summary import RunSummary
from segue.report.styled_text import Look, TextLine, Tone

__all__ = ["FORMATS", "Look", "Renderer", "RunSummary", "TextLine", "Tone", "renderer", "visible"]
