"""Rows to keep, written short; and stores to keep them in."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from tests.patience import PATIENCE

from segue.server.processor import (
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    HistoryPiece,
    Identity,
    JournalEntry,
    OutboxMessage,
    Quarantined,
    StoredEntry,
)

T = TypeVar("T")

DAY = datetime(2026, 3, 1, tzinfo=UTC)
ALWAYS = DAY + timedelta(days=1)
"""As long as a message may be leased."""


def at(seconds: float) -> datetime:
    """Return a time of the day on which everything happens."""
    return DAY + timedelta(seconds=seconds)


def done(answer: Future[T] | T) -> T:
    """Wait for what a store may have queued."""
    if isinstance(answer, Future):
        value: T = answer.result(timeout=PATIENCE)
        return value
    return answer


def key(conversation_id: str, bot_id: str = "st-1") -> ConversationKey:
    return ConversationKey(bot_id, conversation_id)


def identity(delivery_id: str, bot_id: str = "st-1") -> Identity:
    return Identity("hooks", bot_id, delivery_id)


def commit(
    conversation_id: str,
    expected: int = 0,
    *,
    delivery_id: str | None = None,
    bot_id: str = "st-1",
    when: datetime = DAY,
    messages: int | Sequence[str] = 0,
    phase: str = "active",
    findings: str = "[]",
) -> Commit:
    """Return a commit that follows `expected` others; its bytes say which it is.

    The first names agents 0 and 1, all others agent 0. Each adds an entry and changes the one
    before it. Every third adds nothing to the history.
    `messages` is the number of its callbacks, or their kinds.
    """
    version = expected + 1
    name = f"{conversation_id}:{version}"
    kinds = ["message"] * messages if isinstance(messages, int) else messages
    return Commit(
        expected=expected,
        conversation=ConversationRecord(
            ConversationSummary(
                conversation_id=conversation_id,
                bot_id=bot_id,
                phase=phase,
                events=2 * version,
                findings=0 if findings == "[]" else 1,
                errors=version,
                started_at=DAY,
                updated_at=when,
            ),
            version=version,
            snapshot=f"snapshot {name}".encode(),
            agents={
                number: f"agent {number} of {name}".encode()
                for number in range(1 if expected else 2)
            },
        ),
        entry=JournalEntry(
            conversation_id=conversation_id,
            bot_id=bot_id,
            owner=bot_id,
            endpoint="hooks",
            delivery_id=delivery_id,
            received_at=when,
            body=f'"{name}"',
            phase_before="active" if expected else "waiting",
            phase=phase,
            findings=findings,
        ),
        identity=None if delivery_id is None else identity(delivery_id, bot_id),
        fingerprint="" if delivery_id is None else f"print of {name}",
        outbox=tuple(
            OutboxMessage(f"{name}:{kind}:{n}", bot_id, conversation_id, kind, f'{{"n":{n}}}')
            for n, kind in enumerate(kinds)
        ),
        entries=tuple(
            entry(conversation_id, number, version)
            for number in (version - 2, version - 1)
            if number >= 0
        ),
        history=piece(conversation_id, version) if version % 3 else None,
    )


def piece(conversation_id: str, version: int) -> HistoryPiece:
    """Return what a commit adds to the history: a finding, if its version is even."""
    return HistoryPiece(version, (version + 1) % 2, f"history {conversation_id}:{version}".encode())


def entry(conversation_id: str, number: int, version: int) -> StoredEntry:
    """Return an entry that a commit of a version adds or changes. The values say which it is."""
    is_odd = number % 2 == 1
    return StoredEntry(
        number,
        version,
        "NA entry",
        f"agent of {conversation_id}",
        3 * number,
        version,
        number,
        at(number) if is_odd else None,
        None if is_odd else at(version),
        ("adjusted", "repeat") if is_odd else (),
        "",
        f"details {conversation_id}:{number}",
        number,
    )


def quarantined(
    reason: str = "unreadable", when: datetime = DAY, body: bytes = b"{"
) -> Quarantined:
    return Quarantined(
        endpoint="hooks",
        bot_id="st-1",
        conversation_id=None,
        delivery_id=None,
        received_at=when,
        reason=reason,
        codes=("SG501", "SG508"),
        body=body,
        size=len(body),
    )
