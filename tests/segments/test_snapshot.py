"""The ledger as JSON and back."""

import json
from typing import Any

import pytest
from tests.segments.story import Story, told

from segue.events import EventKind
from segue.segments import from_json, measure, to_json

TALES = [
    "user, user",
    "NA entry a, COLD exit a",
    "NA entry a, NA exit x, redial entry b, NA exit b, redial entry b",
    "NA entry a, WARM entry b, WARM exit a, NA exit b, redial entry b, NA exit b, END",
    "NA entry a, NA entry b, user, agent b, NA exit a, COLD exit b, COLD entry a, END",
    "NA entry a, WARM exit a",
]


@pytest.mark.parametrize("tale", TALES)
@pytest.mark.parametrize("timed", [True, False])
def test_a_ledger_survives(tale: str, timed: bool) -> None:  # noqa: FBT001
    story = told(tale, None if timed else [None] * len(tale.split(", ")))
    value = to_json(story.ledger)
    copy = from_json(json.loads(json.dumps(value)))
    assert to_json(copy) == value
    assert copy.segments() == story.segments
    assert measure(copy) == measure(story.ledger)


def test_what_events_told_survives() -> None:
    story = Story()
    participant: dict[str, Any] = {
        "name": "Ä", "type": "agent", "customFields": {"queueId": "q", "x": [1, {"y": None}]},
    }  # fmt: skip
    story.add(EventKind.NA_ENTRY, "a", experience="chat",
              value={"language": "en", "participant": participant})  # fmt: skip
    story.ledger.flag("a", "SG203")
    copy = from_json(json.loads(json.dumps(to_json(story.ledger))))
    assert copy.segments() == story.segments


def test_many_agents_survive() -> None:
    story = Story().tell("NA entry a0")
    for number in range(20):
        story.tell(f"WARM entry b{number}")
    copy = from_json(to_json(story.ledger))
    assert copy.segments() == story.segments
    assert copy.latest("b13") is copy.seats[14]


def test_the_json_is_compact() -> None:
    story = told("NA entry a, COLD exit a, COLD entry b")
    assert to_json(story.ledger) == [
        [1714564820000000, 0, 1714564800000000, 1, 0, None, 1, 0, None, 10000000],
        ["a", 0, "NA", 1714564800000000, 1, "COLD", 1714564810000000, True],
        ["b", 2, "COLD", 1714564820000000, None, None, None, True, "", "", "", "", 0, 0, 0],
    ]
    assert to_json(Story().ledger) == [[]]
