"""The details of events and the last event: nothing is lost, and equal values are equal."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.builders import body, end, transfer
from tests.strategies import json_values

from segue.core.engine import EventDetails, State, apply, new
from segue.core.engine.snapshot import dump, load
from segue.core.events import Event, EventKind, fingerprint, json_text
from segue.core.wire import read_line

KEYS = st.sampled_from(("identity", "name", "type", "customFields", "secret"))
PARTICIPANTS = st.dictionaries(KEYS, json_values(), max_size=5)
ANN = {"identity": "a-1", "name": "Ann", "type": "agent"}
FIELDS = {"agentEmail": "ann@example.com", "queueId": "q-1", "queueName": "Orders"}


def said(participant: Any, language: Any = "en") -> EventDetails:
    value = {"participant": participant, "language": language}
    return EventDetails.of(Event(EventKind.WARM_ENTRY, "a-1", "chat", value, ""))


@given(participant=PARTICIPANTS, language=json_values())
def test_details_are_the_shown_members_that_are_not_null(
    participant: dict[str, Any], language: Any
) -> None:
    shown = {key: each for key, each in participant.items() if key != "secret"}
    found = said(participant, language)

    assert found.participant == {key: each for key, each in shown.items() if each is not None}
    assert json_text(found.language) == json_text(language)
    assert found.experience == "chat"
    assert found.is_same(said(json.loads(json.dumps(participant)), language))


def test_details_share_nothing_with_the_event() -> None:
    fields: dict[str, Any] = {"team": ["a"], "queueId": "q-1"}
    found = said({"identity": "a-1", "customFields": fields})
    fields["team"].append("b")
    fields["queueId"] = "q-2"

    assert found.custom_fields == {"team": ["a"], "queueId": "q-1"}


@pytest.mark.parametrize("participant", [None, [], ["a-1"], "a-1", 3])
def test_a_participant_that_is_no_object_tells_nothing(participant: object) -> None:
    assert said(participant) == EventDetails(None, None, None, None, "en", "chat")


def test_custom_fields_keep_their_order() -> None:
    turned = dict(reversed(FIELDS.items()))
    for custom in (FIELDS, turned):
        found = said({"customFields": custom}).custom_fields
        assert list(found.items()) == list(custom.items())
    assert said({"customFields": FIELDS}).is_same(said({"customFields": turned}))


@pytest.mark.parametrize(
    "other",
    [
        ANN | {"name": "Anne"},
        ANN | {"customFields": FIELDS},
        ANN | {"customFields": {"team": 1}},
        {"identity": "a-1"},
        {},
    ],
)
def test_other_details_are_not_the_same(other: dict[str, Any]) -> None:
    assert not said(ANN).is_same(said(other))
    assert not said(ANN).is_same(said(ANN, "de"))


def test_true_is_not_one() -> None:
    one, whole, true = (said({"customFields": {"x": x}}) for x in (1, 1.0, True))

    assert one.is_same(whole)
    assert not one.is_same(true)


@pytest.mark.parametrize(
    ("fields", "queue"),
    [(FIELDS, "q-1"), ({"queueId": 7}, ""), ({}, ""), ("q-1", ""), (None, "")],
)
def test_the_queue_is_a_text_among_the_custom_fields(fields: object, queue: str) -> None:
    assert said({"customFields": fields}).queue_id == queue


def fed(*events: dict[str, Any]) -> State:
    state = new("c-1")
    for event in events:
        apply(state, read_line(json.dumps(body(event))))
    return state


def codes(state: State) -> list[str]:
    return [finding.code for finding in state.findings]


def test_an_event_equals_the_last_one_in_any_order_of_keys() -> None:
    first, last = transfer("NA entry", "a-1"), transfer("NA entry", "a-1")
    turned = dict(
        reversed((first | {"participant": dict(reversed(last["participant"].items()))}).items())
    )

    assert codes(fed(first, turned)) == ["SG601"]
    assert codes(fed(first, turned, first)) == ["SG601", "SG601"]
    assert codes(fed(first, first | {"more": 1})) == ["SG601"]
    assert codes(fed(first, first | {"language": "de"}))[0] == "SG203"


def test_the_last_event_is_that_of_the_agent_that_sent_it() -> None:
    entry, joined_entry = transfer("NA entry", "a-1"), transfer("WARM entry", "a-2")
    exit_twice = [transfer("COLD exit", "a-2")] * 2

    assert codes(fed(entry, joined_entry, *exit_twice))[-1] == "SG601"


def test_a_snapshot_has_the_fingerprint_of_the_last_event() -> None:
    state = fed(transfer("NA entry", "a-1"), transfer("WARM entry", "a-2"))

    saved = json.loads(dump(state)[8:])["judging"]["machines"]["lifecycle"]["previous"]
    assert saved == fingerprint(transfer("WARM entry", "a-2")) == state.last_fingerprint
    assert load(dump(state)).last_fingerprint == saved
    over = fed(transfer("NA entry", "a-1"), end())
    assert over.last_fingerprint == fingerprint(end())
    assert new("c-1").last_fingerprint is None


def test_values_that_are_not_json_count_as_their_text() -> None:
    state = new("c-1")
    value = transfer("NA entry", "a-1")
    value["participant"]["customFields"] = {1: b"x", "a": {2, 3}}
    event = Event(EventKind.NA_ENTRY, "a-1", "chat", value, "")
    delivery = read_line(body(transfer("NA entry", "a-1")))
    delivery.events = (event,)
    for _ in range(2):
        apply(state, delivery)

    assert codes(state) == ["SG601"]
    details = state.entries[0].details
    assert details is not None
    assert details.custom_fields == {1: "b'x'", "a": "{2, 3}"}
