"""Creates the commits for deliveries that are applied, held, or released without being applied."""

import json
import zlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from segue.core.engine import new
from segue.core.engine.snapshot import dump_parts
from segue.core.findings import Finding, Severity
from segue.server.processor.callback_payloads import AppliedDelivery, outbox_messages
from segue.server.processor.ingest_options import IngestOptions
from segue.server.processor.records import (
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    JournalEntry,
    Quarantined,
)
from segue.server.processor.stored_entries import stored
from segue.server.processor.submission import Judgement, listed

LONGEST_QUARANTINED: Final = 256 * 1024
"""The maximum size of a quarantined body, in bytes."""
_PACKED: Final = 16 * 1024
"""The size in bytes from which a piece of history is compressed. Large pieces are repetitive."""


def commit_of(
    change: AppliedDelivery,
    record: ConversationRecord | None,
    options: IngestOptions,
    held: HeldEntry | None = None,
) -> Commit:
    """Create the commit that stores an applied delivery and its changes to the conversation.

    Args:
        change: The delivery and its changes.
        record: The stored conversation before the delivery, or None for a new conversation.
        options: The options of the processor.
        held: The stored entry of the delivery if it was held before it was applied, or None.

    """
    state, since, callbacks = change.state, change.before.since, options.callbacks
    submission, findings = change.judgement.submission, change.judgement.findings
    bot_id, conversation_id = submission.key
    before = None if record is None else record.summary
    version = 0 if record is None else record.version
    errors = 0 if before is None else before.errors
    at = submission.delivery.received_at or options.clock()
    summary = ConversationSummary(
        conversation_id=conversation_id,
        bot_id=bot_id,
        phase=state.presence.phase.value,
        events=state.position,
        findings=len(findings) + (0 if before is None else before.findings),
        errors=errors + count_errors(findings),
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
        phase_before=change.before.presence.phase.value,
        phase=state.presence.phase.value,
        findings=json.dumps(listed(findings) if findings else []),
        arrival=version + 1 if held is None else held.arrival,
        healed=() if held is None or change.judgement.held_codes else held.codes,
        address_id=submission.address_id,
        asked_at=submission.asked_at,
    )
    rest = () if record is None else tuple([each for each in record.held if each is not held])
    parts = dump_parts(state, since, version + 1)
    conversation = ConversationRecord(summary, version + 1, parts.judging, parts.agents, rest)
    data = parts.history if len(parts.history) < _PACKED else zlib.compress(parts.history, 1)
    piece = HistoryPiece(version + 1, parts.findings, data)
    return Commit(
        expected=version,
        conversation=conversation,
        entry=entry,
        identity=submission.identity if held is None else None,  # the id is stored already
        fingerprint=submission.digest,
        outbox=outbox_messages(change, conversation, options.policy, callbacks)
        if callbacks
        else (),
        entries=tuple([stored(number, version + 1, each) for number, each in parts.entries]),
        history=piece if parts.history else None,
        release=None if held is None else held.arrival,
        replays=submission.replays,
    )


def count_errors(findings: Iterable[Finding]) -> int:
    """Return the number of errors among the reported findings of a delivery."""
    return sum(found.severity is Severity.ERROR for found in findings)


def held_commit(
    judgement: Judgement,
    record: ConversationRecord | None,
    received_at: datetime,
    deadline: datetime,
) -> Commit:
    """Create the commit that stores a delivery as held until `deadline`, instead of applying it.

    `record` is the stored conversation, or None for a new one.
    """
    submission = judgement.submission
    entry = HeldEntry(
        arrival=1 if record is None else record.version + 1,
        endpoint=submission.intake.name,
        bot_id=submission.path_bot,
        delivery_id=submission.delivery_id,
        received_at=received_at,
        deadline=deadline,
        codes=tuple(dict.fromkeys(judgement.held_codes)),
        body=submission.text,
    )
    conversation = _with_held(submission.key, record, entry)
    known = submission.identity, submission.digest
    expected, replays = conversation.version - 1, submission.replays
    return Commit(expected, conversation, None, *known, hold=entry, replays=replays)


def _with_held(
    key: ConversationKey, record: ConversationRecord | None, entry: HeldEntry
) -> ConversationRecord:
    """Return the record of a conversation after `entry` was added to its held deliveries.

    If `record` is None, create the record of a new conversation without events.
    """
    at = entry.received_at
    if record is None:
        state = new(key.conversation_id)
        snapshot = dump_parts(state).judging
        summary = ConversationSummary(
            conversation_id=key.conversation_id,
            bot_id=key.bot_id,
            phase=state.presence.phase.value,
            events=0,
            findings=0,
            errors=0,
            started_at=at,
            updated_at=at,
        )
        return ConversationRecord(summary, 1, snapshot, held=(entry,))
    summary = replace(record.summary, updated_at=max(at, record.summary.updated_at))
    held = (*record.held, entry)
    return replace(record, summary=summary, version=record.version + 1, agents={}, held=held)


def rejected_commit(
    judgement: Judgement, record: ConversationRecord, entry: HeldEntry, options: IngestOptions
) -> Commit:
    """Create the commit that moves a held delivery to the quarantine instead of applying it."""
    rest = tuple(each for each in record.held if each is not entry)
    conversation = replace(record, version=record.version + 1, agents={}, held=rest)
    # The id counts as seen, so the body could not be submitted again under it.
    item = replace(quarantined(judgement, options), delivery_id=None)
    return Commit(record.version, conversation, None, release=entry.arrival, quarantined=item)


def quarantined(judgement: Judgement, options: IngestOptions) -> Quarantined:
    """Create the quarantine entry for a delivery that was not applied.

    The body in the entry is truncated to `LONGEST_QUARANTINED` bytes. Its texts are blank if the
    option `store_text` is False.
    """
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
        request_id=submission.request_id,
    )
