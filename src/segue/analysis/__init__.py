"""Analysis of logs: causes, comparisons, dialects, repaired logs and generated conversations."""

from typing import TYPE_CHECKING

from segue.core.lazy import lazy_names

if TYPE_CHECKING:
    from segue.analysis.causes import (
        RootCause as RootCause,
        RootCauses as RootCauses,
    )
    from segue.analysis.repairs import (
        EditedEvent as EditedEvent,
        RepackedDelivery as RepackedDelivery,
        Repair as Repair,
        repair as repair,
    )

_NAMES = {
    "segue.analysis.causes": "RootCause RootCauses",
    "segue.analysis.repairs": "EditedEvent RepackedDelivery Repair repair",
}

if not TYPE_CHECKING:  # type checkers would accept any name of a module with `__getattr__`
    __getattr__, __dir__, __all__ = lazy_names(__name__, _NAMES)
