"""The deliveries of a repaired conversation.

A delivery whose events are all unchanged is left alone. An event that was put between two of one
delivery becomes part of it. Any other event gets a delivery of its own, just before that of the
next event that stayed, and so do the events of a delivery after a message that was put between
them. A delivery that loses all its events is left out, and so is the retry of one that changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from segue.analysis.repairs.editable import EditableStream, ids_of
from segue.analysis.repairs.edited import EditedEvent
from segue.analysis.repairs.synthesis import Synthesizer
from segue.core.events import Delivery
from segue.core.events.shapes import key_of
from segue.core.lifecycle import MESSAGES
from segue.core.reprs import shows

_MESSAGE_KEYS: Final = ("query", "author")
"""The keys by which a body is a message."""


@dataclass(frozen=True, slots=True)
class RepackedDelivery:
    """One delivery of the repaired conversation."""

    like: int
    """Number of the given delivery that it is, or is written like."""
    body: Mapping[str, Any] | None = field(default=None, repr=False, hash=False)
    """Its body, or `None` if it is unchanged."""
    is_new: bool = False
    """Whether it was not among the given ones."""
    is_moved: bool = False
    """Whether it is new and its event was sent elsewhere."""
    is_whole: bool = False
    """Whether that event was all of the delivery that it was sent with."""

    __repr__ = shows()


def repack(
    stream: EditableStream, synthesizer: Synthesizer, edited: Sequence[EditedEvent]
) -> list[RepackedDelivery]:
    """Return all deliveries in order, also those without lifecycle events and messages."""
    return _Packing(stream, synthesizer).packed(edited)


class _Packing:
    def __init__(self, stream: EditableStream, synthesizer: Synthesizer) -> None:
        self._stream = stream
        self._synthesizer = synthesizer
        self._positions: list[list[int]] = [[] for _ in stream.deliveries]
        """The events of each delivery."""
        for position, event in enumerate(stream.events):
            self._positions[event.delivery].append(position)

    def packed(self, edited: Sequence[EditedEvent]) -> list[RepackedDelivery]:
        events = [event for event in edited if not event.is_left_out]
        homes = [self._home(event) for event in events]
        own: dict[int, list[EditedEvent]] = {}
        before: dict[int | None, list[RepackedDelivery]] = {}
        last_exit = ""
        for index, event in enumerate(events):
            earlier = next((home for home in reversed(homes[:index]) if home is not None), None)
            later = next((home for home in homes[index + 1 :] if home is not None), None)
            home = homes[index]
            if home is None and earlier == later:
                home = earlier
            if home is not None and not self._fits(event, home, own.get(home, [])):
                homes[index:] = [None if each == home else each for each in homes[index:]]
                home, later = None, next((each for each in homes[index:] if each is not None), None)
            if home is not None:
                own.setdefault(home, []).append(event)
            else:
                beside = later if later is not None else earlier
                before.setdefault(later, []).append(self._alone(event, beside or 0, last_exit))
            if event.kind.is_exit:
                last_exit = event.agent
        return self._in_order(own, before)

    def _in_order(
        self,
        own: Mapping[int, list[EditedEvent]],
        before: Mapping[int | None, list[RepackedDelivery]],
    ) -> list[RepackedDelivery]:
        stream = self._stream
        final: list[RepackedDelivery] = []
        changed: set[tuple[str | None, object]] = set()
        for number, delivery in enumerate(stream.deliveries):
            final += before.get(number, [])
            if not stream.applied[number] and _key(delivery) in changed:
                continue
            events = own.get(number, [])
            unchanged = [(position, None) for position in self._positions[number]]
            if [(event.origin, event.edit) for event in events] == unchanged:
                final.append(RepackedDelivery(number))
                continue
            changed.add(_key(delivery))
            if events:
                final.append(RepackedDelivery(number, self._body(delivery, events)))
        last = max(own, default=len(stream.deliveries) - 1)
        ends = [index for index, each in enumerate(final) if each.like <= last and not each.is_new]
        place = ends[-1] + 1 if ends else len(final)
        final[place:place] = before.get(None, [])
        return final

    def _home(self, event: EditedEvent) -> int | None:
        """Return the delivery in whose order an event still stands."""
        if event.origin is None or event.is_moved:
            return None
        return self._stream.events[event.origin].delivery

    def _fits(self, event: EditedEvent, home: int, before: Sequence[EditedEvent]) -> bool:
        """Return whether a delivery can have an event after these.

        A delivery has one message, which comes after the leading entries of its `events`.
        """
        if [each.origin for each in (*before, event)] == self._positions[home][: len(before) + 1]:
            return True
        if event.kind not in MESSAGES:
            follows_message = bool(before) and before[-1].kind in MESSAGES
            return not (follows_message and event.kind.is_entry)
        return self._home(event) == home and all(each.kind.is_entry for each in before)

    def _body(self, delivery: Delivery, events: Sequence[EditedEvent]) -> dict[str, Any]:
        body = dict(delivery.body or {})
        values = []
        for event in events:
            if event.kind not in MESSAGES:
                values.append(self._value(event, ""))
            elif event.edit is not None:
                body[key_of(body, "agentId")] = event.agent
        if values:
            body["events"] = values
        else:
            body.pop("events", None)
        if not any(event.kind in MESSAGES for event in events):
            _drop(body, *_MESSAGE_KEYS)
        return body

    def _alone(self, event: EditedEvent, beside: int, last_exit: str) -> RepackedDelivery:
        """Return a new delivery of one event."""
        is_moved = event.origin is not None
        like = beside if event.origin is None else self._stream.events[event.origin].delivery
        body = self._stream.deliveries[like].body or {}
        is_whole = is_moved and len(self._positions[like]) == 1
        new = dict(body) if is_whole or event.kind in MESSAGES else ids_of(body)
        if event.kind in MESSAGES:
            _drop(new, "events")
        else:
            new["events"] = [self._value(event, last_exit)]
        return RepackedDelivery(like, new, is_new=True, is_moved=is_moved, is_whole=is_whole)

    def _value(self, event: EditedEvent, last_exit: str) -> object:
        if event.origin is not None and (event.edit is None or event.is_moved):
            sent = self._stream.events[event.origin]
            body = self._stream.deliveries[sent.delivery].body
            if body is not None and sent.index is not None:
                return body["events"][sent.index]  # unchanged, whatever it is
        return self._synthesizer.value(event.origin, event.kind, event.agent, last_exit)


def _drop(body: dict[str, Any], *names: str) -> None:
    """Remove keys from a body, whatever their letter case."""
    for name in names:
        body.pop(key_of(body, name), None)


def _key(delivery: Delivery) -> tuple[str | None, str]:
    return delivery.delivery_id, delivery.intake.name
