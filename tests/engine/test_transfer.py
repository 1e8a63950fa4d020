"""What a report needs of a state: sent, rebuilt, and its lines counted from elsewhere."""

from __future__ import annotations

import json
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import logs, streams
from tests.streams import body

from segue.conversation import Report
from segue.engine import (
    Partial,
    State,
    apply,
    dump,
    finish,
    for_report,
    new,
    shift_lines,
    shifted,
)
from segue.wire import read_line

told = logs(streams(), timed=st.booleans())


def folded(lines: list[dict[str, Any]], start: int = 1, partial: Partial = None) -> State:
    state = new("c-1", partial=partial)
    for number, line in enumerate(lines, start):
        apply(state, read_line(json.dumps(line).encode(), line=number))
    return state


def seen(state: State) -> tuple[Any, ...]:
    report = Report(state)
    return report.to_json(), report.timeline, report.times, report.transcription_intervals


@given(lines=told, partial=st.sampled_from((None, "start", "end", "both")), closed=st.booleans())
def test_a_state_that_was_sent_is_reported_alike_but_for_its_findings(
    lines: list[dict[str, Any]], partial: Partial, *, closed: bool
) -> None:
    state = folded(lines, partial=partial)
    if closed:
        finish(state)
    sent = pickle.loads(pickle.dumps(for_report(state)))  # noqa: S301 - our own
    assert sent.findings == []
    sent.findings = state.findings

    assert seen(sent) == seen(state)


def test_a_state_that_was_sent_knows_that_its_log_stops_early() -> None:
    state = folded([body(Ev("NA entry", "a-1"))], partial="end")
    finish(state)
    sent = for_report(state)

    assert Report(sent).to_dict()["segments"] == Report(state).to_dict()["segments"]
    assert Report(sent).segments[0].is_open


@given(told, st.integers(1, 10**9))
def test_moving_a_state_changes_line_numbers_and_nothing_else(
    lines: list[dict[str, Any]], before: int
) -> None:
    state = folded(lines)
    shift_lines(state, before)

    assert dump(state) == dump(folded(lines, 1 + before))


def test_what_has_no_line_gets_none() -> None:
    state = new("c-1")
    apply(state, read_line(b'{"conversationId": "c-1", "events": [{"name": "?"}]}'))
    findings = list(state.findings)
    shift_lines(state, 7)

    assert state.findings == findings
    assert [shifted(finding, 7) for finding in findings] == findings


def test_a_lifecycle_event_without_a_line_gets_none() -> None:
    state = new("c-1")
    line = {"name": "END_OF_CONVERSATION", "reason": "x", "language": "en", "experience": "chat"}
    apply(state, read_line({"conversationId": "c-1", "botId": "b-1", "events": [line]}))
    shift_lines(state, 7)

    assert [moment.line for moment in state.history.events(state.known)] == [None]
