"""What was sent: a body read, with all that came with it, before anything is looked up.

It decides what cannot be filed at all, and whose a delivery is: the bot of the path, or else of the
body.  House rules: whatever was sent gives a `Sent`; a host's mapping is a body like any other, and
is kept as the JSON text it would have been.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from segue.events import Delivery, Flaw, Intake, ReceiptKind, fingerprint
from segue.findings import Finding, Place, Severity, find
from segue.processor.receipt import DeliveryOutcome
from segue.processor.records import Identity
from segue.processor.redaction import blank, json_text, spelt
from segue.wire import DeliveryContext, Limits, read_body

__all__ = ["Body", "Sent", "read"]

Body = bytes | str | Mapping[str, Any]

_EMPTY: Final = "SG508"
_FIELD: Final = frozenset({"SG501", "SG502", "SG503", "SG505"})
"""A missing or wrong field: E1 has a caller who waits, and is told at once."""


@dataclass(slots=True, repr=False)
class Sent:
    """One delivery as it was sent."""

    intake: Intake
    path_bot: str
    """The bot it was sent for; empty: only the body says."""
    bot_id: str
    """Whose delivery this is; empty: nobody's."""
    delivery_id: str | None
    received_at: datetime | None
    """None: the clock is read when its turn comes."""
    delivery: Delivery
    raw: bytes
    """As it was sent."""
    text: str
    """JSON text of what is kept; empty: unreadable."""
    digest: str
    """Fingerprint of the body, as a JSON value, and of the conversation; empty: not needed."""
    verdict: DeliveryOutcome | None
    """Why it cannot be filed; None: it can."""

    @property
    def conversation_id(self) -> str:
        """The conversation it belongs to; empty: none."""
        return self.delivery.conversation_id or ""

    @property
    def identity(self) -> Identity | None:
        """Its id, with what that is unique within."""
        if self.delivery_id is None:
            return None
        return Identity(self.intake.name, self.bot_id, self.delivery_id)

    def findings(self) -> tuple[Finding, ...]:
        """Return what is wrong with its shape, without a place in any conversation."""
        return tuple(
            find(
                flaw.code,
                Place(pointer=flaw.pointer),
                flaw.facts,
                severity=Severity.WARNING if flaw.is_warning else None,
            )
            for flaw in _flaws(self.delivery)
        )


def read(  # noqa: PLR0913 - all that comes with a body
    intake: Intake,
    body: Body,
    *,
    bot_id: str | None,
    conversation_id: str | None = None,
    delivery_id: str | None,
    received_at: datetime | None,
    store_text: bool,
    limits: Limits,
) -> Sent:
    """Read a body; `conversation_id` is that of a query, for E1."""
    path_bot, queried = spelt(bot_id), spelt(conversation_id)

    def parsed(raw: Body) -> Delivery:
        context = DeliveryContext(queried, path_bot, received_at=received_at)
        return read_body(raw, intake, context, limits=limits)

    raw = _raw(body, limits)
    delivery = parsed(raw)
    text, digest = "", ""
    if delivery.body is not None:
        text = raw.decode()
        if delivery_id:
            digest = fingerprint([delivery.conversation_id, delivery.body])
        if not store_text:
            text = json_text(blank(delivery.body))
            delivery = parsed(text)
    return Sent(
        intake=intake,
        path_bot=path_bot or "",
        bot_id=path_bot or delivery.bot_id or "",
        delivery_id=spelt(delivery_id),
        received_at=received_at,
        delivery=delivery,
        raw=raw,
        text=text.removeprefix("\ufeff"),
        digest=digest,
        verdict=_verdict(delivery),
    )


def _raw(body: Body, limits: Limits) -> bytes:
    """Return the bytes of a body; a mapping that cannot be read gives bytes that cannot either."""
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    plain = read_body(body, limits=limits).body
    return b"" if plain is None else json_text(plain).encode()


def _flaws(delivery: Delivery) -> list[Flaw]:
    return [*delivery.flaws, *(flaw for event in delivery.events for flaw in event.flaws)]


def _verdict(delivery: Delivery) -> DeliveryOutcome | None:
    codes = {flaw.code for flaw in _flaws(delivery)}
    is_control = delivery.intake.receipt is ReceiptKind.CONTROL
    if delivery.body is None or (is_control and codes & _FIELD):
        return DeliveryOutcome.UNREADABLE
    if delivery.conversation_id is None or _EMPTY in codes:
        return DeliveryOutcome.UNFILED
    return None
