"""Every move of the table is taken, and every other one is refused."""

from itertools import product
from typing import Any

import pytest
from tests.families import family
from tests.platform.sandbox.test_endpoints import CALLS, connect

from segue.platform.client import SentRequest
from segue.platform.sandbox import Sandbox
from segue.platform.sandbox.moves import KIND_OF, MOVES, TIME, SandboxMove, move_of
from segue.platform.sandbox.requests import RefusedRequest

SPECIFICATION_WORDS = {"campaign": "Active", "contact list": "Ready", "bot import": "success"}


def of(subject: str) -> list[SandboxMove]:
    return [move for move in MOVES if move.subject == subject]


SUBJECTS = sorted({move.subject for move in MOVES})
FORBIDDEN = [
    (subject, state, trigger)
    for subject in SUBJECTS
    for state, trigger in product(
        sorted(
            {each for move in MOVES if move.subject == subject for each in (move.state, move.next)}
        ),
        sorted({move.trigger for move in of(subject)}),
    )
    if not any(
        (move.subject, move.state, move.trigger) == (subject, state, trigger) for move in MOVES
    )
]


def added(sandbox: Sandbox, subject: str, state: str) -> dict[str, Any]:
    """An object of a subject, x-1, with what its effects read."""
    steps: dict[str, Any] = {step: {} for step in ("parsing", "extraction", "indexing")}
    known: dict[str, dict[str, Any]] = {
        "training": {"executionLog": steps},
        "bot import": {"statusLogs": [{}]},
        "call": {"target": "tel:+1", "detection": "disabled", "url": None, "callId": "1"},
        "transfer": {"agent": None, "session": "c-1", "stream": "st-1", "url": "http://localhost/"},
    }
    return sandbox.state.add(KIND_OF[subject], "x-1", known.get(subject, {}) | {"status": state})


@pytest.mark.parametrize(
    "move", MOVES, ids=lambda move: f"{move.subject} {move.state} {move.trigger}"
)
def test_a_move_leads_to_its_state(move: SandboxMove) -> None:
    with Sandbox() as sandbox:
        moved = added(sandbox, move.subject, move.state)
        if move.subject == "call" and move.state == "answered":
            moved["connected"] = sandbox.now.isoformat()
        if move.trigger == TIME:
            assert move.after is not None
            sandbox.state.start(move.subject, "x-1")
            sandbox.advance(move.after)
        else:
            sandbox.state.move(move.subject, "x-1", move.trigger)

        assert moved["status"] == move.next


@family(("subject", "state", "trigger"), FORBIDDEN)
def test_every_other_move_is_refused(subject: str, state: str, trigger: str) -> None:
    with Sandbox() as sandbox:
        moved = added(sandbox, subject, state)
        with pytest.raises(RefusedRequest) as refused:
            sandbox.state.move(subject, "x-1", trigger)

        assert (refused.value.status, moved["status"]) == (409, state)


def test_what_the_specification_shows_is_cited_and_the_rest_is_chosen() -> None:
    cited = {move.subject: move.next for move in MOVES if not move.is_chosen}

    assert cited == SPECIFICATION_WORDS | {"transfer": "asked"}
    assert all(move.after is not None for move in MOVES if move.trigger == TIME)


def test_timed_moves_end() -> None:
    for move in MOVES:
        state, seen = move.next, set[str]()
        while (following := move_of(move.subject, state, TIME)) is not None:
            assert state not in seen
            seen.add(state)
            state = following.next


def test_a_person_moves_objects_over_the_control() -> None:
    with Sandbox() as sandbox:
        job = CALLS["E14"](connect(sandbox), sandbox)
        path = f"/sandbox/trainings/{job.id}/fail"
        answers = [sandbox.answer(SentRequest("POST", path, {"auth": "x"}, b"")) for _ in range(2)]

        assert [answer.status for answer in answers] == [200, 409]
        assert connect(sandbox).training.get(bot="st-1", job=job.id).status == "failed"
