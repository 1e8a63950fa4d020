"""The handler of finished calls: once a call, with what is known of it."""

import json
from typing import Any

import pytest
from tests.core.calls.vectors import COMPLETED, FAILED, KNOWN
from tests.server.processor.story import ENDS, ENTERS, LEAVES, due, processor

from segue.core.events import CALL_NOTIFICATIONS, TRANSFER_CALLBACKS
from segue.server.processor import RECEIPTS, Processor, SubmissionContext, drive
from segue.server.stores import MemoryStore


def notify(running: Processor, body: dict[str, Any]) -> Any:
    intake, context = CALL_NOTIFICATIONS, SubmissionContext("st-1", "c-1")
    return drive(running.ingest.submit(intake, body, context, RECEIPTS[intake.receipt]))


@pytest.mark.parametrize("first", [COMPLETED, FAILED])
def test_a_call_is_finished_once(first: dict[str, Any]) -> None:
    store = MemoryStore()
    store.claim = lambda *_, **__: []  # type: ignore[method-assign]
    with processor(store, on_call_finished=lambda _: None) as running:
        notify(running, {"status": "answered"})
        assert due(store) == []
        notify(running, first)
        notify(running, first)
        notify(running, COMPLETED if first is FAILED else FAILED)
        (message,) = due(store)

    data = json.loads(message.data)
    assert message.kind == "call_finished"
    assert data["position"] == 1
    assert data["call"]["state"] == first["status"]


def test_the_call_is_in_the_view_and_in_the_journal() -> None:
    with processor(MemoryStore()) as running:
        receipts = []
        for delivery in (ENTERS, LEAVES, ENDS):
            running.receive("st-1", delivery)
            receipts.append(notify(running, COMPLETED))
        assert [finding.code for finding in receipts[-1].findings] == ["SG601"]
        view = running.conversation("c-1")
        lines = list(running.export("c-1"))

    assert view is not None
    assert view.report.call is not None
    assert view.report.call["notifications"] == 3
    assert view.report.call["call_time"] == KNOWN["call_time"]
    assert [json.loads(line)["endpoint"] for line in lines][1] == "notifications"


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("secret", '""'), (["secret"], "[]"), (5, "0"), (None, "null"),
        ({"message": "secret", "": 1}, '{"message": "", "": 0}'),
    ],
)  # fmt: skip
def test_without_text_nothing_of_a_transfer_callback_is_kept(content: Any, kept: str) -> None:
    intake, context = TRANSFER_CALLBACKS, SubmissionContext("st-1", "c-1")
    with Processor(store=MemoryStore(), store_text=False) as running:
        body = json.dumps(content).encode()
        drive(running.ingest.submit(intake, body, context, RECEIPTS[intake.receipt]))
        (line,) = running.export("c-1")

    assert json.loads(line)["body"] == (kept if content == "secret" else json.loads(kept))
