"""Reports shown: in full for a person, in a line for `grep`, as JSON for a program."""

from segue.report.escape import visible
from segue.report.paint import Line, Look, Tone
from segue.report.renderer import FORMATS, Renderer, renderer
from segue.report.tally import Tally

__all__ = ["FORMATS", "Line", "Look", "Renderer", "Tally", "Tone", "renderer", "visible"]
