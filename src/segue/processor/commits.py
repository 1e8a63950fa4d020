"""What a delivery changes in the store, and how deliveries are judged: what all ways in share."""

import json
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from segue.engine import dump_parts
from segue.findings import Finding, Policy
from segue.processor.callback_payloads import AppliedDelivery, outbox_messages
from segue.processor.records import (
    Commit,
    ConversationRecord,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    JournalEntry,
    Quarantined,
)
from segue.processor.submission import Judgement, listed
from segue.wire import BodyLimits

LONGEST_QUARANTINED: Final = 256 * 1024
"""Bytes of a body that the quarantine stores."""
_PACKED: Final = 16 * 1024
"""A piece of the history from here on, in bytes, is compressed: it says much the same again and
again."""
_NEVER_REJECTED: Final = frozenset({"SG403", "SG404", "SG405", "SG406", "SG407"})
"""Cross-checks between two endpoints that have no order: they blame no single delivery."""


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """How deliveries are judged and what of them is stored."""

    policy: Policy
    callbacks: frozenset[str]
    """Kinds of the callbacks that have a handler."""
    clock: Callable[[], datetime]
    store_text: bool
    limits: BodyLimits
    patience: timedelta | None
    """How long deliveries that are out of order wait for others; None means not at all."""


def is_rejected(policy: Policy, findings: Iterable[Finding]) -> bool:
    """Return whether the policy rejects a delivery for one of its findings."""
    return any(found.code not in _NEVER_REJECTED and policy.rejects(found) for found in findings)


def commit_of(
    change: AppliedDelivery,
    record: ConversationRecord | None,
    options: IngestOptions,
    held: HeldEntry | None = None,
) -> Commit:
    """Put together everything a delivery changes; `held` is what was stored while it waited."""
    state, since, callbacks = change.state, change.since, options.callbacks
    submission, findings = change.judgement.submission, change.judgement.findings
    bot_id, conversation_id = submission.key
    before = None if record is None else record.summary
    version = 0 if record is None else record.version
    at = submission.delivery.received_at or options.clock()
    summary = ConversationSummary(
        conversation_id=conversation_id,
        bot_id=bot_id,
        phase=state.presence.phase.value,
        events=state.position,
        findings=len(findings) + (0 if before is None else before.findings),
        started_at=at if before is None else before.started_at,
        updated_at=at if before is None else max(at, before.updated_at),
    )
    entry = JournalEntry(
        conversation_id=conversation_id,
        bot_id=submission.path_bot,
        owner=bot_id,
        endpoint=submission.intake.name,
        delivery_id=submission.delivery_id,
        received_at=at,
        body=submission.text,
        phase_before=change.phase_before.value,
        phase=state.presence.phase.value,
        findings=json.dumps(listed(findings) if findings else []),
        arrival=version + 1 if held is None else held.arrival,
        healed=() if held is None or change.judgement.held_codes else held.codes,
    )
    rest = () if record is None else tuple([each for each in record.held if each is not held])
    parts = dump_parts(state, since)
    conversation = ConversationRecord(summary, version + 1, parts.judging, parts.agents, rest)
    data = parts.history if len(parts.history) < _PACKED else zlib.compress(parts.history, 1)
    piece = HistoryPiece(version + 1, parts.events, parts.findings, data)
    return Commit(
        expected=version,
        conversation=conversation,
        entry=entry,
        identity=submission.identity if held is None else None,  # it is stored already
        fingerprint=submission.digest,
        outbox=outbox_messages(change, conversation, options.policy, callbacks)
        if callbacks
        else (),
        history=piece if parts.history else None,
        release=None if held is None else held.arrival,
    )


def quarantined(judgement: Judgement, options: IngestOptions) -> Quarantined:
    """Describe a refused delivery for the quarantine."""
    submission = judgement.submission
    body = submission.raw if options.store_text else submission.text.encode()
    return Quarantined(
        endpoint=submission.intake.name,
        bot_id=submission.key.bot_id,
        conversation_id=submission.key.conversation_id or None,
        delivery_id=submission.delivery_id,
        received_at=submission.received_at or options.clock(),
        reason=judgement.outcome.value,
        codes=tuple(finding.code for finding in judgement.findings),
        body=body[:LONGEST_QUARANTINED],
        size=len(body) or len(submission.raw),
    )
