"""The metrics of §6, every expectation worked out by hand."""

from dataclasses import fields
from datetime import datetime
from typing import Any

import pytest
from tests.core.segments.story import Story, built, second, seconds

from segue.core.segments import Metrics, SegmentBuilder, implied_times, measure, rough_times

GAPS = ("transfer_gap", "drop_gap", "lost_time", "wrapup_time")


def of(story: Story, *names: str) -> list[Any]:
    """Return metrics by name, durations in seconds."""
    values = measure(story.builder).to_dict()
    return [values[name] for name in names]


def estimated(builder: SegmentBuilder, transcription: Any = ()) -> tuple[str, ...]:
    names = implied_times(builder, transcription) | rough_times(builder, transcription)
    return measure(builder, transcription).known(names)


def parts(story: Story) -> list[Any]:
    """Return duration, connected time, and the gaps of transfer, drop, loss, wrap-up."""
    return of(story, "duration", "connected_time", *GAPS)


def spell(state: str, start: float | None, end: float | None) -> tuple[str, Any, Any]:
    def at(value: float | None) -> datetime | None:
        return None if value is None else second(value)

    return (state, at(start), at(end))


def test_a_standard_conversation() -> None:
    story = built("user, NA entry a, agent a, NA exit a, summary, END", [0, 7, 9, 67, 70, 90])
    assert measure(story.builder).to_dict() == {
        "duration": 83.0,
        "connected_time": 60.0,
        "transfer_gap": 0.0,
        "drop_gap": 0.0,
        "lost_time": 0.0,
        "wrapup_time": 23.0,
        "answer_time": 7.0,
        "first_response": 2.0,
        "agent_time": 60.0,
        "overlap_time": 0.0,
        "hold_time": None,
        "talk_time": 60.0,
        "handle_time": 83.0,
        "consult_time": 0.0,
        "ring_time": None,
        "call_time": None,
        "transcription_coverage": None,
        "transfers_cold": 0,
        "transfers_warm": 0,
        "consults": 0,
        "redials": 0,
        "callbacks": 0,
        "max_concurrent_agents": 1,
        "messages": 2,
        "implied_closures": 0,
        "unanswered": False,
        "abandoned": False,
    }


def test_a_conversation_without_events() -> None:
    metrics = measure(Story().builder)
    assert metrics.duration is None
    assert metrics.answer_time is None
    assert metrics.wrapup_time is None
    assert seconds(metrics.connected_time) == 0
    assert metrics.max_concurrent_agents == 0
    assert metrics.messages == 0
    assert estimated(Story().builder) == ()


def test_the_json_has_the_order_of_the_fields() -> None:
    assert list(measure(Story().builder).to_dict()) == [field.name for field in fields(Metrics)]


# The parts of the duration.


def test_the_gap_of_a_transfer_that_is_taken() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, COLD exit b, COLD entry c, NA exit c, END",
        [0, 10, 13, 20, 25, 30, 31],
    )
    assert parts(story) == [31, 22, 8, 0, 0, 1]
    assert of(story, "transfers_cold") == [2]


def test_a_transfer_that_nobody_takes_is_lost_time() -> None:
    story = built("NA entry a, COLD exit a, NA exit a, END", [0, 10, 14, 20])
    assert parts(story) == [20, 10, 0, 0, 4, 6]
    assert of(story, "transfers_cold") == [0]


def test_a_transfer_cut_off_by_end_is_lost_time() -> None:
    story = built("NA entry a, COLD exit a, END", [0, 10, 14])
    assert parts(story) == [14, 10, 0, 0, 4, 0]


def test_somebody_connected_during_a_transfer_is_no_gap() -> None:
    story = built(
        "NA entry a, WARM entry b, COLD exit a, WARM exit b, COLD entry c, NA exit c, END",
        [0, 5, 10, 17, 20, 30, 30],
    )
    assert parts(story) == [30, 27, 3, 0, 0, 0]
    assert of(story, "overlap_time", "consult_time") == [5, 12]


def test_the_gap_of_a_drop_reaches_over_the_summary() -> None:
    story = built(
        "NA entry a, NA exit a, summary, redial entry a, NA exit a, summary, END",
        [0, 10, 12, 17, 20, 26, 30],
    )
    assert parts(story) == [30, 13, 0, 7, 0, 10]
    assert of(story, "handle_time", "redials", "callbacks") == [23, 1, 0]


def test_two_drops_add_up() -> None:
    story = built(
        "NA entry a, NA exit a, redial entry a, NA exit a, redial entry b, NA exit b, END",
        [0, 10, 12, 20, 25, 30, 31],
    )
    assert parts(story) == [31, 23, 0, 7, 0, 1]
    assert of(story, "redials") == [2]


def test_an_abandoned_transfer_and_a_drop_are_told_apart() -> None:
    story = built("NA entry a, COLD exit a, NA exit a, redial entry b, NA exit b, END",
                 [0, 10, 14, 20, 30, 31])  # fmt: skip
    assert parts(story) == [31, 20, 0, 6, 4, 1]


def test_nobody_connected_but_somebody_no_event_named_may_be_lost_time() -> None:
    story = built("NA entry a, WARM exit a, COLD entry b, NA exit b, END", [0, 10, 14, 20, 21])
    assert parts(story) == [21, 16, 0, 0, None, 1]
    story = built("NA entry a, WARM exit a, COLD entry b, NA exit b, END", [0, 10, 10, 20, 21])
    assert parts(story) == [21, 20, 0, 0, 0, 1]


def test_end_while_active_leaves_no_wrapup() -> None:
    story = built("NA entry a, END", [0, 10])
    assert parts(story) == [10, 10, 0, 0, 0, 0]


def test_end_while_waiting_is_a_duration_of_nothing() -> None:
    story = built("user, END", [0, 10])
    assert parts(story) == [0, 0, 0, 0, 0, 0]
    assert of(story, "answer_time", "abandoned") == [None, True]


def test_an_exit_may_begin_the_conversation() -> None:
    story = built("NA exit x, END", [0, 10])
    assert parts(story) == [None, None, 0, 0, 0, 10]
    story = built("COLD exit x, COLD entry a, NA exit a, END", [0, 10, 15, 16])
    assert parts(story) == [None, None, 10, 0, 0, 1]
    assert of(story, "transfers_cold") == [1]


def test_microseconds_are_exact() -> None:
    story = built("NA entry a, NA exit a, redial entry a, NA exit a, END",
                 [0.1, 0.3, 0.7, 1.000001, 1.1])  # fmt: skip
    metrics = measure(story.builder)
    assert metrics.connected_time is not None
    assert metrics.drop_gap is not None
    assert metrics.wrapup_time is not None
    assert metrics.duration == metrics.connected_time + metrics.drop_gap + metrics.wrapup_time
    assert seconds(metrics.connected_time) == 0.500001


# Boundaries without a time.


def test_nothing_has_a_length_without_times() -> None:
    story = built("user, NA entry a, COLD exit a, COLD entry b, NA exit b, redial entry b, "
                 "NA exit b, END", [None] * 8)  # fmt: skip
    assert parts(story) == [None, None, None, None, 0, None]
    assert of(story, "answer_time", "agent_time", "talk_time", "handle_time") == [None] * 4
    assert of(story, "overlap_time", "consult_time", "hold_time") == [0, 0, None]
    assert of(story, "transfers_cold", "redials", "messages", "max_concurrent_agents") == [
        1, 1, 1, 1,
    ]  # fmt: skip


def test_a_metric_needs_the_times_of_its_own_boundaries_only() -> None:
    story = built("NA entry a, COLD exit a, COLD entry b, NA exit b, END", [None, 10, 13, 20, 25])
    assert parts(story) == [None, None, 3, 0, 0, 5]
    story = built("NA entry a, COLD exit a, COLD entry b, NA exit b, END", [0, 10, None, 20, 25])
    assert parts(story) == [25, None, None, 0, 0, 5]
    story = built("NA entry a, NA exit a, END", [0, None, 25])
    assert parts(story) == [25, None, 0, 0, 0, None]
    story = built("NA entry a, NA exit a, END", [0, 20, None])
    assert parts(story) == [None, 20, 0, 0, 0, None]


def test_a_sum_with_an_unknown_part_is_unknown_for_good() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, COLD exit b, COLD entry a, NA exit a, END",
        [0, 10, None, 20, 25, 30, 30],
    )
    assert of(story, "transfer_gap") == [None]


def test_the_union_of_connections_does_not_need_the_times_inside() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, NA exit a, END", [0, None, 7, 10, 10])
    assert of(story, "connected_time", "agent_time", "overlap_time", "consult_time") == [
        10, None, None, None,
    ]  # fmt: skip


def test_an_answer_needs_a_message_before_the_entry_with_a_time() -> None:
    assert of(built("NA entry a, user", [0, 5]), "answer_time") == [None]
    assert of(built("user, user, NA entry a", [None, 5, 9]), "answer_time") == [None]
    assert of(built("user, user, NA entry a", [3, 5, 9]), "answer_time") == [6]
    assert of(built("user, summary, NA entry a", [3, 5, 9]), "answer_time") == [6]
    assert of(built("user, NA entry a", [3, None]), "answer_time") == [None]
    assert of(built("user", [3]), "answer_time") == [None]


# Logs that do not reach END, or do not begin at the beginning.


def test_without_end_there_is_no_duration_and_no_wrapup() -> None:
    story = built("NA entry a, NA exit a, redial entry a, NA exit a", [0, 10, 15, 20])
    assert parts(story.close()) == [None, 15, 0, 5, 0, None]
    assert of(story, "handle_time", "talk_time") == [None, 15]


def test_a_release_that_the_log_leaves_open_may_still_become_a_drop() -> None:
    story = built("NA entry a, NA exit a", [0, 10])
    assert parts(story) == [None, 10, 0, None, 0, None]
    assert parts(story.close(partial_end=True)) == [None, 10, 0, None, 0, None]
    assert parts(story.close()) == [None, 10, 0, 0, 0, None]


def test_a_transfer_that_the_log_leaves_open_may_be_either() -> None:
    story = built("NA entry a, COLD exit a", [0, 10])
    assert parts(story) == [None, 10, None, 0, None, None]
    assert parts(story.close()) == [None, 10, 0, 0, None, None]


def test_nobody_named_at_the_close_is_lost_time_of_unknown_length() -> None:
    story = built("NA entry a, WARM exit a", [0, 10])
    assert parts(story) == [None, 10, 0, 0, None, None]
    assert parts(story.close()) == [None, 10, 0, 0, None, None]


def test_who_is_still_connected_has_no_length() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b", [0, 10, 15])
    assert of(story, "connected_time", "overlap_time", "consult_time") == [None, 5, 5]
    assert of(story.close(), "connected_time", "overlap_time", "consult_time") == [None, 5, 5]


def test_consultants_who_are_still_connected_overlap_without_end() -> None:
    story = built("NA entry a, WARM entry b", [0, 10])
    assert of(story, "overlap_time", "consult_time", "max_concurrent_agents") == [None, None, 2]


def test_a_log_that_begins_late_has_no_sums_from_the_start() -> None:
    story = Story(midway=True).tell("user, WARM entry b, WARM exit b, COLD exit a, COLD entry c, "
                                    "NA exit c, END")  # fmt: skip
    metrics = measure(story.builder, [spell("active", 0, None)])
    names = [
        field.name
        for field in fields(metrics)
        if getattr(metrics, field.name) is None
    ]  # fmt: skip
    assert names == [
        "duration", "connected_time", "transfer_gap", "drop_gap", "lost_time", "answer_time",
        "first_response", "agent_time", "overlap_time", "hold_time", "talk_time", "handle_time",
        "consult_time", "ring_time", "call_time", "transcription_coverage",
    ]  # fmt: skip
    assert seconds(metrics.wrapup_time) == 10
    assert metrics.transfers_cold == 1
    assert metrics.consults == 1


def test_a_log_that_begins_late_does_not_begin_with_a_callback() -> None:
    story = Story(midway=True).tell("redial entry a, NA exit a, END")
    assert of(story, "redials", "callbacks") == [1, 0]


# Several agents.


def test_overlap_counts_two_or_more_once() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM entry c, WARM exit b, WARM exit c, NA exit a, END",
        [0, 10, 20, 30, 40, 50, 50],
    )
    assert of(story, "overlap_time", "consult_time", "agent_time", "connected_time") == [
        30, 30, 90, 50,
    ]  # fmt: skip
    assert of(story, "max_concurrent_agents", "consults") == [3, 2]


def test_consult_time_stops_at_the_promotion() -> None:
    story = built("NA entry a, WARM entry b, WARM exit a, NA exit b, END", [0, 10, 25, 40, 40])
    assert of(story, "consult_time", "overlap_time", "transfers_warm") == [15, 15, 1]
    assert of(story, "consults", "transfers_cold", "agent_time") == [1, 0, 55]


def test_consult_time_stops_when_the_primary_left_the_consultant_who_is_told_later() -> None:
    told = "NA entry a, WARM entry b, WARM entry c, WARM exit a, COLD exit c, WARM exit b"
    story = built(told, [0, 10, 20, 30, 45, 60])
    # b consults from 10 to 60, and c from 20 to 30.
    assert of(story, "consult_time", "transfers_warm") == [50, 1]

    story = built(
        "NA entry a, WARM entry b, WARM entry c, WARM exit a, WARM exit b", [0, 10, 20, 30, 45]
    )
    # b consults from 10 to 45, and c from 20 to 30.
    assert of(story, "consult_time", "transfers_warm") == [35, 1]

    story = built(
        "NA entry a, WARM entry b, WARM entry c, WARM exit a, WARM exit c, NA exit b",
        [0, 10, 20, 30, 30, 60],
    )
    # b consults from 10 to 30, and c from 20 to 30.
    assert of(story, "consult_time", "transfers_warm") == [20, 1]


def test_consult_time_of_a_promotion_without_a_time_is_unknown() -> None:
    story = built("NA entry a, WARM entry b, WARM exit a, NA exit b, END", [0, 10, None, 40, 40])
    assert of(story, "consult_time") == [None]


def test_consult_time_of_an_open_promoted_consultant_is_known() -> None:
    story = built("NA entry a, WARM entry b, WARM exit a", [0, 10, 25])
    assert of(story, "consult_time") == [15]


def test_consult_time_leaves_out_what_came_after_a_promotion_by_redial() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM exit b, NA exit a, redial entry b, NA exit b, END",
        [0, 10, 14, 20, None, 50, 50],
    )
    assert of(story, "consult_time") == [4]


def test_consult_time_of_a_promotion_by_redial_during_a_transfer_stops_there() -> None:
    story = built(
        "NA entry a, WARM entry b, COLD exit a, redial entry b, NA exit b, END",
        [0, 10, 14, 20, 30, 30],
    )
    assert of(story, "consult_time", "implied_closures") == [10, 1]


def test_a_replacement_taken_back_is_consult_time_and_overlap() -> None:
    story = built("NA entry a, NA entry b, WARM exit b, NA exit a, END", [0, 10, 18, 30, 30])
    assert parts(story) == [30, 30, 0, 0, 0, 0]
    assert of(story, "consult_time", "overlap_time", "agent_time") == [8, 8, 38]
    assert of(story, "max_concurrent_agents", "implied_closures", "consults") == [2, 0, 0]
    assert estimated(story.builder) == ()


def test_only_the_last_connection_of_a_former_primary_was_a_consultation() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, redial entry a, WARM exit a, NA exit b, END",
        [0, 10, 12, 20, 27, 30, 30],
    )
    assert of(story, "consult_time", "redials") == [7, 1]


def test_earlier_connections_of_a_former_primary_were_none() -> None:
    story = built(
        "NA entry a, NA exit a, redial entry a, COLD exit a, COLD entry b, redial entry a, "
        "WARM exit a, NA exit b, END",
        [0, 10, 11, 20, 21, 30, 32, 40, 40],
    )
    assert of(story, "consult_time", "redials") == [2, 2]


def test_a_promotion_does_not_reach_into_later_consultations() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM exit a, WARM entry c, WARM exit c, NA exit b, END",
        [0, 10, 15, 20, 22, 30, 30],
    )
    assert of(story, "consult_time") == [5 + 2]


def test_a_redial_without_an_exit_is_one_agent_at_a_time() -> None:
    story = built("NA entry a, redial entry a, NA exit a, END", [0, 10, 20, 20])
    assert parts(story) == [20, 20, 0, 0, 0, 0]
    assert of(story, "max_concurrent_agents", "overlap_time", "redials") == [1, 0, 1]


def test_an_early_cold_entry_is_an_overlap_until_the_exit() -> None:
    story = built("NA entry a, COLD entry b, COLD exit a, NA exit b, END", [0, 10, 12, 20, 20])
    assert of(story, "max_concurrent_agents", "overlap_time", "agent_time") == [2, 2, 22]
    assert of(story, "transfers_cold", "implied_closures") == [1, 0]


# Counts.


def test_a_callback_is_no_redial() -> None:
    story = built("redial entry a, NA exit a, redial entry a, NA exit a, END")
    assert of(story, "callbacks", "redials") == [1, 1]


def test_a_repeated_redial_counts_once() -> None:
    story = built("NA entry a, NA exit a, redial entry a, redial entry a, NA exit a")
    assert of(story, "redials") == [1]


def test_a_cold_exit_of_an_excused_agent_is_a_transfer_to_whoever_replaced_it() -> None:
    assert of(built("NA entry a, NA entry b, COLD exit a"), "transfers_cold") == [1]
    assert of(built("NA entry a, redial entry b, COLD exit a"), "transfers_cold") == [1]
    assert of(built("NA entry a, NA exit x, COLD exit a"), "transfers_cold") == [0]
    assert of(built("NA entry a, COLD entry b, NA exit a"), "transfers_cold") == [1]


def test_transfers_add_up() -> None:
    story = built("NA entry a, COLD entry b, COLD exit a, COLD entry c, COLD exit b")
    assert of(story, "transfers_cold") == [2]
    story = built(
        "NA entry a, WARM entry b, WARM exit a, WARM entry a, WARM exit b, NA exit a, END"
    )
    assert of(story, "transfers_warm") == [2]


def test_one_transfer_with_two_cold_exits_is_one_transfer() -> None:
    story = built("NA entry a, COLD exit x, COLD entry b, COLD exit a")
    assert of(story, "transfers_cold") == [1]


def test_a_transfer_to_somebody_no_event_named_is_a_transfer() -> None:
    assert of(built("NA entry a, COLD exit a, WARM entry b"), "transfers_cold") == [1]


def test_a_cold_exit_of_a_consultant_is_no_transfer() -> None:
    story = built("NA entry a, WARM entry b, COLD exit b, NA exit a")
    assert of(story, "transfers_cold") == [0]


def test_a_former_consultant_by_redial_was_consulted_once() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, NA exit a, redial entry b")
    assert of(story, "consults") == [1]


# Implied closes.


def test_an_implied_close_makes_estimates() -> None:
    story = built("NA entry a, END", [0, 10])
    assert of(story, "implied_closures") == [1]
    assert estimated(story.builder) == (
        "connected_time", "wrapup_time", "agent_time", "talk_time", "handle_time",
    )  # fmt: skip


def test_what_is_not_known_is_not_estimated() -> None:
    story = built("NA entry a, END", [0, None])
    assert estimated(story.builder) == ()


def test_a_redial_without_exit_makes_the_gap_before_it_an_estimate() -> None:
    story = built("NA entry a, redial entry a, NA exit a, END", [0, 30, 60, 70])
    assert of(story, "drop_gap", "connected_time") == [0, 60]
    assert estimated(story.builder) == (
        "connected_time", "drop_gap", "agent_time", "talk_time", "handle_time",
    )  # fmt: skip


def test_coverage_is_estimated_with_the_connections_it_rests_on() -> None:
    story = built("NA entry a, END", [0, 10])
    names = estimated(story.builder, [spell("active", 0, 5), spell("hold", 5, None)])
    assert {"hold_time", "transcription_coverage"} <= {*names}
    assert "hold_time" not in estimated(story.builder, [spell("active", 0, None)])


def test_a_consult_that_closes_as_implied_is_estimated() -> None:
    story = built("NA entry a, WARM entry b, NA exit a, END", [0, 5, 10, 12])
    assert estimated(story.builder) == (
        "connected_time", "wrapup_time", "agent_time", "overlap_time", "talk_time", "handle_time",
        "consult_time",
    )  # fmt: skip


def test_a_consult_that_ended_in_promotion_is_not_estimated() -> None:
    story = built("NA entry a, WARM entry b, WARM exit a, END", [0, 5, 10, 12])
    assert "consult_time" not in estimated(story.builder)


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        ("NA entry a, NA exit x, redial entry b, NA exit b, redial entry b, NA exit b", "drop_gap"),
        ("NA entry a, COLD exit x, COLD entry b, NA exit b", "transfer_gap"),
        ("NA entry a, COLD exit x, NA exit x", "lost_time"),
        ("NA entry a, NA exit x", "wrapup_time"),
    ],
)
def test_a_gap_that_begins_with_an_implied_close_is_estimated(text: str, gap: str) -> None:
    story = built(f"{text}, END")
    assert [name for name in GAPS if name in estimated(story.builder)] == [gap]


def test_a_gap_estimated_twice_is_named_once() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, COLD exit a, COLD entry c, COLD exit a,"
        " COLD entry d, NA exit d, END"
    )
    assert estimated(story.builder).count("transfer_gap") == 1


def test_several_kinds_of_gaps_are_estimated_side_by_side() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, COLD exit a, COLD entry c, NA exit a,"
        " redial entry c, NA exit c, END"
    )
    assert estimated(story.builder)[1:3] == ("transfer_gap", "drop_gap")


def test_an_exit_that_came_after_all_makes_no_estimate() -> None:
    story = built("NA entry a, NA entry b, NA exit a, NA exit b, END")
    assert estimated(story.builder) == ()


# Transcription.


def test_hold_is_not_talk() -> None:
    story = built("NA entry a, NA exit a, redial entry a, NA exit a, END", [10, 30, 40, 60, 70])
    spells = [
        spell("active", 0, 15),
        spell("hold", 15, 18),
        spell("active", 18, 25),
        spell("hold", 25, 45),
        spell("handover", 45, 50),
        spell("active", 50, 100),
        spell("ended", 100, None),
    ]
    metrics = measure(story.builder, spells)
    assert seconds(metrics.hold_time) == 3 + 5 + 5
    assert seconds(metrics.talk_time) == 40 - 13
    assert metrics.transcription_coverage == (5 + 7 + 10) / 40


def test_one_hold_may_reach_over_several_connections() -> None:
    story = built(
        "NA entry a, NA exit a, redial entry a, NA exit a, redial entry a, NA exit a, END",
        [10, 20, 30, 40, 50, 60, 60],
    )
    metrics = measure(story.builder, [spell("hold", 15, 55), spell("active", 55, 58),
                                     spell("hold", 58, None)])  # fmt: skip
    assert seconds(metrics.hold_time) == 5 + 10 + 5 + 2


def test_transcription_that_was_never_stopped_goes_on() -> None:
    story = built("NA entry a, NA exit a, END", [0, 10, 20])
    metrics = measure(story.builder, [spell("active", 5, None)])
    assert metrics.transcription_coverage == 0.5


def test_a_spell_before_the_last_without_a_time_is_unknown() -> None:
    story = built("NA entry a, NA exit a, END", [0, 10, 20])
    metrics = measure(story.builder, [spell("hold", 5, None), spell("active", None, None)])
    assert metrics.hold_time is None
    assert metrics.talk_time is None
    assert metrics.transcription_coverage is None


def test_hold_of_connections_without_times_is_unknown() -> None:
    story = built("NA entry a, NA exit a, END", [0, None, 20])
    metrics = measure(story.builder, [spell("hold", 5, None)])
    assert metrics.hold_time is None
    metrics = measure(story.builder, [spell("active", 5, None)])
    assert seconds(metrics.hold_time) == 0
    assert metrics.talk_time is None
    assert metrics.transcription_coverage is None


def test_there_is_no_coverage_without_connected_time() -> None:
    assert measure(built("NA exit x, END").builder,
                   [spell("active", 0, None)]).transcription_coverage is None  # fmt: skip
    story = built("NA entry a, NA exit a", [5, 5])
    assert measure(story.builder, [spell("active", 0, None)]).transcription_coverage is None


def test_hold_without_a_connection_is_nothing() -> None:
    metrics = measure(built("user, END").builder, [spell("hold", None, None)])
    assert seconds(metrics.hold_time) == 0


def test_times_of_transcription_that_run_backwards_are_clamped() -> None:
    story = built("NA entry a, NA exit a, END", [0, 100, 100])
    metrics = measure(
        story.builder,
        [spell("active", 20, 50), spell("hold", 50, 40), spell("active", 40, 60),
         spell("hold", 60, None)],
    )  # fmt: skip
    assert seconds(metrics.hold_time) == 0 + 40
    assert metrics.transcription_coverage == (30 + 10) / 100
    metrics = measure(story.builder, [spell("active", 60, None), spell("hold", 30, None)])
    assert seconds(metrics.hold_time) == 40


# Exits that come late: the examples of the page, and what is open.


def test_an_agent_who_was_replaced_was_there_until_the_exit_of_its_own() -> None:
    story = built("NA entry a, NA entry b, NA exit b, NA exit a, END", [0, 0, 2, 100, 101])
    assert [seconds(each.connected_time) for each in story.segments] == [100, 2]
    assert parts(story) == [101, 100, 0, 0, 0, 1]
    assert of(story, "agent_time", "overlap_time") == [102, 2]


def test_consultants_were_there_until_the_exits_of_their_own() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM entry c, NA exit a, WARM exit c, NA exit b, END",
        [0, 60, 70, 100, 200, 300, 301],
    )
    assert [seconds(each.connected_time) for each in story.segments] == [100, 240, 130]
    assert parts(story) == [301, 300, 0, 0, 0, 1]
    assert of(story, "overlap_time", "consult_time") == [140, 240]


def test_there_is_no_drop_gap_while_a_consultant_is_there() -> None:
    story = built(
        "NA entry a, WARM entry b, NA exit a, redial entry a, WARM exit b, NA exit a, END",
        [0, 10, 20, 30, 40, 50, 51],
    )
    assert [seconds(each.connected_time) for each in story.segments] == [40, 30]
    assert parts(story) == [51, 50, 0, 0, 0, 1]


def test_a_consultant_who_took_over_consulted_until_the_primary_left() -> None:
    story = built(
        "NA entry a, WARM entry b, COLD exit a, COLD exit b, COLD entry c, NA exit c, END",
        [0, 10, 30, 50, 55, 80, 82],
    )
    assert parts(story) == [82, 75, 5, 0, 0, 2]
    assert of(story, "consult_time", "transfers_cold") == [20, 2]


def test_who_is_there_leaves_no_gap_open() -> None:
    assert parts(built("NA entry a", [0])) == [None, None, 0, 0, 0, None]
    assert parts(built("NA entry a", [0]).close()) == [None, None, 0, 0, 0, None]
