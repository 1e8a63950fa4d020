"""Figures from entries are those from the history of a state."""

from dataclasses import replace
from typing import Any

import pytest
from tests.streams import body, clean_streams, short, single_edits

import segue
from segue.analysis.simulate import generate
from segue.core.conversation import Report, state_of
from segue.core.engine.entries import entries_of
from segue.core.engine.entry_replay import replay_entries
from segue.core.engine.history import history_of
from segue.core.segments import measure

UNKNOWN_TO_ENTRIES: dict[str, Any] = {
    "ring_time": None,
    "call_time": None,
}
"""The times of calls, and the deliveries whose events share a time."""


def figures(report: Report) -> list[object]:
    """Return the segments and metrics that the entries of a report give."""
    state, intervals = state_of(report), report.transcription_intervals
    builder = replay_entries(
        entries_of(state),
        state.first_presence,
        is_closed=state.rare.closed and state.processable,
        is_cut=state.rare.partial in {"end", "both"},
        experience=history_of(state).experience,
    )
    segments = [spelled(each) for each in builder.segments(intervals)]
    return [segments, replace(measure(builder, intervals), **UNKNOWN_TO_ENTRIES)]


def spelled(segment: segue.Segment) -> segue.Segment:
    """Return a segment without the finding about its spelling, which entries do not have."""
    return replace(segment, findings=tuple(c for c in segment.findings if c != "SG206"))


def told(report: Report) -> list[object]:
    segments = [spelled(each) for each in report.segments]
    return [segments, replace(report.metrics, **UNKNOWN_TO_ENTRIES)]


@pytest.mark.parametrize("longest", [4, pytest.param(6, marks=pytest.mark.thorough)])
def test_figures_of_single_mistakes(longest: int) -> None:
    for clean in clean_streams(longest):
        for _, edited in single_edits(clean):
            report = segue.check(map(body, edited))
            assert figures(report) == told(report), short(edited)


@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.thorough)])
def test_figures_of_a_generated_log(count: int) -> None:
    lines = generate(3, conversations=count, mistakes=0.5)
    for report in segue.replay(line.text for line in lines):
        if not report.late:  # a late report has no entries before END
            assert figures(report) == told(report)


@pytest.mark.parametrize("partial", ["start", "end", "both"])
def test_figures_of_a_cut_conversation(partial: str) -> None:
    for clean in clean_streams(6):
        for cut in range(1, len(clean)):
            stream = clean[:cut] if partial == "end" else clean[cut:]
            report = segue.check(map(body, stream), partial=partial)  # type: ignore[arg-type]
            assert figures(report) == told(report), short(stream)
