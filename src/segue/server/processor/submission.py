"""Decodes submitted bodies, and describes the outcome in receipts.

Every body gives a `Submission` without a query to the store. A mapping is read like any other body
and stored as its JSON text. A receipt holds only information that its sender may see.
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
from segue.core.events import Delivery, Intake, ReceiptKind
from segue.core.events.fields import FIELDS
from segue.core.events.ids import one_spelling
from segue.core.findings import Finding, Place
from segue.core.lifecycle import expected
from segue.core.transcription import AllowedAction
from segue.core.wire import BodyLimits, DeliveryContext, answering, read_body
from segue.server.processor.records import ConversationKey, DeliveryOutcome, Identity
from segue.server.processor.redaction import blank, blank_all, json_text

Body = bytes | str | Mapping[str, Any]
"""The body of a delivery: JSON as bytes or text, or the decoded JSON object."""

_FLAWS: Final = attrgetter("flaws")
_EMPTY: Final = "SG508"
_FIELD: Final = frozenset({"SG501", "SG502", "SG503", "SG505"})
"""Missing or wrong fields for which a control intake refuses the action. A flaw that is believed
anyway refuses nothing."""
PATH_STEPS: Final = frozenset({".", ".."})
"""Ids that clients resolve as steps of a path, so no URL can contain them."""
_MOST_FINDINGS: Final = 100
_MOST_BYTES: Final = 48 * 1024
MOST_EXPECTED: Final = 20
"""The maximum number of legal events that an answer lists."""
LONGEST_LABEL: Final = 120
"""The maximum length of an id in a text for people, in characters. Longer ids are cut."""
_NOT_APPLIED: Final = ApplyResult()


@dataclass(frozen=True, slots=True)
class SubmissionContext:
    """The data that comes with a body: the ids in its URL, its delivery id, and its sender."""

    bot_id: str | None
    """The bot id in the path. If it is None, the bot comes from the body."""
    conversation_id: str | None = None
    """The conversation id in the query, or None."""
    delivery_id: str | None = None
    """The unique id of the delivery. Without it a retry cannot be recognized."""
    received_at: datetime | None = None
    """The time of receipt, with a time zone. If it is None, the clock is read once the conversation
    is locked."""
    request_id: str | None = None
    """The host's own name for the request, from the query of a callback."""
    allowed_bots: Collection[str] | None = None
    """The ids of the bots that the sender may act for, or None for all."""
    asked_at: datetime | None = None
    """The time at which the host asked for a callback. If it is None, the time is looked up in the
    store."""
    is_unasked: bool = False
    """Whether the host is known to have never asked for the callback."""
    replays: int | None = None
    """The number of the quarantined body that is submitted again, or None for a body from a
    sender."""
    longest_id: int | None = None
    """The maximum length of ids in the body, in characters. If it is set, the conversation id must
    also be usable in a URL. None accepts all ids."""


@dataclass(frozen=True, slots=True, repr=False)
class Submission:
    """A submitted body and its decoded delivery, before the delivery is applied or refused."""

    intake: Intake
    key: ConversationKey
    """The bot id and the conversation id. An id that is not named is empty."""
    path_bot: str
    """The bot id in the path. It is empty if only the body names a bot."""
    delivery_id: str | None
    identity: Identity | None
    """The delivery id and its scope, or None without a delivery id."""
    received_at: datetime | None
    delivery: Delivery
    raw: bytes
    """The body as bytes, as sent."""
    text: str
    """The JSON text to store. It is empty if the body is unreadable."""
    digest: str
    """The fingerprint of the delivery. It is empty without a delivery id."""
    refusal: DeliveryOutcome | None
    """The outcome if the delivery cannot be filed under a conversation, or None if it can."""
    findings: tuple[Finding, ...]
    """The findings about the shape of the body, without a place in a conversation."""
    address_id: str = ""
    """The conversation id in the address. It is empty if only the body names one."""
    asked_at: str | None = None
    """The time at which the host asked for a callback; see `JournalEntry.asked_at`."""
    replays: int | None = None
    """The number of the quarantined body; see `SubmissionContext.replays`."""
    request_id: str | None = None
    """The host's name for the request, from the address of a callback."""

    def answering(self, asked_at: datetime | None) -> "Submission":
        """Return a copy for a callback from the platform, with the time of the host's request.

        `asked_at` is None if the host never made such a request.
        """
        delivery = answering(self.delivery, asked_at)
        said = "" if asked_at is None else asked_at.isoformat()
        return replace(self, delivery=delivery, asked_at=said)


@dataclass(frozen=True, slots=True, repr=False)
class Judgement:
    """The decision whether a delivery is applied, with its findings and the resulting state."""

    outcome: DeliveryOutcome
    submission: Submission
    findings: tuple[Finding, ...] = ()
    state: State | None = None
    """The current state of the conversation, or None if it is unknown."""
    applied: ApplyResult = _NOT_APPLIED
    """The result of applying the delivery, even if the delivery was refused afterwards."""
    held_codes: tuple[str, ...] = ()
    """The codes of the findings about order that a held delivery would have given on arrival, or
    that it gives when it is released."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of one delivery of events, as returned to its sender."""

    outcome: DeliveryOutcome
    """The outcome, such as `DeliveryOutcome.APPLIED`, which is the only one that changes the
    conversation."""
    conversation_id: str | None = None
    """The id of the conversation, such as `c-1`, or None if the delivery names none."""
    phase: str | None = None
    """The current phase of the conversation, such as `active`, or None if the conversation is
    unknown."""
    expected: tuple[str, ...] = ()
    """The events that are legal now, such as `NA entry by an agent`."""
    findings: tuple[Finding, ...] = ()
    """The findings of this delivery that the policy reports."""
    duplicate: bool = False
    """Whether the delivery id was seen before. A duplicate is not applied again."""
    held: bool = False
    """Whether the delivery waits for others that it overtook."""

    @classmethod
    def of(cls, judgement: Judgement) -> "Receipt":
        """Create a receipt from a judgement. The lock of the conversation must be held."""
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
    """The result of one transcription action, as returned to its sender."""

    outcome: DeliveryOutcome
    """The outcome, such as `DeliveryOutcome.APPLIED`, which is the only one that changes the
    conversation."""
    conversation_id: str | None = None
    """The id of the conversation, such as `c-1`, or None if the action names none."""
    state: str | None = None
    """The current state of the transcription, a value of `TranscriptionState`, or None if it is
    unknown."""
    changed: bool = False
    """Whether the action changed the state."""
    generation: int = 0
    """The number of transcriptions of this conversation, including the current one."""
    allowed: tuple[AllowedAction, ...] = ()
    """The actions that are legal now, each with the agents that may send it."""
    findings: tuple[Finding, ...] = ()
    """The findings of this action that the policy reports."""
    duplicate: bool = False
    """Whether the delivery id was seen before. A duplicate is not applied again."""

    @classmethod
    def of(cls, judgement: Judgement) -> "ControlReceipt":
        """Create a receipt from a judgement. The lock of the conversation must be held."""
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
"""The functions that create a receipt from a judgement, by the receipt kind of the intake."""


def read(
    intake: Intake, body: Body, context: SubmissionContext, limits: BodyLimits, *, store_text: bool
) -> Submission:
    """Decode a submitted body, and check whether it belongs to a conversation.

    If it does not, `refusal` in the result contains the reason. If `store_text` is False, the text
    of customers in the body is replaced by empty values. Raises `ConfigurationError` for a time
    without a zone and for ids that are not strings.
    """
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
            digest = delivery.fingerprint
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
        key=ConversationKey(bot_id, one_spelling(delivery.conversation_id or "")),
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
    """Convert findings to JSON objects for an HTTP answer or the feed, and limit their size.

    The list has at most 100 findings and about 48 KiB. Each finding has at most 20 expected events,
    cut to 120 characters. Further findings are left out.
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
    """Convert a time to UTC.

    Raises `ConfigurationError` if the value is not a datetime, has no time zone, or is out of
    range.
    """
    if not isinstance(at, datetime):
        raise ConfigurationError(
            f"{at!r} is not a datetime: pass an aware one, such as datetime.now(UTC) or "
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
    """Return an id with NUL and lone surrogates escaped, so that every store accepts it.

    Return None if the id is empty or None. Raises `ConfigurationError` if it is not a string.
    """
    if not isinstance(name, str | None):
        raise ConfigurationError(
            f"ids must be strings, got {name!r} ({type(name).__name__}): pass str(…), or None"
        )
    if not name or (name.isascii() and "\0" not in name):
        return name or None
    return name.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def _raw(body: Body, limits: BodyLimits) -> bytes:
    """Return a body as bytes. The result is empty if a mapping cannot be written as JSON."""
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    plain = read_body(body, limits=limits).body
    return b"" if plain is None else json_text(plain).encode()
