"""Whatever is done to a store, it answers as the model does, which is written without SQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st
from tests.server.stores.library import at, commit, done, identity, key, quarantined
from tests.server.stores.model import ModelStore

from segue.errors import StoreConflict
from segue.server.processor import Commit, ConversationKey, HeldEntry, HostRequest, Store

Step = tuple[str, tuple[Any, ...]]

KEYS = st.sampled_from([key("c-1"), key("c-1", "st-2"), key("c-2", "st-2"), key("c-3")])
BOTS = st.sampled_from(["st-1", "st-2"])
IDS = st.none() | st.sampled_from(["d-1", "d-2", "d-3"])
TIMES = st.integers(0, 20).map(at)
SMALL = st.integers(0, 3)
KINDS = st.sampled_from(["finding", "message", "segment_closed"])
REQUESTS = st.builds(
    HostRequest,
    st.sampled_from(["notifications", "transfers"]),
    BOTS,
    st.none() | st.sampled_from(["c-1", "c-2"]),
    st.none() | st.sampled_from(["r-1", "r-2"]),
)
OWNERS = st.none() | st.sets(BOTS)
ORDINALS = st.integers(0, 12)
"""Stand for the n-th number a store gave, whatever that number is."""

SAVES = st.builds(
    lambda key, behind, **rest: (key, behind, rest | {"bot_id": key.bot_id}),
    KEYS,
    st.sampled_from([0, 0, 0, 0, 1]),
    delivery_id=IDS,
    when=TIMES,
    messages=st.lists(KINDS, max_size=3),
    phase=st.sampled_from(["active", "ended"]),
    findings=st.sampled_from(["[]", "[1]"]),
)
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("save"), SAVES),
    st.tuples(st.just("save"), SAVES),
    st.tuples(st.just("hold"), st.tuples(KEYS, IDS, TIMES)),
    st.tuples(st.just("apply_held"), st.tuples(KEYS, SMALL, st.booleans())),
    st.tuples(st.just("deadlines"), st.tuples(SMALL)),
    st.tuples(st.just("stats"), st.tuples()),
    st.tuples(st.just("load"), st.tuples(KEYS, IDS, BOTS)),
    st.tuples(st.just("owners"), st.tuples(KEYS, SMALL, OWNERS)),
    st.tuples(st.just("list"), st.tuples(SMALL, OWNERS)),
    st.tuples(st.just("feed"), st.tuples(ORDINALS, SMALL, OWNERS)),
    st.tuples(st.just("history"), st.tuples(KEYS, SMALL, SMALL, st.booleans())),
    st.tuples(st.just("entries"), st.tuples(KEYS, SMALL, SMALL)),
    st.tuples(st.just("journal"), st.tuples(ORDINALS, SMALL, st.none() | KEYS)),
    st.tuples(st.just("claim"), st.tuples(TIMES, st.integers(1, 9), SMALL, st.sets(KINDS))),
    st.tuples(st.just("claim"), st.tuples(TIMES, st.integers(1, 9), SMALL, st.sets(KINDS))),
    st.tuples(st.just("acknowledge"), st.tuples(ORDINALS)),
    st.tuples(st.just("postpone"), st.tuples(ORDINALS, TIMES)),
    st.tuples(st.just("bury"), st.tuples(ORDINALS)),
    st.tuples(st.just("revive"), st.tuples(ORDINALS)),
    st.tuples(st.just("quarantine"), st.tuples(TIMES)),
    st.tuples(st.just("release"), st.tuples(ORDINALS)),
    st.tuples(st.just("expect"), st.tuples(REQUESTS.filter(lambda it: any(it[2:])), TIMES)),
    st.tuples(st.just("find_request"), st.tuples(REQUESTS.filter(lambda it: it.conversation_id))),
    st.tuples(st.just("purge"), st.tuples(TIMES)),
)


class _Player:
    """Does steps to one store, and answers without its numbers."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.versions: dict[ConversationKey, int] = {}
        self.held: dict[ConversationKey, tuple[HeldEntry, ...]] = {}
        self.claimed: list[tuple[int, str]] = []
        self.entries: list[int] = [0]
        self.bodies: list[int] = [0]

    def do(self, step: Step) -> object:
        name, given_ = step
        answer: Callable[..., object] = getattr(self, f"do_{name}")
        return _plain(answer(*given_))

    def do_save(self, key: ConversationKey, behind: int, rest: dict[str, Any]) -> str:
        expected = max(0, self.versions.get(key, 0) - behind)
        return self._save(key, commit(key.conversation_id, expected, **rest))

    def do_hold(self, key: ConversationKey, delivery_id: str | None, when: Any) -> str:
        version = self.versions.get(key, 0)
        plain = commit(
            key.conversation_id, version, delivery_id=delivery_id, bot_id=key.bot_id, when=when
        )
        assert plain.entry is not None
        entry = HeldEntry(
            arrival=version + 1,
            endpoint="hooks",
            bot_id=key.bot_id,
            delivery_id=delivery_id,
            received_at=when,
            deadline=when + (at(5) - at(0)),
            codes=("SG101", "SG103")[: version % 3],
            body=plain.entry.body,
        )
        return self._save(key, replace(plain, entry=None, hold=entry))

    def do_apply_held(self, key: ConversationKey, which: int, is_healed: bool) -> str:  # noqa: FBT001
        held = self.held.get(key, ())
        if not held:
            return "nothing"
        entry = held[which % len(held)]
        plain = commit(key.conversation_id, self.versions[key], bot_id=key.bot_id)
        assert plain.entry is not None
        healed = ("SG103",) if is_healed else ()
        journal = replace(plain.entry, arrival=entry.arrival, healed=healed)
        return self._save(key, replace(plain, entry=journal, release=entry.arrival))

    def do_deadlines(self, limit: int) -> object:
        """Those of one deadline are in any order."""
        found = self.store.deadlines(100)
        assert sorted(each for _, each in found) == [each for _, each in found]
        assert [each for _, each in self.store.deadlines(limit)] == [t for _, t in found[:limit]]
        for _, after in found:
            later = [each for _, each in self.store.deadlines(limit, after)]
            assert later == [each for _, each in found if each > after][:limit]
        return sorted(found)

    def do_stats(self) -> object:
        return self.store.stats()

    def _save(self, key: ConversationKey, given_: Commit) -> str:
        held = tuple(e for e in self.held.get(key, ()) if e.arrival != given_.release)
        held += () if given_.hold is None else (given_.hold,)
        record = replace(given_.conversation, held=held)
        try:
            done(self.store.save(replace(given_, conversation=record)))
        except StoreConflict:
            return "conflict"
        self.versions[key], self.held[key] = record.version, held
        self.entries = [0, *(each.number for each in self.store.journal(0, 1000, None))]
        return "saved"

    def do_load(self, key: ConversationKey, delivery_id: str | None, bot: str) -> object:
        return self.store.load(key, None if delivery_id is None else identity(delivery_id, bot))

    def do_owners(self, key: ConversationKey, limit: int, bots: set[str] | None) -> object:
        return self.store.owners(key.conversation_id, limit, bots)

    def do_list(self, limit: int, bots: set[str] | None) -> object:
        page = self.store.list(None, limit + 1, bots)
        return page, page and self.store.list(page[-1].number, limit, bots)

    def do_feed(self, after: int, limit: int, bots: set[str] | None) -> object:
        found = self.store.feed(_nth(self.entries, after), limit, bots)
        kept = self.store.journal(0, 1000, None)
        assert self.store.latest() == (kept[-1].number if kept else 0)
        return [replace(each, body="") for each in found]

    def do_journal(self, after: int, limit: int, key: ConversationKey | None) -> object:
        return self.store.journal(_nth(self.entries, after), limit, key)

    def do_history(
        self,
        key: ConversationKey,
        after: int,
        until: int,
        with_findings: bool,  # noqa: FBT001 - drawn
    ) -> object:
        return self.store.history(key, after, until, 3, with_findings=with_findings)

    def do_entries(self, key: ConversationKey, after: int, until: int) -> object:
        return self.store.entries(key, after - 1, until, 3)

    def do_claim(self, now: Any, seconds: int, limit: int, without: set[str]) -> object:
        lease, until = f"lease-{len(self.claimed)}", now + (at(seconds) - at(0))
        found = self.store.claim(lease, now, until, limit, without=without)
        self.claimed += [(each.number, each.lease) for each in found]
        return found, self.store.due_after(now)

    def do_acknowledge(self, ordinal: int) -> bool:
        number, lease = _nth(self.claimed, ordinal, (0, ""))
        return done(self.store.acknowledge(number, lease))

    def do_postpone(self, ordinal: int, until: Any) -> bool:
        number, lease = _nth(self.claimed, ordinal, (0, ""))
        return self.store.postpone(number, lease, until)

    def do_bury(self, ordinal: int) -> bool:
        number, lease = _nth(self.claimed, ordinal, (0, ""))
        return self.store.bury(number, lease, "E")

    def do_revive(self, ordinal: int) -> object:
        revived = self.store.revive(_nth(self.claimed, ordinal, (0, ""))[0])
        return revived, self.store.dead(0, 10)

    def do_quarantine(self, when: Any) -> object:
        item = replace(quarantined(when=when), conversation_id="c-1")
        self.bodies.append(self.store.quarantine(item))
        middle = self.bodies[len(self.bodies) // 2]
        newest = self.store.newest_quarantined(middle, 3, None)
        number = self.store.count_quarantined(key("c-1"), [item.reason])
        return self.store.quarantined(middle, 10), list(newest), number

    def do_release(self, ordinal: int) -> object:
        return self.store.release(_nth(self.bodies, ordinal))

    def do_expect(self, request: HostRequest, when: Any) -> None:
        self.store.expect(request, when)

    def do_find_request(self, callback: HostRequest) -> object:
        return self.store.find_request(callback)

    def do_purge(self, before: Any) -> int:
        gone = self.store.purge(before)
        kept = {each.key for each in self.store.list(None, 1000, None)}
        self.versions = {key: n for key, n in self.versions.items() if key in kept}
        self.held = {key: held for key, held in self.held.items() if key in kept}
        return gone


def _nth(numbers: Sequence[Any], ordinal: int, other: Any = 0) -> Any:
    return numbers[ordinal % len(numbers)] if numbers else other


def _plain(answer: Any) -> Any:
    """Take the numbers off: each store counts in its own way."""
    if isinstance(answer, list | tuple):
        return [_plain(each) for each in answer]
    if is_dataclass(answer) and not isinstance(answer, type):
        numbered = "number" in {field.name for field in fields(answer)}
        return replace(answer, number=0) if numbered else answer
    return answer


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(steps=st.lists(STEPS, min_size=5, max_size=40))
def test_every_store_answers_as_the_model_does(store: Store, steps: list[Step]) -> None:
    _empty(store)
    model, real = _Player(ModelStore()), _Player(store)

    for step in steps:
        assert real.do(step) == model.do(step), step


def _empty(store: Store) -> None:
    """Leave nothing of the example before."""
    far = at(10_000)
    while messages := store.claim("sweep", far, at(20_000), 10_000):
        for message in messages:
            done(store.acknowledge(message.number, "sweep"))
    assert store.claim("sweep", at(30_000), at(40_000), 1) == []
    while found := store.deadlines(1):
        ((name, _),) = found
        record = store.load(name).conversation
        assert record is not None
        entry, *rest = record.held
        emptied = replace(record, version=record.version + 1, held=tuple(rest))
        done(store.save(Commit(record.version, emptied, None, release=entry.arrival)))
    store.purge(far)
