"""Senders without delivery ids that send every lifecycle event twice, at once."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.processor.story import body, processor, summary, transfer

from segue.analysis.simulate import generate
from segue.core.wire.timestamps import read_iso_time
from segue.server.processor import ConversationView, Processor

BY_POSITION = ("promoted_at", "opened_by", "closed_by", "findings")
"""What a repeat, which keeps its place in the count of events, may move."""


def _sent(seed: int, conversations: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Envelopes and bodies of a log without a mistake, one event each."""
    for line in generate(seed, conversations=conversations, mistakes=0, transcription=False):
        envelope = json.loads(line.text)
        whole = envelope["body"]
        whole = json.loads(whole) if isinstance(whole, str) else whole
        events = whole.pop("events", [])
        ids = {"conversationId": line.conversation_id, "botId": "st-1"}
        if "query" in whole:
            yield envelope, whole | ids
        for event in events:
            yield envelope, ids | {"events": [event]}


def _receive(it: Processor, envelope: dict[str, Any], body: dict[str, Any]) -> list[str]:
    at = read_iso_time(envelope["received_at"])
    return [found.code for found in it.receive(body["botId"], body, received_at=at).findings]


def _history(known: ConversationView | None) -> Any:
    """Who held the conversation, when and how; nothing that counts positions."""
    assert known is not None
    told = known.report.to_dict()
    return told["phase"], _without_positions(told["segments"]), told["metrics"]


def _without_positions(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _without_positions(each) for key, each in value.items() if key not in BY_POSITION
        }
    return [_without_positions(each) for each in value] if isinstance(value, list) else value


def _redeliver(seed: int, conversations: int) -> int:
    once, twice = processor(), processor()
    names = set()
    for envelope, sent in _sent(seed, conversations):
        names.add(sent["conversationId"])
        first = _receive(once, envelope, sent)
        assert _receive(twice, envelope, sent) == first
        if "events" in sent:
            ended = sent["events"][0]["name"] == "END_OF_CONVERSATION"
            assert _receive(twice, envelope, sent) == (["SG109"] if ended else ["SG601"])
    for name in names:
        assert _history(twice.conversation(name)) == _history(once.conversation(name))
    return len(names)


@pytest.mark.parametrize("count", [40, pytest.param(150, marks=pytest.mark.thorough)])
def test_an_event_sent_twice_at_once_does_not_change_the_history(count: int) -> None:
    assert _redeliver(1, count) == count


@pytest.mark.slow
def test_an_event_sent_twice_at_once_does_not_change_20_000_histories() -> None:
    assert sum(_redeliver(seed, 1000) for seed in range(20)) == 20_000


def test_an_event_is_a_repeat_of_the_event_right_before_it_alone() -> None:
    """The events in between count, also in a delivery of their own and after a restore."""
    it = processor()
    entry, early = transfer("NA entry", "a-1"), summary()

    def codes(*events: Any) -> list[str]:
        return [found.code for found in it.receive("st-1", body(*events)).findings]

    assert codes(early) == ["SG106"]
    assert codes(entry, early) == ["SG106"]
    assert codes(early, early) == ["SG601", "SG601"]
    assert codes(entry, early) == ["SG203", "SG106"]
