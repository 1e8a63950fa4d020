"""Rows that are not what was written: one conversation is concerned, and it is mended."""

# ruff: noqa: S608 - statements are made of our own words

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from tests.builders import body, end, message, transfer
from tests.cli.command import start

import segue
from segue import MemoryStore, Processor, SqliteStore
from segue.errors import StoreUnavailable
from segue.server.processor import Store, StoreDamaged
from segue.server.stores.relational import RelationalStore

FAR = 2**62
ODD: list[tuple[str, str, object]] = [
    ("conversations", "snapshot", b""),
    ("conversations", "snapshot", b"\xff{}"),
    ("conversations", "snapshot", b"00000000{}"),
    ("conversations", "started_at", FAR),
    ("conversations", "updated_at", -FAR),
    ("agents", "data", b"[]"),
    ("history", "data", b"?"),
    ("entries", "version", FAR),
    ("entries", "kind", "NA leave"),
    ("entries", "agent", "a-9"),
    ("entries", "position", 5),
    ("entries", "events", 0),
    ("entries", "delivery", 4),
    ("entries", "received_at", 5),
    ("entries", "last_at", FAR),
    ("entries", "marks", "dropped"),
    ("entries", "queue", "q-9"),
    ("entries", "details", ""),
    ("entries", "details", "[]"),
    ("entries", "checksum", 0),
]
ODDER: list[tuple[str, str, object]] = [
    ("conversations", "snapshot", 5),
    ("conversations", "snapshot", "text"),
    ("conversations", "version", "x"),
    ("conversations", "phase", 7),
    ("conversations", "phase", b"\xff"),
    ("conversations", "events", "many"),
    ("conversations", "findings", 1.5),
    ("conversations", "started_at", "yesterday"),
    ("conversations", "updated_at", b"\x00"),
    ("agents", "data", "[]"),
    ("history", "data", 1.0),
    ("entries", "received_at", "noon"),
    ("entries", "marks", b"\xff"),
    ("entries", "details", 7),
]
"""What only SQLite takes for values of these columns."""


def damage(store: Store, table: str, column: str, value: object) -> None:
    """Change a column of the conversation c-1 of st-1, whatever the database makes of it."""
    of = "number" if table == "conversations" else "conversation"
    place = "CAST(? AS TEXT)" if isinstance(value, bytes) and column == "phase" else "?"
    words = (
        f"UPDATE segue_{table} SET {column} = {place} WHERE {of} = (SELECT number",
        "FROM segue_conversations WHERE conversation_id = 'c-1' AND bot_id = 'st-1')",
    )
    relational = cast("RelationalStore", store)
    relational._write(  # noqa: SLF001 - nothing public does this
        lambda database: database.execute(" ".join(words), (value,)).rowcount
    )


def filled(store: Store) -> Processor:
    it = Processor(store=store)
    for bot in ("st-1", "st-2"):
        for event in (transfer("NA entry", "a-1"), transfer("NA entry", "a-2")):
            it.receive(bot, body(event, bot=bot))
    it.receive("st-1", body(transfer("NA entry", "a-1")) | {"conversationId": "c-2"})
    return it


def seen(report: segue.Report) -> Any:
    value = report.to_dict()
    for finding in value["findings"]:
        for place in (finding, *finding["because"]):
            place["line"] = None
    return value


def check(store: Store, table: str, column: str, value: object) -> None:
    with_two = filled(store)
    expected = seen(with_two.conversation("c-1", "st-2").report)  # type: ignore[union-attr]
    damage(store, table, column, value)
    it = Processor(store=store)

    assert len(it.conversations().items) == 3, "the list goes on"
    assert len(it.read_feed().items) == 5, "the feed goes on"
    assert len(list(it.export())) == 5
    it.receive("st-1", message("USER", "a-1") | {"conversationId": "c-2"})
    [found] = it.examine(is_mending=True)
    assert (found.key, found.is_mended) == (("st-1", "c-1"), True)
    assert list(it.examine()) == []
    for bot in ("st-1", "st-2"):
        report = it.conversation("c-1", bot).report  # type: ignore[union-attr]
        assert seen(report)["findings"] == expected["findings"]
        assert it.receive(bot, body(transfer("NA exit", "a-2"), end("a-2"), bot=bot)).findings == ()


@pytest.mark.parametrize("year", [1, 9999])
def test_a_delivery_is_mended_at_the_time_that_the_host_gave_it(year: int) -> None:
    """In a text, a year that programs write for never is not read (SG509)."""
    store, at = MemoryStore(), datetime(year, 6, 1, tzinfo=UTC)
    it = Processor(store=store)
    for event in (transfer("NA entry", "a-1"), transfer("NA entry", "a-2")):
        it.receive("st-1", body(event), received_at=at)
    before = it.conversation("c-1")
    assert before is not None

    damage(store, "conversations", "snapshot", b"")
    list(it.examine(is_mending=True))

    after = it.conversation("c-1")
    assert after is not None
    assert seen(after.report) == seen(before.report)


@pytest.mark.parametrize(("table", "column", "value"), ODD)
def test_damage_is_mended(store: Store, table: str, column: str, value: object) -> None:
    check(store, table, column, value)


def test_a_lost_entry_is_mended(store: Store) -> None:
    filled(store)
    relational = cast("RelationalStore", store)
    relational._write(  # noqa: SLF001 - nothing public does this
        lambda database: database.execute(
            "DELETE FROM segue_entries WHERE number = 0 AND conversation = (SELECT number"
            " FROM segue_conversations WHERE conversation_id = 'c-1' AND bot_id = 'st-1')"
        )
    )
    it = Processor(store=store)

    with pytest.raises(StoreDamaged):
        it.conversation("c-1", "st-1")
    with pytest.raises(StoreDamaged):
        it.events("c-1", "st-1")
    assert [each.is_mended for each in it.examine(is_mending=True)] == [True]
    assert list(it.examine()) == []


@pytest.mark.parametrize(("table", "column", "value"), ODDER)
def test_damage_that_only_sqlite_takes_is_mended(table: str, column: str, value: object) -> None:
    check(MemoryStore(), table, column, value)


@pytest.mark.parametrize(("table", "column", "value"), [*ODD[:6], ("conversations", "version", 1)])
def test_a_delivery_to_what_is_damaged_is_quarantined_and_the_next_is_applied(
    store: Store, table: str, column: str, value: object
) -> None:
    filled(store)
    damage(store, table, column, value)
    it, leaves = Processor(store=store), body(transfer("NA exit", "a-2"))

    with pytest.raises(StoreDamaged, match="segue doctor"):
        it.receive("st-1", leaves)
    assert [(each.reason, each.conversation_id) for each in it.quarantined()] == [
        ("damaged", "c-1")
    ]
    assert it.receive("st-1", leaves).phase == "released"
    assert len(list(it.export("c-1", "st-1"))) == 3


def test_what_has_no_journal_stays_damaged(store: Store) -> None:
    filled(store)
    damage(store, "conversations", "snapshot", b"?")
    damage(store, "journal", "body", "{")
    it = Processor(store=store)

    found = list(it.examine(is_mending=True))
    assert [(each.key.conversation_id, each.is_mended) for each in found] == [("c-1", False)]
    assert "the journal of the conversation is damaged too" in found[0].what
    with pytest.raises(StoreUnavailable):
        it.receive("st-1", body(transfer("NA exit", "a-2")))
    assert it.receive("st-1", message("USER", "a-1") | {"conversationId": "c-2"}).findings == ()


def test_damaged_findings_and_times_of_the_journal_stop_no_feed(store: Store) -> None:
    filled(store)
    damage(store, "journal", "findings", "[")
    damage(store, "journal", "received_at", FAR)
    it = Processor(store=store)

    entries = it.read_feed().items
    assert [each.findings == () for each in entries] == [True, True, True, False, True]
    assert {damage.is_mended for damage in it.examine(is_mending=True)} == {False}


def test_what_is_stored_under_other_ids_is_found(store: Store) -> None:
    filled(store)
    damage(store, "conversations", "bot_id", "st-9")

    [found] = Processor(store=store).examine(is_mending=True)
    assert found.what.startswith("its ids are not those it is stored under")
    assert not found.is_mended


@pytest.mark.thorough
def test_the_command_mends(tmp_path: Path) -> None:
    path = tmp_path / "segue.db"
    with closing(SqliteStore(path)) as store:
        filled(store)
        damage(store, "conversations", "snapshot", b"?")

    dry, mended, again = (
        start("doctor", f"--store=sqlite:{path}", *more) for more in (("--dry-run",), (), ())
    )
    assert (dry.code, mended.code, again.code) == (1, 1, 0)
    what = "conversation c-1 of bot st-1: what is stored of it cannot be read"
    assert dry.out == f"{what}: not mended\n1 conversation damaged\n"
    assert mended.out == f"{what}: rebuilt from its journal\n1 conversation damaged\n"
    assert again.out == "nothing is damaged\n"
