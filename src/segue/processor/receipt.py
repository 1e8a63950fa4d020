"""What the processor answers: receipts of what was sent, accounts of what is known.

It decides the words; which status code a word becomes is the hook's business.  House rule: an
answer holds nothing that its asker may not see.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from segue.conversation import Report
from segue.findings import Finding
from segue.processor.records import Entry, Summary

__all__ = [
    "ControlReceipt",
    "ConversationView",
    "DeliveryOutcome",
    "FeedEntry",
    "Page",
    "Receipt",
    "Row",
]

T_co = TypeVar("T_co", covariant=True)


class DeliveryOutcome(StrEnum):
    """What became of a delivery. All but `APPLIED` leave the conversation as it was."""

    APPLIED = "applied"
    DUPLICATE = "duplicate"
    """It came before, by its id, and was applied then."""
    UNREADABLE = "unreadable"
    """No JSON object, or a transcription action with a missing or wrong field."""
    UNFILED = "unfiled"
    """No conversation to file it under, or nothing in it."""
    REJECTED = "rejected"
    """It gives a finding that the policy rejects."""
    REUSED = "reused"
    """Its id came before with another body."""
    FORBIDDEN = "forbidden"
    """The bot, or the conversation's owner, is none of those the sender may act for."""
    REFUSED = "refused"
    """A transcription action that the state does not allow."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one delivery to the hook."""

    outcome: DeliveryOutcome
    conversation_id: str | None = None
    phase: str | None = None
    """Where the conversation stands now; None: unknown, or not for this sender."""
    expected: tuple[str, ...] = ()
    """Which events would be legal now."""
    findings: tuple[Finding, ...] = ()
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class ControlReceipt:
    """What became of one transcription action."""

    outcome: DeliveryOutcome
    conversation_id: str | None = None
    state: str | None = None
    """Where the transcription stands now; None: unknown, or not for this sender."""
    changed: bool = False
    generation: int = 0
    allowed: tuple[str, ...] = ()
    """What its agent may send now."""
    findings: tuple[Finding, ...] = ()
    duplicate: bool = False


@dataclass(frozen=True, slots=True)
class ConversationView:
    """What is known of one conversation."""

    report: Report
    expected: tuple[str, ...]
    bot_id: str
    """The owner; empty: nobody named one."""

    def to_dict(self) -> dict[str, Any]:
        """Return the report as the documented JSON object, and what is expected next."""
        return {**self.report.to_dict(), "expected": list(self.expected)}


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation in the list."""

    conversation_id: str
    bot_id: str
    phase: str
    events: int
    findings: int
    """How many."""
    started_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, kept: Summary) -> "Row":
        """Take what the store lists, without its numbering."""
        return cls(
            kept.conversation_id,
            kept.bot_id,
            kept.phase,
            kept.events,
            kept.findings,
            kept.started_at,
            kept.updated_at,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "conversation_id": self.conversation_id,
            "bot_id": self.bot_id or None,
            "phase": self.phase,
            "events": self.events,
            "findings": self.findings,
            "started_at": self.started_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One delivery that gave findings or changed the phase."""

    cursor: str
    conversation_id: str
    bot_id: str
    endpoint: str
    received_at: datetime
    phase_before: str
    phase: str
    findings: tuple[dict[str, Any], ...]
    """As a report writes them."""

    @classmethod
    def of(cls, entry: Entry) -> "FeedEntry":
        """Take an entry of the journal, without its body."""
        return cls(
            str(entry.number),
            entry.conversation_id,
            entry.owner,
            entry.endpoint,
            entry.received_at,
            entry.phase_before,
            entry.phase,
            tuple(json.loads(entry.findings)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "cursor": self.cursor,
            "conversation_id": self.conversation_id,
            "bot_id": self.bot_id or None,
            "endpoint": self.endpoint,
            "received_at": self.received_at.isoformat(),
            "phase_before": self.phase_before,
            "phase": self.phase,
            "findings": list(self.findings),
        }


@dataclass(frozen=True, slots=True)
class Page(Generic[T_co]):
    """A page of a list, and where the next one begins."""

    items: tuple[T_co, ...]
    next: str | None
    """Pass it as `after`. Of the list: None at its end. Of the feed: always given."""
