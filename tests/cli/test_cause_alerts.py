"""Alerts of a store that is followed while deliveries come in."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from tests.server.http.world import BEN, ENTRY, delivery, transfer

import segue
from segue.cli.cause_alerts import CauseAlerts
from segue.cli.terminal import Output
from segue.server.processor import Processor


class Written:
    """Takes what would be shown."""

    def __init__(self) -> None:
        self.lines: list[Any] = []

    def write(self, text: str) -> None:
        self.lines.append(json.loads(text))


def receive(it: Processor, numbers: range, *, is_wrong: bool) -> None:
    for number in numbers:
        taken = [transfer("COLD", "entry", BEN)] if is_wrong and number % 2 else []
        it.receive(
            f"st-{number % 2}", delivery(f"c-{number}", ENTRY, *taken, bot=f"st-{number % 2}")
        )


def test_a_cause_is_shown_while_it_happens_and_once() -> None:
    clock = [datetime.now(UTC) - timedelta(hours=3)]
    written, it = Written(), Processor(store=segue.MemoryStore(), clock=lambda: clock[0])
    alerts = CauseAlerts(timedelta(hours=6), (), as_json=True)
    following = alerts.follow(it, cast("Output", written), 0, None)
    next(following)
    receive(it, range(100), is_wrong=False)
    next(following)
    assert written.lines == []

    clock[0] += timedelta(hours=1)
    receive(it, range(100, 140), is_wrong=True)
    alerts.searched = 0.0
    next(following)
    receive(it, range(140, 160), is_wrong=True)
    next(following)
    assert [(each["code"], each["where"], each["found"]) for each in written.lines] == [
        ("SG103", {"agent": "a-2"}, 20)
    ]
    assert alerts.count == 1


def test_what_is_older_than_asked_is_left_out() -> None:
    written, it = Written(), Processor(store=segue.MemoryStore())
    receive(it, range(100), is_wrong=True)
    alerts = CauseAlerts(timedelta(hours=6), (), as_json=True)
    since = datetime.now(UTC) + timedelta(minutes=1)
    next(alerts.follow(it, cast("Output", written), 0, since))

    assert (written.lines, alerts.count) == ([], 0)
