"""The correction of a conversation by the edits of its explanation."""

from segue.analysis.repairs.edited import EditedEvent
from segue.analysis.repairs.repack import RepackedDelivery
from segue.analysis.repairs.repairing import Repair, is_repairable, repair
from segue.analysis.repairs.serialize import serialize_deliveries

__all__ = [
    "EditedEvent",
    "RepackedDelivery",
    "Repair",
    "is_repairable",
    "repair",
    "serialize_deliveries",
]
