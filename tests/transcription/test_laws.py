"""What holds for every sequence of actions and lifecycle events."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from segue.events import ActionKind
from segue.findings import Place, find
from segue.transcription import (
    Outcome,
    Session,
    act,
    crosscheck,
    follow,
    saw_cold_exit,
    saw_warm_entry,
    session_from_json,
    session_to_json,
    spells,
)

AGENTS = ("a-1", "a-2", "")
BELIEVED = {
    "start": "active",
    "pause handover=false": "hold",
    "pause handover=true": "handover",
    "resume": "active",
    "end": "ended",
}


class Moment(NamedTuple):
    kind: ActionKind
    agent: str
    stay: int
    at: datetime | None
    event: str


def _moments() -> st.SearchStrategy[list[Moment]]:
    agents = st.sampled_from(AGENTS)
    kinds = st.sampled_from([kind for kind in ActionKind if kind is not ActionKind.UNPROCESSABLE])
    times = st.integers(0, 99).map(
        lambda minutes: datetime(2026, 3, 2, tzinfo=UTC) + timedelta(minutes=minutes)
    )
    return st.lists(
        st.builds(
            Moment,
            kinds,
            agents,
            st.integers(0, 2),
            st.none() | times,
            st.sampled_from(("", "COLD exit", "WARM entry")),
        ),
        max_size=12,
    )


def _live(
    session: Session, moment: Moment, position: int, *, believe: bool, ended: bool
) -> Outcome:
    if moment.event == "COLD exit":
        saw_cold_exit(session, moment.agent, moment.stay, position)
    if moment.event == "WARM entry":
        saw_warm_entry(session, moment.agent, position)
    return act(
        session,
        moment.kind,
        moment.agent,
        believe=believe,
        at=moment.at,
        stay=moment.stay,
        ended=ended,
    )


@given(moments=_moments(), believe=st.booleans(), end=st.integers(0, 12))
def test_every_sequence_of_actions_has_an_outcome(
    moments: list[Moment],
    *,
    believe: bool,
    end: int,
) -> None:
    """Totality: whatever is sent, there is a verdict, and every position is used once."""
    session = Session()
    for position, moment in enumerate(moments):
        counted = session.position
        outcome = _live(session, moment, position, believe=believe, ended=position >= end)

        refused = outcome.code == "SG401" and not believe
        assert outcome.code in (None, "SG401", "SG402", "SG408")
        assert outcome.position == counted
        assert session.position == counted + (not refused)
        assert (outcome.state, outcome.generation) == (session.state, session.generation)
        assert outcome.allowed
    assert session.generation >= bool(session.deeds)


@given(_moments())
def test_a_refused_action_leaves_no_trace(moments: list[Moment]) -> None:
    """Enforce: SG401 changes nothing, so the same session without it goes on alike."""
    session, spared = Session(), Session()
    for position, moment in enumerate(moments):
        before = deepcopy(session)
        outcome = act(
            session, moment.kind, moment.agent, believe=False, at=None, stay=1, ended=False
        )
        if outcome.code == "SG401":
            assert session == before
            assert not outcome.changed
        else:
            act(spared, moment.kind, moment.agent, believe=False, at=None, stay=1, ended=False)
        assert session == spared, position


@given(_moments())
def test_an_action_is_followed_if_nothing_is_to_be_said_of_it(moments: list[Moment]) -> None:
    """The short way: what it takes leaves the session that `act` leaves, and no other is taken."""
    session, short = Session(), Session()
    for kind, agent, stay, at, _ in moments:
        before = deepcopy(short)
        outcome = act(session, kind, agent, believe=True, at=at, stay=stay, ended=False)
        if follow(short, kind, agent, at=at, stay=stay):
            assert outcome.code is None
            assert short == session
        else:
            assert outcome.code is not None
            assert short == before
            short = deepcopy(session)


@given(_moments())
def test_a_believed_action_is_true_afterwards(moments: list[Moment]) -> None:
    """Believe: after an action the state is the one it leads to, wherever it came."""
    session = Session()
    for position, moment in enumerate(moments):
        _live(session, moment, position, believe=True, ended=False)

        assert session.state == BELIEVED[moment.kind]


@given(_moments())
def test_saving_and_restoring_in_between_changes_nothing(moments: list[Moment]) -> None:
    """Snapshot: a session restored after every step ends like one never saved."""
    session, saved = Session(), Session()
    for position, moment in enumerate(moments):
        outcome = _live(session, moment, position, believe=True, ended=False)
        assert _live(saved, moment, position, believe=True, ended=False) == outcome
        saved = session_from_json(json.loads(json.dumps(session_to_json(saved))))
    assert saved == session
    assert crosscheck(saved, AGENTS, ()) == crosscheck(session, AGENTS, ())


@given(_moments())
def test_remarks_are_ordered_and_can_be_worded(moments: list[Moment]) -> None:
    """Cross-checks: by code and then position, and every template finds its facts."""
    session = Session()
    for position, moment in enumerate(moments):
        _live(session, moment, position, believe=True, ended=False)

    found = crosscheck(session, ("a-1",), ())

    assert found == sorted(found, key=lambda each: (each.code, each.event or 0, each.action or 0))
    for code, event, action, facts in found:
        assert find(code, Place(event=event, action=action), facts).message


@given(_moments())
def test_times_in_states_join_without_gaps(moments: list[Moment]) -> None:
    """Spells: each begins where the one before ends, in another state; the last one is open."""
    session = Session()
    for position, moment in enumerate(moments):
        _live(session, moment, position, believe=True, ended=False)

    times = spells(session)

    assert all(one.end == other.start for one, other in pairwise(times))
    assert all(spell.end is None for spell in times[-1:])
    assert all(one.state is not other.state for one, other in pairwise(times))
    assert not times or times[-1].state is session.state
