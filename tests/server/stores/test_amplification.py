"""No delivery makes a large answer, log line or row of a small body, or holds the event loop."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
from tests.server.stores.mortal import open_store

import segue
from segue.server.http import LogObserver
from segue.server.processor import Commit, Store

PATH = "/agentdesk/api/v1/hooks/st-1"
KIB = 1024


def of(events: list[str]) -> bytes:
    return f'{{"conversationId":"z","botId":"st-1","events":[{",".join(events)}]}}'.encode()


def moved(kind: str, way: str, agent: str) -> str:
    return json.dumps(
        {
            "name": "INTERNAL_TRANSFER_EVENT",
            "transfertype": kind,
            "transition": way,
            "participant": {"identity": agent},
        },
        separators=(",", ":"),
    )


BODIES: dict[str, bytes] = {
    "zeros": of(["0"] * 1000),
    "empty events": of(["{}"] * 1000),
    "ends": of(['{"name":"END_OF_CONVERSATION"}'] * 1000),
    "agents": of([moved("WARM", "entry", f"a-{number}") for number in range(1000)]),
    "offences of many": of([
        moved("NA", "entry", "a-0"),
        *(moved("WARM", "entry", f"a-{number}") for number in range(500)),
        *(moved("NA", "entry", "a-x") for _ in range(499)),
    ]),
    "long ids": of([moved("WARM", "exit", "x" * 200 + str(number)) for number in range(700)]),
    "longer ids": of([moved("WARM", "entry", "x" * 1000 + str(number)) for number in range(200)]),
    "many keys": of([json.dumps({f"k{number}": 0 for number in range(20_000)})]),
    "nested": of(["[" * 30 + "]" * 30] * 1000),
    "130,000 zeros": of(["0"] * 130_000),
    "a long conversation id": of(["0"]).replace(b'"z"', b'"' + b"z" * 200_000 + b'"'),
    "control characters": of([moved("WARM", "exit", "\x01" * 30_000)]),
}  # fmt: skip


class Recorded:
    """The sizes of everything that is stored."""

    def __init__(self, store: Store) -> None:
        self.rows: list[int] = []
        self._save = store.save
        store.save = self.save  # type: ignore[method-assign]

    def save(self, commit: Commit) -> Any:
        parts = commit.entry, commit.conversation.summary
        self.rows += [size(astuple(part)) for part in parts if part is not None]
        self.rows += map(len, commit.conversation.agents.values())
        self.rows += [len(commit.conversation.snapshot)]
        self.rows += [len(commit.history.data)] if commit.history else []
        return self._save(commit)


def size(value: object) -> int:
    if isinstance(value, bytes | str):
        return len(value if isinstance(value, bytes) else value.encode())
    if isinstance(value, dict):
        return size([*value, *value.values()])
    return sum(map(size, value)) if isinstance(value, list | tuple) else 8


@pytest.fixture
def processor(durable: str) -> Iterator[tuple[segue.Processor, Recorded]]:
    store = open_store(durable)
    with segue.Processor(store=store) as found:
        yield found, Recorded(store)


async def post(app: segue.server.AsgiApp, body: bytes) -> tuple[int, bytes, int]:
    """Send a delivery; return status, answer and the number of calls in the event loop's thread."""
    sent = list[Any]()
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        await app({"type": "http", "method": "POST", "path": PATH, "headers": []}, receive, send)
    finally:
        sys.setprofile(before)
    return sent[0]["status"], sent[1]["body"], calls


@pytest.mark.parametrize("name", BODIES)
def test_nothing_is_large_for_the_size_of_a_delivery(
    processor: tuple[segue.Processor, Recorded], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    found, recorded = processor
    body = BODIES[name]
    log = LogObserver(logging.getLogger("amplification"))
    app = segue.asgi(found, auth=segue.NoAuth(), observers=(log,))

    async def both() -> list[tuple[int, bytes, int]]:
        warm = of([moved("NA", "entry", "a-0")]).replace(b'"z"', b'"warm"')
        await post(app, warm)
        recorded.rows.clear()
        return [await post(app, each) for each in (body, of(["0"]))]

    with caplog.at_level(logging.INFO):
        answers = asyncio.run(both())

    most = 20 * len(body) + 64 * KIB
    for status, answer, calls in answers:
        assert status in (200, 400, 413)
        assert len(answer) <= 64 * KIB
        assert calls <= 100_000, "100 calls for each of 1,000 events"
    assert max(recorded.rows, default=0) <= most
    assert max(map(len, caplog.messages)) <= 4 * KIB


def test_what_an_answer_does_not_list_is_counted_and_can_be_read(durable: str) -> None:
    with segue.Processor(store=open_store(durable)) as found:
        app = segue.asgi(found, auth=segue.NoAuth(), prefix="/in")
        sent = list[Any]()

        async def receive() -> Any:
            return {"type": "http.request", "body": of(["0"] * 250), "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/in" + PATH, "headers": []}
        asyncio.run(app(scope, receive, send))
        answer = json.loads(sent[1]["body"])

        assert len(answer["findings"]) == 100
        assert answer["more"] == {
            "findings": 150,
            "expected": 0,
            "read": "/in/conversations/z?botId=st-1&page=findings",
        }
        [entry] = found.read_feed().items
        assert len(entry.findings) == 100
        known = found.conversation("z")
        assert known is not None
        assert len(known.report.findings) == 250


def test_a_thousand_events_are_taken_and_one_more_is_not() -> None:
    with segue.Processor(store=segue.MemoryStore()) as found:
        most, more = (found.receive("st-1", of(["0"] * number)) for number in (1000, 1001))
        odd = of(["0"] * 1001).replace(b"events", b"Events")

        assert (most.outcome, len(most.findings)) == ("applied", 1000)
        assert (more.outcome, [each.code for each in more.findings]) == ("too large", ["SG501"])
        assert "more than 1000 events" in more.findings[0].message
        assert found.receive("st-1", odd).outcome == "too large"
        assert found.quarantined() == []


@pytest.mark.parametrize("name", [".", "..", "x" * 1025, "a\ufffdb"])
def test_an_id_that_no_address_could_name_is_refused(name: str, tmp_path: Path) -> None:
    with segue.Processor(store=segue.SqliteStore(tmp_path / "segue.db")) as found:
        app = segue.asgi(found, auth=segue.NoAuth())
        body = json.dumps({"conversationId": name, "botId": "st-1", "query": "x"}).encode()
        status, answer, _ = asyncio.run(post(app, body))

        assert (status, json.loads(answer)["type"]) == (400, "urn:segue:problem:unusable-id")
        assert [item.reason for item in found.quarantined()] == ["unaddressable"]
        assert found.conversations().items == ()


@pytest.mark.parametrize("name", ["x" * 1024, "a/b", "...", " ", "?", "%2e", "\n", "ü\U0001f600"])
def test_any_other_id_can_be_read_back(name: str) -> None:
    with segue.Processor(store=segue.MemoryStore()) as found:
        app = segue.asgi(found, auth=segue.NoAuth())
        body = json.dumps({"conversationId": name, "botId": "st-1", "query": "x"}).encode()

        assert asyncio.run(post(app, body))[0] == 200
        assert found.conversation(name) is not None
