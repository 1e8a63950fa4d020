"""Generated logs: realistic conversations, some with planted mistakes whose findings are known."""

from segue.analysis.simulate.log import MORNING, GeneratedLine, generate, write

__all__ = [
    "MORNING",
    "GeneratedLine",
    "generate",
    "write",
]
