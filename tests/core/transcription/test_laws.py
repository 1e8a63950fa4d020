"""What holds for every sequence of actions and lifecycle events."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from hypothesis import given, strategies as st

from segue.core.events import ActionKind
from segue.core.findings import Place, find
from segue.core.transcription import Moment, Session, contradictions, saw_cold_exit
from segue.core.transcription.consistency import Contradiction
from segue.core.transcription.session import ActionOutcome

AGENTS = ("a-1", "a-2", "")
BELIEVED = {
    "start": "active",
    "pause handover=false": "hold",
    "pause handover=true": "handover",
    "resume": "active",
    "end": "ended",
}


class Scene(NamedTuple):
    kind: ActionKind
    agent: str
    stay: int
    at: datetime | None
    event: str


def _moments() -> st.SearchStrategy[list[Scene]]:
    agents = st.sampled_from(AGENTS)
    kinds = st.sampled_from([kind for kind in ActionKind if kind is not ActionKind.UNPROCESSABLE])
    times = st.integers(0, 99).map(
        lambda minutes: datetime(2026, 3, 2, tzinfo=UTC) + timedelta(minutes=minutes)
    )
    return st.lists(
        st.builds(
            Scene,
            kinds,
            agents,
            st.integers(0, 2),
            st.none() | times,
            st.sampled_from(("", "COLD exit")),
        ),
        max_size=12,
    )


def _found(session: Session, known: tuple[str, ...]) -> list[Contradiction]:
    return contradictions(session, known.__contains__, lambda _: -1)


def _live(
    session: Session, moment: Scene, position: int, *, believe: bool, ended: bool
) -> ActionOutcome:
    if moment.event == "COLD exit":
        saw_cold_exit(session, moment.agent, moment.stay, position)
    return session.apply(
        moment.kind,
        moment.agent,
        Moment(moment.stay, ended, moment.at),
        enforce=not believe,
    )


@given(moments=_moments(), believe=st.booleans(), end=st.integers(0, 12))
def test_every_sequence_of_actions_has_an_outcome(
    moments: list[Scene],
    *,
    believe: bool,
    end: int,
) -> None:
    """Totality: whatever is sent, there is a verdict, and every position is used once."""
    session = Session()
    for position, moment in enumerate(moments):
        counted = session.position
        outcome = _live(session, moment, position, believe=believe, ended=position >= end)

        refused = outcome.code in ("SG401", "SG408") and not believe
        assert outcome.code in (None, "SG401", "SG402", "SG408")
        assert outcome.position == counted
        assert session.position == counted + (not refused)
        assert outcome.state is session.state
    assert session.generation >= bool(session.actions)


@given(_moments())
def test_a_refused_action_leaves_no_trace(moments: list[Scene]) -> None:
    """Enforce: SG401 changes nothing, so the same session without it goes on alike."""
    session, spared = Session(), Session()
    for position, moment in enumerate(moments):
        before = deepcopy(session)
        outcome = session.apply(moment.kind, moment.agent, Moment(1), enforce=True)
        if outcome.code == "SG401":
            assert session == before
            assert not outcome.changed
        else:
            spared.apply(moment.kind, moment.agent, Moment(1), enforce=True)
        assert session == spared, position


@given(_moments())
def test_a_believed_action_is_true_afterwards(moments: list[Scene]) -> None:
    """Believe: after an action the state is the one it leads to, wherever it came."""
    session = Session()
    for position, moment in enumerate(moments):
        _live(session, moment, position, believe=True, ended=False)

        assert session.state == BELIEVED[moment.kind]


@given(_moments())
def test_saving_and_restoring_in_between_changes_nothing(moments: list[Scene]) -> None:
    """Snapshot: a session restored after every step ends like one never saved."""
    session, saved = Session(), Session()
    for position, moment in enumerate(moments):
        outcome = _live(session, moment, position, believe=True, ended=False)
        assert _live(saved, moment, position, believe=True, ended=False) == outcome
        saved = Session.from_json(json.loads(json.dumps(saved.to_json())))
    assert saved == session
    assert _found(saved, AGENTS) == _found(session, AGENTS)


@given(_moments())
def test_remarks_are_ordered_and_can_be_worded(moments: list[Scene]) -> None:
    """Cross-checks: by code and then position, and every template finds its facts."""
    session = Session()
    for position, moment in enumerate(moments):
        _live(session, moment, position, believe=True, ended=False)

    found = _found(session, ("a-1",))

    assert found == sorted(found, key=_order)
    for each in found:
        assert find(each.code, Place(event=each.event), each.facts).message


def _order(found: Contradiction) -> tuple[str, int, int]:
    return found.code, found.event or 0, 0 if found.action is None else found.action.position


@given(_moments())
def test_times_in_states_join_without_gaps(moments: list[Scene]) -> None:
    """Intervals: each begins where the one before ends, in another state; the last one is open."""
    session = Session()
    for position, moment in enumerate(moments):
        _live(session, moment, position, believe=True, ended=False)

    times = session.intervals()

    assert all(one.end == other.start for one, other in pairwise(times))
    assert all(interval.end is None for interval in times[-1:])
    assert all(one.state is not other.state for one, other in pairwise(times))
    assert not times or times[-1].state is session.state
