"""Every column is damaged in turn: one conversation is concerned, and doctor says it.

Each damage has a conversation of its own in one store, so that one shows what others suffer.
"""

# ruff: noqa: S608 - statements are made of our own words

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pytest
from tests.builders import body, message, transfer

from segue import MemoryStore, Processor
from segue.errors import StoreUnavailable
from segue.server.processor import ConversationKey
from segue.server.stores.schema import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.server.processor import Store
    from segue.server.stores.relational import RelationalStore

_TABLE = re.compile(r"\s*CREATE TABLE (\w+) \((.*)\)\s*", re.DOTALL)
_COLUMN = re.compile(r"^\s+(\w+) (TEXT|BIGINT|\{bytes\})", re.MULTILINE)
COLUMNS = [
    (table[1], *column)
    for table in filter(None, map(_TABLE.fullmatch, SCHEMA))
    for column in _COLUMN.findall(table[2])
]
"""Table, column and type."""
TYPED: dict[str, tuple[object, ...]] = {
    "TEXT": ("", "?", "["),
    "BIGINT": (-1, 2**62, -(2**62)),
    "{bytes}": (b"", b"\xff"),
}
UNTYPED: tuple[object, ...] = (5, -1, 1.5, b"\xff", "x", "[]", None)
"""What only SQLite takes for values of other columns."""
PATIENCE = timedelta(hours=1)
NOT_MENDED = {"segue_journal", "segue_conversations conversation_id", "segue_conversations bot_id"}
"""The deliveries themselves, and whose they are."""


class Damage(NamedTuple):
    table: str
    column: str
    value: object
    name: str

    @property
    def is_lasting(self) -> bool:
        return bool({self.table, f"{self.table} {self.column}"} & NOT_MENDED)


def _fill(it: Processor, name: str) -> None:
    deliveries = (
        body(transfer("NA entry", "a-1"), conversation=name),
        body(transfer("WARM entry", "a-2"), conversation=name),
        body(transfer("COLD entry", "a-3"), conversation=name),
    )
    for number, delivery in enumerate(deliveries):
        it.receive("st-1", delivery, delivery_id=f"{name} {number}")
    it.control("st-1", name, {"action": "start", "agentId": "a-1"})
    reused = body(transfer("NA exit", "a-1"), conversation=name)
    assert it.receive("st-1", reused, delivery_id=f"{name} 0").outcome == "reused"


def _damage(store: Store, damage: Damage) -> bool:
    """Return whether the database let it happen."""
    table, column, value, name = damage
    number = "SELECT number FROM segue_conversations WHERE conversation_id = ?"
    places = {
        "segue_conversations": "conversation_id = ?",
        "segue_quarantine": "conversation_id = ?",
    }
    where = places.get(table, f"conversation = ({number})")
    words = f"UPDATE {table} SET {column} = ? WHERE {where}"
    relational = cast("RelationalStore", store)
    with suppress(Exception):
        return bool(
            relational._write(  # noqa: SLF001 - nothing public does this
                lambda database: database.execute(words, (value, name)).rowcount
            )
        )
    return False


def _read_all(it: Processor) -> None:
    it.conversations(limit=1000)
    it.read_feed()
    it.quarantined()
    it.dead_letters()
    it.store.stats()
    assert it.store.deadlines(1000)
    now = datetime.now(UTC)
    it.store.claim("lease", now, now + timedelta(seconds=9), 1000)


def _send(it: Processor, name: str) -> int:
    """Send a delivery until it is applied; return how often it had to be sent."""
    delivery = body(transfer("WARM exit", "a-2"), conversation=name)
    for tries in range(1, 4):
        with suppress(StoreUnavailable):
            it.receive("st-1", delivery)
            return tries
    return 0


def survive(store: Store, damages: Sequence[Damage]) -> int:
    """Damage a store in all these ways; return how many of them the database let happen."""
    with Processor(store=store, patience=PATIENCE) as it:
        for damage in damages:
            _fill(it, damage.name)
        _fill(it, "well")
        done = [damage for damage in damages if _damage(store, damage)]
        _check(it, done)
    return len(done)


def _check(it: Processor, done: list[Damage]) -> None:
    """Use a store that is damaged; nothing of what holds deliveries is in the cache of `it`."""
    _read_all(it)
    assert it.receive("st-1", message("USER", "a-1") | {"conversationId": "well"}).findings == ()
    found = {each.key.conversation_id for each in it.examine()}
    assert "well" not in found
    sent = [_send(it, damage.name) for damage in done[::2]]
    list(it.examine(is_mending=True))
    left = {each.key.conversation_id for each in it.examine(is_mending=True)}
    for damage in done:
        if not damage.is_lasting:
            assert damage.name not in left, damage
            assert _send(it, damage.name) == 1, damage
            assert it.conversation(damage.name, "st-1").report.to_dict()  # type: ignore[union-attr]
    for tries, damage in zip(sent, done[::2], strict=True):
        assert tries in {1, 2} or damage.is_lasting, damage


def _named(damages: list[tuple[str, str, object]]) -> list[Damage]:
    return [Damage(*damage, f"c-{number}") for number, damage in enumerate(damages)]


@pytest.mark.thorough
def test_every_column_is_damaged(store: Store) -> None:
    damages = [
        (table, column, value) for table, column, kind in COLUMNS for value in TYPED[kind][-2:]
    ]

    assert survive(store, _named(damages)) > 80


@pytest.mark.thorough
def test_every_column_is_damaged_by_values_that_only_sqlite_takes() -> None:
    damages = [(table, column, value) for table, column, _ in COLUMNS for value in UNTYPED[3:5]]

    assert survive(MemoryStore(), _named(damages)) > 80


@pytest.mark.slow
def test_a_thousand_rows_are_damaged() -> None:
    chance, odd = Random(4), [*UNTYPED, *(each for some in TYPED.values() for each in some)]
    damages: list[tuple[str, str, Any]] = [
        (table, column, value) for table, column, _ in COLUMNS for value in odd
    ] + [(*chance.choice(COLUMNS)[:2], chance.randbytes(8)) for _ in range(600)]
    count = survive(MemoryStore(), _named(damages))
    print(f"{count} damaged rows")  # noqa: T201 - a figure
    assert count >= 1000


def test_a_conversation_that_only_holds_is_well_and_is_mended(store: Store) -> None:
    held = body(transfer("NA exit", "a-1"), conversation="c-1")
    with Processor(store=store, patience=PATIENCE) as it:
        assert it.receive("st-1", held).held
        assert list(it.examine()) == []
        _damage(store, Damage("segue_conversations", "snapshot", b"?", "c-1"))

        assert [each.is_mended for each in it.examine(is_mending=True)] == [True]
        assert list(it.examine()) == []
        assert len(store.deadlines(9)) == 1
        enters = it.receive("st-1", body(transfer("NA entry", "a-1"), conversation="c-1"))
        assert (enters.findings, enters.phase) == ((), "released")


@pytest.mark.parametrize("at", [-(10**17), 10**18, -62_135_596_800_000_001])
def test_a_deadline_that_is_no_time_is_left_out(store: Store, at: int) -> None:
    """Year 1 begins 62,135,596,800 seconds before 1970."""
    with Processor(store=store, patience=PATIENCE) as it:
        for name in ("c-1", "c-2"):
            it.receive("st-1", body(transfer("NA exit", "a-1"), conversation=name))
        _damage(store, Damage("segue_conversations", "deadline", at, "c-1"))

        assert [key.conversation_id for key, _ in store.deadlines(9)] == ["c-2"]


def test_what_was_held_and_is_damaged_goes_to_the_quarantine(store: Store) -> None:
    with Processor(store=store, patience=PATIENCE) as it:
        _fill(it, "c-1")
        _damage(store, Damage("segue_held", "endpoint", "?", "c-1"))

        assert [each.what for each in it.examine()] == ["what it holds cannot be read"]
        assert [each.is_mended for each in it.examine(is_mending=True)] == [True]
        *_, item = it.quarantined()
        assert store.deadlines(9) == []
    assert (item.reason, item.delivery_id, item.endpoint) == ("damaged", "c-1 2", "?")
    assert b"COLD" in item.body


def _keys(store: Store, name: str) -> int:
    """Return how many conversations of an id are listed."""
    return sum(each.conversation_id == name for each in store.list(None, 100, None))


def test_no_second_conversation_begins_where_a_key_is_damaged(store: Store) -> None:
    with Processor(store=store) as it:
        it.receive("st-1", body(transfer("NA entry", "a-1"), conversation="c-1"))
        it.receive("st-2", body(transfer("NA entry", "a-1"), conversation="c-1", bot="st-2"))
        key = "UPDATE segue_conversations SET key = ? WHERE bot_id = 'st-1'"
        relational = cast("RelationalStore", store)
        relational._write(lambda database: database.execute(key, (b"?",)))  # noqa: SLF001
        leaves = body(transfer("NA exit", "a-1"), conversation="c-1")

        with pytest.raises(StoreUnavailable):
            it.receive("st-1", leaves, delivery_id="d-1")
        receipt = it.receive("st-1", leaves, delivery_id="d-1")

        assert (receipt.phase, receipt.findings) == ("released", ())
        assert [each.reason for each in it.quarantined()] == ["damaged"]
        assert list(it.examine()) == []
        assert _keys(store, "c-1") == 2


@pytest.mark.parametrize(
    ("column", "value", "is_mended"), [("key", b"?", True), ("conversation_id", "?", False)]
)
def test_doctor_mends_a_key_but_not_ids(
    store: Store, column: str, value: object, *, is_mended: bool
) -> None:
    with Processor(store=store) as it:
        it.receive("st-1", body(transfer("NA entry", "a-1"), conversation="c-1"))
        _damage(store, Damage("segue_conversations", column, value, "c-1"))

        assert [each.is_mended for each in it.examine()] == [False]
        assert [each.is_mended for each in it.examine(is_mending=True)] == [is_mended]
        assert [each.what for each in it.examine()] == (
            [] if is_mended else ["its ids are not those it is stored under"]
        )
        found = it.conversation("c-1", "st-1")
        assert found is not None
        assert found.report.phase == "active"


def test_a_key_is_not_mended_when_another_conversation_has_begun(store: Store) -> None:
    with Processor(store=store) as it:
        for name in ("c-1", "c-2"):
            it.receive("st-1", body(transfer("NA entry", "a-1"), conversation=name))
        _damage(store, Damage("segue_conversations", "conversation_id", "c-1", "c-2"))

        assert not store.put_under_its_key(ConversationKey("st-1", "c-1"), is_sent=True)
        assert not store.put_under_its_key(ConversationKey("st-1", "c-3"), is_sent=True)
        assert _keys(store, "c-1") == 2
