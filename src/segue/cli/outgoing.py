"""Conversion of log lines to the requests that `segue send` sends to a server.

A line always gets the same delivery id, so that sending it again is safe. Broken lines are sent too
if their bot is known, since the server reports findings about them. Ids that the body lacks are
taken from the envelope, as they are when a log is checked.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from segue.core.events import Delivery, IdSource
from segue.core.wire import endpoint_of, is_envelope, parse_line
from segue.core.wire.address import address_of
from segue.logs.field_mapping import FieldMapping


class UnknownBotError(Exception):
    """Raised for a delivery whose bot is unknown, since its request would have no path."""


class OutgoingDelivery(NamedTuple):
    """The path, the body and the delivery id of the request for one delivery."""

    path: str
    body: bytes
    delivery_id: str


class Outgoing:
    """A converter from the lines of a log to requests.

    Args:
        field_mapping: The layout of the lines, or None if they are bodies or envelopes.
        bot_id: The bot of all lines, or None if each line names its own.

    """

    def __init__(self, field_mapping: FieldMapping | None, bot_id: str | None) -> None:
        self._field_mapping = field_mapping
        self._bot_id = bot_id
        self._bots: dict[str, str] = {}
        """The bot by conversation id, for later lines that do not name a bot."""

    def request(self, raw: bytes, number: int) -> OutgoingDelivery | None:
        """Return the request for the line with this number.

        Return None if the field mapping leaves the line out. Raise `UnknownBotError` if the bot of
        the delivery is unknown.
        """
        envelope, is_body = self._envelope(raw, number)
        return None if envelope is None else self._sent(envelope, raw, number, is_body=is_body)

    def _sent(
        self, envelope: Mapping[str, Any], raw: bytes, number: int, *, is_body: bool
    ) -> OutgoingDelivery:
        body = envelope["body"]
        fields = parse_line(body) if isinstance(body, str) else body
        if not isinstance(fields, Mapping):
            fields = {}
        conversation = _text(envelope.get("conversation_id") or fields.get("conversationId"))
        bot = self._bot_id or _text(envelope.get("bot_id") or fields.get("botId"))
        bot = bot or self._bots.get(conversation, "")
        if not bot:
            raise UnknownBotError
        if conversation:
            self._bots.setdefault(conversation, bot)
        delivery_id = _text(envelope.get("delivery_id"))
        if not (delivery_id.isascii() and delivery_id.isprintable()):  # not allowed in a header
            delivery_id = ""
        return OutgoingDelivery(
            address_of(endpoint_of(envelope), bot, conversation),
            raw.strip() if is_body else _bytes(_with_ids(body, fields, envelope)),
            delivery_id or _line_id(raw, number),
        )

    def _envelope(self, raw: bytes, number: int) -> tuple[Mapping[str, Any] | None, bool]:
        """Return the envelope of a line, or None, and whether the whole line is the body."""
        mapping = self._field_mapping
        line = parse_line(raw, line=number) if mapping is None else mapping.read(raw, number)
        if isinstance(line, Delivery):
            return {"body": None}, True
        if line is None or mapping is not None:
            return line, False
        return (line, False) if is_envelope(line) else ({"body": line}, True)


def _with_ids(body: object, fields: Mapping[str, Any], envelope: Mapping[str, Any]) -> object:
    """Return the body, with the ids that only its envelope has added as members."""
    if endpoint_of(envelope).ids is IdSource.ADDRESS or not fields:
        return body
    known = {
        theirs: envelope[ours]
        for ours, theirs in (("conversation_id", "conversationId"), ("bot_id", "botId"))
        if theirs not in fields and envelope.get(ours) is not None
    }
    return {**known, **fields} if known else body


def _bytes(body: object) -> bytes:
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line_id(raw: bytes, number: int) -> str:
    """Return a delivery id, such as `segue-1f0c…`, that is a hash of the line and its number."""
    return f"segue-{blake2b(raw.strip() + str(number).encode(), digest_size=16).hexdigest()}"
