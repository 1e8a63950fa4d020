"""A store in memory: for tests, trials and hosts that need no durability.

It decides nothing: it is the contract in its plainest form.  House rule: one lock, held for the
whole of every call, and no call waits for anything else.  It does not survive its process.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from threading import Lock

from segue.errors import StoreConflict
from segue.lifecycle import Phase
from segue.processor import (
    Commit,
    Entry,
    Identity,
    Kept,
    Loaded,
    Notice,
    Quarantined,
    Summary,
    Vitals,
)

__all__ = ["MemoryStore"]

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class _Due:
    """A notice in the outbox, and until when it is held or put off."""

    notice: Notice
    since: datetime
    until: datetime = _LONG_AGO


class MemoryStore:
    """Keeps everything in this process."""

    immediate = True
    queues = False

    def __init__(self) -> None:
        self._lock = Lock()
        self._numbers = 0
        self._conversations: dict[str, tuple[int, Kept]] = {}
        self._identities: dict[Identity, tuple[str, str]] = {}
        self._journal: list[Entry] = []
        self._outbox: dict[int, _Due] = {}
        self._dead: dict[int, _Due] = {}
        self._quarantine: dict[int, Quarantined] = {}

    def __repr__(self) -> str:
        """Show how much there is."""
        return f"<MemoryStore conversations={len(self._conversations)}>"

    def migrate(self) -> None:
        """Do nothing: the schema is the code."""

    def ping(self) -> None:
        """Do nothing: memory is there."""

    def vitals(self) -> Vitals:
        """Count."""
        with self._lock:
            kept = [conversation for _, conversation in self._conversations.values()]
            first = next(iter(self._outbox.values()), None)
            return Vitals(
                open=sum(conversation.phase != Phase.ENDED for conversation in kept),
                waiting=len(self._outbox),
                waiting_since=None if first is None else first.since,
                dead=len(self._dead),
                quarantined=len(self._quarantine),
            )

    def close(self) -> None:
        """Do nothing: what is kept stays readable."""

    def load(self, conversation_id: str, identity: Identity | None = None) -> Loaded:
        """Return the conversation, and the fingerprint kept under a delivery id."""
        with self._lock:
            found = self._conversations.get(conversation_id)
            kept = None if identity is None else self._identities.get(identity)
            return Loaded(found and found[1], kept and kept[0])

    def save(self, commit: Commit) -> None:
        """Apply a commit, or raise `StoreConflict`."""
        identity, conversation = commit.identity, commit.conversation
        with self._lock:
            number, before = self._conversations.get(conversation.conversation_id, (0, None))
            if commit.expected != (0 if before is None else before.version):
                raise StoreConflict("the conversation has another version by now: load it again")
            if identity is not None:
                if identity in self._identities:
                    raise StoreConflict("the delivery id is known by now: load it")
                self._identities[identity] = commit.fingerprint, conversation.conversation_id
            number = number or self._next()
            self._conversations[conversation.conversation_id] = number, conversation
            self._journal.append(replace(commit.entry, number=self._next()))
            for notice in commit.notices:
                place = self._next()
                due = _Due(replace(notice, number=place), commit.entry.received_at)
                self._outbox[place] = due

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Summary]:
        """Return conversations, newest first."""
        with self._lock:
            found = sorted(
                (number, kept)
                for number, kept in self._conversations.values()
                if (after is None or number < after) and (bots is None or kept.bot_id in bots)
            )
        return [
            Summary(
                number,
                kept.conversation_id,
                kept.bot_id,
                kept.phase,
                kept.events,
                kept.findings,
                kept.started_at,
                kept.updated_at,
            )
            for number, kept in found[: -limit - 1 : -1]
        ]

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[Entry]:
        """Return the entries behind `after` that are news."""
        with self._lock:
            found = (
                entry
                for entry in self._journal
                if entry.number > after and entry.is_news and (bots is None or entry.owner in bots)
            )
            return list(islice(found, limit))

    def latest(self) -> int:
        """Return the number of the newest entry."""
        with self._lock:
            return self._journal[-1].number if self._journal else 0

    def journal(self, after: int, limit: int, conversation_id: str | None) -> Sequence[Entry]:
        """Return all entries behind `after`."""
        with self._lock:
            found = (
                entry
                for entry in self._journal
                if entry.number > after
                and (conversation_id is None or entry.conversation_id == conversation_id)
            )
            return list(islice(found, limit))

    def claim(self, lease: str, now: datetime, until: datetime, limit: int) -> Sequence[Notice]:
        """Lease notices of conversations none of whose notices is held or put off."""
        with self._lock:
            busy = {due.notice.conversation_id for due in self._outbox.values() if due.until > now}
            free = (due for due in self._outbox.values() if due.notice.conversation_id not in busy)
            claimed = []
            for due in islice(free, limit):
                due.notice = replace(due.notice, lease=lease)
                due.until = until
                claimed.append(due.notice)
            return claimed

    def acknowledge(self, number: int, lease: str) -> bool:
        """Forget a notice that was delivered."""
        with self._lock:
            return self._held(number, lease) is not None and bool(self._outbox.pop(number))

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Put a conversation off, and give back what the lease holds of it."""
        with self._lock:
            held = self._held(number, lease)
            if held is None:
                return False
            for due in self._outbox.values():
                notice = due.notice
                if (notice.conversation_id, notice.lease) == (held.notice.conversation_id, lease):
                    due.notice, due.until = replace(notice, lease=""), _LONG_AGO
            held.notice = replace(held.notice, tries=held.notice.tries + 1)
            held.until = until
            return True

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a notice a dead letter."""
        with self._lock:
            held = self._held(number, lease)
            if held is None:
                return False
            tries = held.notice.tries + 1
            held.notice = replace(held.notice, lease="", tries=tries, reason=reason)
            self._dead[number] = self._outbox.pop(number)
            return True

    def dead(self, after: int, limit: int) -> Sequence[Notice]:
        """Return the dead letters behind `after`."""
        with self._lock:
            numbers = [number for number in sorted(self._dead) if number > after]
            return [self._dead[number].notice for number in numbers[:limit]]

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again, where it stood."""
        with self._lock:
            due = self._dead.pop(number, None)
            if due is None:
                return False
            notice = replace(due.notice, tries=0, reason="")
            self._outbox[number] = replace(due, notice=notice, until=_LONG_AGO)
            self._outbox = dict(sorted(self._outbox.items()))
            return True

    def quarantine(self, item: Quarantined) -> int:
        """Keep a body that was not applied."""
        with self._lock:
            number = self._next()
            self._quarantine[number] = replace(item, number=number)
            return number

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after`."""
        with self._lock:
            return [item for number, item in self._quarantine.items() if number > after][:limit]

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine."""
        with self._lock:
            return self._quarantine.pop(number, None)

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time."""
        with self._lock:
            due = {due.notice.conversation_id for due in self._outbox.values()}
            old = {
                name
                for name, (_, kept) in self._conversations.items()
                if kept.updated_at < before and name not in due
            }
            for name in old:
                del self._conversations[name]
            self._journal = [entry for entry in self._journal if entry.conversation_id not in old]
            self._identities = {
                identity: kept for identity, kept in self._identities.items() if kept[1] not in old
            }
            self._dead = {
                number: due
                for number, due in self._dead.items()
                if due.notice.conversation_id not in old
            }
            self._quarantine = {
                number: item
                for number, item in self._quarantine.items()
                if item.received_at >= before
            }
            return len(old)

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _held(self, number: int, lease: str) -> _Due | None:
        due = self._outbox.get(number)
        return due if due is not None and lease and due.notice.lease == lease else None
