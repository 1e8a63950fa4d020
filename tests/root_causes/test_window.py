"""Causes of a sliding window over a feed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from segue.root_causes import CauseWindow

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
MISTAKE = {"code": "SG103", "severity": "error", "follows": None}
FOLLOWING = {"code": "SG104", "severity": "error", "follows": {"event": 1}}
NOTE = {"code": "SG205", "severity": "note", "follows": None}


def entry(number: int, bot: str, *findings: dict[str, Any]) -> dict[str, Any]:
    """A delivery of a conversation that begins at this minute."""
    at = NINE + timedelta(minutes=number)
    return {
        "conversation_id": f"c-{number}",
        "bot_id": bot,
        "received_at": at.isoformat(),
        "findings": list(findings),
    }


def fed(window: CauseWindow, numbers: range, wrong: range) -> CauseWindow:
    """Two bots by turns, of which one is wrong in a range of conversations."""
    for number in numbers:
        is_wrong = number in wrong and number % 2 == 1
        window.add(entry(number, f"st-{number % 2}", *([MISTAKE] if is_wrong else [])))
    return window


def test_a_cause_is_new_once() -> None:
    window = fed(CauseWindow(6 * HOUR), range(200), range(101, 200))
    (cause,) = window.new_causes(NINE + timedelta(minutes=200))

    assert (cause.code, cause.where, cause.unit) == ("SG103", (("bot", "st-1"),), "conversations")
    assert cause.since == NINE + timedelta(minutes=101)
    assert (cause.found, cause.total, cause.rate_elsewhere) == (50, 50, 0)
    fed(window, range(200, 220), range(200, 220))
    assert window.new_causes(NINE + timedelta(minutes=220)) == []


def test_a_cause_that_was_over_is_new_again() -> None:
    window = fed(CauseWindow(HOUR), range(100), range(100))
    assert len(window.new_causes(NINE + timedelta(minutes=100))) == 1
    fed(window, range(100, 300), range(0))
    assert window.new_causes(NINE + timedelta(minutes=300)) == []
    fed(window, range(300, 400), range(300, 400))
    assert len(window.new_causes(NINE + timedelta(minutes=400))) == 1


def test_what_is_older_than_the_window_is_forgotten() -> None:
    window = fed(CauseWindow(HOUR), range(100), range(100))

    assert window.new_causes(NINE + timedelta(minutes=161)) == []


def test_findings_of_a_conversation_that_goes_on_are_forgotten_too() -> None:
    window = fed(CauseWindow(HOUR), range(100), range(100))
    for number in range(100):
        window.add({**entry(number, f"st-{number % 2}"), "received_at": "2026-03-02T13:00:00Z"})

    assert window.new_causes(NINE + 4 * HOUR) == []


def test_no_more_conversations_are_kept_than_asked() -> None:
    window = fed(CauseWindow(6 * HOUR, most=60), range(100), range(100))
    (cause,) = window.new_causes(NINE + timedelta(minutes=100))

    assert cause.total == 30


def test_only_mistakes_and_warnings_count() -> None:
    window = CauseWindow(HOUR)

    assert window.add(entry(0, "st-1", MISTAKE))
    assert not window.add(entry(1, "st-1", FOLLOWING, NOTE))
