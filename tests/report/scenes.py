"""Logs of what a page must show well: for its tests, and for its pictures."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.report.story import line

__all__ = ["SCENES", "agents_40", "day"]

_BEGIN = datetime(2026, 3, 2, 8, tzinfo=UTC)


def _log(conversation: str, *told: tuple[str, float]) -> list[str]:
    """Lines of one conversation, each so many seconds after the one before."""
    at, lines = _BEGIN, []
    for text, later in told:
        at += timedelta(seconds=later)
        sent: dict[str, Any] = json.loads(line(text, conversation, "08:00:00"))
        lines.append(json.dumps(sent | {"received_at": at.isoformat()}))
    return lines


def _untaken() -> list[str]:
    return _log(
        "transfer-untaken",
        *(("user message", 0), ("NA entry a-1", 40), ("agent message a-1", 30)),
        *(("COLD exit a-1", 170), ("user message", 120), ("END", 300)),
    )


def _overnight() -> list[str]:
    return _log(
        "overnight",
        *(("NA entry a-1", 0), ("user message", 60), ("NA exit a-1", 420)),
        *(("redial entry a-1", 72_000), ("user message", 60), ("NA exit a-1", 360)),
        *(("summary", 20), ("END", 40)),
    )


def _late() -> list[str]:
    return _log(
        "late",
        *(("NA entry a-1", 0), ("user message", 5), ("NA exit a-1", 60), ("END", 5)),
        *(("user message", 20), ("NA exit a-1", 4), ("END", 9)),
    )


def _long() -> list[str]:
    return _log("long-faults", *_long_told())


def _long_told() -> Iterator[tuple[str, float]]:
    yield "NA entry a-1", 0
    for number in range(60):
        yield from (("user message", 9), ("agent message a-1", 14))
        if number % 12 == 5:
            yield from (("WARM entry a-3", 20), ("COLD exit a-3", 40))
        if number % 20 == 7:
            yield from (("NA exit a-1", 20), ("redial entry a-1", 30))
        if number == 33:
            yield from (("COLD entry a-2", 20), ("COLD exit a-1", 3))
            yield from (("COLD exit a-2", 60), ("COLD entry a-1", 20))
    yield from (("NA exit a-1", 20), ("END", 20))


def agents_40() -> list[str]:
    """A conversation that is handed from agent to agent."""
    return _log("agents-40", *_many_told())


def _many_told() -> Iterator[tuple[str, float]]:
    yield "NA entry a-1", 0
    primary = 1
    for agent in range(2, 41):
        if agent % 3:
            yield from ((f"COLD exit a-{primary}", 20), (f"COLD entry a-{agent}", 7))
            primary = agent
        else:
            yield from ((f"WARM entry a-{agent}", 20), (f"agent message a-{agent}", 9))
            yield f"WARM exit a-{agent}", 31
    yield from ((f"NA exit a-{primary}", 20), ("END", 20))


def _call() -> list[str]:
    lines = _log("call", ("NA entry a-1", 5), ("start a-1", 1), ("NA exit a-1", 234), ("END", 20))
    body = {
        "conversationId": "call",
        "status": "completed",
        "callconnecttime": "3/2/2026, 08:00:00 AM",
        "callDisconnectTime": "3/2/2026, 08:04:00 AM",
        "duration": 240,
    }
    call = {"received_at": "2026-03-02T08:04:05Z", "endpoint": "notifications", "bot_id": "st-1"}
    return [*lines[:-1], json.dumps(call | {"body": body}), lines[-1]]


def day() -> list[str]:
    """Many conversations of a day, one line that cannot be read, and all the others here."""
    some = [
        each
        for number in range(60)
        for each in _log(
            f"c-{number:03}",
            ("NA entry a-1", 240 * number),
            ("user message", 8),
            *([("COLD entry a-2", 9)] if number % 9 == 4 else []),
            ("NA exit a-1", 60),
            *([("NA exit a-2", 9)] if number % 9 == 4 else []),
            ("END", 5),
        )
    ]
    return [*some, *(each for log in SCENES.values() for each in log()), "{"]


SCENES = {
    "long-faults": _long,
    "transfer-untaken": _untaken,
    "overnight": _overnight,
    "agents-40": agents_40,
    "late": _late,
    "call": _call,
}
"""What each conversation is called, and its log."""
