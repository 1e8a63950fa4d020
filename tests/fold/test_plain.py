"""The short way of an event that nothing is wrong with leads where the long way leads."""

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.by_hand import log
from tests.strategies import legal_streams, logs, streams
from tests.streams import lines as lines_of

from segue.fold import State, dump, new, step
from segue.fold.step import Step
from segue.lifecycle import Roster, standing_of
from segue.wire import read_line

PARTIAL = st.sampled_from((None, "start", "end", "both"))
Steps = list[tuple[Step, bytes]]


def steps(lines: list[dict[str, Any]], partial: Any) -> Steps:
    state: State = new("c-1", partial=partial)
    return [(step(state, read_line(line)), dump(state)) for line in lines]


def the_long_way(lines: list[dict[str, Any]], partial: Any) -> Steps:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[Step.__module__], "plainly", lambda *_: False)
        return steps(lines, partial)


@given(logs(streams(), timed=st.booleans()), PARTIAL)
def test_whatever_is_sent(lines: list[dict[str, Any]], partial: Any) -> None:
    assert steps(lines, partial) == the_long_way(lines, partial)


@given(logs(legal_streams(), timed=st.booleans()), PARTIAL)
def test_whatever_is_legal(lines: list[dict[str, Any]], partial: Any) -> None:
    assert steps(lines, partial) == the_long_way(lines, partial)


def test_a_usual_conversation_takes_no_other() -> None:
    """Otherwise the laws above might compare the long way with itself."""
    taken: list[bool] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("segue.lifecycle.standing._STANDINGS", {})  # whoever filled it before
        patch.setattr("segue.fold.state._WAITING", standing_of(Roster()))
        patch.setattr(sys.modules[Step.__module__], "_consider", lambda *_: taken.append(True))
        state = new("c-1")
        for line in lines_of(log("N+a C-a C+b W+c W-c N-b S E")):
            step(state, read_line(line))

    assert state.ended
    assert not taken
