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
    """Foreseeing names the errors of families 1 and 2 that follow, and changes nothing."""
    state = new("c-1")
    size = data.draw(st.integers(1, 3), "events of a delivery")
    deliveries = [read_line(each) for each in stream]
    for start in range(0, len(deliveries), size):
        some = deliveries[start : start + size]
        events = tuple(event for each in some for event in each.events)
        whole = Delivery("c-1", "st-1", events, intake=some[0].intake)
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
            if finding.rule.family in (1, 2) and finding.severity is Severity.ERROR
        ]
        assert list(outlook.codes) == found


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


def test_warnings_notes_messages_and_repeats_do_not_wait() -> None:
    state = after("NA entry a-1", "NA exit a-1")
    assert not foresee(state, delivery("NA exit a-1")).must_wait  # SG601
    assert not foresee(state, delivery("redial entry a-2")).must_wait  # SG207
    assert not foresee(state, read_line(message("AGENT", "a-2"))).must_wait  # SG205
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
