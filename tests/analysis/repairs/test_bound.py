"""The bound never says too much, and the reach is what the page says."""

import pytest
from tests.analysis.repairs.test_laws import LONG

import segue
from segue.analysis.repairs import EditKind
from segue.analysis.repairs.editable import EditableStream
from segue.core.edits import PRICES
from segue.core.edits.costs import REACH
from segue.core.edits.heuristic import Heuristic
from segue.testing import mutations, story


def test_without_the_bound_repairs_cost_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two slips each: with the bound taken away, the search finds no other cost."""
    monkeypatch.setattr("segue.core.edits.cheapest._EFFORTS", ((True, 0, None),))
    streams = [
        two.stream
        for one in [*mutations(LONG, operators=["swap", "retype"])][::5]
        for two in [*mutations(one.stream, operators=["drop", "re-identify"])][2::9]
    ]
    costs = [segue.repair(stream).cost for stream in streams]

    monkeypatch.setattr(Heuristic, "cost", lambda *_: 0)
    monkeypatch.setattr(Heuristic, "cost_after", lambda *_, **__: 0)

    assert [segue.repair(stream).cost for stream in streams] == costs
    assert len(costs) > 15
    assert max(costs) > 4


def test_mistakes_far_from_each_other_are_all_seen() -> None:
    calm = ["WARM entry by a-2", "WARM exit by a-2"] * 10
    wrong = ["WARM entry by a-2", "NA exit by a-2"]
    stream = EditableStream(
        story("NA entry by a-1", *calm, *wrong, *calm, *wrong, *calm, "NA exit by a-1")
    )

    bound = Heuristic(stream, strict=False)

    assert bound.cost(0, ()) == 3 * PRICES[EditKind.INSERT]  # the end is missing, too
    assert bound.cost(30, ()) == 2 * PRICES[EditKind.INSERT]
    assert bound.cost(len(stream.events) - 1, ()) in (0, PRICES[EditKind.INSERT])


@pytest.mark.parametrize(
    ("late", "changes"), [(REACH, {EditKind.MOVE}), (REACH + 2, {EditKind.DELETE, EditKind.INSERT})]
)
def test_an_event_is_moved_past_so_many_others_and_no_more(
    late: int, changes: set[EditKind]
) -> None:
    consults = ["WARM entry by a-2", "user message by a-1", "WARM exit by a-2"] * (late // 2 - 1)
    rest = [*consults, "NA exit by a-1", "TRIGGER_SUMMARY_EVENT"]
    labels = ["NA entry by a-1", "END_OF_CONVERSATION by a-1", *rest]

    done = segue.repair(story(*labels))

    assert {edit.change for edit in done.edits} == changes
    assert done.after.valid
