"""Read bodies: the public face of the two paths.

It decides which path is taken, nothing else.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

from segue.events import Delivery
from segue.wire import careful
from segue.wire.given import Given
from segue.wire.limits import LIMITS, Limits
from segue.wire.model import MAX_DEPTH
from segue.wire.quick import quick_action, quick_body

__all__ = ["fits", "read_action", "read_body", "utf8"]

_Quick: TypeAlias = Callable[[bytes, Given], Delivery | None]
_Careful: TypeAlias = Callable[[object, Given, Limits], Delivery]


def read_body(  # noqa: PLR0913 - all that may come with a body
    raw: object,
    *,
    conversation_id: str | None = None,
    bot_id: str | None = None,
    delivery_id: str | None = None,
    received_at: datetime | None = None,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Delivery:
    """Read a body of E21, whatever it is; what is wrong with it is in the flaws.

    The ids fill in for a body that lacks them.  A bot id that differs from the body's is a flaw
    (SG506), and the body's is taken.
    """
    given = Given(conversation_id, bot_id, delivery_id, received_at, line)
    return _read(raw, given, limits, quick_body, careful.hook)


def read_action(  # noqa: PLR0913 - all that may come with a body
    raw: object,
    *,
    conversation_id: str | None = None,
    bot_id: str | None = None,
    delivery_id: str | None = None,
    received_at: datetime | None = None,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Delivery:
    """Read a body of E1, whatever it is; what is wrong with it is in the flaws.

    E1 has its ids in path and query: those given are taken, and the body fills in.
    """
    given = Given(conversation_id, bot_id, delivery_id, received_at, line)
    return _read(raw, given, limits, quick_action, careful.control)


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
    raw: object, given: Given, limits: Limits, quick: _Quick, careful_way: _Careful
) -> Delivery:
    text = utf8(raw)
    delivery = None
    if text is not None and fits(text, limits.max_bytes, limits):
        delivery = quick(text, given)
    return careful_way(raw, given, limits) if delivery is None else delivery
