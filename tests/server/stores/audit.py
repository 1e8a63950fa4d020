"""What must be true of a store whatever was done to the processes that used it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from tests.patience import PATIENCE
from tests.server.stores.library import identity, key
from tests.server.stores.mortal import QUICK, SOON, delivery, note
from tests.stored import stored_state

from segue import Conversation, Processor, Report
from segue.server import Callback
from segue.server.processor import JournalEntry, Store

ANSWERED = ("applied", "duplicate")
"""Seconds for callbacks that are due; only a failing test waits that long."""


def journal(store: Store) -> dict[str, list[JournalEntry]]:
    """Return the journal by conversation."""
    found: dict[str, list[JournalEntry]] = defaultdict(list)
    after = 0
    while entries := store.journal(after, 500, None):
        for entry in entries:
            found[entry.conversation_id].append(entry)
        after = entries[-1].number
    return found


def check_deliveries(store: Store, answers: Iterable[tuple[str, int, str]]) -> None:
    """Nothing that was answered is lost, nothing is there twice, nothing is there by half."""
    kept = journal(store)
    applied = set()
    for conversation, number, outcome in answers:
        assert outcome in ANSWERED
        assert number < len(kept[conversation]), f"{conversation} {number} was answered, and lost"
        if outcome == "applied":
            assert (conversation, number) not in applied, "applied twice"
            applied.add((conversation, number))
    for conversation, entries in kept.items():
        _check_conversation(store, conversation, entries)


def _check_conversation(store: Store, name: str, entries: list[JournalEntry]) -> None:
    assert [entry.delivery_id for entry in entries] == [
        f"{name}-{number}" for number in range(len(entries))
    ], "each once, in order, without a gap"
    conversation = Conversation(name)
    for number, entry in enumerate(entries):
        body = json.loads(entry.body)
        assert body == delivery(name, number)
        conversation.feed(body | {"botId": "st-1"}, received_at=entry.received_at)
        assert store.load(key(name), identity(f"{name}-{number}")).fingerprint is not None
    found = store.load(key(name)).conversation
    assert found is not None
    assert found.version == found.summary.events == len(entries)
    state = stored_state(store, key(name))
    assert state is not None
    assert Report(state).to_dict() == conversation.report().to_dict()


def check_callbacks(store: Store, callbacks: Path) -> None:
    """Let what is due be done; then every message was called back, in order, and nothing waits."""
    due = {
        (conversation, number)
        for conversation, entries in journal(store).items()
        for number in range(1, len(entries))
    }
    complete, missing = Event(), due - set(_called(callbacks))

    def on_message(callback: Callback) -> None:
        note(callbacks, callback)
        missing.discard((callback.conversation_id, callback.data["event"]))
        if not missing:
            complete.set()

    with Processor(store=store, on_message=on_message, retry=QUICK, handler_timeout=SOON):
        if missing:
            complete.wait(PATIENCE)
    called = list(dict.fromkeys(_called(callbacks)))
    assert due - set(called) == set(), "a callback was lost"
    assert set(called) - due == set(), "a callback of something that did not happen"
    assert called == _in_order(called), "not in the order of the conversation"


def check_outbox_is_empty(store: Store) -> None:
    """Look as a worker would, long after every lease."""
    later = datetime.now(tz=UTC) + timedelta(days=1)
    assert [each.id for each in store.claim("audit", later, later, 100)] == []
    assert list(store.dead(0, 10)) == []


def _called(callbacks: Path) -> list[tuple[str, int]]:
    if not callbacks.exists():
        return []
    lines = callbacks.read_text(encoding="utf-8").splitlines()
    return [(words[0], int(words[1])) for words in map(str.split, lines)]


def _in_order(called: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Sort each conversation's among the places they have."""
    sorted_ = {
        name: iter(sorted(number for other, number in called if other == name))
        for name, _ in called
    }
    return [(name, next(sorted_[name])) for name, _ in called]
