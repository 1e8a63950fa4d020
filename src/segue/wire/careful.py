"""The careful path: any body to a delivery with its flaws. The reference for the fast path.

It decides what can be processed and what a delivery is made of.  House rules: (1) nothing a sender
sends raises; (2) what cannot be placed keeps its position; (3) one mistake, one flaw.  It does not
know log lines, nor what an event means to a conversation.
"""

from collections.abc import Mapping
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
from segue.wire.limit import Limits
from segue.wire.shape import (
    CONTROL,
    DELIVERY,
    END_OF_CONVERSATION,
    INTERNAL_TRANSFER_EVENT,
    MESSAGE,
    TRIGGER_SUMMARY_EVENT,
    Wanted,
    action_shape,
    event_shape,
    flag,
)
from segue.wire.strict import Unreadable, decode, inspect, plain

__all__ = ["control", "hook", "unreadable"]

_NOTHING: Final[Mapping[str, Any]] = {}
_KINDS: Final = {
    TRIGGER_SUMMARY_EVENT: EventKind.SUMMARY,
    END_OF_CONVERSATION: EventKind.END,
}
_MESSAGES: Final = {"user": EventKind.USER_MESSAGE, "agent": EventKind.AGENT_MESSAGE}


def hook(raw: object, given: Given, limits: Limits) -> Delivery:
    """Read a body of E21: text, or a value of Python's or the strict reader's."""
    try:
        body = _object(raw, limits)
    except Unreadable as error:
        return unreadable(error.reason, given)
    ids = _filled(body, given.conversation_id, given.bot_id)
    flaws = [*given.flaws, *examine(DELIVERY, {**ids, "events": body.get("events")}, "")]
    if _text(body, "botId") and given.bot_id and body["botId"] != given.bot_id:
        flaws.append(bot_mismatch(body["botId"], given.bot_id))
    events = tuple(_events(body))
    if not events and not isinstance(body.get("events") or [], list) ...
