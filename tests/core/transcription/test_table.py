from __future__ import annotations

from itertools import product

import pytest
from tests.core.transcription.page import (
    PAGES,
    SENT,
    differences,
    misbehaviours,
    send,
    session_in,
    successors,
)
from tests.families import family

from segue.core.events import ActionKind
from segue.core.transcription import AllowedAction, Moment, TranscriptionState, allowed_labels
from segue.core.transcription.table import Command, classify

CELLS = [(ended, *cell) for ended, (_, page) in PAGES.items() for cell in page]

START = AllowedAction("start", None, "any")
BY_ANOTHER = AllowedAction("start", None, "not-controller")
BY_THOSE_LEFT = AllowedAction("start", None, ("a-2", "a-3"))
HOLD = AllowedAction("pause", handover=False, agents="any")
HANDOVER = AllowedAction("pause", handover=True, agents="any")
RESUME = AllowedAction("resume", None, "any")
RESUME_BY_THOSE_LEFT = AllowedAction("resume", None, ("a-2", "a-3"))
END = AllowedAction("end", None, "any")

ALLOWED = {
    "idle": (START,),
    "active": (HOLD, HANDOVER, END),
    "hold": (HANDOVER, RESUME, END),
    "handover": (BY_ANOTHER, RESUME, END),
    "ended": (START,),
}
ALLOWED_WITH_SUCCESSORS = {
    **ALLOWED,
    "active": (BY_THOSE_LEFT, HOLD, HANDOVER, RESUME_BY_THOSE_LEFT, END),
    "hold": (BY_THOSE_LEFT, HANDOVER, RESUME, END),
}
ALLOWED_AFTER_END = {"idle": (), "active": (END,), "hold": (END,), "handover": (END,), "ended": ()}


@pytest.mark.parametrize("ended", [False, True])
def test_the_page_names_every_cell_of_the_table(*, ended: bool) -> None:
    table, page = PAGES[ended]
    cells = {(state, command) for state, row in table.items() for command in row}

    assert cells == set(page) == set(product(TranscriptionState, Command))


def test_nothing_differs_from_the_page() -> None:
    assert differences() == set()
    assert misbehaviours() == set()


@family(("ended", "state", "command"), CELLS)
def test_a_log_goes_on_with_what_happened(state: str, command: str, *, ended: bool) -> None:
    code, to = PAGES[ended][1][state, command]
    for sent in SENT[command]:
        session = session_in(state)
        position, actions = session.position, list(session.actions)

        outcome = send(session, command, sent, believe=True, ended=ended)

        assert outcome.code == code
        assert (outcome.state_before, outcome.state, session.state) == (state, to, to)
        assert (outcome.position, session.position) == (position, position + 1)
        if code == "SG402":
            assert session.actions == actions
        else:
            assert session.actions[-1].agent == sent[1]


@family(("ended", "state", "command"), CELLS)
def test_a_live_action_is_taken_if_allowed_and_else_changes_nothing(
    state: str, command: str, *, ended: bool
) -> None:
    code, to = PAGES[ended][1][state, command]
    for sent in SENT[command]:
        session = session_in(state)

        outcome = send(session, command, sent, believe=False, ended=ended)

        if code is None:
            assert (outcome.code, outcome.state, outcome.is_refused) == (None, to, False)
            is_same = (state, command) in {("active", "succeed"), ("active", "succeed by resume")}
            assert outcome.changed
            assert is_same == (outcome.state == outcome.state_before)
        elif code == "SG402":
            assert (outcome.code, outcome.changed, outcome.is_refused) == ("SG402", False, False)
            assert session.position == outcome.position + 1
        else:
            assert (outcome.code, outcome.changed, outcome.state) == (code, False, state)
            assert outcome.is_refused
            assert outcome.position == session.position
            assert session == session_in(state)


@pytest.mark.parametrize("state", TranscriptionState)
def test_what_is_allowed_says_to_whom(state: TranscriptionState) -> None:
    session = session_in(state)
    left = ("a-2", "a-3")

    assert session.allowed(Moment()) == ALLOWED[state]
    assert session.allowed(Moment(successors=left)) == ALLOWED_WITH_SUCCESSORS[state]
    assert session.allowed(Moment(has_ended=True)) == ALLOWED_AFTER_END[state]


def test_what_is_allowed_is_plain_json() -> None:
    assert [each.to_dict() for each in (BY_ANOTHER, BY_THOSE_LEFT, HANDOVER)] == [
        {"action": "start", "handover": None, "agents": "not-controller"},
        {"action": "start", "handover": None, "agents": ["a-2", "a-3"]},
        {"action": "pause", "handover": True, "agents": "any"},
    ]


@family(("ended", "state", "command"), CELLS)
def test_what_is_allowed_is_what_is_not_refused(state: str, command: str, *, ended: bool) -> None:
    for kind, agent in SENT[command]:
        session = session_in(state)
        moment = Moment(1, ended, successors=successors(command))
        listed = {
            (each.action, each.handover)
            for each in session.allowed(moment)
            if each.agents == "any"
            or (each.agents == "not-controller" and agent != session.controller)
            or agent in each.agents
        }

        outcome = session.apply(kind, agent, moment, enforce=True)

        assert ((kind.action, kind.handover) in listed) == (outcome.code is None)
        assert (kind.value in outcome.expected) == (outcome.code is None)


@pytest.mark.parametrize(
    ("action", "controller", "command"),
    [
        ((ActionKind.START, "a-1"), "", "start"),
        ((ActionKind.START, "a-1"), "a-1", "restart"),
        ((ActionKind.START, "a-2"), "a-1", "start"),
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
    assert classify(*action, controller, ("a-8", "a-9")) is Command(command)


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        (ActionKind.START, "succeed"),
        (ActionKind.RESUME, "succeed by resume"),
        (ActionKind.PAUSE, "hold"),
        (ActionKind.HANDOVER, "handover"),
        (ActionKind.END, "end"),
    ],
)
def test_who_is_left_succeeds_by_start_or_resume(kind: ActionKind, command: str) -> None:
    assert classify(kind, "a-2", "a-1", ("a-2", "a-3")) is Command(command)


def test_labels_are_those_of_one_agent() -> None:
    row = PAGES[False][0][TranscriptionState.HANDOVER]

    assert allowed_labels(row, "a-1", "a-1") == ("resume", "end")
    assert allowed_labels(row, "a-2", "a-1") == ("start", "resume", "end")


def test_a_command_is_labelled_as_the_action_that_gives_it() -> None:
    for command, sent in SENT.items():
        assert {kind.value for kind, _ in sent} == {Command(command).label}
