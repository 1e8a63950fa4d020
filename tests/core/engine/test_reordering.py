"""Which deliveries wait for others, and which held one is applied next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st
from tests.builders import Sender, body, end, message, transfer

from segue.core.engine import apply, new
from segue.core.engine.reordering import apply_held, foresee, next_to_apply
from segue.core.engine.snapshot import dump, load
from segue.core.events import Delivery
from segue.core.findings import Severity
from segue.core.wire import read_line
from segue.testing import any_streams

if TYPE_CHECKING:
    from segue.core.engine import State

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
_SENDER = Sender()


def second(number: float) -> datetime:
    return NINE + timedelta(seconds=number)


def delivery(*texts: str, at: float | None = None) -> Delivery:
    read = read_line(_SENDER.body(*texts))
    read.received_at = None if at is None else second(at)
    return read


def after(*texts: str) -> State:
    state = new("c-1")
    for text in texts:
        apply(state, delivery(text))
    return state


@dataclass(frozen=True)
class Kept:
    delivery: Delivery
    deadline: datetime = NINE + timedelta(seconds=5)


@given(any_streams(max_size=8), st.data())
def test_what_is_foreseen_is_what_applying_finds(stream: list[Any], data: st.DataObject) -> None:
    """Foreseeing names the findings about order that follow, and changes nothing.

    These are the errors and warnings of families 1 and 2, apart from SG206, which no order avoids,
    and the repeats of deliveries with ids.
    """
    state = new("c-1")
    size = data.draw(st.integers(1, 3), "events of a delivery")
    deliveries = [read_line(each) for each in stream]
    for start in range(0, len(deliveries), size):
        some = deliveries[start : start + size]
        events = tuple(event for each in some for event in each.events)
        delivery_id = data.draw(st.sampled_from([None, f"d-{start}"]), "delivery id")
        whole = Delivery("c-1", "st-1", events, intake=some[0].intake, delivery_id=delivery_id)
        if any(each.intake is not whole.intake for each in some):
            continue
        if data.draw(st.booleans(), "restored"):
            state = load(dump(state))
        before = dump(state)
        outlook = foresee(state, whole)
        assert dump(state) == before
        found = [
            finding.code
            for finding in apply(state, whole).findings
            if (finding.rule.family in (1, 2) and finding.severity is not Severity.NOTE)
            or (finding.code == "SG601" and delivery_id is not None)
        ]
        # A delivery that was sent has one message at most. This one may have several, of which only
        # the first is reported.
        assert ("SG205" in outlook.codes) is ("SG205" in found)
        foreseen = [code for code in outlook.codes if code != "SG205"]
        assert foreseen == [code for code in found if code not in {"SG205", "SG206"}]


@pytest.mark.parametrize(
    ("before", "events", "codes"),
    [
        ((), ("COLD exit a-1",), ("SG101",)),
        (("NA entry a-1",), ("WARM exit a-2",), ("SG201",)),
        (("NA entry a-1",), ("WARM entry a-2", "WARM exit a-2"), ()),
        (("NA entry a-1",), ("NA entry a-2", "NA entry a-3"), ("SG102", "SG102")),
        (("NA entry a-1",), ("NA entry a-2", "NA entry a-2"), ("SG102",)),
        (("NA entry a-1", "WARM entry a-2"), ("WARM exit A-2",), ()),
    ],
    ids=" ".join,
)
def test_errors_of_order_wait(
    before: tuple[str, ...], events: tuple[str, ...], codes: tuple[str, ...]
) -> None:
    outlook = foresee(after(*before), delivery(*events))
    assert outlook.codes == codes
    assert outlook.must_wait is bool(codes)


@pytest.mark.parametrize(
    ("before", "event", "code"),
    [
        (("NA entry a-1",), "redial entry a-1", "SG112"),
        (("NA entry a-1", "NA exit a-1", "summary"), "redial entry a-1", "SG114"),
        (("NA entry a-1", "COLD exit a-1"), "redial entry a-1", "SG121"),
        (("NA entry a-1", "WARM entry a-2"), "NA entry a-1", "SG203"),
        (("NA entry a-1",), "agent a-2", "SG205"),
    ],
)
def test_warnings_about_order_wait(before: tuple[str, ...], event: str, code: str) -> None:
    assert foresee(after(*before), delivery(event)) == ((code,), True)


def test_a_repeat_waits_only_if_it_has_an_id_of_its_own() -> None:
    state, again = after("NA entry a-1", "NA exit a-1"), delivery("NA exit a-1")
    assert foresee(state, again) == ((), False)
    again.delivery_id = "d-3"
    assert foresee(state, again) == (("SG601",), True)


def test_an_absence_that_was_reported_does_not_wait_again() -> None:
    state = after("NA entry a-1", "agent a-2")
    assert [finding.code for finding in state.findings] == ["SG205"]
    assert foresee(state, delivery("agent a-2")) == ((), False)


def test_notes_user_messages_and_other_letter_cases_do_not_wait() -> None:
    state = after("NA entry a-1", "NA exit a-1")
    assert not foresee(state, delivery("redial entry a-2")).must_wait  # SG207
    assert not foresee(state, delivery("redial entry A-1")).must_wait  # SG206
    assert not foresee(state, read_line(message("USER", ""))).must_wait
    assert not foresee(state, read_line(body({"name": "nonsense"}))).must_wait


def test_a_repeat_is_recognised_within_a_delivery_too() -> None:
    twice = read_line(body(transfer("NA entry", "a-1"), transfer("NA entry", "a-1")))
    assert foresee(new("c-1"), twice) == ((), False)


def test_the_end_waits_whether_it_is_legal_or_not() -> None:
    assert foresee(after("NA entry a-1", "NA exit a-1"), delivery("END")) == ((), True)
    assert foresee(after("NA entry a-1"), delivery("END")) == (("SG107",), True)
    assert foresee(after("NA entry a-1"), delivery("NA exit a-1", "END")) == ((), True)
    ended = after("NA entry a-1", "NA exit a-1", "END")
    assert foresee(ended, delivery("END")) == (("SG109",), True)
    assert foresee(ended, delivery("NA entry a-1", "NA exit a-1")) == (("SG110",), True)


def test_a_transcription_action_never_waits() -> None:
    given_action = read_line(_SENDER.delivery("resume a-1"))
    assert foresee(new("c-1"), given_action) == ((), False)


def test_the_first_that_fits_is_next_and_the_due_ones_come_after() -> None:
    state = after("NA entry a-1")
    due, fits = Kept(delivery("NA exit a-3"), second(2)), Kept(delivery("WARM entry a-2"))
    fits_too = Kept(delivery("COLD exit a-1"))
    assert next_to_apply(state, [due, fits, fits_too], second(2)) == (fits, ((), False))
    assert next_to_apply(state, [due], second(2)) == (due, (("SG201",), True))
    assert next_to_apply(state, [due], second(1.9)) is None
    assert next_to_apply(state, [due], None) == (due, (("SG201",), True))
    assert next_to_apply(state, [], None) is None


def test_a_former_consultant_returns_in_order_however_many_there_are() -> None:
    consultants = [f"a-{number}" for number in range(2, 12)]
    stays = [f"WARM {what} {each}" for each in consultants for what in ("entry", "exit")]
    state = after("NA entry a-1", *stays)
    for each in consultants:
        assert foresee(state, delivery(f"redial entry {each}")) == ((), False)  # SG123, not SG208


def test_an_end_that_is_due_lets_those_precede_it_that_are_no_error_yet() -> None:
    state = after("NA entry a-1", "NA exit a-1", "summary")
    ends = Kept(delivery("END"), second(5))
    stray, spoken = Kept(delivery("NA exit a-9"), second(6)), Kept(delivery("agent a-1"), second(7))
    held = [ends, stray, spoken]
    assert next_to_apply(state, held, second(4.9)) is None
    assert next_to_apply(state, held, second(5)) == (spoken, (("SG205",), True))
    assert next_to_apply(state, held[:2], second(5)) == (ends, ((), True))


def test_the_end_does_not_fit_before_its_deadline() -> None:
    state = after("NA entry a-1", "NA exit a-1")
    held = Kept(read_line(body(end())))
    assert next_to_apply(state, [held], second(4.9)) is None
    assert next_to_apply(state, [held], second(5)) == (held, ((), True))


def test_a_held_delivery_is_applied_at_the_later_of_two_times() -> None:
    state = new("c-1")
    early = delivery("WARM entry a-2", at=1)
    apply(state, delivery("NA entry a-1", at=2))
    assert not apply_held(state, early).findings
    assert early.received_at == second(2)
    late = delivery("WARM exit a-2", at=3)
    assert not apply_held(state, late).findings
    assert late.received_at == second(3)
    timeless = delivery("NA exit a-1")
    apply_held(state, timeless)
    assert timeless.received_at is None
    assert not state.findings
