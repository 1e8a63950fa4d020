"""Read bodies: the public face of the two paths.

It decides which path is taken, nothing else.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from segue.events import HOOKS, TRANSCRIPTION, Delivery, Intake
from segue.wire import careful
from segue.wire.context import NO_CONTEXT, DeliveryContext
from segue.wire.limits import LIMITS, Limits
from segue.wire.model import MAX_DEPTH
from segue.wire.quick import quick_action, quick_body
from segue.wire.strict import Text

__all__ = ["fits", "read_body", "utf8"]

_Quick: TypeAlias = Callable[[bytes, DeliveryContext], Delivery | None]
_Careful: TypeAlias = Callable[[object, DeliveryContext, Limits], Delivery]


def read_body(
    raw: Text | Mapping[str, Any],
    intake: Intake = HOOKS,
    context: DeliveryContext = NO_CONTEXT,
    *,
    limits: Limits = LIMITS,
) -> Delivery:
    """Read a body that arrived at this intake; what is wrong with it is in the flaws."""
    quick = quick_action if intake is TRANSCRIPTION else quick_body
    return _read(raw, context, limits, quick, careful.READERS[intake.machine])


def utf8(raw: object) -> bytes | None:
    """Return text as the fast path takes it; None: only the careful path can say what it is."""
    if isinstance(raw, bytes):
        return raw
    if isinstance(raw, str):
        try:
            return raw.encode()
        except UnicodeEncodeError:
            return None
    return None


def fits(text: bytes, max_bytes: int | None, limits: Limits) -> bool:
    """Whether nothing the fast path accepts could be beyond the limits."""
    return limits.max_depth >= MAX_DEPTH and (max_bytes is None or len(text) <= max_bytes)


def _read(
    raw: object, context: DeliveryContext, limits: Limits, quick: _Quick, careful_way: _Careful
) -> Delivery:
    text = utf8(raw)
    delivery = None
    if text is not None and fits(text, limits.max_bytes, limits):
        delivery = quick(text, context)
    return careful_way(raw, context, limits) if delivery is None else delivery
