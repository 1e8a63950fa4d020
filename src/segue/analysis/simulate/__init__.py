"""Generated logs: realistic conversations, some with planted mistakes whose findings are known."""

from segue.analysis.simulate.inject import ExpectedFinding
from segue.analysis.simulate.log import MORNING, GeneratedLine, generate, write
from segue.analysis.simulate.mistakes import Mistake, mistakes_of
from segue.analysis.simulate.random_walk import walk
from segue.analysis.simulate.script import Script, ScriptItem

__all__ = [
    "MORNING",
    "ExpectedFinding",
    "GeneratedLine",
    "Mistake",
    "Script",
    "ScriptItem",
    "generate",
    "mistakes_of",
    "walk",
    "write",
]
