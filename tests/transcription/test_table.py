from __future__ import annotations

from itertools import product

import pytest
from tests.transcription.page import PAGE, SENT, differences, misbehaviours, send, session_in

from segue.events import ActionKind
from segue.transcription import TABLE, Command, TranscriptionState, allowed, classify

ALLOWED_TO_THE_CONTROLLER = {
    "idle": ("start",),
    "active": ("pause handover=false", "pause handover=true", "end"),
    "hold": ("pause handover=true", "resume", "end"),
    "handover": ("resume", "end"),
    "ended": ("start",),
}
ALLOWED_TO_ANOTHER = {**ALLOWED_TO_THE_CONTROLLER, "handover": ("start", "resume", "end")}


def test_the_page_names_every_cell_of_the_table() -> None:
    cells = {(state, command) for state, row in TABLE.items() for command in row}

    assert cells == set(PAGE) == set(product(TranscriptionState, Command))


@pytest.mark.parametrize(("state", "command"), PAGE)
def test_the_cell_is_what_the_page_says(state: str, command: str) -> None:
    may, to = PAGE[state, command]

    cell = TABLE[TranscriptionState(state)][Command(command)]

    assert cell.to == to
    assert cell.code == (None if may else "SG401")


def test_nothing_differs_from_the_page() -> None:
    assert differences() == set()
    assert misbehaviours() == set()


@pytest.mark.parametrize(("state", "command"), PAGE)
def test_a_log_goes_on_with_what_happened(state: str, command: str) -> None:
    may, to = PAGE[state, command]
    for kind, agent in SENT[command]:
        session = session_in(state)
        position = session.position

        outcome = send(session, (kind, agent), believe=True)

        assert outcome.code == (None if may else "SG401")
        assert (outcome.state_before, outcome.state, session.state) == (state, to, to)
        assert (outcome.position, session.position) == (position, position + 1)
        assert session.actions[-1].agent == agent


@pytest.mark.parametrize(("state", "command"), PAGE)
def test_a_live_action_is_taken_if_allowed_and_else_changes_nothing(
    state: str, command: str
) -> None:
    may, to = PAGE[state, command]
    for action in SENT[command]:
        session = session_in(state)

        outcome = send(session, action, believe=False)

        if may:
            assert (outcome.code, outcome.changed, outcome.state) == (None, True, to)
        else:
            assert (outcome.code, outcome.changed, outcome.state) == ("SG401", False, state)
            assert outcome.position == session.position
            assert outcome.allowed == outcome.allowed_before
            assert session == session_in(state)


@pytest.mark.parametrize("state", TranscriptionState)
def test_who_asks_is_told_what_it_may_send(state: TranscriptionState) -> None:
    assert allowed(state, "a-1", "a-1") == ALLOWED_TO_THE_CONTROLLER[state]
    assert allowed(state, "a-2", "a-1") == ALLOWED_TO_ANOTHER[state]
    assert allowed(state, "a-1", "") == ALLOWED_TO_THE_CONTROLLER[state]


def test_what_is_allowed_is_what_is_not_refused() -> None:
    for state, sent in product(
        TranscriptionState, (action for each in SENT.values() for action in each)
    ):
        outcome = send(session_in(state), sent, believe=False)

        assert (sent[0].value in outcome.allowed_before) == (outcome.code is None)


@pytest.mark.parametrize(
    ("action", "controller", "command"),
    [
        ((ActionKind.START, "a-1"), "", "start"),
        ((ActionKind.START, "a-1"), "a-1", "start"),
        ((ActionKind.START, "a-2"), "a-1", "takeover"),
        ((ActionKind.HANDOVER, "a-1"), "a-1", "handover"),
        ((ActionKind.PAUSE, "a-1"), "a-1", "hold"),
        ((ActionKind.RESUME, "a-2"), "a-1", "resume"),
        ((ActionKind.END, "a-2"), "a-1", "end"),
    ],
)
def test_an_action_is_folded_into_a_command(
    action: tuple[ActionKind, str], controller: str, command: str
) -> None:
    assert classify(*action, controller) is Command(command)


def test_a_command_is_labelled_as_the_action_that_gives_it() -> None:
    for command, sent in SENT.items():
        assert {kind.value for kind, _ in sent} == {Command(command).label}
