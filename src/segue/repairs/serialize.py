"""Paper: a delivery written as its neighbours in the log are, with as few changes as can be.

It decides how a changed body goes back into what it was read from: an envelope, a body as text, a
bare event.  House rules: keys keep their order, and text the way its sender separates and escapes
it; a new delivery has no delivery id and no time, unless it was moved: then its own, or the nearest
time that its new place allows.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any, Final

from segue.events import Delivery
from segue.repairs.repack import Sheet
from segue.wire import DeliveryContext, is_envelope, read_body

__all__ = ["written"]

_STYLES: Final = tuple(
    {"separators": separators, "ensure_ascii": is_ascii}
    for separators, is_ascii in product(((", ", ": "), (",", ":")), (False, True))
)
_BARE: Final = frozenset({"conversationId", "botId", "events", "body", "query", "author"})


def written(
    sheets: Sequence[Sheet], given: Sequence[object], deliveries: Sequence[Delivery]
) -> list[object]:
    """Return the deliveries of these sheets, each as its neighbours were given.

    `given` is what the deliveries were read from: lines of a log, envelopes, bodies, events.
    """
    times = [None if each.is_new else deliveries[each.like].received_at for each in sheets]
    done: list[object] = []
    latest: datetime | None = None
    """The latest time so far."""
    for index, sheet in enumerate(sheets):
        thing, delivery = given[sheet.like], deliveries[sheet.like]
        at = times[index]
        if sheet.is_moved and delivery.received_at is not None:
            following = (time for time in times[index:] if time is not None)
            at = _between(delivery.received_at, latest, next(following, None))
        if sheet.body is None:
            done.append(thing)
        else:
            changed = _circumstances(sheet, delivery, at) if sheet.is_new else {}
            done.append(_like(thing, delivery, sheet.body, changed))
        if at is not None and (latest is None or at > latest):
            latest = at
    return done


def _between(at: datetime, before: datetime | None, after: datetime | None) -> datetime:
    """Return the time nearest to this one that does not run backwards."""
    if after is not None and at > after:
        at = after
    return before if before is not None and at < before else at


def _circumstances(sheet: Sheet, delivery: Delivery, at: datetime | None) -> dict[str, object]:
    """Return what changes in the envelope of a new delivery; None: is not there."""
    changed: dict[str, object] = {} if sheet.is_whole else {"delivery_id": None}
    if at is None or at != delivery.received_at:
        changed["received_at"] = None if at is None else _iso(at)
    return changed


def _iso(at: datetime) -> str:
    precision = "milliseconds" if at.microsecond % 1_000 == 0 else "microseconds"
    return at.isoformat(timespec=precision).replace("+00:00", "Z")


def _like(
    thing: object,
    delivery: Delivery,
    body: Mapping[str, Any],
    circumstances: Mapping[str, object],
) -> object:
    """Return a body in the manner of a delivery."""
    if isinstance(thing, bytes | bytearray):
        text = bytes(thing).decode("utf-8")
        end = text[len(text.rstrip()) :]
        return (_retold(text.strip(), body, circumstances) + end).encode()
    if isinstance(thing, str):
        return _retold(thing, body, circumstances)
    if isinstance(thing, Mapping):
        if "name" in thing and not _BARE & thing.keys():
            return body["events"][0]
        return _record(thing, body, circumstances)
    time = circumstances.get("received_at", "")
    return read_body(
        dict(body),
        context=DeliveryContext(
            conversation_id=delivery.conversation_id,
            bot_id=delivery.bot_id,
            received_at=delivery.received_at if time == "" else None,
            line=delivery.line,
        ),
    )


def _retold(text: str, body: Mapping[str, Any], circumstances: Mapping[str, object]) -> str:
    record = json.loads(text)
    return _dumped(_record(record, body, circumstances), text, record)


def _record(
    record: Mapping[str, Any], body: Mapping[str, Any], circumstances: Mapping[str, object]
) -> dict[str, Any]:
    if not is_envelope(record):
        return dict(body)
    old = record["body"]
    new = _dumped(body, old, json.loads(old)) if isinstance(old, str) else dict(body)
    replaced = {**record, **{key: value for key, value in circumstances.items() if key in record}}
    replaced["body"] = new
    return {key: value for key, value in replaced.items() if circumstances.get(key, "") is not None}


def _dumped(value: object, like: str, meaning: object) -> str:
    """Return JSON as the sender writes it."""
    style = next(
        (style for style in _STYLES if json.dumps(meaning, **style) == like),  # type: ignore[arg-type]
        _STYLES[0],
    )
    return json.dumps(value, **style)  # type: ignore[arg-type]
