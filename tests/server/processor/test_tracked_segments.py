"""Segments that are tracked event by event are those that the whole history gives."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.server.processor.story import Clock, body, due, end, message, processor, transfer
from tests.server.stores.library import key
from tests.stored import stored_state
from tests.strategies import legal_streams, logs, streams

from segue.core.conversation import Report
from segue.core.engine.segment_tracker import MOST_CHANGES, MOST_CONNECTIONS, latest_connections
from segue.core.findings import Policy
from segue.core.wire.timestamps import read_iso_time
from segue.server.processor import Processor, Store
from segue.server.processor.callback_payloads import closed_connections
from segue.server.stores import MemoryStore


def _nothing(_: object) -> None:
    """Handle nothing."""


def _watched(store: Store, *kinds: str, **options: Any) -> Processor:
    """Return a processor whose worker never gets to anything."""
    handlers = {f"on_{kind}": _nothing for kind in kinds}
    return processor(store, policy=Policy(transcription="observe"), **handlers, **options)


def _store() -> MemoryStore:
    store = MemoryStore()
    store.claim = lambda *_, **__: []  # type: ignore[method-assign]
    return store


def _told(store: MemoryStore) -> list[tuple[int, dict[str, Any]]]:
    found = [json.loads(each.data) for each in due(store) if each.kind == "segment_closed"]
    return [(each["connection"], each["segment"]) for each in found]


def _send(it: Processor, line: dict[str, Any]) -> None:
    at = read_iso_time(line["received_at"]) if "received_at" in line else None
    if line.get("endpoint") == "transcription":
        it.control("st-1", line["conversation_id"], line["body"], received_at=at)
    else:
        it.receive("st-1", line["body"], received_at=at)


def _by_history(store: Store, before: frozenset[tuple[int, int]]) -> list[Any]:
    """Return what should be told of a delivery, by all that is stored."""
    state = stored_state(store, key("c-1"))
    if state is None:
        return []
    segments = Report(state).segments
    return [
        (number, _told_as(latest_connections(segments[index].to_dict())))
        for index, number in sorted(closed_connections(state) - before)
    ]


def _told_as(segment: dict[str, Any]) -> Any:
    return json.loads(json.dumps(segment | {"role_open": segment["role"] is None}))


def _closed(store: Store) -> frozenset[tuple[int, int]]:
    state = stored_state(store, key("c-1"))
    return frozenset() if state is None else closed_connections(state)


def _is_of_lifecycle(line: dict[str, Any]) -> bool:
    return line.get("endpoint", "hooks") == "hooks" and "events" in line["body"]


@st.composite
def deliveries(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Lines of a log, with messages, and several events in a delivery here and there."""
    lines: list[dict[str, Any]] = []
    for line in draw(logs(legal_streams() | streams(max_size=16))):
        if line.get("endpoint") in {"notifications", "transfers"}:
            continue
        is_joined = lines and _is_of_lifecycle(line) and _is_of_lifecycle(lines[-1])
        if is_joined and draw(st.integers(0, 3)) == 0:
            events = [*lines[-1]["body"]["events"], *line["body"]["events"]]
            lines[-1] = {**line, "body": {**line["body"], "events": events}}
            continue
        if draw(st.integers(0, 3)) == 0:
            author, agent = draw(
                st.sampled_from((("USER", ""), ("AGENT", "a-1"), ("AGENT", "A-2")))
            )
            talk = message(author, agent) | {"conversationId": "c-1"}
            lines.append({**line, "endpoint": "hooks", "body": talk})
        lines.append(line)
    return lines


@given(
    deliveries(),
    st.sets(st.integers(0, 40)),
    st.dictionaries(st.integers(0, 40), st.sampled_from(((), ("message",))), max_size=2),
)
def test_what_is_told_is_what_the_whole_history_says(
    lines: list[dict[str, Any]], restarts: set[int], without: dict[int, tuple[str, ...]]
) -> None:
    """Law: also behind a restart, and where a process without the callback was in between."""
    store = _store()
    it, told = _watched(store, "segment_closed"), 0
    for number, line in enumerate(lines):
        before = _closed(store)
        if number in without:
            _send(_watched(store, *without[number]), line)
            it = _watched(store, "segment_closed")
            assert len(_told(store)) == told
            continue
        if number in restarts:
            it = _watched(store, "segment_closed")
        _send(it, line)
        found = _told(store)
        assert found[told:] == _by_history(store, before)
        told = len(found)


@pytest.mark.parametrize(
    "stream",
    [
        "NA entry a-1, WARM entry a-2, COLD exit a-1, NA exit a-2",
        "NA entry a-1, COLD exit a-1, WARM entry a-1, COLD exit a-3, COLD entry a-4, NA exit a-4",
        "NA entry a-1, COLD exit a-1, WARM entry a-1, NA exit a-3, redial entry a-1, NA exit a-1",
        "NA entry a-1, WARM entry a-2, NA entry a-2, WARM exit a-2, COLD exit a-1, NA exit a-1",
        "NA entry a-1, NA entry a-2, NA exit a-1, NA exit a-2, redial entry a-3, NA exit a-3",
        "NA entry a-1, WARM entry a-2, WARM entry a-3, WARM exit a-1, WARM exit a-2, NA exit a-3",
        "NA entry a-1, COLD exit a-1, WARM exit a-3, NA exit a-2, redial entry a-2, NA exit a-2",
        "WARM exit a-2, NA entry a-1, NA exit a-3, redial entry a-4, COLD exit a-2, NA exit a-4",
    ],
)
def test_what_is_told_is_right_with_a_restart_before_every_event(stream: str) -> None:
    """Consultants take over, and agents of several segments or without an entry come and go."""
    store, told = _store(), 0
    for label in stream.split(", "):
        before = _closed(store)
        kind, _, agent = label.rpartition(" ")
        _watched(store, "segment_closed").receive("st-1", body(transfer(kind, agent)))
        found = _told(store)
        assert found[told:] == _by_history(store, before)
        told = len(found)
    assert told


def test_a_role_that_no_event_has_told_is_open_and_is_told_once() -> None:
    store = _store()
    for label in (
        *("NA entry a-1", "WARM entry a-2", "WARM entry a-3", "WARM entry a-4"),
        *("WARM exit a-1", "WARM exit a-2", "COLD exit a-4", "COLD entry a-5", "WARM exit a-3"),
    ):
        kind, _, agent = label.rpartition(" ")
        _watched(store, "segment_closed").receive("st-1", body(transfer(kind, agent)))

    roles = [(each["agent"], each["role"], each["role_open"]) for _, each in _told(store)]
    assert roles == [
        ("a-1", "primary", False),
        ("a-2", None, True),
        ("a-4", "primary", False),
        ("a-3", "consultant", False),
    ]


@pytest.mark.parametrize("callbacks", [(), ("message",)])
def test_a_process_without_the_callback_may_apply_an_event_in_between(
    callbacks: tuple[str, ...],
) -> None:
    """As `segue quarantine replay` does, whose processor has no callbacks at all."""
    store = _store()
    _watched(store, "segment_closed").receive("st-1", body(transfer("NA entry", "a-1")))
    _watched(store, *callbacks).receive("st-1", body(transfer("WARM entry", "a-2")))
    it = _watched(store, "segment_closed")
    it.receive("st-1", body(transfer("WARM exit", "a-2")))

    [(connection, segment)] = _told(store)
    assert (connection, segment["agent"], segment["kind"]) == (0, "a-2", "WARM")


@pytest.mark.parametrize("agent", ["a-1", "a-3"])
def test_segments_are_stored_of_agents_who_entered_before_the_callback(agent: str) -> None:
    """Also if what the process with the callback gets first concerns no agent, or another one."""
    store = _store()
    it = _watched(store, "message")
    for label in ("NA entry a-1", "WARM entry a-2", "WARM entry a-3"):
        kind, _, entered = label.rpartition(" ")
        it.receive("st-1", body(transfer(kind, entered)))
    if agent == "a-1":
        _watched(store, "segment_closed").control(
            "st-1", "c-1", {"action": "start", "agentId": agent}
        )
    else:
        _watched(store, "segment_closed").receive("st-1", body(transfer("WARM exit", "a-2")))
    before, told = _closed(store), len(_told(store))
    kind = "COLD exit" if agent == "a-1" else "WARM exit"
    _watched(store, "segment_closed").receive("st-1", body(transfer(kind, agent)))

    [(connection, segment)] = _told(store)[told:]
    assert (connection, segment["agent"]) == (0, agent)
    assert [(connection, segment)] == _by_history(store, before)


def _redials(it: Processor, clock: Clock, count: int) -> None:
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    for _ in range(count):
        clock.move(10)
        it.receive("st-1", body(transfer("NA exit", "a-1")))
        clock.move(5)
        it.receive("st-1", body(transfer("redial entry", "a-1")))


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_segment_of_many_connections_lists_the_latest_and_sums_up_all(
    is_restarted: bool,  # noqa: FBT001 - a parameter
) -> None:
    store, clock = _store(), Clock()
    it = _watched(store, "segment_closed", clock=clock)
    _redials(it, clock, MOST_CONNECTIONS + 3)
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})
    it.control("st-1", "c-1", {"action": "pause", "agentId": "a-1", "handover": False})
    if is_restarted:
        it = _watched(store, "segment_closed", clock=clock)
    clock.move(10)
    it.receive("st-1", body(transfer("NA exit", "a-1")))

    connection, segment = _told(store)[-1]

    assert connection == MOST_CONNECTIONS + 3
    assert len(segment["connections"]) == MOST_CONNECTIONS
    assert segment["kind"] == "NA"
    assert segment["connected_time"] == 10 * (MOST_CONNECTIONS + 4)
    assert (segment["hold_time"], segment["talk_time"]) == (10, 10 * (MOST_CONNECTIONS + 3))
    clock.move(5)
    it.receive("st-1", body(end()))
    assert _told(store)[-1] == (connection, segment), "nothing more is told at the end"


def test_the_start_of_a_segment_of_many_connections_stays_unknown() -> None:
    store, clock = _store(), Clock()
    it = _watched(store, "segment_closed", clock=clock)
    it.receive("st-1", body(transfer("NA exit", "a-1")))
    for _ in range(MOST_CONNECTIONS + 3):
        it.receive("st-1", body(transfer("redial entry", "a-1")))
        clock.move(10)
        it.receive("st-1", body(transfer("NA exit", "a-1")))

    connection, segment = _told(store)[-1]

    assert connection == MOST_CONNECTIONS + 3
    assert segment["connections"][0]["opened_kind"] == "redial"
    assert (segment["kind"], segment["connected_time"], segment["talk_time"]) == (None, None, None)
    assert (segment["user_messages"], segment["agent_messages"]) == (None, None)


def test_the_time_on_hold_is_not_known_after_very_many_changes() -> None:
    store = _store()
    it = _watched(store, "segment_closed")
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})
    for action in ("pause", "resume") * (MOST_CHANGES // 2 + 1):
        it.control("st-1", "c-1", {"action": action, "agentId": "a-1", "handover": False})
    it.receive("st-1", body(transfer("NA exit", "a-1")))

    [(_, segment)] = _told(store)

    assert (segment["hold_time"], segment["talk_time"]) == (None, None)
    assert segment["connected_time"] == 0


def test_no_event_reads_the_history_but_the_end_and_the_first_of_a_new_handler() -> None:
    store, read = _store(), list[int]()
    entries = store.entries

    def counted(*arguments: Any) -> Any:
        read.append(1)
        return entries(*arguments)

    store.entries = counted  # type: ignore[assignment, method-assign]
    clock = Clock()
    _redials(_watched(store, "message", clock=clock), clock, 3)
    assert read == []

    it = _watched(store, "segment_closed", clock=clock)
    _redials(it, clock, 3)
    assert len(read) == 1
    _redials(_watched(store, "segment_closed", clock=clock), clock, 3)
    it = _watched(store, "segment_closed", clock=clock)
    it.control("st-1", "c-1", {"action": "start", "agentId": "a-1"})
    it.receive("st-1", message("USER", "") | {"conversationId": "c-1"})
    assert len(read) == 1

    for _ in range(3):
        it.receive("st-1", body(end()))
    it.receive("st-1", body(transfer("NA exit", "a-1")))
    assert len(read) == 2


def test_of_an_agent_nothing_is_kept_that_segments_do_not_show() -> None:
    """Custom fields of other names would make what is stored of an agent grow without end."""
    store = _store()
    it, sizes = _watched(store, "segment_closed"), list[int]()
    for number in range(40):
        named = transfer("NA entry" if number % 2 == 0 else "NA exit", "a-1")
        named["participant"] |= {"customFields": {f"field {number}": "x" * 99, "queueId": "q-1"}}
        it.receive("st-1", body(named))
        record = store.load(key("c-1")).conversation
        assert record is not None
        sizes.append(len(record.agents[0]))

    assert max(sizes[10:]) < 1.1 * max(sizes[:10]) + 2_000
    assert _told(store)[-1][1]["queue_id"] == "q-1"


def test_the_payload_of_the_end_lists_the_latest_connections_too() -> None:
    store, clock = _store(), Clock()
    it = _watched(store, "segment_closed", clock=clock)
    _redials(it, clock, MOST_CONNECTIONS + 3)
    it.receive("st-1", body(end()))

    connection, segment = _told(store)[-1]

    assert connection == MOST_CONNECTIONS + 3
    assert len(segment["connections"]) == MOST_CONNECTIONS
    assert segment["connections"][-1]["closed_kind"] == "implied"
