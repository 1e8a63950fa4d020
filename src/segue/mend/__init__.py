"""Mending: the smallest edit that makes a conversation one that the specification allows."""

from segue.mend.paper import written
from segue.mend.price import PRICES, REACH, REPEATED, Change
from segue.mend.repair import Edit, Repair, repair
from segue.mend.sheet import Sheet
from segue.mend.stream import is_repairable

__all__ = [
    "PRICES",
    "REACH",
    "REPEATED",
    "Change",
    "Edit",
    "Repair",
    "Sheet",
    "is_repairable",
    "repair",
    "written",
]
