"""What differs between two logs."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.analysis.compare.story import CONSULTED, PLAIN, log
from tests.strategies import legal_streams, logs

import segue
from segue.analysis.compare import Comparison, Difference
from segue.analysis.compare.difference import SegmentKey, _changes
from segue.report.comparison import difference_lines


def compare(old: list[Any], new: list[Any], tolerance: float = 0) -> list[Difference]:
    comparison = Comparison(tolerance=tolerance)
    for report in segue.replay(old):
        comparison.before(report.to_dict())
    for report in segue.replay(new):
        comparison.after(json.loads(json.dumps(report.to_dict())))
    return list(comparison.differences())


def test_conversations_come_and_go() -> None:
    one, two, three = (log(*PLAIN, conversation=f"c-{n}") for n in (1, 2, 3))

    found = compare([*one, *two], [*three, *two])

    assert [(each.key.conversation_id, each.kind) for each in found] == [
        ("c-1", "removed"),
        ("c-3", "added"),
    ]


def test_findings_appear_and_are_gone() -> None:
    [found] = compare(log(PLAIN[0], PLAIN[2]), log("COLD entry by a-1", *PLAIN[1:]))

    assert [finding.code for finding in found.gone] == ["SG107"]
    assert [finding.code for finding in found.appeared] == ["SG101"]


def test_a_finding_that_only_moves_is_the_same() -> None:
    greeting = "user message by a-1"

    assert compare(log(PLAIN[0], PLAIN[2]), log(PLAIN[0], greeting, PLAIN[2])) == []


SWAPPED = (PLAIN[0], "WARM exit by a-2", "WARM entry by a-2", *PLAIN[1:])
"""One mistake with two errors."""


def test_the_errors_of_one_mistake_are_shown_together() -> None:
    [found] = compare(log(*PLAIN), log(*SWAPPED))

    assert found.to_dict()["appeared"] == [
        {"code": "SG201", "event": 1, "severity": "error", "mistake": 1},
        {"code": "SG204", "event": 3, "severity": "error", "mistake": 1},
    ]
    shown = [line.render() for line in difference_lines(found)]
    assert "1 mistake (2 errors) new" in shown[0]
    assert shown[1:3] == [
        "    + new  SG201 exit-by-absent-agent at event 1",
        "    + new    SG204 consultants-still-present at event 3, part of mistake 1",
    ]


def test_the_mistakes_of_a_late_report_are_others() -> None:
    [found] = compare(log(*PLAIN), log(*SWAPPED, "NA exit by a-1"))

    assert [(each.code, each.mistake) for each in found.appeared] == [
        ("SG201", 1),
        ("SG204", 1),
        ("SG110", 2),
    ]
    shown = [line.render() for line in difference_lines(found)]
    assert "2 mistakes (3 errors) new" in shown[0]


def test_a_finding_whose_mistake_has_another_number_is_the_same() -> None:
    rest = ("WARM exit by a-8", *PLAIN[1:])

    [found] = compare(
        log(PLAIN[0], "user message by a-1", *rest), log(PLAIN[0], "WARM exit by a-7", *rest)
    )

    assert [(each.code, each.event) for each in found.appeared] == [("SG201", 1)]
    assert found.gone == ()


def test_the_phase_differs() -> None:
    [found] = compare(log(*PLAIN), log(*PLAIN[:2]))

    assert (found.before and found.before.phase, found.after and found.after.phase) == (
        "ended",
        "released",
    )


def test_segments_are_compared_by_agent() -> None:
    [found] = compare(log(*PLAIN), log(*CONSULTED))

    [shift] = found.segments
    assert shift.before is None
    assert (shift.after and shift.after.agent) == "a-2"


@pytest.mark.parametrize(
    ("later", "tolerance", "segments"),
    [(0.0, 0, 0), (0.5, 0, 1), (0.5, 0.5, 0), (0.5, 1, 0), (1.5, 1, 1)],
)
def test_times_may_differ_by_the_tolerance(later: float, tolerance: float, segments: int) -> None:
    found = compare(log(*PLAIN, start=0), log(*PLAIN, start=later), tolerance)

    assert sum(len(each.segments) for each in found) == segments


def test_segments_of_many_agents_are_gone_through_once() -> None:
    class Counted(list[SegmentKey]):
        passes = 0

        def __iter__(self) -> Iterator[SegmentKey]:
            self.passes += 1
            return super().__iter__()

    old, new = (
        Counted(
            SegmentKey(f"a-{n}", "consultant", "WARM", "consulted", start, 9.0) for n in (1, 2, 3)
        )
        for start in (4.0, 5.0)
    )
    shifts = list(_changes(old, new, 0))

    assert [shift.before and shift.before.agent for shift in shifts] == ["a-1", "a-2", "a-3"]
    assert (old.passes, new.passes) == (1, 1)


def test_a_stay_is_paired_with_the_one_at_the_same_time() -> None:
    first = ("NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "COLD exit by a-2")
    twice = (*first, "COLD entry by a-1", *PLAIN[1:])
    new = log(*twice, start=0)
    del new[0]  # the first stay of a-1 has no entry any more

    [found] = compare(log(*twice, start=0), new)

    assert all(shift.before is None or shift.before.start != 40 for shift in found.segments)
    assert {stay.agent for s in found.segments for stay in (s.before, s.after) if stay} == {"a-1"}


STAYS = st.lists(
    st.builds(
        SegmentKey,
        agent=st.just("a-1"),
        role=st.sampled_from(["primary", "consultant"]),
        kind=st.just("COLD"),
        outcome=st.just("transferred"),
        start=st.none() | st.integers(0, 4).map(float),
        end=st.none() | st.integers(0, 4).map(float),
    ),
    max_size=6,
)


def _are_alike(one: SegmentKey, other: SegmentKey, tolerance: float) -> bool:
    times = ((one.start, other.start), (one.end, other.end))
    return one.role == other.role and all(
        here is None or there is None or abs(here - there) <= tolerance for here, there in times
    )


@given(STAYS, STAYS, st.sampled_from([0.0, 1.0]))
def test_no_two_stays_that_are_alike_are_left_and_none_is_lost(
    old: list[SegmentKey], new: list[SegmentKey], tolerance: float
) -> None:
    found = list(_changes(old, new, tolerance))
    before = [each.before for each in found if each.before]
    after = [each.after for each in found if each.after]

    assert not any(_are_alike(one, other, tolerance) for one in before for other in after)
    assert len(old) - len(before) == len(new) - len(after)
    assert set(before) <= set(old)
    assert set(after) <= set(new)


def test_a_stay_is_compared_with_those_of_its_time_only() -> None:
    class Counted(float):
        compared = 0

        def __sub__(self, other: float) -> float:
            Counted.compared += 1
            return float(self) - other

    stays = SegmentKey("a-1", "primary", "COLD", "transferred", 0.0, 1.0)
    old, new = (
        [stays._replace(start=Counted(10 * n + later)) for n in range(1_000)] for later in (0, 1)
    )

    assert len(list(_changes(old, new, 0))) == 1_000
    assert Counted.compared < 10_000


def test_without_times_segments_are_compared_by_order() -> None:
    assert compare(log(*CONSULTED, start=0), log(*CONSULTED)) == []


def test_what_came_after_the_end_belongs_to_its_conversation() -> None:
    late = log(*PLAIN, "user message by a-1")

    assert compare(late, late) == []
    for old, new in ((log(*PLAIN), late), (late, log(*PLAIN))):
        [found] = compare(old, new)
        codes = [finding.code for finding in (*found.appeared, *found.gone)]
        assert (found.kind, codes) == ("changed", ["SG110"])


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_log_does_not_differ_from_itself_whatever_its_order(data: st.DataObject) -> None:
    """No difference to itself; and what differs one way differs the other way."""
    one = data.draw(logs(legal_streams(max_size=6)))
    two = data.draw(logs(legal_streams(max_size=6), conversation="c-2"))

    assert compare([*one, *two], [*two, *one]) == []
    there, back = compare(one, [*one[:-1], *two]), compare([*one[:-1], *two], one)
    opposite = {"added": "removed", "removed": "added", "changed": "changed"}
    assert {(each.key.conversation_id, each.kind) for each in there} == {
        (each.key.conversation_id, opposite[each.kind]) for each in back
    }
