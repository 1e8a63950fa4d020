"""The most usual lines of a log, as plain facts: one message, transfer, summary, end or action.

They are most of most logs, so they get what a line can be given for least: no object, no call, one
tuple.  House rules: (1) it gives up at the first thing that is not usual, and does not know flaws;
(2) whatever is taken here, the ways below read alike (a law of the tests); (3) it does not rely on
its decoder for more than the types of the members that `fast` names.

How a key that came twice is noticed is told in `quick`.  Here the members of the known objects are
counted first; colons that are left over may stand in ids or, in a record that has kept them, in
objects of somebody's own.
"""

from collections.abc import Callable
from datetime import datetime
from types import NoneType
from typing import Any, Final, TypeAlias

from segue.events import TRANSCRIPTION, Delivery, Event, EventKind, Facts, fingerprint
from segue.wire.envelope import endpoint_of
from segue.wire.fast import fast_fingerprint
from segue.wire.quick import (
    BACKSLASH,
    DOUBTFUL,
    LESS,
    NO_IDS,
    QUICK_ACTIONS,
    QUICK_AUTHORS,
    QUICK_EXPERIENCES,
    QUICK_TRANSFERS,
)
from segue.wire.shape import END_OF_CONVERSATION, INTERNAL_TRANSFER_EVENT, TRIGGER_SUMMARY_EVENT
from segue.wire.timestamps import FOREVER, NEVER

__all__ = ["Decode", "as_delivery", "usual", "usual_text"]

Decode: TypeAlias = Callable[[bytes], dict[str, Any]]
"""Decodes a line by the types of E21, or raises ValueError."""

_TIME_AND_BODY: Final = 2
_ENDS: Final = {END_OF_CONVERSATION: EventKind.END}
_SUMMARY: Final = EventKind.SUMMARY
_ESCAPE: Final = b"\\u00"

_from_iso: Final = datetime.fromisoformat
_FINGERPRINT: Final = {True: fingerprint, False: fast_fingerprint}
"""By whether a body has all that was sent."""


def usual(  # noqa: C901, PLR0911, PLR0912, PLR0915 - calls cost
    raw: bytes,
    record: dict[str, Any],
    body: Any,  # noqa: ANN401 - as decoded
    *,
    is_whole: bool,
) -> Facts | None:
    """Read a line that has been decoded, with this body (None: it is the body), if it is usual.

    `is_whole`: the record has all that the line has.
    """
    if LESS in raw or (BACKSLASH in raw and DOUBTFUL.search(raw)):
        return None
    delivery_id = None
    try:
        if body is None:
            body, at, colons = record, None, len(record)
            conversation_id, bot_id = record["conversationId"], record["botId"]
        else:
            time = record["received_at"]
            at = _from_iso(time)
            if at.tzinfo is None or not NEVER < at.year < FOREVER:
                return None
            colons = len(record) + len(body) + time.count(":")
            if len(record) == _TIME_AND_BODY:
                conversation_id, bot_id = body["conversationId"], body["botId"]
            elif endpoint_of(record) is TRANSCRIPTION:
                return _action(raw, record, body, at, colons, is_whole=is_whole)
            else:
                conversation_id, bot_id = _ids(record, body)
                delivery_id = record.get("delivery_id")
        events = body.get("events")
        if events is None:
            value = body
            author, query, agent = body["author"], body["query"], body["agentId"]
            colons += len(author) + query.count(":")
            kind = QUICK_AUTHORS[author["type"]]
            if body["source"] is None or agent in NO_IDS:
                return None
            experience = QUICK_EXPERIENCES[body["experience"]]
        else:
            (value,) = events
            name = value["name"]
            if "query" in body or "author" in body:
                return None
            if name == TRIGGER_SUMMARY_EVENT:
                colons += len(value) + len(value["data"])
                kind, agent, experience = _SUMMARY, "", ""
                if "participant" in value or "experience" in value:
                    return None
            else:
                participant = value["participant"]
                agent = participant["identity"]
                colons += len(value) + len(participant)
                if "customFields" in participant:
                    colons += len(participant["customFields"])
                if name == INTERNAL_TRANSFER_EVENT:
                    kind = QUICK_TRANSFERS[value["transfertype"], value["transition"]]
                    is_complete = "isExtAD" in value
                else:
                    kind = _ENDS[name]
                    is_complete = value["reason"] is not None and value["language"] is not None
                if agent in NO_IDS or not is_complete:
                    return None
                experience = QUICK_EXPERIENCES[value["experience"]]
                if (
                    not is_whole
                ):  # and so has strings and flags of its own, and 1 is not taken for true
                    known = _TOLD.get((agent, kind, value["experience"]))
                    if known != value:
                        _remember(agent, kind, value)
                    else:
                        value = known
        if conversation_id in NO_IDS or bot_id in NO_IDS:
            return None
        if raw.count(b":") != colons:
            whole = record if is_whole else None
            if not _accounts(raw, colons, whole, conversation_id, bot_id, agent, delivery_id):
                return None
        mark = "" if delivery_id is None else _FINGERPRINT[is_whole](body)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
    return (
        conversation_id, kind, agent, experience, value, bot_id, at, delivery_id, mark, body,
    )  # fmt: skip


def _remember(agent: str, kind: EventKind, value: dict[str, Any]) -> None:
    """Remember what an agent tells with this kind of event, for it tells the same every time.

    The last event of each open conversation is kept; each on its own, they would be most of what a
    conversation takes.
    """
    if len(_TOLD) >= _MOST_TOLD:
        _TOLD.clear()
    _TOLD[agent, kind, value["experience"]] = value


_MOST_TOLD: Final = 10_000
_TOLD: Final[dict[tuple[str, EventKind, str], dict[str, Any]]] = {}


def usual_text(
    raw: bytes, record: dict[str, Any], decode: Decode, *, is_whole: bool
) -> Facts | None:
    """Read a line that has been decoded, whose body is a usual one, as text in its envelope."""
    body, time, delivery_id = record["body"], record.get("received_at"), record.get("delivery_id")
    members = _TIME_AND_BODY + (delivery_id is not None)
    if len(record) != members or time is None or (_ESCAPE in raw and DOUBTFUL.search(raw)):
        return None
    colons = members + time.count(":") + body.count(":") + (delivery_id or "").count(":")
    if raw.count(b":") != colons:
        return None
    try:
        at, text = _from_iso(time), body.encode()
        read = usual(text, inner := decode(text), None, is_whole=is_whole)
    except ValueError:
        return None
    if at.tzinfo is None or not NEVER < at.year < FOREVER or read is None:
        return None
    mark = "" if delivery_id is None else _FINGERPRINT[is_whole](inner)
    return *read[:6], at, delivery_id, mark, inner


def _action(  # noqa: PLR0913 - what has been found out already
    raw: bytes,
    record: dict[str, Any],
    body: dict[str, Any],
    at: datetime,
    colons: int,
    *,
    is_whole: bool,
) -> Facts | None:
    """Read an action in an envelope that tells the ids."""
    name, agent, handover = body["action"], body["agentId"], body.get("handover")
    conversation_id, bot_id = record["conversation_id"], record["bot_id"]
    delivery_id = record.get("delivery_id")
    if (
        (name, handover) not in QUICK_ACTIONS
        or type(handover) not in (bool, NoneType)
        or (agent in NO_IDS or conversation_id in NO_IDS or bot_id in NO_IDS)
        or "conversationId" in record
        or "events" in record
    ):
        return None
    if raw.count(b":") != colons:
        whole = record if is_whole else None
        if not _accounts(raw, colons, whole, conversation_id, bot_id, agent, delivery_id):
            return None
    mark = "" if delivery_id is None else _FINGERPRINT[is_whole](body)
    return conversation_id, None, agent, name, body, bot_id, at, delivery_id, mark, body


def _ids(record: dict[str, Any], body: dict[str, Any]) -> tuple[str, str]:
    """Return the ids of an envelope that has something to say about them; LookupError: leave it."""
    bot_id = body.get("botId") or record["bot_id"]
    if (
        "conversationId" in record
        or "events" in record
        or (record.get("bot_id") or bot_id) != bot_id
    ):
        raise LookupError
    return body.get("conversationId") or record["conversation_id"], bot_id


def _accounts(raw: bytes, colons: int, whole: dict[str, Any] | None, *strings: str | None) -> bool:
    """Whether these colons are all but those in strings that each stand in the line once.

    Or else whether all are in `whole`, if it has all that the line has (None: it has not).
    """
    found = raw.count(b":")
    if found == colons + sum([string.count(":") for string in strings if string is not None]):
        return True
    return whole is not None and found == repr(whole).count(":")


def as_delivery(facts: Facts, line: int | None) -> Delivery:
    """Return the delivery that such a line is."""
    conversation_id, kind, agent, name, value, bot_id, at, delivery_id, _, body = facts
    if kind is None:
        action = QUICK_ACTIONS[name, value.get("handover")]
        events = (Event(action, agent, "", value, ""),)
        return Delivery(
            conversation_id, bot_id, events, (), delivery_id, at, line, body, TRANSCRIPTION
        )
    event = Event(kind, agent, name, value, "" if value is body else "/events/0")
    return Delivery(conversation_id, bot_id, (event,), (), delivery_id, at, line, body)
