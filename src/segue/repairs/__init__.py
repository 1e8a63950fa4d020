"""Mending: the smallest edit that makes a conversation one that the specification allows."""

from segue.repairs.costs import PRICES, REACH, REPEATED, Change
from segue.repairs.editable import is_repairable
from segue.repairs.repack import Sheet
from segue.repairs.repairing import Edit, Repair, repair
from segue.repairs.serialize import written

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
