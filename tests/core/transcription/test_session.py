from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.core.transcription.page import SENT, send, session_in
from tests.core.transcription.story import Story

from segue.core.events import ActionKind
from segue.core.transcription import Moment, Session, StateInterval, TranscriptionState

NINE, TEN, ELEVEN, NOON = (datetime(2026, 3, 2, hour, tzinfo=UTC) for hour in (9, 10, 11, 12))


def _session(story: Story) -> Session:
    assert story.session is not None
    return story.session


def test_a_session_begins_idle_without_controller_or_generation() -> None:
    session = Session()

    assert session.state is TranscriptionState.IDLE
    assert session.to_dict() == {
        "state": "idle",
        "controller": None,
        "generation": 0,
        "actions": 0,
    }


def test_a_conversation_without_actions_is_told_as_idle() -> None:
    assert Session().to_dict() == Session().to_dict()


def test_a_plain_transcription_gives_nothing_to_report() -> None:
    story = Story(
        "start a-1",
        "pause handover=false a-1",
        "resume a-1",
        "pause handover=true a-1",
        "start a-2",
        "end a-2",
    )

    assert story.codes == [None] * 6
    assert [outcome.state for outcome in story.outcomes] == [
        "active",
        "hold",
        "active",
        "handover",
        "active",
        "ended",
    ]
    assert [outcome.position for outcome in story.outcomes] == [0, 1, 2, 3, 4, 5]
    assert all(outcome.changed for outcome in story.outcomes)
    assert _session(story).to_dict() == {
        "state": "ended",
        "controller": "a-2",
        "generation": 1,
        "actions": 6,
    }


def test_whoever_starts_or_resumes_controls_and_whoever_pauses_or_ends_does_not() -> None:
    controllers = []
    story = Story()
    for line in (
        "start a-1",
        "pause handover=false a-2",
        "resume a-3",
        "pause handover=true a-2",
        "start a-4",
        "end a-5",
    ):
        story.tell(line)
        controllers.append(_session(story).controller)

    assert story.codes == [None] * 6
    assert controllers == ["a-1", "a-1", "a-3", "a-3", "a-4", "a-4"]


def test_a_handover_is_taken_over_by_a_start_of_another_agent_only() -> None:
    assert Story("start a-1", "pause handover=true a-1", "start a-2").codes[-1] is None
    assert Story("start a-1", "pause handover=true a-1", "start a-1").codes[-1] == "SG401"


def test_who_pauses_is_not_who_controls() -> None:
    story = Story("start a-1", "pause handover=true a-2", "start a-2")

    assert story.codes[-1] is None


def test_a_start_after_an_end_begins_a_new_generation() -> None:
    story = Story("start a-1", "end a-1", "start a-1", "end a-1", "start a-2")

    assert story.codes == [None] * 5
    assert story.generations == [1, 1, 2, 2, 3]


@pytest.mark.parametrize("action", ["resume", "pause handover=true", "pause handover=false"])
def test_what_is_believed_after_an_end_goes_on_with_the_same_generation(action: str) -> None:
    story = Story("start a-1", "end a-1", f"{action} a-1")

    assert story.codes == [None, None, "SG401"]
    assert story.generations[-1] == 1
    assert story.outcomes[-1].changed


@pytest.mark.parametrize(
    ("action", "state"),
    [
        ("resume", "active"),
        ("pause handover=false", "hold"),
        ("pause handover=true", "handover"),
        ("end", "ended"),
    ],
)
def test_what_is_believed_before_any_start_belongs_to_the_first_generation(
    action: str, state: str
) -> None:
    story = Story(f"{action} a-1")

    assert story.codes == ["SG401"]
    assert _session(story).to_dict() == {
        "state": state,
        "controller": "a-1",
        "generation": 1,
        "actions": 1,
    }


def test_a_missing_start_is_one_mistake() -> None:
    story = Story("pause handover=true a-1", "start a-2", "end a-2")

    assert story.codes == ["SG401", None, None]


def test_a_believed_start_passes_control_on() -> None:
    story = Story("start a-1", "start a-2")

    assert story.codes == [None, "SG401"]
    assert (story.outcomes[-1].state, story.generations[-1]) == ("active", 1)
    assert story.outcomes[-1].changed
    assert _session(story).controller == "a-2"


def test_a_believed_pause_of_what_is_paused_changes_nothing_and_counts() -> None:
    story = Story("start a-1", "pause handover=false a-1", "pause handover=false a-2")

    assert story.codes == [None, None, "SG401"]
    assert not story.outcomes[-1].changed
    assert _session(story).position == 3


def test_a_refused_action_says_what_its_agent_could_have_sent() -> None:
    story = Story("start a-1", "pause handover=true a-1", "start a-1", believe=False)
    refused = story.outcomes[-1]

    assert (refused.code, refused.state_before) == ("SG401", "handover")
    assert refused.expected == ("resume", "end")


def test_a_believed_action_says_what_was_allowed() -> None:
    believed = Story("start a-1", "pause handover=true a-1", "start a-1").outcomes[-1]

    assert (believed.state_before, believed.state) == ("handover", "active")
    assert believed.expected == ("resume", "end")


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("believe", [True, False])
@pytest.mark.parametrize("name", SENT)
def test_an_exact_repeat_changes_nothing_and_counts(
    name: str, *, believe: bool, ended: bool
) -> None:
    for action in SENT[name]:
        session = session_in("idle")
        send(session, name, action, believe=True)
        actions = list(session.actions)

        outcome = send(session, name, action, believe=believe, ended=ended)

        assert (outcome.code, outcome.changed, outcome.position) == ("SG402", False, 1)
        assert outcome.state == outcome.state_before == session.state
        assert session.position == 2
        assert session.actions == actions


@pytest.mark.parametrize("believe", [True, False])
def test_a_start_of_what_the_controller_started_changes_nothing(*, believe: bool) -> None:
    story = Story(
        "start a-1", "pause handover=false a-2", "resume a-1", "start a-1", believe=believe
    )

    assert story.codes == [None, None, None, "SG402"]
    assert not story.outcomes[-1].changed
    assert _session(story).to_dict() == {
        "state": "active",
        "controller": "a-1",
        "generation": 1,
        "actions": 4,
    }


def test_a_start_that_changed_nothing_is_not_the_last_action() -> None:
    story = Story("start a-1", "pause handover=false a-1", "resume a-1", "start a-1", "resume a-1")

    assert story.codes == [None, None, None, "SG402", "SG402"]


def test_a_repeat_is_still_one_after_a_repeat() -> None:
    story = Story("start a-1", "start a-1", "start a-1", believe=False)

    assert story.codes == [None, "SG402", "SG402"]
    assert [outcome.position for outcome in story.outcomes] == [0, 1, 2]


def test_a_takeover_is_repeated_by_the_same_start() -> None:
    story = Story("start a-1", "pause handover=true a-1", "start a-2", "start a-2")

    assert story.codes == [None, None, None, "SG402"]


@pytest.mark.parametrize(
    "other",
    ["start a-2", "pause handover=true a-1", "pause handover=false a-2"],
)
def test_another_action_or_agent_or_kind_of_pause_is_no_repeat(other: str) -> None:
    assert "SG402" not in Story("start a-1", "pause handover=false a-1", other).codes


def test_a_refused_action_is_not_remembered() -> None:
    story = Story("start a-1", "resume a-1", "resume a-1", "start a-1", believe=False)

    assert story.codes == [None, "SG401", "SG401", "SG402"]
    assert [outcome.position for outcome in story.outcomes] == [0, 1, 1, 1]
    assert _session(story).position == 2


@pytest.mark.parametrize(
    ("line", "generation"), [("start a-2", 1), ("resume a-2", 1)], ids=["start", "resume"]
)
def test_who_is_left_takes_over_in_the_same_generation(line: str, generation: int) -> None:
    story = Story("NA entry a-1", "WARM entry a-2", "start a-1", "COLD exit a-1", line)

    assert story.codes == [None, None]
    assert story.outcomes[-1].changed
    assert _session(story).to_dict() == {
        "state": "active",
        "controller": "a-2",
        "generation": generation,
        "actions": 2,
    }


def test_after_the_end_of_the_conversation_only_an_end_is_allowed() -> None:
    story = Story("start a-1", "END", "pause handover=false a-1", "end a-1", "end a-2")

    assert story.codes == [None, "SG408", None, "SG401"]
    assert [outcome.expected for outcome in story.outcomes[1:]] == [("end",), ("end",), ()]
    assert [outcome.state for outcome in story.outcomes[1:]] == ["hold", "ended", "ended"]


def test_a_live_start_after_the_end_of_the_conversation_is_refused() -> None:
    story = Story("NA entry a-1", "END", "start a-1", "start a-1", believe=False)

    assert story.codes == ["SG408", "SG408"]
    assert all(outcome.is_refused for outcome in story.outcomes)
    assert _session(story) == Session()


def test_the_times_in_each_state_follow_one_another() -> None:
    session = Session()
    for at, action in (
        (NINE, (ActionKind.START, "a-1")),
        (TEN, (ActionKind.PAUSE, "a-1")),
        (ELEVEN, (ActionKind.PAUSE, "a-2")),  # believed: still on hold
        (None, (ActionKind.RESUME, "a-1")),
        (NOON, (ActionKind.END, "a-1")),
    ):
        session.apply(*action, Moment(1, at=at), enforce=False)

    assert session.intervals() == (
        StateInterval(TranscriptionState.ACTIVE, NINE, TEN),
        StateInterval(TranscriptionState.HOLD, TEN, None),
        StateInterval(TranscriptionState.ACTIVE, None, NOON),
        StateInterval(TranscriptionState.ENDED, NOON, None),
    )


def test_without_actions_there_are_no_times() -> None:
    assert Session().intervals() == ()


def test_of_a_restored_session_only_the_last_action_is_known() -> None:
    session = Session(3)
    session.restore_last(TranscriptionState.HOLD, ActionKind.PAUSE, "a-1")

    assert session.state is TranscriptionState.HOLD
    assert session.last is not None
    assert (session.last.position, session.last.agent) == (2, "a-1")
    assert session.apply(ActionKind.PAUSE, "a-1", Moment(has_ended=True), enforce=True).code == (
        "SG402"
    )
