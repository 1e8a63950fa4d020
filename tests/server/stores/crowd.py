"""Fill a store with many other conversations, of which a statement should not read every one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from tests.server.stores.library import commit, entry

from segue.server.processor import HeldEntry, HostRequest, Store
from segue.server.processor.misdated import LONGEST_WAITS
from segue.server.stores import conversation_rows, outbox_rows, request_rows, row_codec as codec
from segue.server.stores.statements import insert

if TYPE_CHECKING:
    from segue.server.stores.relational import RelationalStore
    from segue.server.stores.schema import Database

__all__ = ["LONG", "OTHER_BOT", "add_crowd", "write"]

OTHER_BOT: Final = "st-other"
LONG: Final = "long"
"""A conversation with a long history, journal and queue."""
_PREFIX: Final = "other " * 20
"""The conversation ids have a start in common that is longer than the indexed part of a column."""


def write(store: Store, work: Any) -> Any:
    """Run a function with a database in one transaction."""
    return cast("RelationalStore", store)._write(work)  # noqa: SLF001 - nothing public does this


def add_crowd(store: Store, size: int) -> None:
    """Add rows to each table: `size` other conversations, and one that is long."""
    write(store, lambda database: _add(database, size, datetime.now(UTC)))


def _add(database: Database, size: int, now: datetime) -> None:
    later = now + timedelta(hours=12)
    for number in range(size):
        name = f"{_PREFIX}{number}"
        first = commit(
            name, bot_id=OTHER_BOT, when=now, messages=3, delivery_id=name, findings='["news"]'
        )
        held = HeldEntry(1, "hooks", OTHER_BOT, None, now, later, (), "{}")
        record = replace(first.conversation, held=(held,))
        conversation_rows.save(database, replace(first, conversation=record, hold=held))
        request = HostRequest("notifications", "st-1", "c-asked", f"r-{number}")
        request_rows.add(database, request, now)
    for number in range(size):  # and what is no news
        again = commit(f"{_PREFIX}{number}", 1, bot_id=OTHER_BOT, when=now)
        conversation_rows.save(database, again)
    _add_long(database, size, now)
    claim = partial(outbox_rows.claim, longest=LONGEST_WAITS)
    while claimed := claim(database, "crowd", now, later, size):
        dead: dict[str, int] = {}
        postponed: dict[str, int] = {}
        for each in claimed:
            if each.conversation_id not in dead:
                dead[each.conversation_id] = each.number
            else:
                postponed.setdefault(each.conversation_id, each.number)
        for number in dead.values():
            assert outbox_rows.bury(database, number, "crowd", "E")
        for number in postponed.values():
            assert outbox_rows.postpone(database, number, "crowd", later)
    conversation_rows.save(database, _queue(size, now))


def _add_long(database: Database, size: int, now: datetime) -> None:
    long = commit(LONG, bot_id=OTHER_BOT, when=now)
    number = conversation_rows.swap(database, long.conversation, 0)
    for version in range(9, size):
        piece = {"version": version, "findings": 0, "data": b"{}"}
        insert(database, "segue_history", {"conversation": number, **piece})
        row = codec.row(entry(LONG, version, version))
        insert(database, "segue_entries", {"conversation": number, **row})


def _queue(size: int, now: datetime) -> Any:
    """Return a commit that adds a long queue to the long conversation."""
    return commit(LONG, 1, bot_id=OTHER_BOT, when=now, messages=size)
