"""Generates logs of realistic conversations. Some contain planted mistakes with known findings."""

from segue.analysis.simulate.log import MORNING, GeneratedLine, generate, write

__all__ = [
    "MORNING",
    "GeneratedLine",
    "generate",
    "write",
]
