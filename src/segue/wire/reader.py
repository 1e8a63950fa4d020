"""Reads bodies and log lines: whatever is given, a delivery comes back.

What a sender did wrong is in its flaws. What cannot be placed keeps its position, and one mistake
gives one flaw.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from types import NoneType
from typing import Any, Final

from segue.events import HOOKS, INTAKES, Delivery, Event, Flaw, IdSource, Intake
from segue.events.fields import ENVELOPE, FIELDS, is_envelope
from segue.events.shapes import BodyFields, FieldType, Form, Shape, shape_of
from segue.wire.context import NO_CONTEXT, DeliveryContext
from segue.wire.limits import LIMITS, BodyLimits
from segue.wire.strict_json import Json, Text, UnreadableError, members, parse, plain
from segue.wire.timestamps import ReadTime, read_instant, read_iso_time
from segue.wire.validate import bot_mismatch, flaws_of, shown, wrong_type

__all__ = ["endpoint_of", "parse_line", "read_body", "read_line"]

_BESIDE_THE_BODY: Final = tuple(
    field for field in ENVELOPE.fields if field.type is not FieldType.BODY
)
_ABSENT: Final = (None, "")
_LISTS: Final = frozenset({list, NoneType})
_WORDS: Final = frozenset({str, bool})


def read_body(
    raw: Json,
    intake: Intake = HOOKS,
    context: DeliveryContext = NO_CONTEXT,
    *,
    limits: BodyLimits = LIMITS,
) -> Delivery:
    """Read a body that arrived at an intake.

    Args:
        raw: The body as bytes or text, or a mapping with the same values.
        intake: Where it arrived.
        context: What is known of the delivery from elsewhere. Its ids fill in for those that the
            body lacks; where the intake has its ids in the address, the body's fill in for them.
        limits: Sizes and depth beyond which a body is unreadable (SG501).

    """
    try:
        body = _object(raw, limits.max_bytes, limits.max_depth)
    except UnreadableError as error:
        return _unreadable(error.reason, intake, context)
    return _delivery(body, intake, context)


def read_line(
    raw: Json,
    *,
    read_time: ReadTime = read_iso_time,
    line: int | None = None,
    limits: BodyLimits = LIMITS,
) -> Delivery:
    """Read a line of a log: a body of E21, or an envelope with a body of any intake.

    Args:
        raw: The line as bytes or text, or a mapping; its `received_at` may be a datetime.
        read_time: Reads times that are not ISO 8601 with an offset.
        line: 1-based number of the line, for its findings.
        limits: `max_line_bytes` is the only size that counts, since a body in a log was accepted.

    """
    intake, context = HOOKS, None
    try:
        body, is_plain = _record(raw, limits)
        if is_envelope(body):
            used = body if is_plain else _used(body, limits)
            intake, context = endpoint_of(used), _context(used, read_time, line)
            body = body["body"]
            is_plain = is_plain and type(body) is dict
        if not is_plain:
            body = _object(body, limits.max_line_bytes, limits.max_depth)
    except UnreadableError as error:
        return _unreadable(error.reason, intake, context or DeliveryContext(line=line))
    return _delivery(body, intake, context or DeliveryContext(line=line))


def parse_line(
    raw: Text, *, line: int | None = None, limits: BodyLimits = LIMITS
) -> Mapping[str, Any] | Delivery:
    """Parse a line of another form: an object to take parts from, or the delivery of a broken line.

    The parts, put into an envelope, go to `read_line`, which finds all that is wrong with them.
    """
    try:
        return _record(raw, limits)[0]
    except UnreadableError as error:
        return _unreadable(error.reason, HOOKS, DeliveryContext(line=line))


def endpoint_of(envelope: Mapping[str, Any]) -> Intake:
    """Return the intake that an envelope names, or the hook."""
    name = envelope.get("endpoint")
    return INTAKES.get(name, HOOKS) if isinstance(name, str) else HOOKS


# Envelopes.


def _record(raw: Json, limits: BodyLimits) -> tuple[dict[str, Any], bool]:
    """Return the members of a line, and whether they are known to be plain."""
    value, is_plain = parse(raw, limits.max_line_bytes, limits.max_depth)
    return members(value), is_plain


def _used(record: Mapping[str, Any], limits: BodyLimits) -> dict[str, Any]:
    """Return the members of an envelope that are read, without its body, as plain values."""
    max_bytes, max_depth = limits.max_line_bytes, limits.max_depth
    used = {}
    for field in _BESIDE_THE_BODY:
        value = record.get(field.name)
        is_read = field.type is FieldType.TIME and isinstance(value, datetime)
        used[field.name] = value if is_read else plain(value, max_bytes, max_depth)
    return used


def _context(used: Mapping[str, Any], read_time: ReadTime, line: int | None) -> DeliveryContext:
    time = used.get("received_at")
    received_at = None if time is None else _received_at(time, read_time)
    flaws = flaws_of(ENVELOPE, used, "")
    if time is not None and received_at is None:
        flaws = (Flaw("SG509", "", {"value": shown(time)}), *flaws)
    return DeliveryContext(
        _text(used, "conversation_id"),
        _text(used, "bot_id"),
        _text(used, "delivery_id"),
        received_at,
        line,
        tuple([flaw._replace(pointer="") for flaw in flaws]) if flaws else (),
    )


def _received_at(time: object, read_time: ReadTime) -> datetime | None:
    try:
        when = read_instant(time, read_time)
    except (ValueError, TypeError):
        return None
    return when.replace(tzinfo=UTC) if when is not None and when.tzinfo is None else when


# Bodies.


def _object(raw: object, max_bytes: int | None, max_depth: int) -> dict[str, Any]:
    value, is_plain = parse(raw, max_bytes, max_depth)
    if not is_plain:
        value = plain(value, max_bytes, max_depth)
    if not isinstance(value, dict):
        raise UnreadableError("not an object")
    return value


def _unreadable(reason: str, intake: Intake, context: DeliveryContext) -> Delivery:
    """Return the delivery of a body that cannot be read: only what came with it is known."""
    fields = FIELDS[intake.name]
    return Delivery(
        conversation_id=context.conversation_id or None,
        bot_id=context.bot_id or None,
        events=() if fields.whole_if else (Event(fields.unprocessable, "", "", {}, ""),),
        flaws=(*context.flaws, Flaw("SG501", "", {"reason": reason})),
        delivery_id=context.delivery_id,
        received_at=context.received_at,
        line=context.line,
        intake=intake,
    )


def _delivery(body: dict[str, Any], intake: Intake, context: DeliveryContext) -> Delivery:
    fields = FIELDS[intake.name]
    events = _events(body, fields)
    if intake.ids is IdSource.BODY:
        conversation_id = _text(body, "conversationId") or context.conversation_id
        bot_id = _text(body, "botId") or context.bot_id
        ids = body if body.get("conversationId") and body.get("botId") else _filled(body, context)
    else:
        conversation_id = context.conversation_id or _text(body, "conversationId")
        bot_id = context.bot_id or _text(body, "botId")
        ids = {"conversationId": conversation_id, "botId": bot_id}
    flaws = context.flaws + flaws_of(fields.ids, ids, "")
    if bot_id and context.bot_id and bot_id != context.bot_id:
        flaws += (bot_mismatch(bot_id, context.bot_id),)
    if not events and type(body.get("events")) in _LISTS:
        flaws += (Flaw("SG508", "", {}),)
    return Delivery(
        conversation_id or None,
        bot_id or None,
        events,
        flaws,
        context.delivery_id,
        context.received_at,
        context.line,
        body,
        intake,
    )


def _filled(body: Mapping[str, Any], context: DeliveryContext) -> dict[str, Any]:
    """Return a body's members with the ids of the context for those that it lacks."""
    known = {"conversationId": context.conversation_id, "botId": context.bot_id}
    return {**body, **{key: value for key, value in known.items() if body.get(key) in _ABSENT}}


def _events(body: dict[str, Any], fields: BodyFields) -> tuple[Event, ...]:
    listed = body.get("events") if fields.listed is not None else None
    events = [
        _element(each, index, fields)
        for index, each in enumerate(listed if type(listed) is list else ())
    ]
    if not fields.whole_if or [key for key in fields.whole_if if body.get(key) is not None]:
        events.insert(0, _event(body, fields.whole, fields.unprocessable, ""))
    return tuple(events)


def _element(value: object, index: int, fields: BodyFields) -> Event:
    """Read an element of `events`."""
    pointer = f"/events/{index}"
    if type(value) is dict and fields.listed is not None:
        return _event(value, fields.listed, fields.unprocessable, pointer)
    flaw = wrong_type(f"events[{index}]", fields.ids.of, value, FieldType.OBJECT, pointer)
    return Event(fields.unprocessable, "", "", {}, pointer, (flaw,))


def _event(value: dict[str, Any], form: Form, unprocessable: StrEnum, pointer: str) -> Event:
    shape = shape_of(form, value)
    flaws = flaws_of(shape, value, pointer)
    kind, found = _kind(value, shape), _at(value, shape.agent)
    agent = found if isinstance(found, str) else ""
    if kind is unprocessable or (shape.needs_agent and not agent):
        return Event(unprocessable, "", "", value, pointer, flaws)
    told = value.get("experience")
    experience = shape.experiences.get(told, "") if isinstance(told, str) else ""
    return Event(kind, agent, experience, value, pointer, flaws)


def _kind(value: dict[str, Any], shape: Shape) -> StrEnum:
    found: Any = shape.kind_tree
    for path in shape.told_by:
        word = _at(value, path)
        found = found.get(word) if type(word) in _WORDS else None
        if found is None:
            return shape.otherwise
    return found or shape.otherwise


def _at(value: object, path: tuple[str, ...]) -> object:
    """Return what stands at a path of keys, or None."""
    for key in path:
        value = value.get(key) if type(value) is dict else None
    return value


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if type(found) is str else None
