"""Sheets: which deliveries carry the events of a repaired stream.

House rules.  (1) A delivery whose events are all still there, as they were, is left alone.  (2) An
event that was put between two of one delivery becomes part of it; any other gets a delivery of its
own, just before that of the next event that stayed.  (3) A delivery that loses all it had is left
out, and so is the retry of one that changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from segue.events import Delivery
from segue.lifecycle import MESSAGES
from segue.repairs.costs import Change
from segue.repairs.editable import Stream
from segue.repairs.search import Part
from segue.repairs.synthesis import Draft

__all__ = ["Sheet", "sheets"]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One delivery of the repaired stream."""

    like: int
    """The delivery it is, or is written in the manner of."""
    body: Mapping[str, Any] | None = None
    """Its body; None: as it was."""
    is_new: bool = False
    is_moved: bool = False
    """It is new here, and what it tells has come elsewhere."""
    is_whole: bool = False
    """It is all that came there."""


def sheets(stream: Stream, draft: Draft, parts: Sequence[Part]) -> list[Sheet]:
    """Return the deliveries in order, those that tell nothing of the lifecycle included."""
    told = [part for part in parts if Change.DELETE not in part.changes]
    homes = [_home(stream, part) for part in told]
    own: dict[int, list[Part]] = {}
    before: dict[int | None, list[Sheet]] = {}
    last_exit = ""
    for index, part in enumerate(told):
        earlier = next((home for home in reversed(homes[:index]) if home is not None), None)
        later = next((home for home in homes[index + 1 :] if home is not None), None)
        home = homes[index]
        if home is None and earlier == later:
            home = earlier
        if home is not None:
            own.setdefault(home, []).append(part)
        else:
            beside = later if later is not None else earlier
            sheet = _alone(stream, draft, part, 0 if beside is None else beside, last_exit)
            before.setdefault(later, []).append(sheet)
        if part.kind.is_exit:
            last_exit = part.agent
    return _collated(stream, draft, own, before)


def _collated(
    stream: Stream,
    draft: Draft,
    own: Mapping[int, list[Part]],
    before: Mapping[int | None, list[Sheet]],
) -> list[Sheet]:
    items: dict[int, list[int]] = {}
    for position, item in enumerate(stream.items):
        items.setdefault(item.delivery, []).append(position)
    final: list[Sheet] = []
    touched: set[tuple[str | None, object]] = set()
    for number, delivery in enumerate(stream.deliveries):
        final += before.get(number, [])
        if not stream.applied[number] and _name(delivery) in touched:
            continue
        had = items.get(number, [])
        parts = own.get(number, [])
        if [(part.origin, part.changes) for part in parts] == [(each, ()) for each in had]:
            final.append(Sheet(number))
            continue
        touched.add(_name(delivery))
        if parts:
            final.append(Sheet(number, _body(stream, draft, delivery, parts)))
    last = max(own, default=len(stream.deliveries) - 1)
    ends = [index for index, sheet in enumerate(final) if sheet.like <= last and not sheet.is_new]
    place = ends[-1] + 1 if ends else len(final)
    final[place:place] = before.get(None, [])
    return final


def _home(stream: Stream, part: Part) -> int | None:
    """Return the delivery in whose order a part still stands."""
    if part.origin is None or Change.MOVE in part.changes:
        return None
    return stream.items[part.origin].delivery


def _body(
    stream: Stream, draft: Draft, delivery: Delivery, parts: Sequence[Part]
) -> dict[str, Any]:
    body = dict(delivery.body or {})
    body.pop("events", None)
    events = []
    for part in parts:
        if part.kind not in MESSAGES:
            events.append(_value(stream, draft, part, ""))
        elif part.changes:
            body["agentId"] = part.agent
    return body | {"events": events} if events else body


def _alone(stream: Stream, draft: Draft, part: Part, beside: int, last: str) -> Sheet:
    like = beside if part.origin is None else stream.items[part.origin].delivery
    body = stream.deliveries[like].body or {}
    ids = {key: body[key] for key in ("conversationId", "botId") if key in body}
    is_moved = part.origin is not None
    is_whole = is_moved and sum(item.delivery == like for item in stream.items) == 1
    if is_whole:
        ids = dict(body)
    events = [_value(stream, draft, part, last)]
    return Sheet(like, ids | {"events": events}, is_new=True, is_moved=is_moved, is_whole=is_whole)


def _value(stream: Stream, draft: Draft, part: Part, last: str) -> Any:  # noqa: ANN401 - any JSON value
    if part.origin is not None and not set(part.changes) - {Change.MOVE}:
        item = stream.items[part.origin]
        body = stream.deliveries[item.delivery].body
        if body is not None and item.slot is not None:
            return body["events"][item.slot]  # as it came, whatever it is
    return draft.value(part.origin, part.kind, part.agent, last)


def _name(delivery: Delivery) -> tuple[str | None, object]:
    return delivery.delivery_id, delivery.intake.name
