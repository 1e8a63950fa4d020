"""The short way of an event that nothing is wrong with leads where the long way leads."""

import json
import sys
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.by_hand import log
from tests.strategies import legal_streams, logs, streams
from tests.streams import body
from tests.streams import lines as lines_of

from segue.engine import State, dump, load, new, plainly, step
from segue.engine.applying import Step
from segue.events import Delivery
from segue.lifecycle import Roster, standing_of
from segue.wire import as_delivery, glance, read_line
from segue.wire.timestamps import read_iso_time

PARTIAL = st.sampled_from((None, "start", "end", "both"))
Steps = list[tuple[Step, bytes]]


def steps(lines: list[dict[str, Any]], partial: Any) -> Steps:
    state: State = new("c-1", partial=partial)
    return [(step(state, read_line(line)), dump(state)) for line in lines]


def the_long_way(lines: list[dict[str, Any]], partial: Any) -> Steps:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[Step.__module__], "plainly", lambda *_: False)
        return steps(lines, partial)


@given(logs(streams(), timed=st.booleans()), PARTIAL)
def test_whatever_is_sent(lines: list[dict[str, Any]], partial: Any) -> None:
    assert steps(lines, partial) == the_long_way(lines, partial)


@given(logs(legal_streams(), timed=st.booleans()), PARTIAL)
def test_whatever_is_legal(lines: list[dict[str, Any]], partial: Any) -> None:
    assert steps(lines, partial) == the_long_way(lines, partial)


@pytest.fixture
def _unfilled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many standings are remembered, and who came before may have filled them up."""
    monkeypatch.setattr("segue.lifecycle.standing._STANDINGS", {})
    monkeypatch.setattr("segue.engine.state._WAITING", standing_of(Roster()))


@pytest.mark.usefixtures("_unfilled")
def test_a_usual_conversation_takes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the laws above might compare the long way with itself."""
    taken: list[bool] = []
    monkeypatch.setattr(sys.modules[Step.__module__], "_consider", lambda *_: taken.append(True))
    state = new("c-1")
    for line in lines_of(log("N+a C-a C+b W+c W-c N-b S E")):
        step(state, read_line(line))

    assert state.ended
    assert not taken


# As facts, the way a log is replayed.

IDS = st.lists(st.sampled_from((None, None, "", "d-1", "d-2", "d-3")), min_size=1)
CHANGES = st.lists(
    st.sampled_from(("", "", "", "", "st-2", "CBM", "2026-03-01T09:00:00Z")), min_size=1
)


def changed(line: dict[str, Any], name: str | None, change: str) -> dict[str, Any]:
    """Give a line its bot and an id, and perhaps another bot, experience or time."""
    if "endpoint" in line:
        line = line | {"bot_id": "st-1"}
    if name is not None:
        line = line | {"delivery_id": name}
    if change.startswith("2026"):
        return line | {"received_at": change}
    whole = json.dumps(line)
    whole = whole.replace('"chat"', f'"{change}"') if change == "CBM" else whole
    return dict(json.loads(whole.replace('"st-1"', f'"{change}"') if change == "st-2" else whole))


def as_facts(lines: list[dict[str, Any]], partial: Any) -> tuple[list[bytes], int]:
    """Return the states, and how many lines were applied as their facts."""
    state, states, taken = new("c-1", partial=partial), [], 0
    for line in lines:
        read = glance(json.dumps(line).encode(), read_iso_time, None)
        if isinstance(read, Delivery):
            step(state, read)
        elif plainly(state, read, None):
            taken += 1
        else:
            step(state, as_delivery(read, None))
        states.append(dump(state))
    return states, taken


@given(logs(legal_streams() | streams(), timed=st.booleans()), PARTIAL, IDS, CHANGES)
def test_facts_lead_where_deliveries_lead(
    lines: list[dict[str, Any]], partial: Any, ids: list[str | None], changes: list[str]
) -> None:
    sent = [
        changed(line, name, change)
        for line, name, change in zip(lines, cycle(ids), cycle(changes), strict=False)
    ]

    assert as_facts(sent, partial)[0] == [state for _, state in the_long_way(sent, partial)]


def told(*words: str, **envelope: str) -> list[dict[str, Any]]:
    """Lines of a log, each with a time and an id: events as the oracle has them, and actions."""
    lines: list[dict[str, Any]] = []
    for number, word in enumerate(words):
        line = {"received_at": f"2026-03-02T09:{number:02}:00Z", "delivery_id": f"d-{number}"}
        line |= envelope
        action, _, agent = word.rpartition(" ")
        if action:
            name, _, handover = action.partition(" handover=")
            value: dict[str, Any] = {"action": name, "agentId": agent}
            if handover:
                value["handover"] = handover == "true"
            about = {"endpoint": "transcription", "conversation_id": "c-1", "bot_id": "st-1"}
            lines.append(line | about | {"body": value})
        else:
            lines.append(line | {"body": body(log(word)[0])})
    return lines


USUAL = told(
    "u:a", "N+a", "start a", "u:a", "g:a", "pause handover=true a", "C-a", "C+b", "start b", "W+c",
    "g:c", "W-c", "pause handover=false b", "resume b", "end b", "N-b", "S", "u:b", "E",
)  # fmt: skip


@pytest.mark.usefixtures("_unfilled")
def test_a_usual_log_is_applied_as_facts_from_end_to_end() -> None:
    for _ in range(2):  # where it leads is found out, and remembered
        states, taken = as_facts(USUAL, None)

        assert taken == len(USUAL)
        assert states == [state for _, state in the_long_way(USUAL, None)]


@pytest.mark.usefixtures("_unfilled")
def test_a_usual_log_needs_no_ids() -> None:
    lines = [{key: line[key] for key in line if key != "delivery_id"} for line in USUAL]
    states, taken = as_facts(lines, None)

    assert taken == len(lines)
    assert states == [state for _, state in the_long_way(lines, None)]


@pytest.mark.usefixtures("_unfilled")
def test_times_that_are_equal_are_in_order() -> None:
    lines = told("N+a", "u:a", "C-a", "C+b", received_at="2026-03-02T09:00:00Z", delivery_id="d")
    for number, line in enumerate(lines):
        line["delivery_id"] += str(number)

    assert as_facts(lines, None)[1] == len(lines)


def found(lines: list[dict[str, Any]]) -> list[str]:
    """Return the codes, the same by facts and the long way."""
    states, _ = as_facts(lines, None)
    assert states == [state for _, state in the_long_way(lines, None)]
    return [finding.code for finding in load(states[-1]).findings]


def test_an_action_after_the_end_is_no_plain_one() -> None:
    assert found(told("N+a", "N-a", "S", "E", "start a")) == ["SG408"]
    assert found(told("N+a", "start a", "N-a", "S", "E", "end a", "start a")) == ["SG407", "SG408"]


def test_an_action_with_the_id_of_another_is_not_applied() -> None:
    lines = told("N+a", "start a", "end a", "pause handover=false a")
    lines[2]["delivery_id"] = lines[1]["delivery_id"]

    assert found(lines) == ["SG603"]
    again = [*lines[:2], lines[1], lines[3]]
    assert found(again) == []


@pytest.mark.usefixtures("_unfilled")
def test_an_action_is_its_agents_however_the_agent_is_spelt() -> None:
    lines = told("N+ann", "start ANN", "end ann")
    states, taken = as_facts(lines, None)
    session = load(states[-1]).session

    assert states == [state for _, state in the_long_way(lines, None)]
    assert taken == 2
    assert session is not None
    assert {deed.agent for deed in session.deeds} == {"ann"}
