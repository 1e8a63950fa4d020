"""Laws of repair."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams, streams
from tests.streams import body

import segue
from segue.analysis.repairs import EditKind, is_repairable
from segue.analysis.simulate import generate
from segue.core.edits import PRICES, REPEATED
from segue.core.findings import Severity
from segue.testing import batches, mutations, story

SEARCHED = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)

UNDONE = {
    "drop": PRICES[EditKind.INSERT],
    "swap": PRICES[EditKind.MOVE],
    "repeat": PRICES[EditKind.DELETE],
    "retype": PRICES[EditKind.RETYPE],
    "re-identify": PRICES[EditKind.REIDENTIFY],
}
"""What it costs at most to undo one slip of a sender."""


@SEARCHED
@given(streams(max_size=5), st.booleans(), st.sampled_from([None, "end", "start", "both"]))
def test_what_has_been_repaired_needs_no_repair(
    stream: list[Ev],
    strict: bool,  # noqa: FBT001
    partial: Any,
) -> None:
    """A repaired stream has no offence left, and repairing it again changes nothing."""
    done = segue.repair(map(body, stream), strict=strict, partial=partial)

    assert not [f for f in done.after.findings if is_repairable(f, strict=strict)]
    assert done.cost == sum(edit.cost for edit in done.edits)
    assert segue.repair(done.events, strict=strict, partial=partial).edits == ()


@SEARCHED
@given(legal_streams(max_size=30))
def test_a_valid_stream_is_left_as_it_is(stream: list[Ev]) -> None:
    """Repairing what is valid costs nothing and changes nothing."""
    bodies = [body(event) for event in stream]

    done = segue.repair(bodies)

    assert (done.edits, done.cost, done.is_least) == ((), 0, True)
    assert all(one is other for one, other in zip(done.events, bodies, strict=True))


@SEARCHED
@given(streams(max_size=5))
def test_a_repair_makes_no_new_warning(stream: list[Ev]) -> None:
    """Every warning of a repaired stream was there before, at the same event.

    SG205 is said once for each absence, and SG206 once of each spelling: at the first event that is
    left.
    """
    done = segue.repair(map(body, stream))

    kept = {
        position: event.origin
        for position, event in enumerate(
            each for each in done.edited if EditKind.DELETE not in each.edits
        )
        if not event.edits
    }
    before = {(f.code, f.place.event) for f in done.before.findings}
    for finding in done.after.findings:
        if finding.code == "SG205":
            assert any(code == "SG205" for code, _ in before)
        elif (
            finding.code != "SG206"
            and finding.severity is Severity.WARNING
            and finding.rule.family in (1, 2)
        ):
            assert finding.place.event is not None
            assert (finding.code, kept[finding.place.event]) in before


@SEARCHED
@given(st.data(), streams(max_size=5))
def test_how_events_are_delivered_makes_no_difference(
    data: st.DataObject, stream: list[Ev]
) -> None:
    """The same events, several to a delivery, are repaired at the same cost, and valid then.

    Only a delivery that is moved as one makes it cheaper.
    """
    bodies = data.draw(batches([body(event) for event in stream]))

    done = segue.repair(bodies)

    alone = segue.repair(map(body, stream)).cost
    is_moved_as_one = any(edit.cost == 0 for edit in done.edits)
    assert (done.cost < alone) if is_moved_as_one else (done.cost == alone)
    assert not [f for f in done.after.findings if is_repairable(f, strict=False)]
    untouched = [event for event in done.events if any(event is given for given in bodies)]
    assert len(bodies) - len(untouched) <= 2 * len(done.edits)


LONG = story(
    *("NA entry by a-1", "agent message by a-1", "COLD exit by a-1", "COLD entry by a-2"),
    *("WARM entry by a-3", "agent message by a-3", "WARM exit by a-3", "NA exit by a-2"),
    *("redial entry by a-2", "user message by a-2", "NA exit by a-2", "TRIGGER_SUMMARY_EVENT"),
    "END_OF_CONVERSATION by a-2",
)


def test_a_repair_costs_no_more_than_to_undo_the_slip() -> None:
    """Whatever one slip makes of a conversation, its repair is no dearer than taking it back."""
    for mutation in mutations(LONG):
        if "query" in LONG[mutation.position] and mutation.operator == "drop":
            continue  # nothing is put in for a message
        done = segue.repair(mutation.stream)
        assert done.cost <= UNDONE[mutation.operator], mutation
        assert done.is_least, mutation
        assert not [f for f in done.after.findings if is_repairable(f, strict=False)], mutation


def test_two_slips_cost_no_more_than_both() -> None:
    first = [m for m in mutations(LONG, operators=["retype", "drop"]) if m.position < 4]
    for one in first[::3]:
        for two in [*mutations(one.stream, operators=["re-identify", "swap"])][-30::5]:
            done = segue.repair(two.stream)
            assert done.cost <= UNDONE[one.operator] + UNDONE[two.operator], two


@pytest.mark.thorough
def test_a_long_conversation_with_three_mistakes_is_repaired_with_three_edits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("segue.core.edits.cheapest._EFFORTS", ((True, 0, 20_000), (False, 7, None)))
    middle = ["COLD exit by a-1", "COLD entry by a-2", "WARM entry by a-3", "agent message by a-3"]
    middle += ["WARM exit by a-3", "user message by a-2", "COLD exit by a-2", "COLD entry by a-1"]
    labels = ["NA entry by a-1", *middle * 250, "NA exit by a-1", "END_OF_CONVERSATION by a-1"]
    labels[405] = "NA exit by a-3"
    labels[801], labels[802] = labels[802], labels[801]
    del labels[1601]

    done = segue.repair(story(*labels))

    assert (done.cost, len(done.edits), done.is_least, done.after.clean) == (13, 3, True, True)


def test_a_stream_that_is_all_wrong_is_repaired_without_proof() -> None:
    wrong = ["WARM exit by a-1", "COLD entry by a-2", "redial exit by a-3", "NA entry by a-1"]

    done = segue.repair(story(*wrong * 6))

    assert done.after.valid
    assert not done.is_least


@pytest.mark.slow
def test_every_generated_conversation_with_a_mistake_is_repaired() -> None:
    lines: dict[str, list[str]] = {}
    for line in generate(3, conversations=400, mistakes=1.0):
        for report in segue.replay([line.text]):
            if report.conversation_id is not None:
                lines.setdefault(report.conversation_id, []).append(line.text)
    for sent in lines.values():
        done = segue.repair(sent)
        assert not [f for f in done.after.findings if is_repairable(f, strict=False)]
        assert done.cost <= 2 * PRICES[EditKind.DELETE] + REPEATED


def test_an_event_that_leaves_a_delivery_leaves_its_id_there() -> None:
    """Two events moved out of one delivery are no two deliveries of one id."""
    first = story("TRIGGER_SUMMARY_EVENT", "TRIGGER_SUMMARY_EVENT in de")
    both = story("COLD entry by a-1", "END_OF_CONVERSATION by a-1")
    body_of_both = {**both[0], "events": [*both[0]["events"], *both[1]["events"]]}
    envelope = {"delivery_id": "d-1", "body": body_of_both}

    done = segue.repair([*first, envelope, both[1]])

    assert done.after.valid
    ids = [each["delivery_id"] for each in done.events if isinstance(each, dict) and "body" in each]
    assert len(ids) == len(set(ids))


def test_a_message_in_another_letter_case_is_respelt_when_asked_to() -> None:
    sent = story(
        "NA entry by a-1", "user message by A-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1"
    )

    done = segue.repair(sent, strict=True)

    assert segue.repair(sent).edits == ()
    assert [(edit.change, edit.event, edit.after) for edit in done.edits] == [
        ("re-identify", 1, "user message by a-1")
    ]
    assert done.after.clean


def test_nobody_is_named_whom_the_conversation_does_not_name() -> None:
    assert [edit.after for edit in segue.repair(story("user message by a-7")).edits] == [
        "END_OF_CONVERSATION",
    ]
    nobody = segue.repair([story("TRIGGER_SUMMARY_EVENT")[0]], partial="end")
    assert [edit.after for edit in nobody.edits] == ["NA entry by unknown", "NA exit by unknown"]


def test_a_conversation_of_nothing_is_left_alone() -> None:
    empty: list[Any] = []
    unknown = {"conversationId": "c-1", "botId": "st-1", "events": [{"name": "NOPE"}]}

    assert segue.repair(empty).events == ()
    assert segue.repair([unknown]).events == (unknown,)
