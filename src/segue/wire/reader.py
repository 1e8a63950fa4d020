"""Reads bodies and log lines: whatever is given, a delivery comes back.

What a sender did wrong is in its flaws. What cannot be placed keeps its position, and one mistake
gives one flaw.
"""

from collections.abc import Mapping
from datetime import datetime
from types import NoneType
from typing import Any, Final

from segue.events import HOOKS, INTAKES, Delivery, Event, Flaw, IdSource, Intake
from segue.events.fields import ENVELOPE, FIELDS, is_envelope
from segue.events.shapes import BodyFields, Choice, FieldType, Form
from segue.wire.context import NO_CONTEXT, DeliveryContext
from segue.wire.limits import LIMITS, BodyLimits
from segue.wire.strict_json import Json, Text, UnreadableError, members, parse, plain
from segue.wire.timestamps import ReadTime, read_instant, read_iso_time
from segue.wire.validate import bot_mismatch, flaws_of, shown, teller, told, wrong_type

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
        body, is_plain = parse(raw, limits.max_bytes, limits.max_depth)
        if not is_plain:
            body = plain(body, limits.max_bytes, limits.max_depth)
    except UnreadableError as error:
        return _unreadable(error.reason, intake, context)
    if type(body) is not dict:
        return _unreadable("not an object", intake, context)
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
        body, is_plain = parse(raw, limits.max_line_bytes, limits.max_depth)
        if type(body) is not dict:
            body = members(body)
        if is_envelope(body):
            used = body if is_plain else _used(body, limits)
            intake, context = endpoint_of(used), _context(used, read_time, line)
            body = body["body"]
        if not is_plain or type(body) is not dict:
            body = _object(body, limits, is_plain=is_plain)
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
        return members(parse(raw, limits.max_line_bytes, limits.max_depth)[0])
    except UnreadableError as error:
        return _unreadable(error.reason, HOOKS, DeliveryContext(line=line))


def endpoint_of(envelope: Mapping[str, Any]) -> Intake:
    """Return the intake that an envelope names, or the hook."""
    name = envelope.get("endpoint")
    return INTAKES.get(name, HOOKS) if isinstance(name, str) else HOOKS


# Envelopes.


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
    flaws: tuple[Flaw, ...] = ()
    received_at = None
    if (time := used.get("received_at")) is not None:
        try:
            received_at = read_instant(time, read_time)
        except (ValueError, TypeError):
            received_at = None
        if received_at is None:
            flaws = (Flaw("SG509", "", {"value": shown(time)}),)
    if teller(ENVELOPE)(used) is None:
        flaws += tuple([flaw._replace(pointer="") for flaw in flaws_of(ENVELOPE, used, "")])
        used = {key: value for key, value in used.items() if type(value) is str}
    get = used.get
    return DeliveryContext(
        get("conversation_id"), get("bot_id"), get("delivery_id"), received_at, line, flaws
    )


# Bodies.


def _object(body: object, limits: BodyLimits, *, is_plain: bool) -> dict[str, Any]:
    """Return the body of a line as plain values: an object, or its text."""
    max_bytes, max_depth = limits.max_line_bytes, limits.max_depth
    if isinstance(body, Text):
        body, is_plain = parse(body, max_bytes, max_depth)
    if not is_plain:
        body = plain(body, max_bytes, max_depth)
    if type(body) is not dict:
        raise UnreadableError("not an object")
    return body


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
    flaws = context.flaws
    if intake.ids is IdSource.BODY and teller(fields.ids)(body) is not None:
        conversation_id, bot_id = body["conversationId"], body["botId"]
    else:
        conversation_id, bot_id, more = _ids(body, intake, context)
        flaws += more
    if context.bot_id and bot_id and bot_id != context.bot_id:
        flaws += (bot_mismatch(bot_id, context.bot_id),)
    if not events and type(body.get("events")) in _LISTS:
        flaws += (Flaw("SG508", "", {}),)
    return Delivery(
        conversation_id,
        bot_id,
        events,
        flaws,
        context.delivery_id,
        context.received_at,
        context.line,
        body,
        intake,
    )


def _ids(
    body: dict[str, Any], intake: Intake, context: DeliveryContext
) -> tuple[str | None, str | None, tuple[Flaw, ...]]:
    """Return the ids of a delivery, and what is wrong with those of its body."""
    if intake.ids is IdSource.BODY:
        conversation_id = _text(body, "conversationId") or context.conversation_id
        bot_id = _text(body, "botId") or context.bot_id
        ids = _filled(body, context)
    else:
        conversation_id = context.conversation_id or _text(body, "conversationId")
        bot_id = context.bot_id or _text(body, "botId")
        ids = {"conversationId": conversation_id, "botId": bot_id}
    return conversation_id or None, bot_id or None, flaws_of(FIELDS[intake.name].ids, ids, "")


def _filled(body: Mapping[str, Any], context: DeliveryContext) -> dict[str, Any]:
    """Return a body's members with the ids of the context for those that it lacks."""
    known = {"conversationId": context.conversation_id, "botId": context.bot_id}
    return {**body, **{key: value for key, value in known.items() if body.get(key) in _ABSENT}}


def _events(body: dict[str, Any], fields: BodyFields) -> tuple[Event, ...]:
    events = []
    is_whole = not fields.whole_if
    for key in fields.whole_if:
        is_whole = is_whole or body.get(key) is not None
    if is_whole:
        events.append(_event(body, fields.whole, fields, ""))
    if fields.listed is not None and type(listed := body.get("events")) is list:
        for index, each in enumerate(listed):
            events.append(_event(each, fields.listed, fields, f"/events/{index}"))
    return tuple(events)


def _event(value: object, form: Form | None, fields: BodyFields, pointer: str) -> Event:
    """Read one event: an element of `events`, or the body itself."""
    if type(value) is not dict or form is None:
        name = f"events[{pointer.rpartition('/')[2]}]"
        flaw = wrong_type(name, fields.ids.of, value, FieldType.OBJECT, pointer)
        return Event(fields.unprocessable, "", "", {}, pointer, (flaw,))
    while isinstance(form, Choice):
        word = value.get(form.by)
        form = form.spelled.get(word, form.otherwise) if type(word) is str else form.otherwise
    try:
        found = teller(form)(value)
    except TypeError:  # an object or array in place of a word
        found = None
    if found is not None:
        return Event(*found, value, pointer)
    kind, agent, experience = told(form, value)
    flaws = flaws_of(form, value, pointer)
    if kind is fields.unprocessable or (form.needs_agent and not agent):
        return Event(fields.unprocessable, "", "", value, pointer, flaws)
    return Event(kind, agent, experience, value, pointer, flaws)


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if type(found) is str else None
