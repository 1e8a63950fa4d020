"""Reads what was sent, with all that came with it, before the store is asked.

Whatever was sent gives a `Submission`. A mapping is read like any other body and stored as the JSON
text it would have been.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter
from typing import Any, Final

from segue.errors import ConfigurationError
from segue.events import Delivery, Flaw, Intake, ReceiptKind, fingerprint
from segue.findings import Finding, Place
from segue.processor.records import DeliveryOutcome, Identity
from segue.processor.redaction import blank, json_text
from segue.wire import BodyLimits, DeliveryContext, read_body

__all__ = ["Body", "Submission", "SubmissionContext", "aware", "read", "spelt"]

Body = bytes | str | Mapping[str, Any]

_CODE: Final = attrgetter("code")
_FLAWS: Final = attrgetter("flaws")
_EMPTY: Final = "SG508"
_FIELD: Final = frozenset({"SG501", "SG502", "SG503", "SG505"})
"""A missing or wrong field; the caller of a control intake waits for the answer and is refused."""


@dataclass(frozen=True, slots=True)
class SubmissionContext:
    """What comes with a body."""

    bot_id: str | None
    """Of the path; if it is missing, the body says whose delivery it is."""
    conversation_id: str | None = None
    """Of the query."""
    delivery_id: str | None = None
    received_at: datetime | None = None
    """Aware. Without it the clock is read when the conversation is locked."""
    allowed_bots: Collection[str] | None = None
    """The bots that the sender may act for; None means all."""


@dataclass(frozen=True, slots=True, repr=False)
class Submission:
    """One delivery as it was sent."""

    intake: Intake
    conversation_id: str
    """Empty if it names none."""
    path_bot: str
    """The bot it was sent for; empty if only the body names one."""
    bot_id: str
    """The bot whose delivery it is; empty if none is named."""
    delivery_id: str | None
    identity: Identity | None
    """The delivery id and what it is unique within."""
    received_at: datetime | None
    allowed_bots: Collection[str] | None
    delivery: Delivery
    raw: bytes
    """As it was sent."""
    text: str
    """JSON text of what is stored; empty if unreadable."""
    digest: str
    """Fingerprint of the body, as a JSON value, and of the conversation; empty without an id."""
    refusal: DeliveryOutcome | None
    """Why it cannot be filed, or None if it can."""
    flaws: Sequence[Flaw]
    """What is wrong with its shape."""

    def findings(self) -> tuple[Finding, ...]:
        """Return its flaws as findings, without a place in any conversation."""
        return tuple(flaw.finding(Place()) for flaw in self.flaws)


def read(
    intake: Intake, body: Body, context: SubmissionContext, limits: BodyLimits, *, store_text: bool
) -> Submission:
    """Read a body; raise `ConfigurationError` for a time without a zone."""
    path_bot, received_at = spelt(context.bot_id), context.received_at
    if received_at is not None:
        received_at = aware(received_at)
    delivery_id = spelt(context.delivery_id)
    known = DeliveryContext(
        spelt(context.conversation_id), path_bot, delivery_id or None, received_at
    )
    raw = body if isinstance(body, bytes) else _raw(body, limits)
    delivery = read_body(raw, intake, known, limits=limits)
    text, digest = "", ""
    if delivery.body is not None:
        text = raw.decode()
        if delivery_id:
            digest = fingerprint([delivery.conversation_id, delivery.body])
        if not store_text:
            text = json_text(blank(delivery.body))
            delivery = read_body(text, intake, known, limits=limits)
    bot_id = path_bot or delivery.bot_id or ""
    flaws = [*delivery.flaws, *chain.from_iterable(map(_FLAWS, delivery.events))]
    return Submission(
        intake=intake,
        conversation_id=delivery.conversation_id or "",
        path_bot=path_bot or "",
        bot_id=bot_id,
        delivery_id=delivery_id,
        identity=Identity(intake.name, bot_id, delivery_id) if delivery_id else None,
        received_at=received_at,
        allowed_bots=context.allowed_bots,
        delivery=delivery,
        raw=raw,
        text=text.removeprefix("\ufeff"),
        digest=digest,
        refusal=_refusal(delivery, flaws),
        flaws=flaws,
    )


def aware(at: datetime) -> datetime:
    """Convert a time to UTC; raise `ConfigurationError` if it has no zone."""
    if at.tzinfo is None:
        raise ConfigurationError(f"{at.isoformat()} has no time zone: pass an aware datetime")
    return at.astimezone(UTC)


def spelt(name: str | None) -> str | None:
    """Spell an id that did not come in a body so that every store takes it; None if empty."""
    if not name or (name.isascii() and "\0" not in name):
        return name or None
    return name.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def _raw(body: Body, limits: BodyLimits) -> bytes:
    """Return the bytes of a body; a mapping that cannot be read gives bytes that cannot either."""
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    plain = read_body(body, limits=limits).body
    return b"" if plain is None else json_text(plain).encode()


def _refusal(delivery: Delivery, flaws: Sequence[Flaw]) -> DeliveryOutcome | None:
    codes = set(map(_CODE, flaws))
    is_control = delivery.intake.receipt is ReceiptKind.CONTROL
    if delivery.body is None or (is_control and codes & _FIELD):
        return DeliveryOutcome.UNREADABLE
    if delivery.conversation_id is None or _EMPTY in codes:
        return DeliveryOutcome.UNFILED
    return None
