"""Law 11: the check, the table, the state machine and a second opinion agree."""

from typing import Any

from hypothesis import given, strategies as st
from tests.core.lifecycle.walker import Walker
from tests.oracle.oracle import Ev, judge
from tests.strategies import legal_streams, streams
from tests.streams import KINDS, body

import segue
from segue.analysis.simulate.bodies import TRANSFERS
from segue.core.lifecycle import Phase, Situation, machine
from segue.core.lifecycle.triggers import trigger_name


@given(legal_streams() | streams(), st.sampled_from(("", "end", "start", "both")))
def test_the_check_says_what_the_oracle_says(stream: list[Ev], partial: Any) -> None:
    """Agreement: findings, phase and validity are those of an oracle written in another form.

    The one accepted difference: a spelling that shows up only after the end is not reported.
    """
    report = segue.check(map(body, stream), partial=partial or None)

    verdict = judge(stream, partial)
    ends = [position for position, event in enumerate(stream) if event.kind == "end"]
    last = ends[0] if ends else len(stream)
    expected = [
        (position, code)
        for position, code in verdict.findings
        if code != "SG206" or position is None or position < last
    ]
    assert [(finding.place.event, finding.code) for finding in report.findings] == expected
    assert report.phase == verdict.phase


class Model:
    """What the machine moves."""

    state: Phase


MODEL = Model()
MACHINE = machine(MODEL)


@given(legal_streams() | streams())
def test_the_state_machine_goes_where_the_table_goes(stream: list[Ev]) -> None:
    """Agreement: the `transitions` machine, triggered event by event, has the walker's phase."""
    walker = Walker()
    MACHINE.set_state(Phase.WAITING)
    for event in stream:
        kind, agent = KINDS[event.kind], event.agent if event.kind in TRANSFERS else ""
        known = walker.resolve(kind, agent)
        trigger = trigger_name(kind, Situation.of(walker.situation(known)))
        walker.take(kind, agent)
        assert getattr(MODEL, trigger)()
        assert MODEL.state is walker.phase
