"""Bodies of E21 and E1 to deliveries, flawed or not.

It decides what can be processed and what a delivery is made of.  House rules: (1) nothing a sender
sends raises; (2) what cannot be placed keeps its position; (3) the careful path here is the
reference, the fast path only a shorter way to the same value.  It does not know log lines, nor
what an event means to a conversation.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from segue.events import (
    ACTIONS,
    EXPERIENCES,
    TRANSFERS,
    Action,
    Delivery,
    Event,
    EventKind,
    Flaw,
)
from segue.wire.examine import bot_mismatch, examine, wrong_type
from segue.wire.given import Given
from segue.wire.limit import LIMITS, Limits
from segue.wire.model import MAX_DEPTH
from segue.wire.quick import quick_action, quick_body
from segue.wire.shape import (
    CONTROL,
    DELIVERY,
    END_OF_CONVERSATION,
    INTERNAL_TRANSFER_EVENT,
    MESSAGE,
    TRIGGER_SUMMARY_EVENT,
    action_shape,
    event_shape,
    flag,
)
from segue.wire.strict import Text, Unreadable, decode, inspect, plain

__all__ = ["action_of", "body_of", "fits", "read_action", "read_body", "unreadable"]

_NO_VALUE: Final[Mapping[str, Any]] = {}
_KINDS: Final = {
    TRIGGER_SUMMARY_EVENT: EventKind.SUMMARY,
    END_OF_CONVERSATION: EventKind.END,
}
_MESSAGES: Final = {"user": EventKind.USER_MESSAGE, "agent": EventKind.AGENT_MESSAGE}


def read_body(  # noqa: PLR0913 - what may come with a body
    raw: Text | Mapping[str, Any],
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
    return body_of(raw, given, limits)


def read_action(  # noqa: PLR0913 - what may come with a body
    raw: Text | Mapping[str, Any],
    *,
    conversation_id: str | None = None,
    bot_id: str | None = None,
    delivery_id: str | None = None,
    received_at: datetime | None = None,
    line: int | None = None,
    limits: Limits = LIMITS,
) -> Delivery:
    """Read a body of E1, whatever it is; what is wrong with it is in the flaws.

    E1 has its ids in the path and query: those given are taken, and the body fills in.
    """
    given = Given(conversation_id, bot_id, delivery_id, received_at, line)
    return action_of(raw, given, limits)


def body_of(raw: object, given: Given, limits: Limits) -> Delivery:
    """Read a body of E21 that came with something."""
    text = utf8(raw)
    if text is not None and fits(text, limits.max_bytes, limits):
        delivery = quick_body(text, given)
        if delivery is not None and not given.flaws:
            return delivery
    try:
        body = _object(raw, limits)
    except Unreadable as error:
        return unreadable(error, given)
    return _hook(body, given)


def action_of(raw: object, given: Given, limits: Limits) -> Delivery:
    """Read a body of E1 that came with something."""
    text = utf8(raw)
    if text is not None and fits(text, limits.max_bytes, limits):
        delivery = quick_action(text, given)
        if delivery is not None and not given.flaws:
            return delivery
    try:
        body = _object(raw, limits)
    except Unreadable as error:
        delivery = unreadable(error, given)
        delivery.action = Action("", "", None)
        return delivery
    return _control(body, given)
