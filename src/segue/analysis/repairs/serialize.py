"""Writes repaired deliveries the way their sender does.

A changed body goes back into what it was read from: an envelope, a body as text, a bare event.
Keys keep their order, and text its separators and escapes.  A new delivery has no delivery id and
no time, unless its event was moved: then its own, or the nearest time that its new place allows.
A number that is too large for Python is written as 1e999, which every reader reads alike.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any, Final

from segue.analysis.repairs.repack import RepackedDelivery
from segue.core.conversation import Input
from segue.core.events import Delivery
from segue.core.events.shapes import key_of
from segue.core.wire import DeliveryContext, is_envelope, read_body

_STYLES: Final[tuple[dict[str, Any], ...]] = tuple(
    {"separators": separators, "ensure_ascii": is_ascii}
    for separators, is_ascii in product(((", ", ": "), (",", ":")), (False, True))
)
_BOM: Final = "\ufeff"
_INFINITE: Final = re.compile(r'"\\u0000(-?)inf"')
_BODY_KEYS: Final = ("events", "query", "author")
_IDS: Final = {"conversationId": "conversation_id", "botId": "bot_id"}
"""The ids of a body, and the keys of an envelope that fill in for them."""


def serialize_deliveries(
    repacked: Sequence[RepackedDelivery], given: Sequence[Input], deliveries: Sequence[Delivery]
) -> list[Input]:
    """Return deliveries in the form in which they were given.

    Args:
        repacked: The deliveries of the repaired conversation.
        given: The lines, envelopes, bodies or events of the conversation.
        deliveries: What was read from each of `given`.

    """
    times = [None if each.is_new else deliveries[each.like].received_at for each in repacked]
    done: list[Input] = []
    latest: datetime | None = None
    for index, each in enumerate(repacked):
        thing, delivery = given[each.like], deliveries[each.like]
        at = times[index]
        if each.is_moved and delivery.received_at is not None:
            following = (time for time in times[index:] if time is not None)
            at = _between(delivery.received_at, latest, next(following, None))
        if each.body is None:
            done.append(thing)
        else:
            changes = _envelope_changes(each, delivery, at) if each.is_new else {}
            done.append(_in_form_of(thing, delivery, each.body, changes))
        if at is not None and (latest is None or at > latest):
            latest = at
    return done


def _between(at: datetime, before: datetime | None, after: datetime | None) -> datetime:
    """Return the nearest time that does not run backwards."""
    at = at if after is None else min(at, after)
    return at if before is None else max(at, before)


def _envelope_changes(
    repacked: RepackedDelivery, delivery: Delivery, at: datetime | None
) -> dict[str, object]:
    """Return what changes in the envelope of a new delivery; a key with `None` is removed."""
    changes: dict[str, object] = {} if repacked.is_whole else {"delivery_id": None}
    if at is None or at != delivery.received_at:
        changes["received_at"] = None if at is None else _iso(at)
    return changes


def _iso(at: datetime) -> str:
    precision = "milliseconds" if at.microsecond % 1_000 == 0 else "microseconds"
    return at.isoformat(timespec=precision).replace("+00:00", "Z")


def _in_form_of(
    thing: Input, delivery: Delivery, body: Mapping[str, Any], changes: Mapping[str, object]
) -> Input:
    """Return a body in the form of a given delivery."""
    if isinstance(thing, bytes | bytearray):
        return _text(bytes(thing).decode("utf-8"), body, changes).encode()
    if isinstance(thing, str):
        return _text(thing, body, changes)
    if isinstance(thing, Mapping):
        return _record(thing, body, changes)
    context = DeliveryContext(
        conversation_id=delivery.conversation_id,
        bot_id=delivery.bot_id,
        received_at=None if "received_at" in changes else delivery.received_at,
        line=delivery.line,
    )
    return read_body(dict(body), context=context)


def _text(text: str, body: Mapping[str, Any], changes: Mapping[str, object]) -> str:
    return _rewritten(text, lambda record: _record(record, body, changes))


def _rewritten(text: str, change: Callable[[Any], object]) -> str:
    """Return changed JSON in the style of a text, with the blanks around it but without its BOM."""
    text = text.removeprefix(_BOM)
    value = text.strip()
    before, _, after = text.partition(value)
    sent = json.loads(value, parse_int=_number)
    return f"{before}{_dumped(change(sent), value, sent)}{after}"


def _record(
    record: Mapping[str, Any], body: Mapping[str, Any], changes: Mapping[str, object]
) -> dict[str, Any]:
    if not is_envelope(record):
        return _as_sent(body, record, {})
    changed = {**record, **{key: value for key, value in changes.items() if key in record}}
    old = record["body"]
    if isinstance(old, str):
        changed["body"] = _rewritten(old, lambda sent: _as_sent(body, sent, record))
    else:
        changed["body"] = _as_sent(body, old, record)
    return {key: value for key, value in changed.items() if changes.get(key, "") is not None}


def _as_sent(
    body: Mapping[str, Any], sent: Mapping[str, Any], envelope: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a body as an event alone, if such a one was sent that lacks an id."""
    is_named = key_of(sent, "name") in sent
    has_more = any(sent.get(key_of(sent, key)) is not None for key in _BODY_KEYS)
    has_ids = all(sent.get(key_of(sent, key)) or envelope.get(_IDS[key]) for key in _IDS)
    if not is_named or has_more or has_ids:
        return dict(body)
    ids = {key: item for key, item in body.items() if key != "events"}
    return ids | dict(body["events"][0])


def _number(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:  # too many of them
        return float(digits)


def _dumped(value: object, like: str, meaning: object) -> str:
    """Return JSON in the style of a text with this meaning."""
    styles = (style for style in _STYLES if json.dumps(meaning, **style) == like)
    style = next(styles, _STYLES[0])
    text = json.dumps(value, **style)
    if "Infinity" not in text:
        return text
    return _INFINITE.sub(r"\g<1>1e999", json.dumps(_without_infinities(value), **style))


def _without_infinities(value: object) -> object:
    """Return a value with a text in place of each number that JSON cannot write."""
    if isinstance(value, Mapping):
        return {key: _without_infinities(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_infinities(each) for each in value]
    return f"\0{value}" if isinstance(value, float) and math.isinf(value) else value
