"""Concurrent deliveries: an order that explains everything, or none."""

from threading import Lock
from typing import Any

import pytest

import segue
from segue.errors import ConfigurationError
from segue.testing import (
    TimedCall,
    assert_linearizable,
    deliver_together,
    in_process,
    linearization,
    story,
    view,
)
from segue.testing.backend import BackendAnswer, BackendDelivery

ENTERS, JOINS, LEAVES = (
    BackendDelivery(body, "c-1")
    for body in story("NA entry by a-1", "WARM entry by a-2", "WARM exit by a-2")
)


def call(delivered: BackendDelivery, began: int, ended: int, **said: object) -> TimedCall:
    return TimedCall(delivered, BackendAnswer(200, said), began, ended)


def test_calls_that_overlap_may_have_happened_in_either_order() -> None:
    calls = [
        call(JOINS, 0, 3, phase="consulting"),
        call(ENTERS, 1, 2, phase="active"),
    ]

    order = linearization(calls, known={"primary": "a-1", "consultants": ["a-2"]})

    assert order == [calls[1], calls[0]]


def test_what_was_answered_first_happened_first() -> None:
    calls = [
        call(JOINS, 0, 1, phase="consulting"),
        call(ENTERS, 2, 3, phase="active"),
    ]

    assert linearization(calls, known={"findings": []}) is None


def test_an_answer_that_fits_no_order_is_noticed() -> None:
    calls = [call(ENTERS, 0, 3, phase="active"), call(JOINS, 1, 2, phase="released")]

    with pytest.raises(AssertionError, match="no order of these deliveries") as failure:
        assert_linearizable(calls)

    assert "WARM entry by a-2: 200 {'phase': 'released'}" in str(failure.value)


def test_an_answer_that_never_came_may_have_been_applied_or_not() -> None:
    lost = TimedCall(JOINS, None, 1, 9)
    calls = [call(ENTERS, 0, 2, phase="active"), lost]

    assert linearization(calls, known={"consultants": ["a-2"]})
    assert linearization(calls, known={"consultants": []})
    assert not linearization(calls, known={"consultants": ["a-3"]})
    with pytest.raises(AssertionError, match="by a-2: no answer"):
        assert_linearizable(calls, known={"consultants": ["a-3"]})


def test_nothing_needs_no_order() -> None:
    assert linearization([]) == []
    assert deliver_together(in_process(lambda _: None), []) == []


@pytest.mark.parametrize("at_once", [0, -1])
def test_there_is_at_least_one_sender(at_once: int) -> None:
    with pytest.raises(ConfigurationError, match=f"`at_once` must be at least 1, got {at_once}"):
        deliver_together(in_process(lambda _: None), [ENTERS], at_once=at_once)


class Serial:
    """A backend that takes one delivery at a time, or forgets what came meanwhile."""

    def __init__(self, *, forgetful: bool) -> None:
        self._forgetful = forgetful
        self._lock = Lock()
        self._seen: list[Any] = []
        self.state = segue.Conversation().snapshot()

    def receive(self, body: Any) -> dict[str, Any]:
        with self._lock:
            conversation = segue.Conversation.restore(self.state)
            step = conversation.feed(body)
            self._seen.append(body)
            if not (self._forgetful and len(self._seen) == 2):
                self.state = conversation.snapshot()
            return {"phase": step.phase.value, "findings": [each.code for each in step.findings]}


@pytest.mark.parametrize("forgetful", [False, True])
def test_deliveries_at_once_are_explained_unless_one_was_lost(forgetful: bool) -> None:  # noqa: FBT001
    backend = Serial(forgetful=forgetful)
    conversation_id = "c-1"
    deliveries = [
        BackendDelivery(body, conversation_id)
        for body in story("NA entry by a-1", *(f"WARM entry by a-{n}" for n in range(2, 6)))
    ]

    calls = deliver_together(in_process(backend.receive), deliveries, at_once=3)
    known = view(segue.Conversation.restore(backend.state))

    assert len(calls) == len(deliveries)
    assert (linearization(calls, known=known) is None) is forgetful


def test_what_is_known_has_the_keys_of_a_view() -> None:
    with pytest.raises(ConfigurationError, match="unknown key 'owner' in a view"):
        assert_linearizable([call(ENTERS, 0, 1)], known={"owner": "a-1"})


def test_a_body_is_no_delivery() -> None:
    with pytest.raises(
        ConfigurationError, match=r"must be a BackendDelivery\(body, conversation_id\)"
    ):
        deliver_together(in_process(lambda _: None), story("NA entry by a-1"))
