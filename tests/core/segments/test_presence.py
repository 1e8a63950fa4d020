"""Who opens, closes, reopens and promotes what: §6, rules 1 to 4."""

import pytest
from tests.core.segments.story import Story, built, overview, second, stays

from segue.core.segments import measure


def test_a_standard_conversation_is_one_completed_segment() -> None:
    story = built("NA entry a, NA exit a, summary, END")
    assert overview(story) == ["a NA primary completed: 0 NA - 1 NA"]
    (segment,) = story.segments
    assert segment.connections[0].started_at == second(0)
    assert segment.connections[0].ended_at == second(10)
    assert (segment.previous, segment.consult_of, segment.resumes) == (None, None, None)
    assert segment.promoted_at is None


def test_nothing_has_happened_before_somebody_enters() -> None:
    assert built("user, summary").segments == ()


def test_a_cold_transfer_makes_a_segment_for_each_agent() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, COLD exit b, COLD entry c, NA exit c, END"
    )
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 1 COLD",
        "b COLD primary transferred: 2 COLD - 3 COLD",
        "c COLD primary completed: 4 COLD - 5 NA",
    ]
    assert [segment.index for segment in story.segments] == [0, 1, 2]
    assert [segment.previous for segment in story.segments] == [None, 0, 1]


def test_a_consultant_has_a_segment_of_the_primary_it_helps() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, NA exit a, END")
    assert overview(story) == [
        "a NA primary completed: 0 NA - 3 NA",
        "b WARM consultant consulted: 1 WARM - 2 WARM",
    ]
    assert [segment.consult_of for segment in story.segments] == [None, 0]
    assert [segment.previous for segment in story.segments] == [None, None]


def test_consulting_again_is_a_second_segment() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, WARM entry b, WARM exit b")
    assert overview(story) == [
        "a NA primary open: 0 NA - None None",
        "b WARM consultant consulted: 1 WARM - 2 WARM",
        "b WARM consultant consulted: 3 WARM - 4 WARM",
    ]


def test_a_warm_handoff_promotes_the_only_consultant() -> None:
    story = built("NA entry a, WARM entry b, WARM exit a, NA exit b, END")
    assert overview(story) == [
        "a NA primary handed_off: 0 NA - 2 WARM",
        "b WARM primary completed: 1 WARM - 3 NA",
    ]
    assert [segment.promoted_at for segment in story.segments] == [None, 2]


def test_a_warm_handoff_to_several_promotes_the_one_who_is_left_alone() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM entry c, WARM exit a, WARM exit c, NA exit b, END"
    )
    assert overview(story) == [
        "a NA primary handed_off: 0 NA - 3 WARM",
        "b WARM primary completed: 1 WARM - 5 NA",
        "c WARM consultant consulted: 2 WARM - 4 WARM",
    ]
    assert [segment.promoted_at for segment in story.segments] == [None, 3, None]
    assert [segment.previous for segment in story.segments] == [None, 0, None]
    assert [segment.consult_of for segment in story.segments] == [None, 0, 0]


def test_an_exit_tells_which_of_several_consultants_took_over() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM entry c, WARM exit a, COLD exit c, COLD entry d,"
        " WARM exit b, NA exit d, END"
    )
    assert overview(story) == [
        "a NA primary handed_off: 0 NA - 3 WARM",
        "b WARM consultant consulted: 1 WARM - 6 WARM",
        "c WARM primary transferred: 2 WARM - 4 COLD",
        "d COLD primary completed: 5 COLD - 7 NA",
    ]
    assert [segment.promoted_at for segment in story.segments] == [None, None, 3, None]
    assert [segment.previous for segment in story.segments] == [None, None, 0, 2]


def test_a_later_entry_tells_which_of_several_consultants_took_over() -> None:
    story = built("NA entry a, WARM entry b, WARM entry c, WARM exit a, COLD entry c")
    assert overview(story)[1:] == [
        "b WARM consultant open: 1 WARM - None None",
        "c WARM primary open: 2 WARM - None None",
    ]
    assert [segment.promoted_at for segment in story.segments] == [None, None, 3]


def test_a_role_is_unknown_until_an_event_tells_it() -> None:
    story = built("NA entry a, WARM entry b, WARM entry c, WARM entry d, WARM exit a")
    assert [segment.role for segment in story.segments] == ["primary", None, None, None]

    story.tell("WARM exit c")
    assert [segment.role for segment in story.segments] == ["primary", None, None, None]

    story.tell("WARM entry e, COLD exit d")
    assert [segment.role for segment in story.segments] == [
        "primary",
        "consultant",
        "consultant",
        "primary",
        "consultant",
    ]


def test_a_consultant_who_entered_after_the_handoff_tells_nothing_about_the_others() -> None:
    story = built("NA entry a, WARM entry b, WARM entry c, WARM exit a, WARM entry d, COLD exit d")
    assert [segment.role for segment in story.segments] == ["primary", None, None, "consultant"]


def test_an_agent_who_takes_over_later_tells_nothing_about_the_consultants() -> None:
    story = built("NA entry a, WARM entry b, WARM entry c, WARM exit a, COLD entry d, WARM exit b")
    assert [segment.role for segment in story.segments] == ["primary", None, None, "primary"]
    assert [segment.promoted_at for segment in story.segments] == [None, None, None, None]


def test_a_consultant_who_takes_a_cold_transfer_is_promoted_without_a_new_segment() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, COLD entry b, NA exit b, END")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 2 COLD",
        "b WARM primary completed: 1 WARM - 4 NA",
    ]
    assert story.segments[1].promoted_at == 3
    assert story.segments[1].previous == 0


def test_an_na_entry_by_a_consultant_during_a_transfer_is_a_promotion() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, NA entry b")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 2 COLD",
        "b WARM primary open: 1 WARM - None None",
    ]
    assert story.segments[1].promoted_at == 3


def test_a_redial_adds_a_connection_to_the_segment() -> None:
    story = built("NA entry a, NA exit a, redial entry a, NA exit a, END")
    assert overview(story) == ["a NA primary completed: 0 NA - 1 NA; 2 redial - 3 NA"]
    (segment,) = story.segments
    assert (segment.previous, segment.resumes) == (None, None)


def test_a_redial_by_another_agent_opens_a_segment_that_resumes_the_dropped_one() -> None:
    story = built("NA entry a, NA exit a, redial entry b, NA exit b, END")
    assert overview(story) == [
        "a NA primary dropped: 0 NA - 1 NA",
        "b redial primary completed: 2 redial - 3 NA",
    ]
    assert story.segments[1].resumes == 0
    assert story.segments[1].previous == 0
    assert story.segments[0].resumes is None


def test_a_redial_after_the_summary_resumes_as_well() -> None:
    story = built("NA entry a, NA exit a, summary, redial entry b")
    assert overview(story)[0] == "a NA primary dropped: 0 NA - 1 NA"
    assert story.segments[1].resumes == 0


def test_a_redial_goes_to_the_latest_segment_of_the_agent() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, COLD exit b, COLD entry a, NA exit a, "
        "redial entry a, NA exit a"
    )
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 1 COLD",
        "b COLD primary transferred: 2 COLD - 3 COLD",
        "a COLD primary completed: 4 COLD - 5 NA; 6 redial - 7 NA",
    ]


def test_an_earlier_primary_who_redials_resumes_without_a_new_previous() -> None:
    story = built("NA entry a, COLD exit a, COLD entry b, NA exit b, redial entry a, NA exit a")
    assert overview(story) == [
        "a NA primary completed: 0 NA - 1 COLD; 4 redial - 5 NA",
        "b COLD primary dropped: 2 COLD - 3 NA",
    ]
    assert story.segments[0].resumes == 1
    assert story.segments[0].previous is None


def test_a_former_consultant_who_redials_is_promoted() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, NA exit a, redial entry b, NA exit b")
    assert overview(story) == [
        "a NA primary dropped: 0 NA - 3 NA",
        "b WARM primary completed: 1 WARM - 2 WARM; 4 redial - 5 NA",
    ]
    assert story.segments[1].promoted_at == 4
    assert story.segments[1].previous == 0
    assert story.segments[1].resumes == 0


def test_a_callback_opens_a_redial_segment_that_resumes_nothing() -> None:
    story = built("redial entry a, NA exit a, END")
    assert overview(story) == ["a redial primary completed: 0 redial - 1 NA"]
    assert story.segments[0].resumes is None


def test_a_redial_after_an_abandoned_transfer_resumes_no_drop() -> None:
    story = built("NA entry a, COLD exit a, NA exit a, redial entry b")
    assert overview(story)[0] == "a NA primary abandoned: 0 NA - 1 COLD"
    assert story.segments[1].resumes is None
    assert story.segments[1].previous == 0


def test_a_redial_after_the_exit_of_a_stranger_resumes_the_stranger() -> None:
    story = built("NA entry a, NA exit x, redial entry b")
    assert overview(story) == [
        "a NA primary implied: 0 NA - 1 implied",
        "x None primary dropped: None None - 1 NA",
        "b redial primary open: 2 redial - None None",
    ]
    assert story.segments[2].resumes == 1
    assert story.segments[2].previous == 1


def test_a_redial_without_an_exit_closes_and_opens_at_the_same_event() -> None:
    story = built("NA entry a, redial entry a, NA exit a, END")
    assert overview(story) == ["a NA primary completed: 0 NA - 1 implied; 1 redial - 2 NA"]
    first, second_stay = story.segments[0].connections
    assert first.ended_at == second_stay.started_at == second(10)


def test_a_redial_by_a_present_consultant_is_a_new_connection_of_a_consultant() -> None:
    story = built("NA entry a, WARM entry b, redial entry b, WARM exit b, NA exit a")
    assert overview(story) == [
        "a NA primary completed: 0 NA - 4 NA",
        "b WARM consultant consulted: 1 WARM - 2 implied; 2 redial - 3 WARM",
    ]


def test_a_redial_by_a_consultant_during_a_transfer_is_a_promotion_and_a_connection() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, redial entry b, NA exit b")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 2 COLD",
        "b WARM primary completed: 1 WARM - 3 implied; 3 redial - 4 NA",
    ]
    assert story.segments[1].promoted_at == 3
    assert story.segments[1].resumes is None


def test_who_left_by_cold_exit_and_redials_goes_on_in_the_same_segment() -> None:
    story = built("NA entry a, COLD exit a, redial entry a, NA exit a, END")
    assert overview(story) == ["a NA primary completed: 0 NA - 1 COLD; 2 redial - 3 NA"]


def test_a_transfer_that_comes_back_opens_a_second_segment() -> None:
    story = built("NA entry a, COLD exit a, COLD entry a, NA exit a, END")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 1 COLD",
        "a COLD primary completed: 2 COLD - 3 NA",
    ]
    assert story.segments[1].previous == 0


def test_a_believed_entry_closes_the_connection_of_the_old_primary_as_implied() -> None:
    story = built("NA entry a, NA entry b, NA exit b, END")
    assert overview(story) == [
        "a NA primary implied: 0 NA - 1 implied",
        "b NA primary completed: 1 NA - 2 NA",
    ]
    assert story.segments[0].connections[0].ended_at == second(10)


@pytest.mark.parametrize(
    ("exit_kind", "outcome"), [("NA", "completed"), ("COLD", "transferred"), ("WARM", "handed_off")]
)
def test_a_consumed_exit_says_how_and_when_the_connection_closed(
    exit_kind: str, outcome: str
) -> None:
    story = built(f"NA entry a, COLD entry b, {exit_kind} exit a, NA exit b, END")
    assert overview(story)[0] == f"a NA primary {outcome}: 0 NA - 2 {exit_kind}"
    assert story.segments[0].connections[0].ended_at == second(20)


def test_a_consumed_cold_exit_after_another_agent_released_is_a_transfer() -> None:
    story = built("NA entry a, NA exit x, COLD exit a")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 2 COLD",
        "x None primary completed: None None - 1 NA",
    ]


def test_a_consumed_cold_exit_after_a_redial_by_another_is_a_transfer() -> None:
    story = built("NA entry a, redial entry b, COLD exit a")
    assert overview(story)[0] == "a NA primary transferred: 0 NA - 2 COLD"


def test_a_consumed_na_exit_after_a_redial_by_another_is_a_drop() -> None:
    story = built("NA entry a, redial entry b, NA exit a")
    assert overview(story)[0] == "a NA primary dropped: 0 NA - 2 NA"
    assert story.segments[1].resumes == 0


@pytest.mark.parametrize("exit_kind", ["NA", "COLD", "WARM"])
def test_a_consumed_exit_of_a_consultant_is_a_consultation(exit_kind: str) -> None:
    story = built("NA entry a, WARM entry b, NA exit a")
    assert overview(story)[1] == "b WARM consultant implied: 1 WARM - 2 implied"
    story.tell(f"{exit_kind} exit b")
    assert overview(story)[1] == f"b WARM consultant consulted: 1 WARM - 3 {exit_kind}"
    assert story.segments[1].connections[0].ended_at == second(30)
    assert measure(story.builder).implied_closures == 0
    assert measure(story.builder).transfers_cold == 0


def test_a_dismissed_consultant_left_by_implication() -> None:
    story = built("NA entry a, WARM entry b, WARM exit x")
    assert overview(story)[1] == "b WARM consultant implied: 1 WARM - 2 implied"


def test_a_consultant_may_leave_by_any_exit() -> None:
    story = built("NA entry a, WARM entry b, redial exit b, WARM entry c, NA exit c")
    assert overview(story)[1:] == [
        "b WARM consultant consulted: 1 WARM - 2 redial",
        "c WARM consultant consulted: 3 WARM - 4 NA",
    ]


def test_a_redial_exit_of_a_stranger_opens_nothing() -> None:
    assert built("redial exit x, END").segments == ()


def test_an_entry_that_changes_nothing_teaches_nothing() -> None:
    story = Story()
    story.tell("NA entry a, WARM entry a")
    assert overview(story) == ["a NA primary open: 0 NA - None None"]


def test_a_repeat_changes_nothing() -> None:
    story = built("NA entry a, NA exit a, redial entry a, redial entry a")
    assert overview(story) == ["a NA primary open: 0 NA - 1 NA; 2 redial - None None"]


def test_somebody_no_event_named_has_a_segment_once_an_exit_names_them() -> None:
    story = built("WARM entry b, WARM exit b")
    assert overview(story) == ["b WARM consultant consulted: 0 WARM - 1 WARM"]
    assert story.segments[0].consult_of is None

    story.tell("NA exit x, END")
    assert overview(story)[1:] == ["x None primary completed: None None - 2 NA"]


def test_somebody_no_event_named_has_a_segment_once_an_entry_names_them() -> None:
    story = built("NA entry a, WARM exit a, COLD entry b, NA exit b, END")
    assert overview(story) == [
        "a NA primary handed_off: 0 NA - 1 WARM",
        "b COLD primary completed: 2 COLD - 3 NA",
    ]
    assert story.segments[1].previous == 0


def test_a_consultant_takes_over_from_somebody_no_event_named() -> None:
    story = built("WARM entry b, WARM exit x, NA exit b, END")
    assert overview(story) == [
        "b WARM primary completed: 0 WARM - 2 NA",
        "x None primary handed_off: None None - 1 WARM",
    ]
    assert story.segments[0].promoted_at == 1
    assert story.segments[0].previous == 1


def test_naming_the_unnamed_by_redial_resumes_nobody() -> None:
    story = built("NA entry a, WARM exit a, redial entry b")
    assert story.segments[1].resumes is None


# Replacements taken back.


def test_who_was_replaced_by_mistake_never_left() -> None:
    story = built("NA entry a, NA entry b, WARM exit b, NA exit a, END")
    assert overview(story) == [
        "a NA primary completed: 0 NA - 3 NA",
        "b NA consultant consulted: 1 NA - 2 WARM",
    ]
    assert story.segments[0].connections[0].ended_at == second(30)
    assert story.segments[1].previous is None
    assert story.segments[1].consult_of == 0


def test_after_a_restored_primary_the_next_one_follows_it() -> None:
    story = built("NA entry a, NA entry b, WARM exit b, COLD exit a, COLD entry c")
    assert story.segments[2].previous == 0
    assert overview(story)[0] == "a NA primary transferred: 0 NA - 3 COLD"


def test_a_mistaken_promotion_is_taken_back() -> None:
    story = built("NA entry a, WARM entry b, COLD entry b, WARM exit b, NA exit a, END")
    assert overview(story) == [
        "a NA primary completed: 0 NA - 4 NA",
        "b WARM consultant consulted: 1 WARM - 3 WARM",
    ]
    assert story.segments[1].promoted_at is None
    assert story.segments[1].previous is None
    assert story.segments[1].consult_of == 0


def test_a_mistaken_redial_by_another_resumes_nothing() -> None:
    story = built("NA entry a, redial entry b, WARM exit b, NA exit a, END")
    assert overview(story) == [
        "a NA primary completed: 0 NA - 3 NA",
        "b redial consultant consulted: 1 redial - 2 WARM",
    ]
    assert story.segments[1].resumes is None


def test_a_former_primary_who_redials_to_consult_was_the_primary_once() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, redial entry a, WARM exit a, NA exit b, END"
    )
    assert overview(story) == [
        "a NA primary consulted: 0 NA - 1 COLD; 3 redial - 4 WARM",
        "b COLD primary completed: 2 COLD - 5 NA",
    ]
    assert story.segments[0].consult_of is None
    assert story.segments[0].resumes is None
    assert story.segments[1].previous == 0


def test_a_former_consultant_who_redials_to_consult_is_promoted_no_more() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM exit b, redial entry b, WARM exit b, NA exit a, END"
    )
    assert overview(story)[1] == ("b WARM consultant consulted: 1 WARM - 2 WARM; 3 redial - 4 WARM")
    assert story.segments[1].promoted_at is None


def test_an_agent_promoted_long_ago_stays_promoted() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM exit a, COLD exit b, COLD entry c, redial entry b, "
        "WARM exit b"
    )
    assert overview(story) == [
        "a NA primary handed_off: 0 NA - 2 WARM",
        "b WARM primary consulted: 1 WARM - 3 COLD; 5 redial - 6 WARM",
        "c COLD primary open: 4 COLD - None None",
    ]
    assert story.segments[1].promoted_at == 2
    assert story.segments[1].previous == 0


# The end.


def test_end_closes_what_is_open_as_implied() -> None:
    story = built("NA entry a, WARM entry b, END")
    assert overview(story) == [
        "a NA primary implied: 0 NA - 2 implied",
        "b WARM consultant implied: 1 WARM - 2 implied",
    ]
    assert story.segments[0].connections[0].ended_at == second(20)


def test_the_close_of_a_log_ends_connections_at_no_event_and_no_time() -> None:
    story = built("NA entry a, WARM entry b").close()
    assert overview(story) == [
        "a NA primary implied: 0 NA - None implied",
        "b WARM consultant implied: 1 WARM - None implied",
    ]
    assert [segment.connections[0].ended_at for segment in story.segments] == [None, None]
    assert not story.segments[0].is_open


def test_a_log_that_stops_early_leaves_everything_open() -> None:
    story = built("NA entry a, WARM entry b").close(partial_end=True)
    assert overview(story) == [
        "a NA primary open: 0 NA - None None",
        "b WARM consultant open: 1 WARM - None None",
    ]
    assert story.segments[0].is_open


def test_a_log_that_stops_early_needs_no_move() -> None:
    story = built("NA entry a")
    story.builder.close(None, partial_end=True)
    assert overview(story) == ["a NA primary open: 0 NA - None None"]


def test_closing_after_end_changes_nothing() -> None:
    story = built("NA entry a, END")
    before, metrics = story.segments, measure(story.builder)
    assert story.close().segments == before
    assert measure(story.builder) == metrics


def test_nothing_after_end_changes_anything() -> None:
    story = built("NA entry a, NA exit a, END")
    before = story.segments
    assert story.tell("redial entry a, COLD entry b, END").segments == before


def test_an_exit_in_doubt_lets_everybody_leave_at_the_summary() -> None:
    story = built("NA entry a, NA entry b, NA exit a, summary, END")
    assert overview(story) == [
        "a NA primary completed: 0 NA - 2 NA",
        "b NA primary implied: 1 NA - 3 implied",
    ]


@pytest.mark.parametrize("last", ["NA exit a", "summary", "END"])
def test_a_transfer_nobody_takes_is_abandoned(last: str) -> None:
    story = built("NA entry a, COLD exit a").tell(last)
    if last == "summary":  # too early: the transfer goes on
        story.close()
    assert overview(story) == ["a NA primary abandoned: 0 NA - 1 COLD"]


def test_a_transfer_under_way_may_still_be_taken() -> None:
    story = built("NA entry a, COLD exit a")
    assert overview(story) == ["a NA primary transferred: 0 NA - 1 COLD"]
    story.close(partial_end=True)
    assert overview(story) == ["a NA primary transferred: 0 NA - 1 COLD"]


def test_the_close_of_a_log_abandons_a_transfer() -> None:
    story = built("NA entry a, COLD exit a").close()
    assert overview(story) == ["a NA primary abandoned: 0 NA - 1 COLD"]


def test_a_consultant_who_stays_to_the_end_took_over() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, NA exit b, END")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 2 COLD",
        "b WARM primary completed: 1 WARM - 3 NA",
    ]
    assert story.segments[1].promoted_at == 2
    assert (story.segments[1].previous, story.segments[1].consult_of) == (0, 0)


def test_a_consultant_who_leaves_by_warm_exit_does_not_take_over() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, WARM exit b, NA exit a")
    assert overview(story) == [
        "a NA primary abandoned: 0 NA - 2 COLD",
        "b WARM consultant consulted: 1 WARM - 3 WARM",
    ]
    assert story.segments[1].promoted_at is None


def test_one_of_two_consultants_who_stay_does_not_take_over() -> None:
    story = built("NA entry a, WARM entry b, WARM entry c, COLD exit a, NA exit b, END")
    assert overview(story) == [
        "a NA primary abandoned: 0 NA - 3 COLD",
        "b WARM consultant consulted: 1 WARM - 4 NA",
        "c WARM consultant implied: 2 WARM - 4 implied",
    ]


def test_who_took_over_by_a_stranger_s_exit_follows_the_stranger() -> None:
    story = built("NA entry a, WARM entry b, COLD exit x, NA exit b, COLD exit a, END")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 4 COLD",
        "b WARM primary completed: 1 WARM - 3 NA",
        "x None primary transferred: None None - 2 COLD",
    ]
    assert [segment.previous for segment in story.segments] == [None, 2, 0]
    assert measure(story.builder).transfers_cold == 1


def test_a_transfer_during_which_a_consultant_comes_was_taken_by_somebody() -> None:
    story = built("NA entry a, COLD exit a, WARM entry c")
    assert overview(story)[0] == "a NA primary transferred: 0 NA - 1 COLD"


def test_a_cold_exit_of_a_stranger_excuses_the_primary() -> None:
    story = built("NA entry a, COLD exit x, COLD entry b, COLD exit a")
    assert overview(story)[0] == "a NA primary transferred: 0 NA - 3 COLD"


def test_a_cold_exit_of_a_stranger_that_nobody_takes_is_not_the_primarys() -> None:
    story = built("NA entry a, COLD exit x, NA exit x, COLD exit a")
    assert overview(story) == [
        "a NA primary transferred: 0 NA - 3 COLD",
        "x None primary abandoned: None None - 1 COLD",
    ]


def test_an_old_transfer_is_not_abandoned_by_a_new_one() -> None:
    story = built("NA entry a, WARM exit a, COLD exit x, NA exit x, END")
    assert overview(story) == [
        "a NA primary handed_off: 0 NA - 1 WARM",
        "x None primary abandoned: None None - 2 COLD",
    ]


def test_a_log_that_begins_late_knows_who_enters_or_leaves() -> None:
    story = Story(midway=True).tell("COLD exit a, COLD entry b, NA exit b, END")
    assert overview(story) == [
        "a None primary transferred: None None - 0 COLD",
        "b COLD primary completed: 1 COLD - 2 NA",
    ]
    assert [segment.previous for segment in story.segments] == [None, 0]


def test_a_redial_resumes_the_segment_of_an_agent_who_was_only_seen_leaving() -> None:
    story = built("NA exit a, redial entry b, NA exit b")

    assert overview(story) == [
        "a None primary dropped: None None - 0 NA",
        "b redial primary completed: 1 redial - 2 NA",
    ]
    assert story.segments[1].resumes == 0


# Many agents.


def test_many_agents_are_told_apart() -> None:
    story = Story().tell("NA entry a0")
    for number in range(40):
        story.tell(f"COLD exit a{number}, COLD entry a{number + 1}, agent a{number}, user")
    story.tell("NA exit a40, redial entry a3, redial entry a3, agent a3, NA exit a3")
    segments = story.segments
    assert story.builder.by_agent
    assert len(segments) == 41
    assert [segment.agent_messages for segment in segments[:5]] == [1, 1, 1, 2, 1]
    assert [segment.user_messages for segment in segments] == [0] + [1] * 40
    assert stays(segments[3])[-1].endswith("NA")
    assert len(segments[3].connections) == 2
    assert segments[3].resumes == 40
    assert story.builder.latest("a7") is story.builder.open_segments[7]
    assert story.builder.latest("b") is None
