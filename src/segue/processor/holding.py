"""Deliveries that wait for others, as they are stored, and read again to be tried.

Which of them wait, and how long, is decided in `segue.engine.reordering`.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from segue.engine import MOST_HELD, NO_HISTORY, dump_parts, new
from segue.events import INTAKES, Delivery, IdSource
from segue.processor.records import (
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    HeldEntry,
)
from segue.processor.submission import Judgement, Submission, SubmissionContext, read
from segue.wire import BodyLimits

_LONGEST_HELD: Final = 1024 * 1024
"""Characters of all the bodies that one conversation holds."""


@dataclass(frozen=True, slots=True)
class HeldSubmission:
    """A held delivery, read again."""

    entry: HeldEntry
    submission: Submission

    @property
    def delivery(self) -> Delivery:
        """What was sent."""
        return self.submission.delivery

    @property
    def deadline(self) -> datetime:
        """When it is applied at the latest."""
        return self.entry.deadline


def has_room(record: ConversationRecord | None, submission: Submission) -> bool:
    """Return whether a conversation may hold one more delivery."""
    held = () if record is None else record.held
    size = sum(len(entry.body) for entry in held) + len(submission.text)
    return len(held) < MOST_HELD and size <= _LONGEST_HELD


def held_entry(
    judgement: Judgement,
    record: ConversationRecord | None,
    received_at: datetime,
    deadline: datetime,
) -> HeldEntry:
    """Return what is stored of a delivery that waits."""
    submission = judgement.submission
    return HeldEntry(
        arrival=1 if record is None else record.version + 1,
        endpoint=submission.intake.name,
        bot_id=submission.path_bot,
        delivery_id=submission.delivery_id,
        received_at=received_at,
        deadline=deadline,
        codes=tuple(dict.fromkeys(judgement.held_codes)),
        body=submission.text,
    )


def with_held(
    key: ConversationKey, record: ConversationRecord | None, entry: HeldEntry
) -> ConversationRecord:
    """Return the next version of a conversation, which holds one more delivery."""
    at = entry.received_at
    if record is None:
        state = new(key.conversation_id)
        snapshot = dump_parts(state, NO_HISTORY).judging
        summary = ConversationSummary(
            conversation_id=key.conversation_id,
            bot_id=key.bot_id,
            phase=state.presence.phase.value,
            events=0,
            findings=0,
            started_at=at,
            updated_at=at,
        )
        return ConversationRecord(summary, 1, snapshot, held=(entry,))
    summary = replace(record.summary, updated_at=max(at, record.summary.updated_at))
    held = (*record.held, entry)
    return replace(record, summary=summary, version=record.version + 1, agents={}, held=held)


def without_held(record: ConversationRecord, entry: HeldEntry) -> Commit:
    """Return the commit after which a delivery is held no longer, though it was not applied."""
    rest = tuple(each for each in record.held if each is not entry)
    conversation = replace(record, version=record.version + 1, agents={}, held=rest)
    return Commit(record.version, conversation, None, release=entry.arrival)


def read_held(record: ConversationRecord, entry: HeldEntry, limits: BodyLimits) -> HeldSubmission:
    """Read a held delivery as it was read when it came."""
    intake = INTAKES[entry.endpoint]
    # An id in the body may be misspelled there, which is found again only without another one.
    name = None if intake.ids is IdSource.BODY else record.summary.conversation_id
    context = SubmissionContext(entry.bot_id, name, entry.delivery_id, entry.received_at)
    return HeldSubmission(entry, read(intake, entry.body, context, limits, store_text=True))
