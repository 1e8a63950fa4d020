"""The most usual lines of a log, as plain facts: one message, transfer, summary or end.

They are most of most logs, so they get what a line can be given for least: no object, no call, one
tuple.  House rules: (1) it gives up at the first thing that is not usual, and does not know flaws;
(2) whatever is taken here, the ways below read alike (a law of the tests).

How a key that came twice is noticed is told in `quick`.  Here the members of the known objects are
counted, and nothing else: a line with an object of somebody's own is not usual.
"""

from datetime import datetime
from typing import Any, Final, TypeAlias

from pydantic import ValidationError

from segue.events import Delivery, Event, EventKind
from segue.wire.instant import FOREVER, NEVER
from segue.wire.model import LINE
from segue.wire.quick import (
    BACKSLASH,
    DOUBTFUL,
    LESS,
    NO_IDS,
    QUICK_AUTHORS,
    QUICK_EXPERIENCES,
    QUICK_TRANSFERS,
)
from segue.wire.shape import END_OF_CONVERSATION, INTERNAL_TRANSFER_EVENT, TRIGGER_SUMMARY_EVENT

__all__ = ["Usual", "as_delivery", "usual"]

Usual: TypeAlias = tuple[
    str, EventKind, str, str, dict[str, Any], str, datetime | None, dict[str, Any]
]
"""Conversation, kind, agent, experience, the event (of a message: the body), bot, time, body."""

_TIME_AND_BODY: Final = 2
_ENDS: Final = {END_OF_CONVERSATION: EventKind.END}
_SUMMARY: Final = EventKind.SUMMARY

_decode: Final = LINE.validator.validate_json
_from_iso: Final = datetime.fromisoformat


def usual(raw: bytes) -> Usual | dict[str, Any] | None:  # noqa: C901, PLR0911, PLR0912 - calls cost
    """Decode a line, and read it if it is usual; None: not even the types are those of E21."""
    try:
        record: dict[str, Any] = _decode(raw)
    except ValidationError:
        return None
    if LESS in raw or (BACKSLASH in raw and DOUBTFUL.search(raw)):
        return record
    try:
        body = record.get("body")
        if body is None:
            body, at, colons = record, None, len(record)
            conversation_id, bot_id = record["conversationId"], record["botId"]
        else:
            time = record["received_at"]
            at = _from_iso(time)
            if at.tzinfo is None or not NEVER < at.year < FOREVER:
                return record
            colons = len(record) + len(body) + time.count(":")
            if len(record) == _TIME_AND_BODY:
                conversation_id, bot_id = body["conversationId"], body["botId"]
            else:
                conversation_id, bot_id = _ids(record, body)
        events = body.get("events")
        if events is None:
            value = body
            author, query, agent = body["author"], body["query"], body["agentId"]
            colons += len(author) + query.count(":")
            kind = QUICK_AUTHORS[author["type"]]
            if body["source"] is None or agent in NO_IDS:
                return record
            experience = QUICK_EXPERIENCES[body["experience"]]
        else:
            (value,) = events
            name = value["name"]
            if "query" in body or "author" in body:
                return record
            if name == TRIGGER_SUMMARY_EVENT:
                colons += len(value) + len(value["data"])
                kind, agent, experience = _SUMMARY, "", ""
                if "participant" in value or "experience" in value:
                    return record
            else:
                participant = value["participant"]
                agent = participant["identity"]
                colons += len(value) + len(participant)
                if "customFields" in participant:
                    colons += len(participant["customFields"])
                kind = (
                    QUICK_TRANSFERS[value["transfertype"], value["transition"]]
                    if name == INTERNAL_TRANSFER_EVENT
                    else _ENDS[name]
                )
                if agent in NO_IDS:
                    return record
                experience = QUICK_EXPERIENCES[value["experience"]]
        if raw.count(b":") != colons or conversation_id in NO_IDS or bot_id in NO_IDS:
            return record
    except (LookupError, TypeError, ValueError, AttributeError):
        return record
    return conversation_id, kind, agent, experience, value, bot_id, at, body


def _ids(record: dict[str, Any], body: dict[str, Any]) -> tuple[str, str]:
    """Return the ids of an envelope that has something to say about them; LookupError: leave it."""
    bot_id = body.get("botId") or record["bot_id"]
    if (
        "conversationId" in record
        or "events" in record
        or "delivery_id" in record
        or record.get("endpoint") == "transcription"
        or record.get("bot_id", bot_id) != bot_id
    ):
        raise LookupError
    return body.get("conversationId") or record["conversation_id"], bot_id


def as_delivery(facts: Usual, line: int | None) -> Delivery:
    """Return the delivery that such a line is."""
    conversation_id, kind, agent, experience, value, bot_id, at, body = facts
    event = Event(kind, agent, experience, value, "" if value is body else "/events/0")
    return Delivery(conversation_id, bot_id, (event,), None, (), None, at, line, body)
