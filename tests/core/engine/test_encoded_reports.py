"""A state that was encoded is reported alike."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import logs, streams
from tests.streams import body

from segue.core.conversation import Report
from segue.core.engine import Partial, State, apply, finish, new
from segue.core.engine.snapshot import dump, load
from segue.core.wire import read_line

told = logs(streams(), timed=st.booleans())


def folded(lines: list[dict[str, Any]], start: int = 1, partial: Partial = None) -> State:
    state = new("c-1", partial=partial)
    for number, line in enumerate(lines, start):
        apply(state, read_line(json.dumps(line).encode(), line=number))
    return state


def seen(state: State) -> tuple[Any, ...]:
    report = Report(state)
    return report.to_json(), report.timeline, report.transcription_intervals


@given(lines=told, partial=st.sampled_from((None, "start", "end", "both")), closed=st.booleans())
def test_a_state_that_was_sent_is_reported_alike(
    lines: list[dict[str, Any]], partial: Partial, *, closed: bool
) -> None:
    state = folded(lines, partial=partial)
    if closed:
        finish(state)

    assert seen(load(dump(state))) == seen(state)


def test_a_state_that_was_sent_knows_that_its_log_stops_early() -> None:
    state = folded([body(Ev("NA entry", "a-1"))], partial="end")
    finish(state)
    sent = load(dump(state))

    assert Report(sent).to_dict()["segments"] == Report(state).to_dict()["segments"]
    assert Report(sent).segments[0].is_open
