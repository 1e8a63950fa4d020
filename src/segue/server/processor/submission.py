"""Reads what was sent, with all that came with it, and describes what became of it.

Whatever was sent gives a `Submission`, before the store is asked. A mapping is read like any other
body and stored as the JSON text it would have been. A receipt holds nothing that its sender may not
see.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter
from typing import Any, Final, cast

from segue.core.engine import MACHINES, ApplyResult, ControlMachine, State
from segue.core.epoch import is_aware
from segue.core.errors import ConfigurationError
from segue.core.events import Delivery, Intake, ReceiptKind, fingerprint
from segue.core.events.fields import FIELDS
from segue.core.findings import Finding, Place
from segue.core.lifecycle import expected
from segue.core.transcription import AllowedAction
from segue.core.wire import BodyLimits, DeliveryContext, answering, read_body
from segue.server.processor.records import ConversationKey, DeliveryOutcome, Identity
from segue.server.processor.redaction import blank, blank_all, json_text

Body = bytes | str | Mapping[str, Any]
"""The body of a delivery: JSON as bytes or text, or what it decodes to."""

_FLAWS: Final = attrgetter("flaws")
_EMPTY: Final = "SG508"
_FIELD: Final = frozenset({"SG501", "SG502", "SG503", "SG505"})
"""A missing or wrong field; the caller of a control intake waits for the answer and is refused.

What is believed all the same refuses nothing.
"""
PATH_STEPS: Final = frozenset({".", ".."})
"""Ids that cannot be a part of a URL: clients resolve them."""
_MOST_FINDINGS: Final = 100
_MOST_BYTES: Final = 48 * 1024
MOST_EXPECTED: Final = 20
"""Events that an answer lists as legal now."""
LONGEST_LABEL: Final = 120
"""Characters of an id in a text for people; longer ones are cut."""
_NOT_APPLIED: Final = ApplyResult()


@dataclass(frozen=True, slots=True)
class SubmissionContext:
    """What comes with a body."""

    bot_id: str | None
    """Of the path; if it is missing, the body says whose delivery it is."""
    conversation_id: str | None = None
    """Of the query."""
    delivery_id: str | None = None
    """None if it came without one; then a retry cannot be recognised."""
    received_at: datetime | None = None
    """Aware. Without it the clock is read when the conversation is locked."""
    request_id: str | None = None
    """The host's own name of the request that it answers; of the query."""
    allowed_bots: Collection[str] | None = None
    """The bots that the sender may act for; None means all."""
    asked_at: datetime | None = None
    """When a callback was asked for; None asks the store."""
    is_unasked: bool = False
    """Whether it is known that a callback was never asked for."""
    replays: int | None = None
    """Number of the quarantined body that it is; None if it came from a sender."""
    longest_id: int | None = None
    """Characters of an id in the body at most; then the conversation must have one that a reader
    can ask for by its address, too. None accepts all."""


@dataclass(frozen=True, slots=True, repr=False)
class Submission:
    """One delivery as it was sent."""

    intake: Intake
    key: ConversationKey
    """Whose delivery it is, and of which conversation; empty where none is named."""
    path_bot: str
    """The bot it was sent for; empty if only the body names one."""
    delivery_id: str | None
    identity: Identity | None
    """The delivery id and what it is unique within."""
    received_at: datetime | None
    delivery: Delivery
    raw: bytes
    """As it was sent."""
    text: str
    """JSON text of what is stored; empty if unreadable."""
    digest: str
    """Fingerprint of the body, as a JSON value, and of the conversation; empty without an id."""
    refusal: DeliveryOutcome | None
    """Why it cannot be filed, or None if it can."""
    findings: tuple[Finding, ...]
    """What is wrong with its shape, without a place in any conversation."""
    address_id: str = ""
    """The conversation it was sent for; empty if only the body names one."""
    asked_at: str | None = None
    """See `JournalEntry.asked_at`."""
    replays: int | None = None
    """See `SubmissionContext.replays`."""
    request_id: str | None = None
    """The host's name of the request that it calls back about, in its address."""

    def answering(self, asked_at: datetime | None) -> "Submission":
        """Return a callback with when its request was made; None says that it never was."""
        delivery = answering(self.delivery, asked_at)
        said = "" if asked_at is None else asked_at.isoformat()
        return replace(self, delivery=delivery, asked_at=said)


@dataclass(frozen=True, slots=True, repr=False)
class Judgement:
    """What was decided about a delivery."""

    outcome: DeliveryOutcome
    submission: Submission
    findings: tuple[Finding, ...] = ()
    state: State | None = None
    """The conversation now; None if it is unknown."""
    applied: ApplyResult = _NOT_APPLIED
    """What applying it did, also if that was refused afterwards."""
    held_codes: tuple[str, ...] = ()
    """Of the errors of order: those that a held one would have given, or one that was held gave."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one delivery of events."""

    outcome: DeliveryOutcome
    """What became of it; all but `APPLIED` change nothing."""
    conversation_id: str | None = None
    """None if the body names no conversation."""
    phase: str | None = None
    """Phase of the conversation now; None if it is unknown."""
    expected: tuple[str, ...] = ()
    """Which events would be legal now."""
    findings: tuple[Finding, ...] = ()
    """Of this delivery, as the policy selects them."""
    duplicate: bool = False
    """Whether the delivery id came before; then nothing was applied."""
    held: bool = False
    """Whether it waits for others that it overtook."""

    @classmethod
    def of(cls, judgement: Judgement) -> "Receipt":
        """Describe a judgement while its conversation is locked."""
        state = judgement.state
        return cls(
            outcome=judgement.outcome,
            conversation_id=judgement.submission.key.conversation_id or None,
            phase=None if state is None else state.presence.phase.value,
            expected=() if state is None else expected(state.presence, tuple(state.agents)),
            findings=judgement.findings,
            duplicate=judgement.outcome is DeliveryOutcome.DUPLICATE,
            held=judgement.outcome is DeliveryOutcome.HELD,
        )


@dataclass(frozen=True, slots=True)
class ControlReceipt:
    """What became of one transcription action."""

    outcome: DeliveryOutcome
    """What became of it; all but `APPLIED` change nothing."""
    conversation_id: str | None = None
    """None if the action names no conversation."""
    state: str | None = None
    """State of the transcription now; None if it is unknown."""
    changed: bool = False
    """Whether the state is another than before."""
    generation: int = 0
    """How many transcriptions this conversation has had, this one included; 0 if none."""
    allowed: tuple[AllowedAction, ...] = ()
    """What may be sent now, and by whom."""
    findings: tuple[Finding, ...] = ()
    """Of this action, as the policy selects them."""
    duplicate: bool = False
    """Whether the delivery id came before; then nothing was done."""

    @classmethod
    def of(cls, judgement: Judgement) -> "ControlReceipt":
        """Describe a judgement while its conversation is locked."""
        outcome, state, action = judgement.outcome, judgement.state, judgement.applied.outcome
        conversation_id = judgement.submission.key.conversation_id
        if state is None:
            return cls(outcome, conversation_id or None, findings=judgement.findings)
        machine = cast("ControlMachine[Any]", MACHINES[judgement.submission.intake.machine])
        session = machine.session(state)
        return cls(
            outcome=outcome,
            conversation_id=conversation_id,
            state=str(session.state),
            changed=outcome is DeliveryOutcome.APPLIED and action is not None and action.changed,
            generation=session.generation,
            allowed=machine.allowed(state),
            findings=judgement.findings,
            duplicate=outcome is DeliveryOutcome.DUPLICATE,
        )


RECEIPTS: Final[Mapping[ReceiptKind, Callable[[Judgement], Receipt | ControlReceipt]]] = {
    ReceiptKind.DELIVERY: Receipt.of,
    ReceiptKind.CONTROL: ControlReceipt.of,
}
"""What makes the receipt of an intake out of a judgement, by its kind."""


def read(
    intake: Intake, body: Body, context: SubmissionContext, limits: BodyLimits, *, store_text: bool
) -> Submission:
    """Read a body; raise `ConfigurationError` for a time without a zone or an id of no text."""
    ids = context.conversation_id, context.bot_id, context.delivery_id, context.request_id
    conversation_id, path_bot, delivery_id, request_id = (
        each
        if each is None or (type(each) is str and each and each.isascii() and "\0" not in each)
        else spelt(each)
        for each in ids
    )
    received_at = context.received_at and aware(context.received_at)
    known = DeliveryContext(conversation_id, path_bot, delivery_id, received_at)
    raw = body if isinstance(body, bytes) else _raw(body, limits)
    delivery = read_body(raw, intake, known, limits=limits)
    text, digest, refusal = "", "", None
    if delivery.body is not None:
        text = raw.decode().removeprefix("\ufeff")
        if delivery_id:
            digest = fingerprint([delivery.conversation_id, delivery.body])
        if not store_text:
            takes_any = FIELDS[intake.name].takes_any
            text = json_text((blank_all if takes_any else blank)(delivery.body))
            delivery = read_body(text, intake, known, limits=limits)
    bot_id = delivery.bot_id or ""
    flaws = [*delivery.flaws, *chain.from_iterable(map(_FLAWS, delivery.events))]
    agents = [event.agent for event in delivery.events]
    codes = {flaw.code for flaw in flaws if not flaw.is_believed}
    if (allowed := context.allowed_bots) is not None and bot_id not in allowed:
        refusal, flaws = DeliveryOutcome.FORBIDDEN, []
    elif delivery.body is None or (intake.receipt is ReceiptKind.CONTROL and codes & _FIELD):
        is_too_long = delivery.body is None and flaws[-1].facts.get("reason") == limits.too_many
        refusal = DeliveryOutcome.TOO_LARGE if is_too_long else DeliveryOutcome.UNREADABLE
    elif (longest := context.longest_id) is not None and (
        max(map(len, (delivery.conversation_id or "", *agents))) > longest
        or delivery.conversation_id in PATH_STEPS
        or "\ufffd" in (delivery.conversation_id or "")
    ):
        refusal = DeliveryOutcome.UNADDRESSABLE
    elif delivery.conversation_id is None or _EMPTY in codes:
        refusal = DeliveryOutcome.UNFILED
    return Submission(
        intake=intake,
        key=ConversationKey(bot_id, delivery.conversation_id or ""),
        path_bot=path_bot or "",
        delivery_id=delivery_id,
        identity=Identity(intake.name, bot_id, delivery_id) if delivery_id else None,
        received_at=received_at,
        delivery=delivery,
        raw=raw,
        text=text,
        digest=digest,
        refusal=refusal,
        findings=tuple(flaw.finding(Place()) for flaw in flaws),
        address_id=conversation_id or "",
        replays=context.replays,
        request_id=request_id,
    )


def listed(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the first findings, as answers and the feed list them: 100 at most, and 48 KiB.

    Of what was expected, each has 20 events at most, cut to 120 characters.
    """
    found: list[dict[str, Any]] = []
    size = 0
    for finding in findings[:_MOST_FINDINGS]:
        value: dict[str, Any] = finding.to_dict()
        value["expected"] = [each[:LONGEST_LABEL] for each in finding.expected[:MOST_EXPECTED]]
        size += len(json.dumps(value))
        if found and size > _MOST_BYTES:
            break
        found.append(value)
    return found


def aware(at: datetime) -> datetime:
    """Convert a time to UTC; raise `ConfigurationError` for anything that has no time in UTC."""
    if not isinstance(at, datetime):
        raise ConfigurationError(
            f"{at!r} is not a time: pass an aware datetime, such as datetime.now(UTC), or "
            "datetime.now(UTC) - timedelta(days=90)"
        )
    if not is_aware(at):
        raise ConfigurationError(f"{at.isoformat()} has no time zone: pass an aware datetime")
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise ConfigurationError(
            f"{at.isoformat()} is not a time from year 1 to 9999 in UTC"
        ) from None


def spelt(name: str | None) -> str | None:
    """Spell an id that did not come in a body so that every store takes it; None if empty.

    Raises `ConfigurationError` for what is not text.
    """
    if not isinstance(name, str | None):
        raise ConfigurationError(
            f"ids are text, got {name!r}, {type(name).__name__}: pass str(…), or None without one"
        )
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
