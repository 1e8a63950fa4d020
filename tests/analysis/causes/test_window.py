"""Causes of a sliding window over a feed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from segue.analysis.causes import CauseWindow

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
ERROR = {"code": "SG103", "severity": "error"}
NOTE = {"code": "SG116", "severity": "note"}


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
        window.add(entry(number, f"st-{number % 2}", *([ERROR] if is_wrong else [])))
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


def test_every_error_and_warning_counts_but_no_note() -> None:
    window = CauseWindow(HOUR)

    assert window.add(entry(0, "st-1", ERROR))
    assert window.add(entry(1, "st-1", {"code": "SG205", "severity": "warning"}))
    assert not window.add(entry(2, "st-1", NOTE))


def noted(number: int, agent: str, *findings: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """A delivery of two transfers of an agent, and what is kept of it."""
    notes = [(kind, agent, "", "en", "chat", "false", "") for kind in ("NA entry", "NA exit")]
    return entry(number, "st-1", *findings), (None, tuple(notes))


def test_where_the_delivery_is_known_its_attributes_are() -> None:
    window = CauseWindow(6 * HOUR)
    for number in range(100):
        second = {**ERROR, "event": 7, "action": None, "pointer": "/events/1/name"}
        window.add(*noted(number, f"a-{number % 4}", *([second] if number % 4 == 1 else [])))
    (cause,) = window.causes(NINE + timedelta(minutes=100)).causes

    assert (cause.where, cause.unit) == ((("agent", "a-1"),), "transfers")
    assert (cause.found, cause.rate, cause.rate_elsewhere) == (25, 0.5, 0)


def test_an_action_is_told_from_an_event() -> None:
    window = CauseWindow(6 * HOUR)
    for number in range(100):
        wrong = {"code": "SG401", "severity": "error", "event": None, "action": 0, "pointer": ""}
        found = [wrong] if number % 2 else []
        window.add(entry(number, "st-1", *found), (None, (("start", f"a-{number % 2}"),)))
    (cause,) = window.causes(NINE + timedelta(minutes=100)).causes

    assert (cause.where, cause.unit) == ((("agent", "a-1"),), "start actions")


def test_what_comes_between_deliveries_of_another_intake_counts_for_itself() -> None:
    """Each pause is followed by a notification; of agent a-1 every pause is wrong."""
    window = CauseWindow(6 * HOUR)
    wrong = {"code": "SG401", "severity": "error", "event": None, "action": 0, "pointer": ""}
    odd = {"code": "SG703", "severity": "warning", "event": None, "action": 0, "pointer": ""}
    for number in range(100):
        pause = "pause handover=false", f"a-{number % 2}"
        window.add(entry(number, "st-1", *([wrong] if number % 2 else [])), (None, (pause,)))
        answered = [odd] if number % 10 == 0 else []
        window.add(entry(number, "st-1", *answered), (None, (("answered", ""),)))
    found = window.causes(NINE + timedelta(minutes=100))

    assert [(cause.where, cause.unit) for cause in found.causes] == [
        ((("agent", "a-1"),), "pause handover=false actions")
    ]
    assert found.unexplained == {"SG703": 10}


def test_a_bot_need_not_be_named() -> None:
    window = CauseWindow(6 * HOUR)
    for number in range(100):
        bot, found = (None, [ERROR]) if number % 2 else ("st-1", [])
        window.add({**entry(number, "", *found), "bot_id": bot})

    causes = window.causes(NINE + timedelta(minutes=100))
    assert (causes.causes, causes.unexplained) == ((), {"SG103": 50})


def test_causes_of_some_bots() -> None:
    window = fed(CauseWindow(6 * HOUR), range(200), range(101, 200))
    at = NINE + timedelta(minutes=200)

    assert [cause.where for cause in window.causes(at, bots={"st-1"}).causes] == [()]
    assert window.causes(at, bots={"st-0"}).unexplained == {}


def test_no_more_events_are_kept_than_asked() -> None:
    window = CauseWindow(6 * HOUR, most_rows=60)
    for number in range(100):
        window.add(*noted(number, f"a-{number % 2}", *([ERROR] if number % 2 else [])))

    # Two events of each, and a finding of every second: the last 24.
    assert window.causes(NINE + 2 * HOUR).unexplained == {"SG103": 12}


def test_one_conversation_cannot_fill_the_window() -> None:
    window = CauseWindow(6 * HOUR, most_rows=10)
    for _ in range(100):
        window.add(*noted(1, "a-1", ERROR))

    assert sum(window.causes(NINE + HOUR).unexplained.values()) <= 3


@pytest.mark.parametrize(
    "damaged",
    [
        [1],
        [[]],
        "x",
        [{"severity": [], "code": "SG103"}],
        [{"severity": "error", "code": []}],
        [{"severity": "error", "code": "SG999"}],
        [{"severity": "error"}],
    ],
)
def test_what_is_no_finding_is_left_out(damaged: Any) -> None:
    window = CauseWindow(HOUR)

    assert not window.add({**entry(0, "st-1"), "findings": damaged})
    assert window.add({**entry(1, "st-1"), "findings": [*damaged, {**ERROR, "pointer": 5}]})
