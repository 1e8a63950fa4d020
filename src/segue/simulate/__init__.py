"""Made-up logs: realistic conversations, and mistakes whose finding is known beforehand."""

from segue.simulate.inject import ExpectedFinding
from segue.simulate.log import MORNING, GeneratedLine, generate, write
from segue.simulate.mistakes import Mistake, mistakes_of
from segue.simulate.random_walk import walk
from segue.simulate.script import Script, ScriptItem

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
