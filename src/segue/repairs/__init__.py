"""The smallest edit that makes a conversation one that the specification allows."""

from segue.core.edits import PRICES, REACH, REPEATED, EditedEvent, EditKind
from segue.repairs.editable import is_repairable
from segue.repairs.repack import RepackedDelivery
from segue.repairs.repairing import Edit, Repair, repair
from segue.repairs.serialize import serialize_deliveries

__all__ = [
    "PRICES", "REACH", "REPEATED", "Edit", "EditKind", "EditedEvent", "RepackedDelivery", "Repair",
    "is_repairable", "repair",
    "serialize_deliveries",
]  # fmt: skip
