"""The past of a conversation as a list of entries, and what is kept of it between events."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.builders import body, end, message, summary, transfer

from segue.core.engine import Entry, State, apply, lifecycle_entries, new
from segue.core.engine.entries import COUNTED, MOST_RUNS, entries_from_json, entries_to_json
from segue.core.engine.entry_replay import past_of, replay
from segue.core.engine.snapshot import dump, forget_past, load, load_checked
from segue.core.engine.state import told_entries
from segue.core.events import EventKind
from segue.core.findings import line_number
from segue.core.wire import read_line

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
USER, AGENT = EventKind.USER_MESSAGE, EventKind.AGENT_MESSAGE
UNREADABLE = EventKind.UNPROCESSABLE


def minute(number: int | None) -> datetime | None:
    return None if number is None else NINE + timedelta(minutes=number)


def at(number: int | None, said: Any, **envelope: Any) -> dict[str, Any]:
    """Return a body in an envelope, received at a minute after nine, or at no known time."""
    when = minute(number)
    return {"received_at": when and when.isoformat(), "body": said, **envelope}


def fed(*lines: Any, state: State | None = None, start: int = 1) -> State:
    state = new("c-1") if state is None else state
    for number, line in enumerate(lines, start):
        apply(state, read_line(json.dumps(line), line=number))
    return state


def enters(agent: str, kind: str = "NA") -> dict[str, Any]:
    return body(transfer(f"{kind} entry", agent))


def leaves(agent: str, kind: str = "NA") -> dict[str, Any]:
    return body(transfer(f"{kind} exit", agent))


def restored(state: State) -> State:
    again = load_checked(dump(state))
    assert again.entries == state.entries
    assert dump(again) == dump(state) == dump(load(dump(state)))
    return again


def outline(state: State) -> list[tuple[Any, ...]]:
    """Return kind, agent, position, count and delivery of each entry."""
    return [entry[:5] for entry in state.entries]


def test_every_event_is_an_entry() -> None:
    state = fed(
        at(0, message("USER", "")),
        at(1, enters("a-1")),
        at(2, body(transfer("WARM entry", "a-2"), summary())),
        at(None, body({"name": "INTERNAL_TRANSFER_EVENT"})),
        at(4, end("a-1")),
    )

    first, second, third, fourth, fifth, sixth = restored(state).entries
    assert first == Entry(USER, "", 0, 1, 0, 1, minute(0), minute(0))
    assert second[:8] == (EventKind.NA_ENTRY, "a-1", 1, 1, 1, 2, minute(1), None)
    assert third[:8] == (EventKind.WARM_ENTRY, "a-2", 2, 1, 2, 3, minute(2), None)
    assert fourth == Entry(EventKind.SUMMARY, "", 3, 1, 2, 3, minute(2))
    assert fifth == Entry(UNREADABLE, "", 4, 1, 3, 4, None)
    assert sixth == Entry(EventKind.END, "", 5, 1, 4, 5, minute(4))
    assert second.details is not None
    assert second.details.identity == "a-1"


def test_the_timeline_ends_with_end() -> None:
    state = fed(enters("a-1"), message("USER", ""), body(end()), leaves("a-1"), message("USER", ""))
    events = [*lifecycle_entries(state.entries, state.ended_at)]

    assert [(each.kind.value, each.position) for each in events] == [
        ("NA entry", 0),
        ("END_OF_CONVERSATION", 2),
    ]
    assert (state.ended_at, restored(state).ended_at) == (2, 2)


def test_an_entry_knows_its_line_among_all_logs() -> None:
    state = new("c-1")
    apply(state, read_line(json.dumps(enters("a-1")), line=line_number(2, 7)))
    (entry,) = state.entries

    assert (entry.line, entry.line_number) == (7, line_number(2, 7))
    assert (entry.cause.text, entry.cause.place.line) == ("NA entry of a-1", line_number(2, 7))
    assert Entry(EventKind.END, "", 0).line is None
    assert Entry(EventKind.END, "", 0).cause.text == "END_OF_CONVERSATION"


def test_a_repeat_has_what_is_known_of_its_agent() -> None:
    again = {**transfer("NA entry", "a-1"), "more": 1}
    again["participant"]["customFields"] = {"team": "new"}
    first = {**transfer("NA entry", "a-1")}
    first["participant"]["customFields"] = {"team": "old"}
    state = fed(body(first), body(again))

    assert [each.is_repeat for each in restored(state).entries] == [False, True]
    assert state.entries[0].details == state.entries[1].details
    assert state.connection_count("a-1") == 1


# Details.


def named(name: str) -> dict[str, Any]:
    event = transfer("WARM entry", "a-2")
    return body(event | {"participant": event["participant"] | {"name": name}})


def test_entries_have_the_details_of_their_time_and_share_them() -> None:
    state = fed(enters("a-1"), *map(named, ("Bo", "Bo", "Bob", "Bo")))

    names = [each.details and each.details.name for each in state.entries]
    assert names[1:] == ["Bo", "Bo", "Bob", "Bo"]
    assert state.entries[1].details is state.entries[2].details
    saved = entries_to_json(state.entries)
    assert len(saved["details"]) == 3
    assert [each[-1] for each in saved["rows"]] == [0, 1, 1, 2, 1]
    assert entries_from_json(json.loads(json.dumps(saved))) == state.entries
    assert dump(fed(named("Bo"), state=restored(state))) == dump(fed(named("Bo"), state=state))


# Runs of messages.


def test_a_run_has_the_times_of_its_first_and_its_last_message() -> None:
    user = message("USER", "")
    for first in (5, None):
        state = fed(at(1, body({"name": "ELSE"})), at(first, user), at(6, user), at(7, user))
        _, run = restored(state).entries
        assert run == Entry(USER, "", 1, 3, 1, 2, minute(first), minute(7))


def test_a_run_ends_where_another_author_writes_or_another_event_comes() -> None:
    user, agent = message("USER", ""), message("AGENT", "a-1")
    state = fed(user, body({"name": "ELSE"}), user, enters("a-1"), agent, agent)
    fed(
        message("AGENT", "a-9"),
        message("AGENT", ""),
        {**message("", ""), "author": {}},
        user,
        state=state,
    )

    assert [each[:4] for each in restored(state).entries] == [
        (USER, "", 0, 1),
        (UNREADABLE, "", 1, 1),
        (USER, "", 2, 1),
        (EventKind.NA_ENTRY, "a-1", 3, 1),
        (AGENT, "a-1", 4, 2),
        (AGENT, "a-9", 6, 1),
        (EventKind.MESSAGE, "", 7, 2),
        (USER, "", 9, 1),
    ]
    assert (state.messages, state.runs) == (8, 6)


def test_a_message_that_shares_its_delivery_begins_a_run() -> None:
    said = message("AGENT", "a-1")
    state = fed(enters("a-1"), said, said, {**said, "events": [transfer("NA exit", "a-1")]})

    assert outline(restored(state))[1:] == [
        (AGENT, "a-1", 1, 2, 1),
        (AGENT, "a-1", 3, 1, 3),
        (EventKind.NA_EXIT, "a-1", 4, 1, 3),
    ]


def test_messages_after_ten_thousand_runs_are_only_counted() -> None:
    user, agent = message("USER", ""), message("AGENT", "a-1")
    state = fed(enters("a-1"))
    for _ in range(5_000):
        fed(user, agent, state=state)
    fed(
        agent,
        user,
        user,
        agent,
        user,
        message("AGENT", "a-8"),
        message("AGENT", "a-9"),
        state=state,
    )

    assert state.runs == MOST_RUNS == 10_000
    assert [entry[:5] for entry in state.entries[-4:]] == [
        (AGENT, "a-1", 10_000, 2, 10_000),
        (USER, "", 10_002, 3, COUNTED),
        (AGENT, "a-1", 10_004, 1, COUNTED),
        (AGENT, "", 10_006, 2, COUNTED),  # agents whom no lifecycle event has named
    ]
    fed(leaves("a-1"), user, body(end("a-1")), state=state)
    assert outline(state)[-2] == (USER, "", 10_009, 1, COUNTED)
    builder = replay(past_of(restored(state)))
    (segment,) = builder.segments()
    assert (segment.user_messages, segment.agent_messages) == (5_003, 5_002)
    assert (builder.messages, builder.dialogue.is_whole) == (10_008, False)
    assert not any(each.is_counted for each in told_entries(state))


# Times.


def times(state: State) -> list[tuple[datetime | None, datetime | None, bool]]:
    return [(each.received_at, each.last_at, each.is_adjusted) for each in state.entries]


def test_a_time_that_is_earlier_than_the_one_before_is_replaced() -> None:
    state = fed(
        at(1, enters("a-1")), at(2, summary_only()), at(3, summary_only()), at(0, leaves("a-1"))
    )

    assert times(restored(state)) == [
        (minute(1), None, False),
        (minute(2), None, False),
        (minute(3), None, False),
        (minute(3), None, True),
    ]


def summary_only() -> dict[str, Any]:
    return body(summary())


def test_a_time_that_is_ahead_is_taken_back_when_the_next_one_comes() -> None:
    lines = at(1, enters("a-1")), at(59, body(summary(), {"name": "INTERNAL_TRANSFER_EVENT"}))
    state = fed(*lines)
    for each in (restored(state), state):
        fed(at(2, leaves("a-1")), state=each, start=3)
        assert times(each) == [
            (minute(1), None, False),
            (minute(2), None, True),
            (minute(2), None, True),
            (minute(2), None, False),
        ]
        assert each.latest == minute(2)
        restored(each)


@pytest.mark.parametrize("is_stored_elsewhere", [False, True])
def test_the_last_message_of_a_run_may_be_ahead(is_stored_elsewhere: bool) -> None:  # noqa: FBT001
    user = message("USER", "")
    state = fed(at(1, enters("a-1")), at(2, user), at(59, user))
    if is_stored_elsewhere:
        forget_past(state)
    fed(at(3, user), at(4, leaves("a-1")), state=state)

    run = state.entries[-2]
    assert (run.received_at, run.last_at, run.count, run.is_adjusted) == (
        *(minute(2), minute(3), 3),
        False,
    )


def test_events_that_share_a_delivery_have_its_number() -> None:
    state = fed(enters("a-1"), body(summary(), summary()), message("USER", ""), body())
    fed(leaves("a-1"), state=state)

    assert [each.delivery for each in state.entries] == [0, 1, 1, 2, 3]
    assert restored(state).deliveries == 4  # a delivery without events is none


# After END.


def test_events_after_end_are_entries_of_their_own() -> None:
    user = message("USER", "")
    again = at(6, enters("a-2", "redial"))
    state = fed(at(5, body(end())), at(4, user), at(None, user), again, again, at(7, user), again)

    assert outline(restored(state)) == [
        (EventKind.END, "", 0, 1, 0),
        (USER, "", 1, 1, 1),
        (USER, "", 2, 1, 2),
        (EventKind.REDIAL_ENTRY, "a-2", 3, 1, 3),
        (EventKind.REDIAL_ENTRY, "a-2", 4, 1, 4),
        (USER, "", 5, 1, 5),
        (EventKind.REDIAL_ENTRY, "a-2", 6, 1, 6),
    ]
    assert [each.received_at for each in state.entries] == [
        *map(minute, (5, 5, None, 6, 6, 7, 7)),
    ]
    assert [each.is_repeat for each in state.entries[3:]] == [False, True, False, True]
    assert not state.agents
    assert past_of(state).entries == state.entries[:1]


def test_at_most_ten_thousand_events_after_end_are_kept() -> None:
    user = message("USER", "")
    state = fed(body(end()), *[user] * 9_999)
    fed(body({"name": "INTERNAL_TRANSFER_EVENT"}), state=state)
    assert len([*told_entries(state)]) == len(state.entries) == 10_001

    fed(user, body({"name": "INTERNAL_TRANSFER_EVENT"}), state=state)
    assert len(state.entries) == 10_001
    assert restored(state).has_more_after_end
    assert [each.kind for each in told_entries(state)] == [EventKind.END]


# Deliveries that are dropped (SG603).


def test_a_dropped_delivery_is_an_entry_without_positions() -> None:
    twice = body(summary(), summary())
    state = fed(at(1, enters("a-1"), delivery_id="d"), at(2, twice, delivery_id="d"))
    fed(at(3, leaves("a-1")), state=state, start=3)

    entry = Entry(UNREADABLE, "", 1, 2, 1, 2, is_dropped=True)
    assert restored(state).entries[1] == entry
    assert (entry.end, state.position) == (1, 2)
    assert [each[:4] for each in told_entries(state)] == [
        (EventKind.NA_ENTRY, "a-1", 0, 1),
        (UNREADABLE, "", 1, 1),
        (UNREADABLE, "", 1, 1),
        (EventKind.NA_EXIT, "a-1", 1, 1),
    ]


# What judging needs.


def test_the_latest_events_of_agents_are_evidence() -> None:
    state = fed(enters("a-1"), enters("a-2", "WARM"), message("USER", ""), leaves("a-1", "COLD"))
    for each in (state, restored(state)):
        assert [e.position for e in each.latest_events(["a-1", "a-2", "a-9"])] == [1, 3]
        assert each.latest_events([]) == []
        assert each.last is not None
        assert each.last.position == 3
    assert new("c-1").last is None


def test_the_connections_of_each_agent_are_counted() -> None:
    state = fed(
        enters("a-1"),
        *(enters("a-2", "WARM"), leaves("a-2", "WARM"), enters("a-2", "redial")),
        *(leaves("a-1", "COLD"), leaves("a-2")),
    )
    for each in (state, restored(state)):
        assert [each.connection_count(f"a-{number}") for number in (1, 2, 3)] == [1, 2, 0]
        assert [each.agents[f"a-{number}"].left for number in (1, 2)] == [1, 1]


def test_entries_that_nothing_can_change_are_forgotten() -> None:
    user = message("USER", "")
    state = fed(at(1, enters("a-1")), at(2, user), at(3, user), at(4, enters("a-2", "WARM")))
    forget_past(state)
    assert (state.first, [each.position for each in state.entries]) == (2, [3])

    fed(at(4, user), at(4, user), state=state)
    forget_past(state)
    assert (state.first, outline(state)) == (3, [(USER, "", 4, 2, 4)])
    assert [each.position for each in state.latest_events(["a-1", "a-2"])] == [0, 3]
