"""Law 1: whatever arrives, there is a report, and nobody has to catch anything."""

import json
from typing import Any

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import json_values, logs, streams
from tests.streams import body

import segue

ANYTHING = st.binary() | st.text() | json_values()


@given(st.lists(ANYTHING, max_size=4))
def test_anything_at_all_gives_reports(things: list[Any]) -> None:
    """Any bytes, any text, any JSON value: the log is replayed to its end."""
    for report in segue.replay(iter(things)):
        assert report.to_dict()


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A flawless line with any value put in at any place."""
    line: Any = draw(st.sampled_from(LINES))
    line = json.loads(json.dumps(line))
    within = line
    for _ in range(draw(st.integers(0, 4))):
        keys = list(within) if isinstance(within, dict) else list(range(len(within)))
        key = draw(st.sampled_from(keys))
        if not isinstance(within[key], dict | list) or not within[key]:
            break
        within = within[key]
    keys = list(within) if isinstance(within, dict) else list(range(len(within)))
    key = draw(st.sampled_from(keys))
    if draw(st.booleans()):
        within[key] = draw(json_values())
    else:
        del within[key]
    return line


LINES = [
    body(Ev("NA entry", "a")),
    body(Ev("redial entry", "a")),
    body(Ev("summary")),
    body(Ev("end")),
    body(Ev("agent message", "a")),
    {
        "received_at": "2026-03-02T09:00:00Z",
        "delivery_id": "d-1",
        "endpoint": "transcription",
        "bot_id": "st-1",
        "conversation_id": "c-1",
        "body": {"action": "pause", "agentId": "a", "handover": True},
    },
    {"received_at": "2026-03-02T09:00:00Z", "body": body(Ev("NA entry", "a"))},
    {
        "received_at": "2026-03-02T09:05:00Z",
        "endpoint": "notifications",
        "bot_id": "st-1",
        "asked_at": "2026-03-02T08:59:00Z",
        "body": {
            "conversationId": "c-1",
            "status": "completed",
            "reasonCode": "caller-disconnected",
            "reason": "200 OK",
            "callconnecttime": "3/2/2026, 09:00:00 AM",
            "callDisconnectTime": "3/2/2026, 09:04:00 AM",
            "duration": 240,
            "machinedetection": "amd_human_detected",
        },
    },
    {"endpoint": "transfers", "conversation_id": "c-1", "asked_at": "", "body": {"any": ["thing"]}},
]


@given(st.lists(damaged(), max_size=6))
def test_damaged_lines_give_reports(lines: list[Any]) -> None:
    """Whatever value stands in place of another, or is gone: a report, as text or parsed."""
    for log in (lines, [json.dumps(line) for line in lines], [json.dumps(lines)]):
        for report in segue.replay(iter(log)):
            assert report.to_dict()


@given(logs(streams()))
def test_any_order_of_events_and_actions_gives_one_report(lines: list[dict[str, Any]]) -> None:
    """Whatever the order: a report, with the position of every finding inside the log."""
    report = segue.check(lines)

    assert json.dumps(report.to_dict())
    assert all((finding.place.event or 0) < report.events for finding in report.findings)
