"""Looking up: what is known of a conversation, the list, and the feed.

It decides what a page is.  House rules: reading changes nothing; what belongs to other bots is as
if it did not exist; a cursor is a number of the store, spelled so that nobody calculates with it.
"""

from collections.abc import Callable, Collection
from typing import Final

from segue.conversation import Report
from segue.engine import load
from segue.errors import ConfigurationError, StoreUnavailable
from segue.findings import Policy
from segue.lifecycle import expected
from segue.processor.effects import Feed, Latest, List, Load, Ping, Unit
from segue.processor.notifier import Bell
from segue.processor.receipt import ConversationView, FeedEntry, Page, Row
from segue.processor.store import Store

__all__ = ["MAX_LIMIT", "NOW", "feeding", "listing", "pinging", "reporting"]

MAX_LIMIT: Final = 1000
NOW: Final = "now"
"""The cursor of whoever wants only what is still to come."""
_LONGEST_CURSOR: Final = 18
_PATIENCE: Final = 0.5
"""Seconds until the feed looks for what other processes committed."""


def reporting(
    store: Store, policy: Policy, conversation_id: str, allowed_bots: Collection[str] | None
) -> Unit[ConversationView | None]:
    """Give an account of one conversation."""
    loaded = yield Load(store, conversation_id)
    kept = loaded.conversation
    if kept is None or (allowed_bots is not None and kept.bot_id not in allowed_bots):
        return None
    state = load(kept.snapshot)
    return ConversationView(Report(state, policy=policy), expected(state.roster), kept.bot_id)


def listing(
    store: Store, after: str | None, limit: int, allowed_bots: Collection[str] | None
) -> Unit[Page[Row]]:
    """Give a page of the list, newest first."""
    number = None if after is None else _number(after)
    rows = yield List(store, number, _limit(limit) + 1, allowed_bots)
    page = rows[:limit]
    more = str(page[-1].number) if len(rows) > limit else None
    return Page(tuple(Row.of(row) for row in page), more)


def feeding(  # noqa: PLR0913 - the parts of a page, and what it takes to wait for one
    store: Store,
    bell: Bell,
    after: str | None,
    *,
    monotonic: Callable[[], float],
    limit: int,
    wait: float,
    allowed_bots: Collection[str] | None,
) -> Unit[Page[FeedEntry]]:
    """Give a page of news; if there are none yet, wait for some."""
    if after == NOW:
        number = yield Latest(store)
    else:
        number = 0 if after is None else _number(after)
    deadline = monotonic() + wait
    while True:
        listener = bell.listen()  # before looking: what is committed meanwhile is heard
        try:
            entries = yield Feed(store, number, _limit(limit), allowed_bots)
            left = deadline - monotonic()
            if entries or left <= 0:
                last = entries[-1].number if entries else number
                return Page(tuple(FeedEntry.of(entry) for entry in entries), str(last))
            listener.timeout = min(left, _PATIENCE)
            yield listener
        finally:
            listener.stop()


def pinging(store: Store) -> Unit[bool]:
    """Find out whether the store answers."""
    try:
        yield Ping(store)
    except StoreUnavailable:
        return False
    return True


def _number(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= _LONGEST_CURSOR):
        raise ConfigurationError("after is the `next` of an earlier page, and nothing else")
    return int(cursor)


def _limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LIMIT:
        raise ConfigurationError(f"limit is from 1 to {MAX_LIMIT}, not {limit}")
    return limit
