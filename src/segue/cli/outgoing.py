"""Lines of a log made ready to be sent: where each goes, under which id, with which bytes.

It decides what a line is sent as.  House rules: the same line gets the same id however often it is
sent, so that sending again is safe; a line that is broken is sent as it is, if it is known to whom,
for the server has something to say about it; its words are changed in nothing but blanks, save
that an envelope's ids fill in for those a body of E21 lacks, as they do in a log.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from segue.events import Delivery, IdSource
from segue.logs import FieldMapping
from segue.wire import address_of, endpoint_of, is_envelope, parse_line

__all__ = ["Parcel", "pack"]


class Parcel(NamedTuple):
    """One request."""

    path: str
    body: bytes
    delivery_id: str


def pack(
    raw: bytes,
    number: int,
    *,
    field_mapping: FieldMapping | None = None,
    bot_id: str | None = None,
    known: dict[str, str],
) -> Parcel | None:
    """Make a line ready; None: nothing says which bot it is for.

    `bot_id` is for all lines. `known` has the bots of conversations, for lines that name none.
    """
    envelope, is_whole = _envelope(raw, number, field_mapping)
    body = envelope["body"]
    said = parse_line(body) if isinstance(body, str) else body
    if not isinstance(said, Mapping):
        said = {}
    conversation = _text(envelope.get("conversation_id") or said.get("conversationId"))
    bot = bot_id or _text(envelope.get("bot_id") or said.get("botId")) or known.get(conversation)
    if not bot:
        return None
    if conversation:
        known.setdefault(conversation, bot)
    delivery_id = _text(envelope.get("delivery_id"))
    if not (delivery_id.isascii() and delivery_id.isprintable()):  # no header could hold it
        delivery_id = ""
    return Parcel(
        address_of(endpoint_of(envelope), bot, conversation),
        raw.strip() if is_whole else _bytes(_filled(body, said, envelope)),
        delivery_id or _made_up(raw, number),
    )


def _envelope(
    raw: bytes, number: int, field_mapping: FieldMapping | None
) -> tuple[Mapping[str, Any], bool]:
    """Read a line, and whether the whole of it is the body."""
    line = parse_line(raw, line=number)
    if isinstance(line, Delivery):
        return {"body": None}, True
    if field_mapping is not None:
        return field_mapping.envelope(line), False
    return (line, False) if is_envelope(line) else ({"body": line}, True)


def _filled(body: object, said: Mapping[str, Any], envelope: Mapping[str, Any]) -> object:
    """Return a body with the ids that only its envelope has."""
    if endpoint_of(envelope).ids is IdSource.ADDRESS or not said:
        return body
    known = {
        theirs: envelope[ours]
        for ours, theirs in (("conversation_id", "conversationId"), ("bot_id", "botId"))
        if theirs not in said and envelope.get(ours) is not None
    }
    return {**known, **said} if known else body


def _bytes(body: object) -> bytes:
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _made_up(raw: bytes, number: int) -> str:
    """Return an id of this line at this place."""
    return f"segue-{blake2b(raw.strip() + str(number).encode(), digest_size=16).hexdigest()}"
