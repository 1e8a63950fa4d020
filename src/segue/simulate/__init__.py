"""Made-up logs: realistic conversations, and mistakes whose finding is known beforehand."""

from segue.simulate.inject import Planted
from segue.simulate.log import MORNING, Line, generate, write
from segue.simulate.mistakes import MISTAKES, Mistake
from segue.simulate.random_walk import walk
from segue.simulate.script import Item, Script

__all__ = [
    "MISTAKES",
    "MORNING",
    "Item",
    "Line",
    "Mistake",
    "Planted",
    "Script",
    "generate",
    "walk",
    "write",
]
