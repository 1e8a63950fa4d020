"""What is kept of agents and of the last event: nothing is lost, and equal values are equal."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.builders import body, end, transfer
from tests.strategies import json_values

from segue.core.engine import ParticipantInfo, State, apply, new, rows_of
from segue.core.engine.agents import (
    HEAD,
    AgentRecord,
    is_alike,
    joined_event,
    number_in,
    packed_info,
    split_event,
)
from segue.core.engine.snapshot import dump, load
from segue.core.events import Event, EventKind, fingerprint, json_text
from segue.core.wire import read_line

KEYS = st.sampled_from(("identity", "name", "type", "customFields", "secret"))
PARTICIPANTS = st.dictionaries(KEYS, json_values(), max_size=5)
EVENTS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.just("INTERNAL_TRANSFER_EVENT"),
        "transfertype": st.just("WARM"),
        "transition": st.just("entry"),
        "isExtAD": st.booleans(),
        "experience": st.sampled_from(("chat", "Chat", None)),
        "language": st.sampled_from(("en", None)),
        "participant": PARTICIPANTS | st.none() | st.just([]),
        "more": json_values(),
    },
)
ANN = {"identity": "a-1", "name": "Ann", "type": "agent"}
FIELDS = {"agentEmail": "ann@example.com", "queueId": "q-1", "queueName": "Orders"}


def said(participant: dict[str, Any], language: Any = "en") -> bytes:
    return packed_info(participant, language, "chat")


@given(value=EVENTS)
def test_the_parts_of_an_event_make_the_event(value: dict[str, Any]) -> None:
    event = Event(EventKind.WARM_ENTRY, "a-1", "chat", value, "")

    assert json_text(joined_event(*split_event(event))) == json_text(value)


@given(custom=json_values())
def test_what_is_said_of_an_agent_comes_back(custom: Any) -> None:
    participant = {"identity": "a-1", "secret": 1, "name": None, "customFields": custom}
    shown = {"identity": "a-1"} | ({} if custom is None else {"customFields": custom})

    assert ParticipantInfo.of(said(participant)) == (shown, "en", "chat")


def test_custom_fields_keep_their_order() -> None:
    turned = dict(reversed(FIELDS.items()))
    for custom in (FIELDS, turned):
        found = ParticipantInfo.of(said({"customFields": custom})).participant["customFields"]
        assert list(found.items()) == list(custom.items())
    assert is_alike(said({"customFields": FIELDS}), said({"customFields": turned}))


@pytest.mark.parametrize(
    "other",
    [ANN | {"name": "Anne"}, ANN | {"customFields": FIELDS}, {"identity": "a-1"}, {}],
)
def test_something_else_is_said(other: dict[str, Any]) -> None:
    assert not is_alike(said(ANN), said(other))


def test_what_segue_does_not_read_is_said_in_addition() -> None:
    other = ANN | {"customFields": {"team": 1}}

    assert not is_alike(said(ANN), said(other))


def test_true_is_not_one() -> None:
    one, whole, true = (said({"customFields": {"x": x}}) for x in (1, 1.0, True))

    assert is_alike(one, whole)
    assert not is_alike(one, true)
    assert not is_alike(one, b"")


def test_a_record_is_kept_as_bytes() -> None:
    record = HEAD.pack(70_000, 3, 5) + said(ANN)

    assert AgentRecord.unpack(record) == (70_000, 3, 5, said(ANN))
    assert number_in(record) == (70_000,)


def named(name: str, **custom: Any) -> dict[str, Any]:
    event = transfer("WARM entry", "a-2")
    return event | {"participant": ANN | {"identity": "a-2", "name": name, "customFields": custom}}


def fed(*events: dict[str, Any]) -> State:
    state = new("c-1")
    for event in events:
        apply(state, read_line(json.dumps(body(event))))
    return state


def test_rows_say_what_held_then() -> None:
    """The name of an agent changes and changes back, that of another does not."""
    state = fed(transfer("NA entry", "a-1"), *map(named, ("Bo", "Bo", "Bob", "Bo")))
    names = [None if row.info is None else row.info.participant["name"] for row in rows_of(state)]

    assert names[1:] == ["Bo", "Bo", "Bob", "Bo"]
    assert names[0] not in names[1:]
    again = load(dump(state))
    assert [row.info for row in rows_of(again)] == [row.info for row in rows_of(state)]
    assert dump(again) == dump(state)


def test_states_share_the_rest_of_usual_transfers() -> None:
    one, other = fed(transfer("NA entry", "a-1")), fed(transfer("NA entry", "a-2"))

    assert one.previous is other.previous
    assert one.last_fingerprint == fingerprint(transfer("NA entry", "a-1"))


@pytest.mark.parametrize("flag", [0, 1, "false"])
def test_a_flag_in_another_spelling_stays_as_it_was_sent(flag: object) -> None:
    sent = transfer("NA entry", "a-1") | {"isExtAD": flag}
    event = Event(EventKind.NA_ENTRY, "a-1", "chat", sent, "")

    found = joined_event(*split_event(event))["isExtAD"]
    assert (type(found), found) == (type(flag), flag)


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


def test_what_is_kept_of_the_last_event_is_no_part_of_a_snapshot() -> None:
    state = fed(transfer("NA entry", "a-1"), named("Bo"))

    saved = json.loads(dump(state)[8:])["judging"]["machines"]["lifecycle"]["previous"]
    assert saved == fingerprint(named("Bo")) == state.last_fingerprint
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
