"""The journal of one store fills another one, with its times."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from tests.core.calls.vectors import COMPLETED
from tests.oracle.oracle import Ev
from tests.server.processor.story import AT, ENDS, ENTERS, LEAVES, Clock, body, processor, transfer
from tests.strategies import streams
from tests.streams import body as event_body

from segue import ConfigurationError, MemoryStore, Processor, SqliteStore
from segue.server.processor import Store


def story(store: Store) -> Processor:
    """Ten minutes of a conversation at two endpoints, a call that was asked for and one not."""
    clock = Clock(AT)
    it = processor(store, clock=clock)
    it.expect_call("st-1", "c-2")
    clock.move(60)
    it.receive("st-1", ENTERS, delivery_id="d-1")
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})
    it.receive_notification("st-1", {**COMPLETED, "conversationId": "c-2"})
    it.receive_notification("st-1", {**COMPLETED, "conversationId": "c-3"})
    it.receive_transfer("st-1", b'"moved\\n"', conversation_id="c-3")
    it.receive(None, body(transfer("NA entry", "a-9"), conversation="c-4", bot="st-7"))
    clock.move(600)
    it.receive("st-1", LEAVES)
    it.receive("st-1", ENDS)
    return it


def as_json(it: Processor) -> list[Any]:
    return [json.loads(line) for line in it.export()]


def reports(it: Processor) -> list[Any]:
    rows = it.conversations().items
    views = [it.conversation(row.conversation_id, row.bot_id) for row in rows]
    return [view and view.report.to_dict() for view in views]


def test_all_intakes_are_loaded_with_their_times(tmp_path: Path) -> None:
    old = story(MemoryStore())
    with Processor(store=SqliteStore(tmp_path / "new.db")) as new:
        assert new.load(old.export()) == 8
        assert as_json(new) == as_json(old)
        assert reports(new) == reports(old)
        assert [row.to_dict() for row in new.conversations().items] == [
            row.to_dict() for row in old.conversations().items
        ]
        (segment,) = reports(new)[-1]["segments"]
        assert segment["connected_time"] == 600
        again = new.receive("st-1", ENTERS, delivery_id="d-1")
        assert again.duplicate


@given(streams())
def test_whatever_was_applied_can_be_loaded(stream: list[Ev]) -> None:
    old, new, clock = MemoryStore(), MemoryStore(), Clock(AT)
    with Processor(store=old, clock=clock) as it, Processor(store=new) as other:
        for each in stream:
            clock.move(1)
            it.receive("st-1", event_body(each))
        assert other.load(it.export()) == len(as_json(it))
        assert as_json(other) == as_json(it)
        assert reports(other) == reports(it)


@pytest.mark.parametrize("text", ["通" * 80_000, "x" * 250_000], ids=["chinese", "ascii"])
def test_a_body_near_the_limit_does_not_grow_over_it(text: str) -> None:
    numbers = ",".join("7" * 2_000)
    sent = f'{{"conversationId":"c-1","query":"{text}","more":[{numbers}]}}'
    old, new = processor(), processor()
    old.receive("st-1", sent.encode())

    assert new.load(old.export()) == 1
    assert as_json(new) == as_json(old)


def test_a_store_with_conversations_is_not_loaded_into() -> None:
    it = story(MemoryStore())

    with pytest.raises(ConfigurationError, match="the store has conversations already: load"):
        it.load(it.export())


@pytest.mark.parametrize(
    "options",
    [
        {"on_finding": print},
        {"callbacks": ["finding"]},
        {"patience": timedelta(seconds=5)},
    ],
    ids=["handlers", "callbacks", "patience"],
)
def test_nothing_is_called_back_about_twice(options: dict[str, Any]) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^a processor with handlers, .*: use Processor\(store=…\)$"
    ):
        processor(**options).load([])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 2 is not a line of a journal with received_at and body: load the output of"),
        ("[]", "line 2 is not a line of a journal"),
        (f'{{"received_at": {"[" * 100_000}', "line 2 is not a line of a journal"),
        (json.dumps(ENTERS), "line 2 is not a line of a journal"),
        ('{"received_at": "2026", "body": {}}', "line 2 is not a line of a journal"),
        ('{"received_at": "2026-03-02T09:00:00", "body": {}}', "has no time zone"),
        (
            '{"received_at": "2026-03-02T09:00:00Z", "body": {}}',
            "line 2 was not applied .unfiled.: load",
        ),
    ],
)
def test_what_is_not_of_a_journal_is_refused_with_its_line(line: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        processor().load(["\n", line])
