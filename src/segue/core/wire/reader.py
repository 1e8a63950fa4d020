"""Functions that read request bodies and lines of logs.

Every input gives a `Delivery`. Its flaws report the mistakes of the sender, one flaw for each
mistake. An event that cannot be processed still has a position.
"""

from collections.abc import Mapping
from datetime import datetime
from types import NoneType
from typing import Any, Final

from segue.core.events import (
    HOOKS,
    INTAKES,
    Delivery,
    Event,
    Flaw,
    IdSource,
    Intake,
    Json,
    json_text,
    text_digest,
)
from segue.core.events.fields import ENVELOPE, FIELDS, is_envelope
from segue.core.events.ids import one_spelling
from segue.core.events.kind import ENTRIES
from segue.core.events.shapes import BLANKS, BodyFields, Choice, FieldType, Form, key_of, shape_of
from segue.core.wire.context import NO_CONTEXT, DeliveryContext, answering
from segue.core.wire.limits import LIMITS, BodyLimits
from segue.core.wire.strict_json import RawBody, Text, UnreadableError, members, parse, plain
from segue.core.wire.timestamps import ReadTime, read_instant, read_iso_time
from segue.core.wire.validate import (
    Examined,
    bot_mismatch,
    examine,
    shown,
    subject_of,
    subject_reader,
    wrong_type,
)

_BESIDE_THE_BODY: Final = tuple(
    field for field in ENVELOPE.fields if field.type is not FieldType.BODY
)
_ABSENT: Final = (None, "")
_IDS: Final = frozenset({"conversationId", "botId", "events"})
_EMPTY: Final = {
    "how": "neither a message nor events",
    "advice": "send the message fields or events; send nothing when there is nothing to say",
}
_LISTS: Final = frozenset({list, NoneType})
_WORDS: Final = frozenset({str, bool})


def read_body(
    raw: RawBody,
    intake: Intake = HOOKS,
    context: DeliveryContext = NO_CONTEXT,
    *,
    limits: BodyLimits = LIMITS,
) -> Delivery:
    """Return the delivery of a body that arrived at an intake.

    Args:
        raw: The body as bytes or text, or as a mapping with the same values.
        intake: The endpoint at which the body arrived.
        context: Facts about the delivery that are not in the body. If an intake has its ids in the
            body, the ids of the context are used only for ids that the body lacks. If an intake has
            its ids in the address, it is the other way round.
        limits: The sizes and the depth beyond which a body is unreadable (SG501).

    """
    try:
        body, is_plain = parse(raw, limits.max_bytes, limits.max_depth)
        if not is_plain:
            body = plain(body, limits.max_bytes, limits.max_depth)
    except UnreadableError as error:
        return _unreadable(error.reason, raw, intake, context)
    if FIELDS[intake.name].takes_any:
        return _delivery(_wrapped(body), intake, context)
    if type(body) is not dict:
        return _unreadable("not an object", body, intake, context)
    if limits.max_events is not None:
        listed = body["events"] if "events" in body else body.get(key_of(body, "events"))
        if type(listed) is list and len(listed) > limits.max_events:
            return _unreadable(limits.too_many, body, intake, context)
    return _delivery(body, intake, context)


def read_line(
    raw: RawBody,
    *,
    read_time: ReadTime = read_iso_time,
    line: int | None = None,
    limits: BodyLimits = LIMITS,
) -> Delivery:
    """Return the delivery of one line of a log.

    A line is a body of lifecycle events (E21), or an envelope with a body of any intake.

    Args:
        raw: The line as bytes or text, or as a mapping, in which `received_at` may be a datetime.
        read_time: The function that reads times that are not ISO 8601 with a UTC offset.
        line: The 1-based number of the line, which findings show.
        limits: The maximum size of a line and the maximum depth. Other sizes are ignored, because
            the bodies in a log were accepted before.

    """
    body: Any = raw
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
            body = _object(body, limits, intake, is_plain=is_plain)
    except UnreadableError as error:
        context = context or DeliveryContext(line=line)
        return _unreadable(error.reason, body, intake, context)
    return _delivery(body, intake, context or DeliveryContext(line=line))


def parse_line(
    raw: Text, *, line: int | None = None, limits: BodyLimits = LIMITS
) -> Mapping[str, Any] | Delivery:
    """Parse a line of a log in a foreign format, and return its JSON object.

    Return a delivery with a flaw (SG501) if the line cannot be parsed. Callers put parts of the
    object into an envelope for `read_line`, which reports their flaws.
    """
    try:
        return members(parse(raw, limits.max_line_bytes, limits.max_depth)[0])
    except UnreadableError as error:
        return _unreadable(error.reason, raw, HOOKS, DeliveryContext(line=line))


def read_event(raw: bytes, index: int) -> Event:
    """Parse the JSON text of one element of `events`, and return its event.

    The element must have been read without flaws before. `index` is its index in `events`.
    """
    fields = FIELDS[HOOKS.name]
    assert fields.listed is not None
    value, _ = parse(raw, None, LIMITS.max_depth)
    return _event(value, fields.listed, fields, f"/events/{index}")


def endpoint_of(envelope: Mapping[str, Any]) -> Intake:
    """Return the intake named by the key `endpoint` of an envelope.

    Return the webhook `HOOKS` if the name is absent or unknown.
    """
    name = envelope.get("endpoint")
    return INTAKES.get(name, HOOKS) if isinstance(name, str) else HOOKS


# Envelopes.


def _used(record: Mapping[str, Any], limits: BodyLimits) -> dict[str, Any]:
    """Return the known fields of the envelope `record` except the body, as plain JSON values.

    A `received_at` that is a datetime is not converted.
    """
    max_bytes, max_depth = limits.max_line_bytes, limits.max_depth
    used = {}
    for field in _BESIDE_THE_BODY:
        value = record.get(field.name)
        is_read = field.type is FieldType.TIME and isinstance(value, datetime)
        used[field.name] = value if is_read else plain(value, max_bytes, max_depth)
    return used


def _context(used: Mapping[str, Any], read_time: ReadTime, line: int | None) -> DeliveryContext:
    """Return the ids and times in the fields of an envelope, together with the envelope's flaws."""
    flaws: tuple[Flaw, ...] = ()
    received_at = None
    if (time := used.get("received_at")) is not None:
        try:
            received_at = read_instant(time, read_time)
        except (ValueError, TypeError):
            received_at = None
        if received_at is None:
            flaws = (Flaw("SG509", "", {"value": shown(time)}),)
    try:
        is_usual = subject_reader(ENVELOPE)(used) is not None
    except TypeError:  # an object or array in place of a word
        is_usual = False
    if not is_usual:
        flaws += tuple([flaw._replace(pointer="") for flaw in examine(ENVELOPE, used, "").flaws])
        used = {key: value for key, value in used.items() if type(value) is str}
    get = used.get
    asked, asked_at = get("asked_at"), None
    if asked and (asked_at := read_iso_time(asked)) is None:
        flaws += (Flaw("SG509", "", {"value": shown(asked)}),)
    return DeliveryContext(
        get("conversation_id"),
        get("bot_id"),
        get("delivery_id") or None,
        received_at,
        line,
        flaws,
        asked_at,
        asked == "",
    )


# Bodies.


def _object(body: object, limits: BodyLimits, intake: Intake, *, is_plain: bool) -> dict[str, Any]:
    """Return the body of a log line as a dictionary of plain JSON values.

    `body` is an object or its JSON text. `is_plain` tells whether its values are known to be plain.
    Raise `UnreadableError` for any other body that the intake does not accept.
    """
    max_bytes, max_depth = limits.max_line_bytes, limits.max_depth
    if isinstance(body, Text):
        body, is_plain = parse(body, max_bytes, max_depth)
    if not is_plain:
        body = plain(body, max_bytes, max_depth)
    if FIELDS[intake.name].takes_any:
        return _wrapped(body)
    if type(body) is not dict:
        raise UnreadableError("not an object")
    return body


def _wrapped(body: Json) -> dict[str, Any]:
    """Return a body that is an object unchanged, and any other body as `{"": body}`."""
    return body if type(body) is dict else {"": body}


def _unreadable(reason: str, body: object, intake: Intake, context: DeliveryContext) -> Delivery:
    """Return a delivery without a body, with a flaw (SG501) that says why it cannot be read.

    With an id, it is the same as another one if the bodies are equal, byte for byte if they are
    text. Values of Python beyond all limits are the same if the reason is.
    """
    fields, known = FIELDS[intake.name], None
    if context.delivery_id:
        try:
            known = text_digest(body if isinstance(body, Text) else json_text(body))
        except RecursionError:
            known = text_digest(reason)
    return Delivery(
        conversation_id=context.conversation_id or None,
        bot_id=context.bot_id or None,
        events=() if fields.whole_if else (Event(fields.unprocessable, "", "", {}, ""),),
        flaws=(*context.flaws, Flaw("SG501", "", {"reason": reason})),
        delivery_id=context.delivery_id,
        received_at=context.received_at,
        line=context.line,
        intake=intake,
        envelope_bot=context.bot_id,
        known_fingerprint=known,
    )


def _delivery(body: dict[str, Any], intake: Intake, context: DeliveryContext) -> Delivery:
    """Validate a body that is a JSON object, and return its delivery."""
    fields = FIELDS[intake.name]
    ids, flaws = body, context.flaws
    is_plain = body.get("events") is not None or body.keys() <= fields.names
    if intake.ids is not IdSource.BODY or not is_plain or subject_reader(fields.ids)(body) is None:
        examined = _examined_ids(body, intake, context)
        ids, flaws = examined.sound, flaws + examined.flaws
    events = _events(body, ids.get("events"), fields)
    if not events:
        events, more = _others(body, fields)
        flaws += more
    named = ids.get("botId") or None
    bot_id = (context.bot_id or "").strip(BLANKS) or context.bot_id or named
    if named != bot_id and named and bot_id and one_spelling(named) != one_spelling(bot_id):
        flaws += (bot_mismatch(named, bot_id),)
    delivery = Delivery(
        ids.get("conversationId") or context.conversation_id or None,
        bot_id,
        events,
        flaws,
        context.delivery_id,
        context.received_at,
        context.line,
        body,
        intake,
        context.bot_id,
        None,
        context.asked_at,
    )
    return answering(delivery, None) if context.is_unasked and intake.is_callback else delivery


def _examined_ids(body: dict[str, Any], intake: Intake, context: DeliveryContext) -> Examined:
    """Validate the ids and the list `events` of a body, after adding ids from the context."""
    known = {"conversationId": context.conversation_id, "botId": context.bot_id}
    if intake.ids is IdSource.BODY:
        known = {key: given for key, given in known.items() if given and body.get(key) in _ABSENT}
    else:
        texts = {key: item for key, item in body.items() if type(item) is str}
        known = {key: given or texts.get(key) for key, given in known.items()}
    shape, ids = FIELDS[intake.name].ids, {**body, **known}
    if subject_reader(shape)(ids) is not None and key_of(ids, "events") == "events":
        return Examined(ids, ids, ())
    return examine(shape, ids, "")


def _events(body: dict[str, Any], listed: object, fields: BodyFields) -> tuple[Event, ...]:
    """Return the elements of `listed` as events, and the body itself if it is a message.

    The message comes after the entries at the beginning of the list. An agent who enters with a
    delivery may therefore speak in it, and an agent who leaves with it has spoken before.
    """
    events = []
    if fields.listed is not None and type(listed) is list:
        for index, each in enumerate(listed):
            events.append(_event(each, fields.listed, fields, f"/events/{index}"))
    is_whole = not fields.whole_if
    for key in fields.whole_if:
        is_whole = is_whole or body.get(key) is not None
    if is_whole:
        entries = 0
        while entries < len(events) and events[entries].kind in ENTRIES:
            entries += 1
        events.insert(entries, _event(body, fields.whole, fields, ""))
    return tuple(events)


def _others(body: dict[str, Any], fields: BodyFields) -> tuple[tuple[Event, ...], tuple[Flaw, ...]]:
    """Return the events and the flaws of a body in which the usual keys contain no events.

    The body may be a message with keys in another letter case, or a transfer event that was not put
    into the list `events`. A body without any event gets a flaw (SG508), unless its `events`
    already has the flaw of a wrong type.
    """
    for key in fields.whole_if:
        if key_of(body, key) != key:
            return (_event(body, fields.whole, fields, ""),), ()
    if type(body.get(key_of(body, "events"))) not in _LISTS:
        return (), ()
    if fields.listed is not None and shape_of(fields.listed, body).title:
        facts = {"how": "its event beside the ids", "advice": "put the event into the list events"}
        ids = _IDS.union(key_of(body, key) for key in _IDS)
        event = {key: item for key, item in body.items() if key not in ids}
        flaw = Flaw("SG508", "", facts, is_believed=True)
        return (_event(event, fields.listed, fields, ""),), (flaw,)
    return (), (Flaw("SG508", "", _EMPTY),)


def _event(value: object, form: Form, fields: BodyFields, pointer: str) -> Event:
    """Validate one event and return it. `value` is an element of `events` or the body itself."""
    if type(value) is not dict:
        name = f"events[{pointer.rpartition('/')[2]}]"
        flaw = wrong_type(name, fields.ids.of, value, FieldType.OBJECT, pointer)
        return Event(fields.unprocessable, "", "", {}, pointer, (flaw,))
    shape = form
    while isinstance(shape, Choice):
        word = value.get(shape.by)
        shape = shape.spelled.get(word, shape.otherwise) if type(word) is str else shape.otherwise
    try:
        found = subject_reader(shape)(value)
    except TypeError:  # an object or array in place of a word
        found = None
    if found is not None:
        return Event(*found, value, pointer)
    shape = shape_of(form, value)
    meant, sound, flaws = examine(shape, value, pointer)
    kind, agent, experience = subject_of(shape, sound)
    if kind is fields.unprocessable or (shape.needs_agent and not agent):
        return Event(fields.unprocessable, "", "", meant, pointer, flaws)
    return Event(kind, agent, experience, meant, pointer, flaws)
