"""Hypothesis strategies for the public types of this package.

Values such as findings and segments come from checks of generated conversations, so they have all
properties of real ones.
"""

from typing import Any, Final

from hypothesis import strategies as st

from segue.analysis.simulate.bodies import ACTIONS, action
from segue.core.conversation import ControlResult, Conversation, FeedResult, Report, check
from segue.core.findings import RULES, Finding, Place, Policy, Rule, Severity
from segue.core.segments import Connection, Metrics, Segment
from segue.testing.offences import invalid_streams
from segue.testing.payload import payloads
from segue.testing.streams import any_streams, conversations, valid_streams

_CODES: Final[st.SearchStrategy[tuple[str, ...]]] = st.lists(
    st.sampled_from([rule.code for rule in RULES]), max_size=3, unique=True
).map(tuple)


@st.composite
def _conversations(draw: st.DrawFn) -> Conversation:
    conversation = Conversation("c-1")
    for given in draw(valid_streams(max_size=4) | any_streams(max_size=6)):
        conversation.feed(given)
    return conversation


@st.composite
def _policies(draw: st.DrawFn) -> Policy:
    selected = draw(_CODES)
    return Policy(
        select=selected,
        ignore=draw(_CODES.filter(lambda codes: not selected or not {*selected} <= {*codes})),
        severity=draw(
            st.dictionaries(
                st.sampled_from([rule.code for rule in RULES]),
                st.sampled_from(Severity),
                max_size=2,
            )
        ),
        strict=draw(st.booleans()),
        reject=draw(_CODES),
        transcription=draw(st.sampled_from(("enforce", "observe"))),
    )


_actions: Final = st.builds(action, st.sampled_from(ACTIONS), st.sampled_from(("a-1", "a-2")))
_reports: Final = st.builds(check, conversations())
_findings: Final = invalid_streams(rule="SG").map(lambda broken: check(broken.stream).findings[0])
_held: Final = _reports.map(lambda report: report.segments).filter(bool)
_segments: Final = _held.flatmap(st.sampled_from)

STRATEGIES: Final[dict[type, st.SearchStrategy[Any]]] = {
    Connection: _segments.flatmap(lambda segment: st.sampled_from(segment.connections)),
    ControlResult: st.builds(Conversation.control, _conversations(), _actions),
    Conversation: _conversations(),
    Finding: _findings,
    Metrics: _reports.map(lambda report: report.metrics),
    Place: _findings.map(lambda finding: finding.place),
    Policy: _policies(),
    Report: _reports,
    Rule: st.sampled_from(RULES),
    Segment: _segments,
    FeedResult: st.builds(Conversation.feed, _conversations(), payloads()),
}
"""The strategy for each public type, as `st.from_type` uses it."""
