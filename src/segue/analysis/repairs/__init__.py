"""The smallest edit that makes a conversation one that the specification allows."""

from segue.analysis.repairs.editable import is_repairable
from segue.analysis.repairs.repack import RepackedDelivery
from segue.analysis.repairs.repairing import Edit, Repair, repair
from segue.analysis.repairs.serialize import serialize_deliveries
from segue.core.edits import EditedEvent, EditKind

__all__ = [
    "Edit", "EditKind", "EditedEvent", "RepackedDelivery", "Repair",
    "is_repairable", "repair",
    "serialize_deliveries",
]  # fmt: skip
