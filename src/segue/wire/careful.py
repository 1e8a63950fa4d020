"""The careful path: any body to a delivery with its flaws. The reference for the fast path.

It decides what can be processed and what a delivery is made of.  House rules: (1) nothing a sender
sends raises; (2) what cannot be placed keeps its position; (3) one mistake, one flaw.  It does not
know log lines, nor what an event means to a conversation.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from segue.events import (
    EXPERIENCES,
    TRANSCRIPTION,
    TRANSFERS,
    ActionKind,
    Delivery,
    Event,
    EventKind,
    Flaw,
)
from segue.wire.context import DeliveryContext
from segue.wire.examine import bot_mismatch, examine, wrong_type
from segue.wire.limits import Limits
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
from segue.wire.strict import Unreadable, decode, plain

__all__ = ["READERS", "control", "hook", "unreadable"]

_NOTHING: Final[Mapping[str, Any]] = {}
_KINDS: Final = {
    TRIGGER_SUMMARY_EVENT: EventKind.SUMMARY,
    END_OF_CONVERSATION: EventKind.END,
}
_ACTIONS: Final = {
    (kind.action, bool(kind.handover)): kind
    for kind in ActionKind
    if kind is not ActionKind.UNPROCESSABLE
}
_MESSAGES: Final = {"user": EventKind.USER_MESSAGE, "agent": EventKind.AGENT_MESSAGE}


def hook(raw: object, context: DeliveryContext, limits: Limits) -> Delivery:
    """Read a body of E21: text, or values of Python's."""
    try:
        body = _object(raw, limits)
    except Unreadable as error:
        return unreadable(error.reason, context)
    listed = body.get("events")
    events = tuple(_events(body, listed if isinstance(listed, list) else []))
    flaws = [*context.flaws, *_delivery_flaws(body, context)]
    if not events and (listed is None or isinstance(listed, list)):
        flaws.append(Flaw("SG508", "", {}))
    return Delivery(
        conversation_id=_text(body, "conversationId") or context.conversation_id or None,
        bot_id=_text(body, "botId") or context.bot_id or None,
        events=events,
        flaws=tuple(flaws),
        delivery_id=context.delivery_id,
        received_at=context.received_at,
        line=context.line,
        body=body,
    )


def control(raw: object, context: DeliveryContext, limits: Limits) -> Delivery:
    """Read a body of E1: text, or values of Python's."""
    try:
        body = _object(raw, limits)
    except Unreadable as error:
        delivery = unreadable(error.reason, context)
        delivery.events = (Event(ActionKind.UNPROCESSABLE, "", "", {}, ""),)
        delivery.intake = TRANSCRIPTION
        return delivery
    conversation_id = context.conversation_id or _text(body, "conversationId") or None
    bot_id = context.bot_id or _text(body, "botId") or None
    ids = {"conversationId": conversation_id, "botId": bot_id}
    return Delivery(
        conversation_id=conversation_id,
        bot_id=bot_id,
        events=(_action(body),),
        flaws=(*context.flaws, *examine(CONTROL, ids, "")),
        delivery_id=context.delivery_id,
        received_at=context.received_at,
        line=context.line,
        body=body,
        intake=TRANSCRIPTION,
    )


def unreadable(reason: str, context: DeliveryContext) -> Delivery:
    """Return the delivery of a body that cannot be read: only what came with it is known."""
    return Delivery(
        conversation_id=context.conversation_id or None,
        bot_id=context.bot_id or None,
        flaws=(*context.flaws, Flaw("SG501", "", {"reason": reason})),
        delivery_id=context.delivery_id,
        received_at=context.received_at,
        line=context.line,
    )


def _object(raw: object, limits: Limits) -> dict[str, Any]:
    if isinstance(raw, bytes | bytearray | memoryview | str):
        raw = decode(raw, limits.max_bytes, limits.max_depth)
    value = plain(raw, limits.max_bytes, limits.max_depth)
    if not isinstance(value, dict):
        raise Unreadable("not an object")
    return value


def _delivery_flaws(body: dict[str, Any], context: DeliveryContext) -> Iterator[Flaw]:
    known = {
        "conversationId": _filled(body, "conversationId", context.conversation_id),
        "botId": _filled(body, "botId", context.bot_id),
        "events": body.get("events"),
    }
    yield from examine(DELIVERY, known, "")
    named = _text(body, "botId")
    if named and context.bot_id and named != context.bot_id:
        yield bot_mismatch(named, context.bot_id)


def _filled(body: dict[str, Any], name: str, given: str | None) -> object:
    value = body.get(name)
    return given if value is None or value == "" else value


def _events(body: dict[str, Any], listed: list[Any]) -> Iterator[Event]:
    if body.get("query") is not None or body.get("author") is not None:
        yield _message(body)
    for index, value in enumerate(listed):
        yield _event(value, index)


def _message(body: dict[str, Any]) -> Event:
    author = _text(_mapping(body, "author"), "type").lower()
    return Event(
        kind=_MESSAGES.get(author, EventKind.MESSAGE),
        agent=_text(body, "agentId"),
        experience=_experience(body),
        value=body,
        pointer="",
        flaws=examine(MESSAGE, body, ""),
    )


def _event(value: object, index: int) -> Event:
    pointer = f"/events/{index}"
    if not isinstance(value, dict):
        flaw = wrong_type(f"events[{index}]", DELIVERY.of, value, Wanted.OBJECT, pointer)
        return Event(EventKind.UNPROCESSABLE, "", "", {}, pointer, (flaw,))
    flaws = examine(event_shape(value), value, pointer)
    agent = _text(_mapping(value, "participant"), "identity")
    kind = _kind(value, agent)
    if kind is EventKind.UNPROCESSABLE:
        return Event(kind, "", "", value, pointer, flaws)
    return Event(kind, agent, _experience(value), value, pointer, flaws)


def _kind(value: dict[str, Any], agent: str) -> EventKind:
    """Tell what an event is, when enough is there to place it (lifecycle, processable)."""
    name = _text(value, "name")
    if name != INTERNAL_TRANSFER_EVENT:
        return _KINDS.get(name, EventKind.UNPROCESSABLE)
    pair = (_text(value, "transfertype").lower(), _text(value, "transition").lower())
    return TRANSFERS.get(pair, EventKind.UNPROCESSABLE) if agent else EventKind.UNPROCESSABLE


def _action(body: dict[str, Any]) -> Event:
    flaws = examine(action_shape(body), body, "")
    name, agent = _text(body, "action"), _text(body, "agentId")
    kind = _ACTIONS.get((name, name == "pause" and bool(flag(body.get("handover")))))
    if kind is None or not agent:
        return Event(ActionKind.UNPROCESSABLE, "", "", body, "", flaws)
    return Event(kind, agent, "", body, "", flaws)


def _experience(value: dict[str, Any]) -> str:
    experience = _text(value, "experience").lower()
    return experience if experience in EXPERIENCES else ""


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _mapping(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else _NOTHING


READERS: Final = {"lifecycle": hook, "transcription": control}
"""By the machine of the intake."""
