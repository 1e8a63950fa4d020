"""Finds damage in stored conversations and rebuilds them from their journals.

This is possible because the journal determines the past, and the state that later deliveries are
judged by.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from segue.core.conversation import Report
from segue.core.engine import MACHINES, State, new
from segue.core.engine.snapshot import dump_parts
from segue.core.engine.snapshot_checks import is_consistent
from segue.core.errors import ConfigurationError, SegueError
from segue.core.explain import NOTHING
from segue.core.findings import Policy
from segue.core.wire import BodyLimits, with_required
from segue.server.processor.commits import count_errors
from segue.server.processor.effects import Unit, drive
from segue.server.processor.held_deliveries import is_readable
from segue.server.processor.journal import delivery_of
from segue.server.processor.records import (
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    HistoryPiece,
    JournalEntry,
    RebuiltConversation,
)
from segue.server.processor.runtime import Runtime, decoded
from segue.server.processor.store import Store, StoreDamaged
from segue.server.processor.stored_entries import entries_of, stored
from segue.server.processor.stored_history import read_entries, read_history

_PAGE: Final = 500
_UNREADABLE: Final = "what is stored of it cannot be read"
_NOT_FOUND: Final = "its ids are not those it is stored under"


@dataclass(frozen=True, slots=True)
class Damage:
    """A stored conversation that is damaged, with a description of the damage."""

    key: ConversationKey
    """The bot id and the conversation id."""
    what: str
    """A description of the damage for operators, in English."""
    is_mended: bool
    """Whether the conversation was rebuilt from the journal."""


def rebuild(
    runtime: Runtime, key: ConversationKey, policy: Policy, limits: BodyLimits
) -> Unit[RebuiltConversation]:
    """Rebuild a conversation by applying the deliveries in its journal again.

    Held deliveries are kept if they can be decoded. Raises `StoreDamaged` if the journal cannot be
    read, or is empty.
    """
    state, entries, after = new(key.conversation_id), list[JournalEntry](), 0
    while page := (yield runtime.call(Store.journal, after, _PAGE, key)):
        entries += page
        after = page[-1].number
    try:
        for entry in entries:
            _apply(state, entry, policy)
    except (SegueError, ValueError) as error:
        raise StoreDamaged("the journal of the conversation is damaged too") from error
    waiting = yield runtime.call(Store.held, key)
    held = tuple(entry for entry in waiting if is_readable(key, entry, limits))
    times = [entry.received_at for entry in (*entries, *waiting)]
    if not times:
        raise StoreDamaged("there is no journal of the conversation")
    parts = dump_parts(state)
    reported = policy.apply(state.findings)
    summary = ConversationSummary(
        conversation_id=key.conversation_id,
        bot_id=key.bot_id,
        phase=state.presence.phase.value,
        events=state.position,
        findings=len(reported),
        errors=count_errors(reported),
        started_at=min(times),
        updated_at=max(times),
    )
    version = max(1, len(entries), *(entry.arrival for entry in held))
    record = ConversationRecord(summary, version, parts.judging, parts.agents, held)
    rows = tuple([stored(number, 1, entry) for number, entry in parts.entries])
    piece = HistoryPiece(len(entries), parts.findings, parts.history)
    return RebuiltConversation(record, rows, piece, after)


def _apply(state: State, entry: JournalEntry, policy: Policy) -> None:
    delivery = delivery_of(entry)
    if delivery.body is None:
        raise ValueError("a delivery of the journal cannot be read")
    delivery = with_required(delivery, policy.require) if policy.require else delivery
    MACHINES[delivery.intake.machine].apply(
        state, replace(delivery, delivery_id=None), enforce=False
    )


def examine(
    runtime: Runtime, policy: Policy, limits: BodyLimits, *, is_mending: bool
) -> Iterator[Damage]:
    """Yield a `Damage` for each damaged conversation in the store, newest first.

    If `is_mending` is true, also rebuild damaged conversations from their journals where possible.
    """
    after: int | None = None
    while page := runtime.started().list(after, 100, None):
        for row in page:
            damage = drive(_examine(runtime, row.key, policy, limits, is_mending=is_mending))
            if damage is not None:
                yield damage
        after = page[-1].number


def _examine(
    runtime: Runtime,
    key: ConversationKey,
    policy: Policy,
    limits: BodyLimits,
    *,
    is_mending: bool,
) -> Unit[Damage | None]:
    """Return the damage of a conversation, or None if it is intact.

    If `is_mending` is true, also repair the conversation where possible.
    """
    what = yield from _damage_of(runtime, key, limits)
    if what == _NOT_FOUND:
        known = is_mending and (yield runtime.call(Store.put_under_its_key, key, is_sent=False))
        if not known:
            return Damage(key, what, is_mended=False)
        more = yield from _examine(runtime, key, policy, limits, is_mending=True)
        return more or Damage(key, what, is_mended=True)
    try:
        rebuilt = yield from rebuild(runtime, key, policy, limits)
    except StoreDamaged as damaged:
        return Damage(key, f"{what}; {damaged}" if what else str(damaged), is_mended=False)
    if what and is_mending:
        yield runtime.call(Store.restore, rebuilt)
    return Damage(key, what, is_mended=is_mending) if what else None


def _has_changed(runtime: Runtime, record: ConversationRecord) -> Unit[bool]:
    """Return whether a delivery has changed a conversation since it was loaded."""
    loaded = yield runtime.call(Store.load, record.summary.key)
    now: ConversationRecord | None = loaded.conversation
    return now is None or now.version != record.version


def _damage_of(runtime: Runtime, key: ConversationKey, limits: BodyLimits) -> Unit[str]:
    """Describe the damage of a conversation. Return an empty string if it is intact."""
    try:
        loaded = yield runtime.call(Store.load, key)
        record = loaded.conversation
        if record is None:
            return _NOT_FOUND
        state = decoded(record)
        yield from read_history(runtime, record, state)
        rows = yield from read_entries(runtime, key, len(state.entries))
        is_right = entries_of(rows) == state.entries or (yield from _has_changed(runtime, record))
        if not (is_right and is_consistent(state)):
            return _UNREADABLE
        Report(state, explanation=NOTHING).to_dict()
        held = yield runtime.call(Store.held, key)
    except (StoreDamaged, ConfigurationError):
        return _UNREADABLE
    if tuple(held) != record.held or not all(is_readable(key, each, limits) for each in held):
        return "what it holds cannot be read"
    shown = record.summary.phase, record.summary.events
    is_right = shown == (state.presence.phase.value, state.position)
    return "" if is_right else "its row in the list is not what it has come to"
