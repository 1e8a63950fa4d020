from __future__ import annotations

import pytest
from tests.core.transcription.story import Story, remarks

from segue.core.transcription import Session, contradictions, saw_cold_exit
from segue.core.transcription.consistency import Contradiction


def test_nothing_is_said_of_a_conversation_without_transcription() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "WARM entry a-3",
            "WARM exit a-3",
            "COLD exit a-1",
            "COLD entry a-2",
            "NA exit a-2",
        )
        == []
    )


def test_nothing_is_said_of_a_conversation_whose_only_action_was_refused() -> None:
    story = Story("NA entry a-1", "pause handover=true a-9", "COLD exit a-1", believe=False)

    assert story.codes == ["SG401"]
    assert story.remarks() == []


def test_a_transfer_with_a_handover_pause_fits() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "start a-1",
            "pause handover=true a-1",
            "COLD exit a-1",
            "COLD entry a-2",
            "start a-2",
            "end a-2",
            "NA exit a-2",
        )
        == []
    )


def test_a_consult_on_hold_and_a_conference_while_active_fit() -> None:
    consult = ("pause handover=false a-1", "WARM entry a-2", "WARM exit a-2", "resume a-1")
    conference = ("WARM entry a-3", "WARM exit a-3")

    assert remarks("NA entry a-1", "start a-1", *consult, *conference, "end a-1") == []


# SG403


def test_an_agent_the_conversation_never_had_is_reported_once_at_its_first_action() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "pause handover=false a-9",
        "resume a-8",
        "pause handover=false a-9",
        "end a-8",
    ) == ["SG403 action 1", "SG403 action 2"]


def test_an_agent_who_comes_in_after_its_action_is_known() -> None:
    assert remarks("start a-1", "end a-1", "NA entry a-1") == []


def test_a_repeat_is_no_second_first_action() -> None:
    assert remarks("start a-9", "start a-9", "end a-9") == ["SG403 action 0"]


def test_an_action_without_an_agent_is_evidence_of_nothing() -> None:
    assert remarks("start ", "pause handover=true ", "end ") == []


def test_an_absent_agent_is_shown_with_what_it_sent() -> None:
    story = Story("pause handover=true a-9", "end a-9")
    assert story.session is not None

    first = contradictions(story.session, {"a-1"}.__contains__, {"a-9": 0}.__getitem__)

    assert [found.action and found.action.position for found in first] == [0]
    assert first == [
        Contradiction(
            "SG403", None, first[0].action, {"action": "pause handover=true", "agent": "a-9"}
        ),
    ]


# SG404


def test_a_cold_exit_while_active_lacks_the_handover_pause() -> None:
    assert remarks("NA entry a-1", "start a-1", "COLD exit a-1", "COLD entry a-2", "end a-2") == [
        "SG404 event 1"
    ]


def test_a_handover_pause_that_comes_late_in_the_same_stay_counts() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "start a-1",
            "COLD exit a-1",
            "COLD entry a-2",
            "pause handover=true a-1",
            "start a-2",
            "end a-2",
        )
        == []
    )


def test_a_handover_pause_before_a_resume_in_the_same_stay_counts() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "start a-1",
            "pause handover=true a-1",
            "resume a-1",
            "COLD exit a-1",
            "end a-1",
        )
        == []
    )


def test_a_handover_pause_of_the_next_stay_is_too_late() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "COLD exit a-1",
        "COLD entry a-1",
        "pause handover=true a-1",
        "COLD exit a-1",
        "end a-1",
    ) == ["SG404 event 1"]


def test_a_handover_pause_of_an_earlier_stay_is_used_up() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "pause handover=true a-1",
        "COLD exit a-1",
        "COLD entry a-1",
        "resume a-1",
        "COLD exit a-1",
        "end a-1",
    ) == ["SG404 event 3"]


def test_a_late_handover_pause_of_another_agent_does_not_count() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "COLD exit a-1",
        "COLD entry a-2",
        "pause handover=true a-2",
        "COLD exit a-2",
        "end a-2",
    ) == ["SG404 event 1"]


def test_a_late_hold_does_not_announce_a_transfer() -> None:
    assert remarks(
        "NA entry a-1", "start a-1", "COLD exit a-1", "pause handover=false a-1", "end a-1"
    ) == ["SG404 event 1"]


@pytest.mark.parametrize(
    "actions",
    [(), ("start a-1", "end a-1"), ("start a-1", "pause handover=true a-1")],
    ids=["idle", "ended", "handover"],
)
def test_a_cold_exit_fits_any_state_that_transcribes_nothing(actions: tuple[str, ...]) -> None:
    story = Story(
        "NA entry a-1", *actions, "COLD exit a-1", "start a-2", "end a-2", "WARM entry a-2"
    )

    assert story.remarks() == []


# SG405


def test_a_warm_exit_answers_a_handover_pause() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "start a-1",
            "pause handover=true a-1",
            "WARM entry a-2",
            "resume a-2",
            "WARM exit a-1",
            "end a-2",
            "NA exit a-2",
        )
        == []
    )


def test_an_exit_of_an_earlier_stay_does_not_answer_a_handover_pause() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "pause handover=true a-1",
        "COLD exit a-1",
        "COLD entry a-1",
        "resume a-1",
        "pause handover=true a-1",
        "resume a-1",
        "end a-1",
        "NA exit a-1",
    ) == ["SG405 action 3"]


def test_a_handover_pause_before_the_entry_is_answered_by_the_exit() -> None:
    assert remarks("start a-1", "pause handover=true a-1", "NA entry a-1", "COLD exit a-1") == [
        "SG407"
    ]


def test_a_handover_pause_without_a_cold_exit_is_noted() -> None:
    assert remarks(
        "NA entry a-1", "start a-1", "pause handover=true a-1", "resume a-1", "end a-1"
    ) == ["SG405 action 1"]


def test_each_handover_pause_without_a_cold_exit_is_noted_but_no_repeat() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "pause handover=true a-1",
        "pause handover=true a-1",
        "resume a-1",
        "pause handover=true a-1",
        "end a-1",
    ) == ["SG405 action 1", "SG405 action 4"]


def test_the_cold_exit_of_another_agent_does_not_answer_a_handover_pause() -> None:
    assert remarks(
        "NA entry a-1", "start a-1", "pause handover=true a-1", "COLD exit a-2", "end a-1"
    ) == ["SG405 action 1"]


def test_a_cold_exit_before_all_actions_answers_a_handover_pause() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "COLD exit a-1",
            "COLD entry a-2",
            "start a-1",
            "pause handover=true a-1",
            "start a-2",
            "end a-2",
        )
        == []
    )


def test_a_cold_exit_long_after_answers_a_handover_pause() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "start a-1",
            "pause handover=true a-1",
            "resume a-1",
            "end a-1",
            "COLD exit a-1",
        )
        == []
    )


# SG406


def test_a_cold_exit_on_hold_contradicts_the_hold() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "pause handover=false a-1",
        "COLD exit a-1",
        "COLD entry a-2",
        "resume a-2",
        "end a-2",
    ) == ["SG406 event 1"]


def test_a_hold_that_becomes_a_handover_late_in_the_same_stay_fits() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "start a-1",
            "pause handover=false a-1",
            "COLD exit a-1",
            "pause handover=true a-1",
            "start a-2",
            "COLD entry a-2",
            "end a-2",
        )
        == []
    )


def test_a_hold_that_becomes_a_handover_in_the_next_stay_does_not_fit() -> None:
    assert remarks(
        "NA entry a-1",
        "start a-1",
        "pause handover=false a-1",
        "COLD exit a-1",
        "COLD entry a-1",
        "pause handover=true a-1",
        "end a-1",
    ) == ["SG405 action 2", "SG406 event 1"]


def test_a_consult_in_a_handover_is_a_warm_transfer() -> None:
    assert (
        remarks(
            "NA entry a-1",
            "start a-1",
            "pause handover=true a-1",
            "WARM entry a-2",
            "COLD exit a-1",
            "start a-2",
            "end a-2",
        )
        == []
    )


# SG407


@pytest.mark.parametrize(
    ("actions", "is_open"),
    [
        (("start a-1",), True),
        (("start a-1", "pause handover=false a-1"), True),
        (("start a-1", "pause handover=true a-1"), True),
        (("start a-1", "end a-1"), False),
        (("start a-1", "end a-1", "start a-1"), True),
    ],
)
def test_what_is_not_ended_is_open_at_the_end(
    actions: tuple[str, ...],
    *,
    is_open: bool,
) -> None:
    assert ("SG407" in remarks("NA entry a-1", *actions)) == is_open


@pytest.mark.parametrize("state", ["active", "hold", "handover"])
def test_what_is_open_is_named(state: str) -> None:
    pauses = {"hold": ["pause handover=false a-1"], "handover": ["pause handover=true a-1"]}
    story = Story("NA entry a-1", "start a-1", *pauses.get(state, []))
    assert story.session is not None

    last = contradictions(story.session, {"a-1"}.__contains__, {"a-1": 1}.__getitem__)[-1]

    assert last == Contradiction("SG407", None, None, {"state": state})


# All together


def test_remarks_stand_in_order_of_code_and_then_position() -> None:
    assert remarks(
        "NA entry a-1",  # event 0
        "start a-9",  # action 0
        "COLD exit a-1",
        "COLD entry a-2",
        "pause handover=false a-2",  # action 1
        "COLD exit a-2",
        "COLD entry a-1",
        "resume a-8",  # action 2
        "COLD exit a-1",
        "COLD entry a-3",
        "pause handover=true a-3",  # action 3
        "WARM entry a-4",
    ) == [
        "SG403 action 0",
        "SG403 action 2",
        "SG404 event 1",
        "SG404 event 5",
        "SG405 action 3",
        "SG406 event 3",
        "SG407",
    ]


def test_a_misfit_is_shown_with_the_state_it_came_in() -> None:
    story = Story("NA entry a-1", "start a-1", "COLD exit a-1", "end a-1")
    assert story.session is not None

    (remark,) = contradictions(story.session, {"a-1"}.__contains__, {"a-1": 1}.__getitem__)

    assert remark == Contradiction(
        "SG404", 1, None, {"agent": "a-1", "state": "active", "what": "COLD exit"}
    )


def test_events_that_fit_leave_no_trace() -> None:
    session = Session()

    saw_cold_exit(session, "a-1", 1, 0)

    assert session == Session()
