"""Reports shown: in full for a person, in a line for `grep`, as JSON for a program."""

from segue.report.escape import visible
from segue.report.look import Look
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer
from segue.report.run_summary import RunSummary

__all__ = ["FORMATS", "Look", "RenderOptions", "Renderer", "RunSummary", "renderer", "visible"]
