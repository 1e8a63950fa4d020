"""Figures as mended: ranges that are worked out by hand from the times of the events."""

from datetime import timedelta
from typing import Any

import pytest
from tests.core.explain.timed import START, check, envelope, timed

import segue
from segue.core.conversation import state_of
from segue.core.engine.entry_replay import Past
from segue.core.engine.state import told_entries
from segue.core.events import EventKind
from segue.core.explain import Edit, EditKind, Explanation, Mistake
from segue.core.explain.mended import METRICS, Range, Setting, mended as compute

NULL = None
DURATIONS = (
    "duration", "connected_time", "transfer_gap", "drop_gap", "lost_time", "wrapup_time",
    "overlap_time", "handle_time", "consult_time",
)  # fmt: skip
COUNTS = (
    "transfers_cold", "transfers_warm", "consults", "redials", "callbacks", "max_concurrent_agents",
)  # fmt: skip


def mended(report: segue.Report) -> dict[str, Any]:
    """Return the metrics as mended: a number if exact, a pair for a range, None if unknown."""
    assert report.mended is not None
    return {name: plain(found) for name, found in report.mended.metrics.items()}


def plain(found: Range | None) -> Any:
    if found is None:
        return None
    low, high = (e.total_seconds() if isinstance(e, timedelta) else e for e in found)
    return low if low == high else (low, high)


def figures(**known: Any) -> dict[str, Any]:
    """Return the expected metrics: zero for those that are not given."""
    return dict.fromkeys((*DURATIONS, *COUNTS), 0) | {"max_concurrent_agents": 1} | known


BY_HAND = {
    # a left at some time from 0 to 60
    "lost COLD exit: N+a@0 C+b@60 N-b@180 E@200": figures(
        duration=200, connected_time=(120, 180), transfer_gap=(0, 60), wrapup_time=20,
        handle_time=(140, 200), transfers_cold=1,
    ),
    # b came at some time from 30 to 90
    "lost COLD entry: N+a@0 C-a@30 N-b@90 E@100": figures(
        duration=100, connected_time=(30, 90), transfer_gap=(0, 60), wrapup_time=10,
        handle_time=(40, 100), transfers_cold=1,
    ),
    # nothing says when a came
    "lost NA entry: N-a@100 E@110": figures(
        duration=NULL, connected_time=NULL, wrapup_time=10, handle_time=NULL,
    ),
    # a left at some time from 0 to 100, and the rest is wrap-up
    "lost NA exit: N+a@0 E@100": figures(
        duration=100, connected_time=(0, 100), wrapup_time=(0, 100), handle_time=100,
    ),
    "lost END: N+a@0 N-a@50": figures(
        duration=NULL, connected_time=50, wrapup_time=NULL, handle_time=NULL,
    ),
    "stopped: N+a@0": figures(
        duration=NULL, connected_time=NULL, wrapup_time=NULL, handle_time=NULL,
    ),
    # b and c each left at some time after they came, or one of them never came
    "lost WARM exits: N+a@0 W+b@10 W+c@20 N-a@100 E@110": figures(
        duration=110, connected_time=100, wrapup_time=10, handle_time=110,
        overlap_time=(0, 90), consult_time=(0, 90), consults=(1, 2),
        max_concurrent_agents=(2, 3),
    ),
    "END at a drop: N+a@0 N-a@50 E@55 R+a@80 N-a@140 E@150": figures(
        duration=150, connected_time=110, drop_gap=30, wrapup_time=10, handle_time=120, redials=1,
    ),
    "END at a drop, and never again: N+a@0 N-a@50 E@55 R+a@80 N-a@140": figures(
        duration=NULL, connected_time=110, drop_gap=30, wrapup_time=NULL, handle_time=NULL,
        redials=1,
    ),
    "wrong type: N+a@0 W+b@10 N-b@40 N-a@100 E@110": figures(
        duration=110, connected_time=100, wrapup_time=10, handle_time=110,
        overlap_time=30, consult_time=30, consults=1, max_concurrent_agents=2,
    ),
    "wrong agent: N+a@0 N-b@90 E@100": figures(
        duration=100, connected_time=90, wrapup_time=10, handle_time=100,
    ),
    # either a left from 0 to 60, or b came from 70 to 180
    "swapped: N+a@0 C+b@60 C-a@70 N-b@180 E@200": figures(
        duration=200, connected_time=(70, 180), transfer_gap=(0, 110), wrapup_time=20,
        handle_time=(90, 200), transfers_cold=1,
    ),
    # a left at some time from 0 to 50, or a never came and b was the first
    "took over: N+a@0 N+b@50 N-b@90 E@100": figures(
        duration=(50, 100), connected_time=(40, 90), transfer_gap=(0, 50), wrapup_time=10,
        handle_time=(50, 100), transfers_cold=(0, 1),
    ),
    # a left from 0 to 50 and b from 50 to 90, or b never came and a left from 0 to 90
    "two lost COLD exits: N+a@0 C+b@50 C+c@90 N-c@140 E@150": figures(
        duration=150, connected_time=(50, 140), transfer_gap=(0, 90), wrapup_time=10,
        handle_time=(60, 150), transfers_cold=(1, 2),
    ),
    # the first or the second END is one too many
    "END twice: N+a@0 N-a@50 E@60 E@70": figures(
        duration=(60, 70), connected_time=50, wrapup_time=(10, 20), handle_time=(60, 70),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BY_HAND)
def test_figures_are_ranges_over_the_possible_times(case: str) -> None:
    report = check(timed(case.partition(": ")[2]))

    assert report.explanation == "complete"
    found = mended(report)
    assert {name: found[name] for name in (*DURATIONS, *COUNTS)} == BY_HAND[case]
    assert found["talk_time"] == found["connected_time"]
    assert found.keys() == set(METRICS)


def test_more_than_four_untimed_events_leave_only_what_does_not_depend_on_them() -> None:
    told = "N+a@0 W+b@10 W+c@20 W+d@30 W+e@40 W+f@50 N-a@100 E@110"
    found = mended(check(timed(told)))

    assert (found["duration"], found["connected_time"], found["wrapup_time"]) == (110, 100, 10)
    assert (found["overlap_time"], found["consult_time"], found["agent_time"]) == (None,) * 3


def test_figures_allow_for_explanations_that_are_not_listed() -> None:
    """The fourth other explanation says that a never dialled again."""
    report = check(timed("N+a@0 N-a@50 N-a@60 R+a@80 S@90 E@100"))

    (mistake,) = report.mistakes
    assert mistake.others[:3] == mistake.alternatives
    assert [each.sentence for each in mistake.others[3:]] == [
        "the redial entry of a is one too many (event 3)"
    ]
    assert mended(report)["redials"] == (0, 1)


def test_hold_is_counted_while_somebody_is_connected() -> None:
    """a leaves between 0 and 60, and transcription is on hold from 20 to 40."""

    def action(at: float, name: str) -> dict[str, Any]:
        received_at = (START + timedelta(seconds=at)).isoformat()
        body = {"action": name, "agentId": "a"} | ({"handover": False} if name == "pause" else {})
        here = {"endpoint": "transcription", "conversation_id": "c-1", "bot_id": "st-1"}
        return {"received_at": received_at, **here, "body": body}

    events = [envelope(*each) for each in timed("N+a@0 C+b@60 N-b@180 E@200")]
    actions = [action(5, "start"), action(20, "pause"), action(40, "resume"), action(190, "end")]
    found = mended(segue.check([events[0], *actions[:3], *events[1:3], actions[3], events[3]]))

    assert found["hold_time"] == (0, 20)
    assert found["talk_time"] == (120, 160)


def test_a_segment_has_the_range_of_its_times_and_positions_as_told() -> None:
    report = check(timed("N+a@0 C+b@60 N-b@180 E@200"))
    assert report.mended is not None
    first, second = report.mended.segments

    assert (first.segment.agent, first.segment.outcome) == ("a", "transferred")
    (connection,) = first.segment.connections
    assert (connection.opened_by, connection.closed_by, connection.closed_kind) == (0, None, "COLD")
    assert (connection.started_at, connection.ended_at) == (START, None)
    assert plain(first.connected_time) == plain(first.talk_time) == (0, 60)
    assert (second.segment.agent, plain(second.connected_time)) == ("b", 120)
    assert [each.closed_by for each in second.segment.connections] == [2]


def test_the_times_of_a_segment_allow_for_the_other_explanations() -> None:
    """Either a left before b entered at 30, or b entered after a had left at 31."""
    report = check(timed("N+a@0 C+b@30 C-a@31 N-b@60 E@70"))
    assert report.mended is not None
    first, second = report.mended.segments

    assert (first.segment.agent, plain(first.connected_time)) == ("a", (0, 31))
    assert (second.segment.agent, plain(second.connected_time)) == ("b", (0, 30))


def test_an_agent_whom_no_event_names_has_no_identity() -> None:
    """b consulted with somebody, who entered before and was the last to leave."""
    edits = [
        Edit(EditKind.LOST, None, None, 0, EventKind.NA_ENTRY, None),
        Edit(EditKind.LOST, None, None, 2, EventKind.NA_EXIT, None),
    ]
    state = state_of(check(timed("W+b@0 W-b@50 E@100")))
    mistakes = [
        Mistake(n, "", "", (edit,), (), None, None, None, None, None)
        for n, edit in enumerate(edits, start=1)
    ]
    setting = Setting(Past(state.entries, is_closed=True), transcription=())
    found = compute(told_entries(state), Explanation("complete", tuple(mistakes), ()), setting)

    assert [each.segment.agent for each in found.segments] == ["", "b"]
    assert plain(found.metrics["consult_time"]) == 50
    assert plain(found.metrics["connected_time"]) is None


def test_what_comes_after_the_end_is_told_apart() -> None:
    report = check(timed("N+a@0 N-a@50 E@55 R+a@80 N-a@140 C+b@150 E@170 E@180"))
    first, second = report.after_end

    assert [each.agent for each in report.segments] == ["a"]
    assert report.metrics.duration == timedelta(seconds=55)
    assert (first.agent, first.kind, first.outcome) == ("a", "redial", "completed")
    assert first.connected_time == timedelta(seconds=60)
    (connection,) = first.connections
    assert (connection.opened_by, connection.closed_by) == (3, 4)
    assert (second.agent, second.kind, second.connected_time) == ("b", "COLD", None)
    assert [each["agent"] for each in report.to_dict()["after_end"]] == ["a", "b"]
    assert check(timed("N+a@0 N-a@50 E@55")).after_end == ()


def test_nothing_is_mended_without_an_edit() -> None:
    assert check(timed("N+a@0 N-a@50 E@60")).mended is None
    assert check(timed("N+a@0 N-a@50 E@60 E@70"), policy=segue.Policy(ignore=("SG1",))).mended


def test_an_unreadable_event_is_taken_for_the_missing_one() -> None:
    """a left with the event that cannot be read, between 0 and 60."""
    first, *rest = [envelope(*each) for each in timed("N+a@0 C+b@60 N-b@180 E@200")]
    unread = {"received_at": first["received_at"], "body": {**first["body"], "events": [{}]}}
    found = mended(segue.check([first, unread, *rest]))

    assert (found["connected_time"], found["transfers_cold"]) == ((120, 180), 1)


def test_each_event_of_a_dropped_delivery_is_taken_for_a_missing_one() -> None:
    """A delivery with the id of the one before was the hand-over, at some time from 0 to 180."""
    first, *rest = [envelope(*each) for each in timed("N+a@0 N-b@180 E@200")]
    dropped = {**first, "body": {**first["body"], "events": [{}, {}]}}
    lines = [{**each, "delivery_id": "d-1"} for each in (first, dropped)]
    found = mended(segue.check([*lines, *rest]))

    assert (found["connected_time"], found["transfer_gap"]) == ((0, 180), (0, 180))
    assert (found["transfers_cold"], found["wrapup_time"]) == (1, 20)


def test_a_conversation_that_is_not_explained_is_not_mended() -> None:
    report = check(timed("N+a@0 C+b@60 N-b@180 E@200"))
    report.is_explained = False

    assert report.mended is None
