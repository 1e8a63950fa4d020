"""Queries of stored conversations: one conversation, the list and the feed.

Queries do not change the store. To a reader, conversations of other bots do not exist. A cursor is
a number from the store, written as text.
"""

import json
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from time import monotonic
from typing import Any, Final, Generic, NamedTuple, TypeVar

from segue.core.conversation import Report, explain_state
from segue.core.engine import State
from segue.core.errors import ConfigurationError, StoreUnavailable
from segue.core.events import Delivery
from segue.core.events.ids import one_spelling
from segue.core.explain import NOTHING, Completeness, Explanation
from segue.core.findings import Finding, Policy, Severity
from segue.core.lifecycle import expected
from segue.core.options import Bounds, check_option
from segue.server.processor.conversation_pages import (
    TimelineEvent,
    cursor_behind,
    read_events,
    read_findings,
)
from segue.server.processor.effects import Compute, Unit, Wait
from segue.server.processor.journal import read_deliveries
from segue.server.processor.records import (
    ConversationKey,
    ConversationRecord,
    ConversationSummary,
    DeliveryOutcome,
    HeldEntry,
    JournalEntry,
    Quarantined,
)
from segue.server.processor.runtime import ConversationLocks, Runtime, decoded
from segue.server.processor.store import Store
from segue.server.processor.stored_history import read_history
from segue.server.processor.submission import spelt

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Numbered = TypeVar("Numbered", ConversationSummary, Quarantined)

MAX_LIMIT: Final = 1000
_LIMIT_BOUNDS: Final = Bounds(1, MAX_LIMIT)
NOW: Final = "now"
"""The cursor that means the current end of the feed."""
_LISTED: Final = 100
_EXPECTED: Final = 20
_MOST_BOTS: Final = 20
"""The maximum number of bots named when several bots have a conversation with the same id."""
_LONGEST_CURSOR: Final = 18
_JOURNAL_PAGE: Final = 500
_MOST_EXPLANATIONS: Final = 256
"""The maximum number of conversations whose explanations are remembered."""


_REFUSED: Final = (DeliveryOutcome.UNFILED, DeliveryOutcome.REJECTED, DeliveryOutcome.REUSED)
"""The outcomes of refused deliveries, whose bodies are in the quarantine."""


class SeveralConversations(ConfigurationError):
    """The caller named no bot, and several bots have a conversation with the requested id."""

    def __init__(self, conversation_id: str, bots: Sequence[str]) -> None:
        self.bots = tuple(bots[:_MOST_BOTS])
        """The ids of the first 20 of these bots, as far as the reader may see them."""
        more = " and more" if len(bots) > _MOST_BOTS else ""
        named = ", ".join(map(repr, self.bots))
        super().__init__(
            f"several bots have a conversation {conversation_id!r} ({named}{more}): "
            "name the bot as well"
        )


@dataclass(frozen=True, slots=True)
class ConversationView:
    """A stored conversation for readers: its report, and the events that are legal next."""

    report: Report
    """The report on all deliveries so far, without the findings that need the end of the log."""
    expected: tuple[str, ...]
    """The events that are legal next, such as `NA entry by an agent`; see
    `Conversation.expected`."""
    bot_id: str
    """The bot that the conversation belongs to. It is empty if no bot was named."""
    findings: int
    """The total number of findings, including those in the report."""
    errors: int = 0
    """The total number of errors, including those in the report."""
    held: tuple[HeldEntry, ...] = ()
    """Deliveries that wait for others, in order of arrival."""
    refused: int = 0
    """The number of deliveries in the quarantine that were refused, so the report lacks them: they
    contained no events, gave a finding that the policy rejects, or reused a delivery id."""
    next: str | None = None
    """The cursor at which the pages of findings and events continue after the report, or None if
    the report is complete."""
    deliveries: tuple[Delivery, ...] = ()
    """The applied deliveries in the order of the journal, if they were requested. Repeated
    deliveries are not among them."""

    @property
    def explanation(self) -> Completeness | None:
        """Whether everything that went wrong so far is explained, see `Report.explanation`."""
        return self.report.explanation

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object with four further members.

        `expected` lists the first 20 events that are legal next. `held` lists the held deliveries.
        `refused` is the number of refused deliveries.
        `more` holds the numbers of findings, mistakes and events that are omitted, since at most
        100 of each are listed, and whether the report covers only the beginning of the
        conversation.
        """
        report = self.report.to_dict()
        listed, mistakes = report["findings"][:_LISTED], report["mistakes"]
        return report | {
            "valid": report["valid"] and not self.errors,
            "clean": report["clean"] and not self.findings,
            "findings": listed,
            "mistakes": mistakes and [*map(_with_listed_findings, mistakes[:_LISTED])],
            "untraced": [index for index in report["untraced"] if index < _LISTED],
            "expected": list(self.expected[:_EXPECTED]),
            "held": [entry.to_dict() for entry in self.held],
            "refused": self.refused,
            "more": {
                "findings": max(0, self.findings - len(listed)),
                "mistakes": max(0, len(mistakes or ()) - _LISTED),
                "expected": max(0, len(self.expected) - _EXPECTED),
                "events": self.report.is_excerpt,
            },
        }


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry of the feed: a delivery that caused findings or changed a phase."""

    cursor: str
    """The cursor of this entry. Pass it as `after` to continue after the entry."""
    conversation_id: str
    """The `conversationId` of the platform, such as `c-1`."""
    bot_id: str
    """The bot that the conversation belongs to. It is empty if no bot was named."""
    endpoint: str
    """The name of the endpoint that received the delivery, such as `hooks`."""
    received_at: datetime
    """The time of receipt by the clock of the processor, in UTC."""
    phase_before: str
    """The phase before the delivery, a value of `Phase`."""
    phase: str
    """The phase after the delivery, a value of `Phase`."""
    findings: tuple[dict[str, Any], ...]
    """The findings as JSON objects, in the format of reports."""

    @classmethod
    def of(cls, entry: JournalEntry) -> "FeedEntry":
        """Create a feed entry from a journal entry, without the body of the delivery."""
        return cls(
            cursor=str(entry.number),
            conversation_id=entry.conversation_id,
            bot_id=entry.owner,
            endpoint=entry.endpoint,
            received_at=entry.received_at,
            phase_before=entry.phase_before,
            phase=entry.phase,
            findings=_findings(entry),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the feed entry as a dict of plain JSON values."""
        return asdict(self) | {
            "bot_id": self.bot_id or None,
            "received_at": self.received_at.isoformat(),
            "findings": list(self.findings),
        }


@dataclass(frozen=True, slots=True)
class Page(Generic[T_co]):
    """One page of a longer list, with the cursor of the next page."""

    items: tuple[T_co, ...]
    """The items of the page: conversations newest first, entries of the feed oldest first."""
    next: str | None
    """The cursor of the next page, to pass as `after`. It is None at the end of a list, but never
    in the feed."""


class _KnownExplanation(NamedTuple):
    version: int
    """The version of the conversation."""
    explanation: Explanation


class Queries:
    """Reads conversations, the feed, the journal and the quarantine from a store.

    The methods return generators of effects, which `drive` or `adrive` runs. `allowed_bots` are the
    ids of the bots whose data the reader may see, or None for all.
    """

    def __init__(self, runtime: Runtime, policy: Policy) -> None:
        self._runtime = runtime
        self._policy = policy
        self._explanations = ConversationLocks[_KnownExplanation](_MOST_EXPLANATIONS)

    def key(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[ConversationKey | None]:
        """Return the key of a conversation, or None if the reader may see no such conversation.

        If `bot_id` is given, the key is returned even if the conversation does not exist. Otherwise
        the bot is looked up. Raises `SeveralConversations` if several bots have a conversation with
        this id.
        """
        name = one_spelling(spelt(conversation_id) or "")
        if bot_id is not None:
            is_allowed = allowed_bots is None or bot_id in allowed_bots
            return ConversationKey(spelt(bot_id) or "", name) if is_allowed else None
        bots = yield self._runtime.call(Store.owners, name, _MOST_BOTS + 1, allowed_bots)
        if len(bots) > 1:
            raise SeveralConversations(name, bots)
        return ConversationKey(bots[0], name) if bots else None

    def conversation(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        allowed_bots: Collection[str] | None = None,
        *,
        most: int | None = None,
        with_deliveries: bool = False,
    ) -> Unit[ConversationView | None]:
        """Return one conversation, or None if the reader may see no such conversation.

        Raises `SeveralConversations` as `key` does.

        Args:
            conversation_id: The `conversationId` of the platform.
            bot_id: The id of the bot, or None if only one bot has such a conversation.
            allowed_bots: The ids of the bots whose conversations the reader may see, or None for
                all.
            most: The maximum number of deliveries, and of events and findings in the report. The
                report of a longer conversation covers its first deliveries completely. None means
                no limit.
            with_deliveries: Whether the result includes the applied deliveries.

        """
        record = yield from self._record(conversation_id, bot_id, allowed_bots)
        if record is None:
            return None
        state = decoded(record)
        last = yield from read_history(self._runtime, record, state, most)
        is_excerpt = last is not None
        deliveries: tuple[Delivery, ...] = ()
        if with_deliveries:
            deliveries = yield from read_deliveries(self._runtime, record.summary.key, most)
        refused = yield self._runtime.call(Store.count_quarantined, record.summary.key, _REFUSED)
        explanation = None if is_excerpt else (yield from self._explanation(record, state))
        report = Report(
            state,
            policy=self._policy,
            keyed_by="bot",
            is_excerpt=is_excerpt,
            explanation=explanation,
        )
        return ConversationView(
            report=report,
            expected=expected(state.presence, tuple(state.agents)),
            bot_id=record.summary.bot_id,
            findings=record.summary.findings,
            errors=record.summary.errors,
            held=record.held,
            refused=refused,
            next=None if last is None else cursor_behind(last),
            deliveries=deliveries,
        )

    def _explanation(self, record: ConversationRecord, state: State) -> Unit[Explanation]:
        """Return the explanation of a conversation whose history has been read.

        It is remembered until the conversation changes. At most one search runs for each
        conversation at a time, on an event loop in a thread.
        """
        if all(finding.severity is not Severity.ERROR for finding in state.findings):
            return NOTHING
        key, explanations = record.summary.key, self._explanations
        place = explanations.acquire(key)
        known: _KnownExplanation | None = None
        try:
            known = yield from explanations.wait(place)
            if known is None or known.version != record.version:
                found = yield Compute(partial(live_explanation, state))
                known = _KnownExplanation(record.version, found)
            return known.explanation
        finally:
            explanations.release(key, place, known)

    def findings(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        allowed_bots: Collection[str] | None = None,
        *,
        after: str | None = None,
        limit: int = 100,
    ) -> Unit[Page[Finding] | None]:
        """Return a page of the findings of a conversation, in order.

        A page may have fewer than `limit` findings, because the policy omits some. Return None if
        the reader may see no such conversation.
        """
        whose = conversation_id, bot_id, allowed_bots
        page = yield from self._page(read_findings, whose, after, limit)
        return page and Page(self._policy.apply(page.items), page.next)

    def events(
        self,
        conversation_id: str,
        bot_id: str | None = None,
        allowed_bots: Collection[str] | None = None,
        *,
        after: str | None = None,
        limit: int = 100,
    ) -> Unit[Page[TimelineEvent] | None]:
        """Return a page of the lifecycle events of a conversation, in order.

        Return None if the reader may see no such conversation.
        """
        whose = conversation_id, bot_id, allowed_bots
        return (yield from self._page(read_events, whose, after, limit))

    def _page(
        self,
        read: Callable[[Runtime, ConversationRecord, int, int], Unit[tuple[list[T], int | None]]],
        whose: tuple[str, str | None, Collection[str] | None],
        after: str | None,
        limit: int,
    ) -> Unit[Page[T] | None]:
        """Return a page of items that belong to one conversation, such as its findings.

        `read` reads the items from the store, and `whose` contains the arguments of `_record`.
        Return None if the reader may see no such conversation.
        """
        record = yield from self._record(*whose)
        if record is None:
            return None
        check_option("limit", limit, int, bounds=_LIMIT_BOUNDS)
        number = 0 if after is None else _number(after)
        found, more = yield from read(self._runtime, record, number, limit)
        return Page(tuple(found), None if more is None else str(more))

    def _record(
        self, conversation_id: str, bot_id: str | None, allowed_bots: Collection[str] | None
    ) -> Unit[ConversationRecord | None]:
        key = yield from self.key(conversation_id, bot_id, allowed_bots)
        if key is None:
            return None
        loaded = yield self._runtime.call(Store.load, key)
        record: ConversationRecord | None = loaded.conversation
        return record

    def conversations(
        self,
        after: str | None = None,
        limit: int = 50,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Page[ConversationSummary]]:
        """Return a page of the list of conversations, newest first.

        The list contains only conversations of the bots in `allowed_bots`, or all if that is None.
        """
        return (yield from self._newest(Store.list, after, limit, allowed_bots))

    def read_feed(
        self,
        after: str | None = None,
        limit: int = 100,
        wait: float = 0.0,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Page[FeedEntry]]:
        """Return a page of the feed, oldest entry first. If there are no entries yet, wait for one.

        Args:
            after: The cursor of an earlier page, `now` for the end of the feed, or None for its
                beginning.
            limit: The maximum number of entries on the page, from 1 to 1000.
            wait: The maximum time to wait for the first entry, in seconds.
            allowed_bots: The bots whose conversations the reader may see, or None for all.

        """
        number = 0 if after is None or after == NOW else _number(after)
        check_option("limit", limit, int, bounds=_LIMIT_BOUNDS)
        if after == NOW:
            number = yield self._runtime.read(Store.latest)
        deadline, bots = monotonic() + wait, _hashable(allowed_bots)
        while True:
            # Listen before looking, so that no commit is missed.
            committed = self._runtime.feed_watcher.listen() if wait > 0 else Future[None]()
            try:
                entries = yield self._runtime.read(Store.feed, number, limit, bots)
                left = deadline - monotonic()
                if entries or left <= 0:
                    last = entries[-1].number if entries else number
                    return Page(tuple(FeedEntry.of(entry) for entry in entries), str(last))
                yield Wait(committed, left)
            finally:
                self._runtime.feed_watcher.forget(committed)

    def read_journal(
        self, after: int, most: int, take: Callable[[Sequence[JournalEntry]], object]
    ) -> Unit[None]:
        """Call `take` with the newest journal entries, one page at a time.

        The entries have numbers above `after`, and are at most `most`. They include the bodies of
        deliveries. On an event loop, `take` is called in a thread. Entries that are written during
        the call are not read.
        """
        last = yield self._runtime.read(Store.latest)
        after = max(after, last - most)
        while after < last:
            entries = yield self._runtime.read(Store.journal, after, _JOURNAL_PAGE, None)
            if not entries:
                return
            yield Compute(partial(take, entries))
            after = entries[-1].number

    def quarantined(
        self,
        after: str | None = None,
        limit: int = 50,
        allowed_bots: Collection[str] | None = None,
    ) -> Unit[Page[Quarantined]]:
        """Return a page of the quarantine, newest item first, without the bodies."""
        return (yield from self._newest(Store.newest_quarantined, after, limit, allowed_bots))

    def _newest(
        self,
        method: Callable[..., Sequence[Numbered]],
        after: str | None,
        limit: int,
        allowed_bots: Collection[str] | None,
    ) -> Unit[Page[Numbered]]:
        """Return a page of a list that a method of the store returns, newest item first."""
        number = None if after is None else _number(after)
        check_option("limit", limit, int, bounds=_LIMIT_BOUNDS)
        rows = yield self._runtime.read(method, number, limit + 1, _hashable(allowed_bots))
        page = rows[:limit]
        return Page(tuple(page), str(page[-1].number) if len(rows) > limit else None)

    def quarantined_body(
        self, number: int, allowed_bots: Collection[str] | None = None
    ) -> Unit[Quarantined | None]:
        """Return a quarantined item with its body, or None if the reader may see no such item."""
        rows = yield self._runtime.call(Store.quarantined, number - 1, 1)
        item: Quarantined | None = rows[0] if rows and rows[0].number == number else None
        if item is None or (allowed_bots is not None and item.bot_id not in allowed_bots):
            return None
        return item

    def is_ready(self) -> Unit[bool]:
        """Return whether the store accepts writes now."""
        try:
            yield self._runtime.call(Store.ping)
        except StoreUnavailable:
            return False
        return True


def live_explanation(state: State) -> Explanation:
    """Search for the mistakes of a conversation and their alternatives, within `LIVE_BUDGET`."""
    return explain_state(state, is_live=True).with_alternatives()


def _with_listed_findings(mistake: dict[str, Any]) -> dict[str, Any]:
    """Return a mistake without the indices of findings that are not listed."""
    return mistake | {"findings": [index for index in mistake["findings"] if index < _LISTED]}


def _hashable(bots: Collection[str] | None) -> frozenset[str] | None:
    """Return the bots as a set, so that readers of the same bots can share a call of the store."""
    return None if bots is None else frozenset(bots)


def _findings(entry: JournalEntry) -> tuple[dict[str, Any], ...]:
    """Decode the findings of a journal entry. Return an empty tuple if they are damaged."""
    try:
        return tuple(json.loads(entry.findings))
    except (ValueError, TypeError, RecursionError):
        return ()


def _number(cursor: object) -> int:
    text = cursor if isinstance(cursor, str) else ""
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_CURSOR):
        shown = text[:40] if text else cursor
        raise ConfigurationError(
            f"after={shown!r} is not a cursor: pass the `next` of an earlier page"
        )
    return int(text)
