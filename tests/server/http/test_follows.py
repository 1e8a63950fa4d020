"""An error that follows from an earlier mistake names it, wherever findings are answered.

The agent leaves by an NA exit, her redial is lost, and she hands over by COLD exit and entry: her
COLD exit (event 2) is the mistake, and the COLD entry after it (event 3) follows.
"""

import json
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any

from tests.builders import body, transfer
from tests.patience import PATIENCE

import segue
from segue.server.adapters.build import build
from segue.server.http import Body, Headers, HttpApp, ReadBody, Request
from segue.server.processor import Effect, drive, perform

DELIVERIES = [
    body(transfer("NA entry", "a-1")),
    body(transfer("NA exit", "a-1")),
    body(transfer("COLD exit", "a-1")),
    body(transfer("COLD entry", "a-2")),
]
FOLLOWS = [
    ("SG201", 2, None),
    ("SG115", 3, {"code": "SG201", "event": 2, "action": None, "line": None}),
]


def _ask(app: HttpApp, method: str, path: str, sent: object = None, query: str = "") -> Any:
    def performing(effect: Effect[Any]) -> Any:
        return Body(json.dumps(sent).encode()) if isinstance(effect, ReadBody) else perform(effect)

    response = drive(app.handle(Request(method, path, Headers([]), query)), performing)
    assert response.status == 200
    return json.loads(response.body)


def _told(findings: list[dict[str, Any]]) -> list[tuple[str, int, Any]]:
    return [(each["code"], each["event"], each["follows"]) for each in findings]


def test_an_error_that_follows_names_its_mistake_in_responses_the_feed_and_callbacks() -> None:
    called = SimpleQueue[segue.server.Callback]()
    processor = segue.Processor(
        store=segue.MemoryStore(),
        on_finding=called.put,
        clock=lambda: datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    app = build(processor, segue.NoAuth(), read=True)
    with processor:
        told = [_ask(app, "POST", "/agentdesk/api/v1/hooks/st-1", sent) for sent in DELIVERIES]
        callbacks = [dict(called.get(timeout=PATIENCE).data) for _ in FOLLOWS]
        feed = _ask(app, "GET", "/feed")
        report = _ask(app, "GET", "/conversations/c-1")

    assert _told([finding for each in told for finding in each["findings"]]) == FOLLOWS
    assert _told([finding for each in feed["items"] for finding in each["findings"]]) == FOLLOWS
    assert _told(callbacks) == FOLLOWS
    assert _told(report["findings"]) == FOLLOWS
    assert report["mistakes"] == [0]
