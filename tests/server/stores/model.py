"""A store written without SQL: what every other store is compared with."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from operator import attrgetter, itemgetter
from threading import Lock
from typing import TypeVar

from segue.core.lifecycle import Phase
from segue.errors import StoreConflict
from segue.server.processor import (
    BodyGoneError,
    Commit,
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    HeldEntry,
    HistoryPiece,
    HostRequest,
    Identity,
    JournalEntry,
    Loaded,
    OutboxMessage,
    Quarantined,
    RebuiltConversation,
    StoredEntry,
    StoreStats,
)
from segue.server.processor.misdated import LONGEST_WAITS, LongestWaits

__all__ = ["ModelStore"]

K = TypeVar("K")
V = TypeVar("V")

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class _Due:
    """A message in the outbox, and until when it is leased or put off."""

    message: OutboxMessage
    since: datetime
    until: datetime = _LONG_AGO

    @property
    def conversation(self) -> ConversationKey:
        """The conversation it belongs to."""
        return ConversationKey(self.message.bot_id, self.message.conversation_id)


class ModelStore:
    """Stores everything in dictionaries; one lock is held for the whole of every call."""

    immediate = True
    queues = False

    def __init__(self) -> None:
        self._lock = Lock()
        self._numbers = 0
        self._conversations: dict[ConversationKey, tuple[int, ConversationRecord]] = {}
        self._identities: dict[Identity, tuple[str, ConversationKey]] = {}
        self._journal: list[JournalEntry] = []
        self._history: dict[ConversationKey, list[HistoryPiece]] = {}
        self._past: dict[ConversationKey, dict[int, StoredEntry]] = {}
        self._outbox: dict[int, _Due] = {}
        self._dead: dict[int, _Due] = {}
        self._quarantine: dict[int, Quarantined] = {}
        self._requests: dict[HostRequest, datetime] = {}

    def __repr__(self) -> str:
        """Show how much there is."""
        return f"<ModelStore conversations={len(self._conversations)}>"

    def migrate(self) -> None:
        """Do nothing: the schema is the code."""

    def ping(self) -> None:
        """Do nothing: memory is there."""

    def stats(self) -> StoreStats:
        """Count what an operator watches."""
        with self._lock:
            records = [record for _, record in self._conversations.values()]
            first = next(iter(self._outbox.values()), None)
            return StoreStats(
                open=sum(record.summary.phase != Phase.ENDED for record in records),
                waiting=len(self._outbox),
                waiting_since=None if first is None else first.since,
                dead=len(self._dead),
                quarantined=len(self._quarantine),
                held=sum(len(record.held) for record in records),
                healed=sum(entry.healed != () for entry in self._journal),
            )

    def close(self) -> None:
        """Do nothing: what is stored stays readable."""

    def load(self, key: ConversationKey, identity: Identity | None = None) -> Loaded:
        """Return the conversation, and the fingerprint stored under a delivery id."""
        with self._lock:
            found = self._conversations.get(key)
            known = None if identity is None else self._identities.get(identity)
            return Loaded(found and found[1], known and known[0])

    def save(self, commit: Commit) -> None:
        """Apply a commit, or raise `StoreConflict`."""
        identity, name = commit.identity, commit.conversation.summary.key
        with self._lock:
            number, before = self._conversations.get(name, (0, None))
            if commit.expected != (0 if before is None else before.version):
                raise StoreConflict("the conversation has another version by now: load it again")
            if commit.replays is not None and commit.replays not in self._quarantine:
                raise BodyGoneError(commit.replays)
            if identity is not None:
                if identity in self._identities:
                    raise StoreConflict("the delivery id is known by now: load it")
                self._identities[identity] = commit.fingerprint, name
            self._quarantine.pop(commit.replays or 0, None)
            self._enter(commit.quarantined)
            number = number or self._next()
            after = commit.conversation
            agents = after.agents if before is None else {**before.agents, **after.agents}
            self._conversations[name] = number, replace(after, agents=agents)
            self._put_entries(name, commit)
            if commit.history is not None:
                self._history.setdefault(name, []).append(commit.history)
            if commit.entry is None:
                return
            self._journal.append(replace(commit.entry, number=self._next()))
            for message in commit.outbox:
                place = self._next()
                due = _Due(replace(message, number=place), commit.entry.received_at)
                self._outbox[place] = due

    def _put_entries(self, name: ConversationKey, commit: Commit) -> None:
        entries = self._past.setdefault(name, {})
        for entry in commit.entries:
            known = entries.get(entry.number, entry)
            entries[entry.number] = replace(entry, version=known.version)

    def expect(self, request: HostRequest, asked_at: datetime) -> None:
        """Store a request, unless it is stored already."""
        with self._lock:
            self._requests.setdefault(request, asked_at)

    def find_request(self, callback: HostRequest) -> tuple[bool, datetime | None]:
        """Return whether the bot has named any request, and when the one it answers was made."""
        with self._lock:
            named = {each: at for each, at in self._requests.items() if each[:2] == callback[:2]}
        fitting = [at for each, at in named.items() if _agree(each, callback)]
        return bool(named), max(fitting, default=None)

    def deadlines(
        self, limit: int, after: datetime | None = None
    ) -> Sequence[tuple[ConversationKey, datetime]]:
        """Return conversations that hold deliveries, with their deadlines, the earliest first."""
        with self._lock:
            found = [
                (key, min(entry.deadline for entry in record.held))
                for key, (_, record) in self._conversations.items()
                if record.held
            ]
            later = [each for each in found if after is None or each[1] > after]
            return sorted(later, key=itemgetter(1))[:limit]

    def held(self, key: ConversationKey) -> Sequence[HeldEntry]:
        """Return what a conversation holds."""
        raise NotImplementedError

    def restore(self, rebuilt: RebuiltConversation) -> None:
        """Put a rebuilt conversation in the place of the stored one."""
        raise NotImplementedError

    def put_under_its_key(self, key: ConversationKey, *, is_sent: bool) -> bool:
        """Nothing is damaged here."""
        raise NotImplementedError

    def owners(
        self, conversation_id: str, limit: int, bots: Collection[str] | None
    ) -> Sequence[str]:
        """Return the bots that have a conversation of this id."""
        with self._lock:
            found = (key.bot_id for key in self._conversations if key[1] == conversation_id)
            return sorted(bot for bot in found if bots is None or bot in bots)[:limit]

    def entries(
        self, key: ConversationKey, after: int, until: int, limit: int
    ) -> Sequence[StoredEntry]:
        """Return the entries with numbers above `after` and below `until`, in order."""
        with self._lock:
            entries = self._past.get(key, {})
            return [entries[n] for n in sorted(entries) if after < n < until][:limit]

    def history(
        self,
        key: ConversationKey,
        after: int,
        until: int,
        limit: int,
        *,
        with_findings: bool = False,
    ) -> Sequence[HistoryPiece]:
        """Return what commits of versions behind `after` added to the history."""
        with self._lock:
            return [
                piece
                for piece in self._history.get(key, ())
                if after < piece.version <= until and (piece.findings or not with_findings)
            ][:limit]

    def list(
        self, after: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[ConversationSummary]:
        """Return conversations, newest first."""
        with self._lock:
            summaries = [
                replace(record.summary, number=number)
                for number, record in self._conversations.values()
                if (after is None or number < after)
                and (bots is None or record.summary.bot_id in bots)
            ]
        return sorted(summaries, key=attrgetter("number"), reverse=True)[:limit]

    def feed(self, after: int, limit: int, bots: Collection[str] | None) -> Sequence[JournalEntry]:
        """Return the entries behind `after` that are news."""
        return self._entries(
            after, limit, lambda entry: entry.is_news and (bots is None or entry.owner in bots)
        )

    def latest(self) -> int:
        """Return the number of the newest entry."""
        with self._lock:
            return self._journal[-1].number if self._journal else 0

    def journal(
        self, after: int, limit: int, key: ConversationKey | None
    ) -> Sequence[JournalEntry]:
        """Return all entries behind `after`."""
        return self._entries(after, limit, lambda entry: key in (None, _key(entry)))

    def claim(
        self,
        lease: str,
        now: datetime,
        until: datetime,
        limit: int,
        longest: LongestWaits = LONGEST_WAITS,
        *,
        without: Collection[str] = (),
    ) -> Sequence[OutboxMessage]:
        """Lease messages of conversations none of whose messages is leased or put off."""
        del longest  # its clock is never wrong
        with self._lock:
            claimed = []
            for due in self._claimable(now, limit, without):
                due.message = replace(due.message, lease=lease)
                due.until = until
                claimed.append(due.message)
            taken = {ConversationKey(each.bot_id, each.conversation_id) for each in claimed}
            for due in self._outbox.values():  # the leases of earlier claims end
                if due.conversation in taken and due.message.lease != lease:
                    due.message, due.until = replace(due.message, lease=""), _LONG_AGO
            return claimed

    def _claimable(self, now: datetime, limit: int, without: Collection[str]) -> Sequence[_Due]:
        """Return what may be claimed: of each kind, what is among its first due messages.

        A conversation has the kind of its first message, until which another kind follows.
        """
        busy = {due.conversation for due in self._outbox.values() if due.until > now}
        kinds: dict[ConversationKey, str] = {}
        read: Counter[str] = Counter()
        found, over = list[_Due](), set[ConversationKey]()
        for due in self._outbox.values():
            name = due.conversation
            kind = kinds.setdefault(name, due.message.kind)
            if name in busy or kind in without or read[kind] == limit:
                continue
            read[kind] += 1
            if due.message.kind != kind:
                over.add(name)
            if name not in over:
                found.append(due)
        return found

    def due_after(self, now: datetime) -> datetime | None:
        """Return when the next lease or postponement ends."""
        with self._lock:
            ends = (due.until for due in self._outbox.values() if due.until > now)
            return min(ends, default=None)

    def acknowledge(self, number: int, lease: str) -> bool:
        """Delete a message that was delivered."""
        with self._lock:
            return self._held(number, lease) is not None and bool(self._outbox.pop(number))

    def postpone(self, number: int, lease: str, until: datetime) -> bool:
        """Put a conversation off, and give back what the lease holds of it."""
        with self._lock:
            held = self._held(number, lease)
            if held is None:
                return False
            for due in self._outbox.values():
                if due.message.lease == lease and due.conversation == held.conversation:
                    due.message, due.until = replace(due.message, lease=""), _LONG_AGO
            held.message = replace(held.message, tries=held.message.tries + 1)
            held.until = until
            return True

    def bury(self, number: int, lease: str, reason: str) -> bool:
        """Make a message a dead letter."""
        with self._lock:
            held = self._held(number, lease)
            if held is None:
                return False
            tries = held.message.tries + 1
            held.message = replace(held.message, lease="", tries=tries, reason=reason)
            self._dead[number] = self._outbox.pop(number)
            return True

    def dead(self, after: int, limit: int) -> Sequence[OutboxMessage]:
        """Return the dead letters behind `after`."""
        with self._lock:
            numbers = [number for number in sorted(self._dead) if number > after]
            return [self._dead[number].message for number in numbers[:limit]]

    def revive(self, number: int) -> bool:
        """Make a dead letter claimable again, where it stood."""
        with self._lock:
            due = self._dead.pop(number, None)
            if due is None:
                return False
            message = replace(due.message, tries=0, reason="")
            self._outbox[number] = replace(due, message=message, until=_LONG_AGO)
            self._outbox = dict(sorted(self._outbox.items()))
            return True

    def quarantine(self, item: Quarantined) -> int:
        """Store a body that was not applied."""
        with self._lock:
            return self._enter(item)

    def _enter(self, item: Quarantined | None) -> int:
        if item is None:
            return 0
        number = self._next()
        self._quarantine[number] = replace(item, number=number)
        return number

    def quarantined(self, after: int, limit: int) -> Sequence[Quarantined]:
        """Return quarantined bodies behind `after`."""
        with self._lock:
            return [item for number, item in self._quarantine.items() if number > after][:limit]

    def newest_quarantined(
        self, before: int | None, limit: int, bots: Collection[str] | None
    ) -> Sequence[Quarantined]:
        """Return what is in the quarantine, newest first, without the bodies."""
        with self._lock:
            found = [
                replace(item, body=b"")
                for number, item in self._quarantine.items()
                if (before is None or number < before) and (bots is None or item.bot_id in bots)
            ]
            return found[::-1][:limit]

    def count_quarantined(self, key: ConversationKey, reasons: Collection[str]) -> int:
        """Count what is in the quarantine for a conversation."""
        with self._lock:
            return sum(
                (item.bot_id, item.conversation_id) == key and item.reason in reasons
                for item in self._quarantine.values()
            )

    def release(self, number: int) -> Quarantined | None:
        """Remove one from the quarantine."""
        with self._lock:
            return self._quarantine.pop(number, None)

    def purge(self, before: datetime) -> int:
        """Remove what was last touched before a time."""
        with self._lock:
            due = {due.conversation for due in self._outbox.values()}
            old = {
                name
                for name, (_, record) in self._conversations.items()
                if record.summary.updated_at < before and name not in due and not record.held
            }
            for name in old:
                del self._conversations[name]
                self._history.pop(name, None)
                self._past.pop(name, None)
            self._journal = [entry for entry in self._journal if _key(entry) not in old]
            self._identities = _where(self._identities, lambda known: known[1] not in old)
            self._dead = _where(self._dead, lambda letter: letter.conversation not in old)
            self._quarantine = _where(self._quarantine, lambda item: item.received_at >= before)
            self._requests = _where(self._requests, lambda at: at >= before)
            return len(old)

    def _entries(
        self, after: int, limit: int, shown: Callable[[JournalEntry], bool]
    ) -> Sequence[JournalEntry]:
        with self._lock:
            found = (each for each in self._journal if each.number > after and shown(each))
            return list(islice(found, limit))

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _held(self, number: int, lease: str) -> _Due | None:
        due = self._outbox.get(number)
        return due if due is not None and lease and due.message.lease == lease else None


def _agree(request: HostRequest, callback: HostRequest) -> bool:
    """Whether both name the same of at least one id, and nothing else of any."""
    one = (request.conversation_id, request.request_id)
    other = (callback.conversation_id, callback.request_id)
    both = [(asked, called) for asked, called in zip(one, other, strict=True) if asked and called]
    return bool(both) and all(asked == called for asked, called in both)


def _key(entry: JournalEntry) -> ConversationKey:
    return ConversationKey(entry.owner, entry.conversation_id)


def _where(rows: dict[K, V], holds: Callable[[V], bool]) -> dict[K, V]:
    return {key: value for key, value in rows.items() if holds(value)}
