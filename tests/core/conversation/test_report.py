"""The account of a conversation: when things happened, as far as anybody knows."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.builders import body, end, transfer

import segue

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ACTION: dict[str, Any] = {"endpoint": "transcription", "conversation_id": "c-1", "bot_id": "st-1"}


def test_each_event_of_the_timeline_has_its_time_or_none() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(body(transfer("NA entry", "a-1")), NOON)
    conversation.feed(body(transfer("NA exit", "a-1")))
    conversation.feed(body(end()), NOON + timedelta(minutes=1))
    report = conversation.report()

    assert [moment.kind.value for moment in report.timeline] == [
        "NA entry",
        "NA exit",
        "END_OF_CONVERSATION",
    ]
    times = [event.received_at for event in report.timeline]
    assert times == [NOON, None, NOON + timedelta(minutes=1)]


def test_the_spells_of_transcription_follow_each_other() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(body(transfer("NA entry", "a-1")), NOON)
    start = {"action": "start", "agentId": "a-1"}
    pause = {"action": "pause", "agentId": "a-1", "handover": False}
    conversation.feed({**ACTION, "body": start}, NOON)
    conversation.feed({**ACTION, "body": pause}, NOON + timedelta(minutes=1))

    assert conversation.report().transcription_intervals == (
        ("active", NOON, NOON + timedelta(minutes=1)),
        ("hold", NOON + timedelta(minutes=1), None),
    )
    assert segue.Conversation("c-2").report().transcription_intervals == ()


def test_a_report_as_json_is_what_it_is_as_a_value_in_one_line() -> None:
    report = segue.check([body(transfer("NA entry", "a-1"))])

    assert json.loads(report.to_json()) == report.to_dict()
    assert report.to_json().isascii()
    assert "\n" not in report.to_json()


def test_a_notebook_shows_the_findings_as_a_table() -> None:
    report = segue.check([body(transfer("COLD exit", "<b>"), conversation="c-&")])

    shown = report._repr_html_()

    assert shown.startswith(
        "<table><caption>c-&amp;: transferring</caption><tr><th>code</th><th>severity</th>"
        "<th>event</th><th>action</th><th>message</th></tr>"
        "<tr><td>SG101</td><td>error</td><td>0</td><td></td><td>"
    )
    assert "<b>" not in shown
    assert "&lt;b&gt;" in shown
