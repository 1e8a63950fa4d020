"""Times in a zone whose clocks change: they are instants, whatever the clock on the wall says."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.logs.story import CLEAN, body, enveloped, told

import segue
from segue.core.wire import read_line

BERLIN = ZoneInfo("Europe/Berlin")
SPRING = ("01:50", "02:30", "02:40", "03:10")
"""At 02:00 the clocks go to 03:00, so these are 00:50, 01:30, 01:40 and 01:10 UTC."""


TIMES = [datetime.fromisoformat(f"2026-03-29T{clock}").replace(tzinfo=BERLIN) for clock in SPRING]


def over_spring(how: str) -> list[Any]:
    """The lines with texts, with datetimes in a zone, or as deliveries with such."""
    pairs = list(zip(CLEAN, TIMES, strict=True))
    if how == "text":
        return [
            json.dumps(enveloped(event, received_at=f"{at:%Y-%m-%dT%H:%M:%S}"))
            for event, at in pairs
        ]
    if how == "mapping":
        return [enveloped(event, received_at=at) for event, at in pairs]
    return [replace(read_line(enveloped(event)), received_at=at) for event, at in pairs]


@pytest.mark.parametrize("how", ["text", "mapping", "delivery"])
def test_what_comes_earlier_by_an_hour_that_was_left_out_is_found_in_a_log(how: str) -> None:
    [report] = segue.replay(over_spring(how), time_zone=BERLIN)

    assert told(report) == ["SG602 event 3"]
    [segment] = report.segments
    assert segment.connected_time == timedelta(minutes=40)
    assert report.metrics.duration == timedelta(minutes=50)


@pytest.mark.parametrize("how", ["mapping", "delivery"])
def test_and_in_a_conversation_that_is_fed(how: str) -> None:
    assert told(segue.check(over_spring(how))) == ["SG602 event 3"]


def test_and_where_the_time_stands_beside_the_event() -> None:
    conversation = segue.Conversation("c-1")
    for event, at in zip(CLEAN, TIMES, strict=True):
        conversation.feed(body(event), received_at=at)

    assert told(conversation.finish()) == ["SG602 event 3"]
