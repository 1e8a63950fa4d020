"""What the host asked for: stored once, found again by the ids of a callback, forgotten in time."""

from __future__ import annotations

import pytest
from tests.server.stores.conftest import StoreMaker
from tests.server.stores.library import at
from tests.server.stores.model import ModelStore

from segue.server.processor import HostRequest, Store


def request(
    conversation: str | None = None, name: str | None = None, *, bot: str = "st-1"
) -> HostRequest:
    return HostRequest("notifications", bot, conversation, name)


FITTING = [
    (request("c-1"), request("c-1"), True),
    (request("c-1"), request("c-1", "r-1"), True),
    (request("c-1", "r-1"), request("c-1"), True),
    (request("c-1", "r-1"), request("c-1", "r-1"), True),
    (request(None, "r-1"), request("c-1", "r-1"), True),
    (request("c-1", "r-1"), request("c-1", "r-2"), False),
    (request("c-1", "r-1"), request("c-2", "r-1"), False),
    (request("c-1"), request("c-2"), False),
    (request(None, "r-1"), request("c-1"), False),
    (request(None, "r-1"), request("c-1", "r-2"), False),
    (request("r-1"), request("c-1", "r-1"), False),
]
"""What was asked, what is called back, and whether it answers that."""


@pytest.mark.parametrize(("asked", "callback", "fits"), FITTING)
def test_a_callback_answers_a_request_with_which_it_agrees(
    store: Store, asked: HostRequest, callback: HostRequest, *, fits: bool
) -> None:
    for each in (store, ModelStore()):
        each.expect(asked, at(5))

        assert each.find_request(callback) == (True, at(5) if fits else None)


def test_what_another_bot_or_endpoint_asked_is_not_looked_at(store: Store) -> None:
    store.expect(request("c-1"), at(5))

    assert store.find_request(request("c-1", bot="st-2")) == (False, None)
    assert store.find_request(request("c-1")._replace(endpoint="transfers")) == (False, None)


def test_the_first_time_of_a_request_stays_and_the_latest_request_counts(store: Store) -> None:
    for seconds in (5, 7):
        store.expect(request("c-1"), at(seconds))
    assert store.find_request(request("c-1")) == (True, at(5))

    store.expect(request("c-1", "r-2"), at(6))
    assert store.find_request(request("c-1")) == (True, at(6))
    assert store.find_request(request("c-1", "r-1")) == (True, at(5))


def test_requests_are_forgotten_by_their_own_times(store: Store) -> None:
    store.expect(request("c-1"), at(5))
    store.expect(request("c-2"), at(9))

    store.purge(at(9))

    assert store.find_request(request("c-1")) == (True, None)
    assert store.find_request(request("c-2")) == (True, at(9))
    store.purge(at(10))
    assert store.find_request(request("c-2")) == (False, None)


def test_requests_are_there_for_other_processes(open_shared: StoreMaker) -> None:
    first = open_shared()
    first.expect(request("c-1"), at(5))
    first.close()

    assert open_shared().find_request(request("c-1")) == (True, at(5))
