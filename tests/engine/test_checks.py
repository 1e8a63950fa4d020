"""What checks may read, and how values are kept."""

from types import MappingProxyType
from typing import Any

import pytest

from segue.engine.checks import reader_of
from segue.engine.compact import compact, expanded
from segue.events import Delivery, Event, EventKind

EVENT = Event(
    EventKind.NA_ENTRY,
    "a-1",
    "chat",
    {"language": "en", "participant": {"identity": "A-1", "name": "Ann"}, "reason": "x"},
    "/events/0",
)


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        (("participant.identity", "experience"), ("a-1", "chat")),
        (("experience",), ("chat",)),
        (("language", "participant.name"), ("en", "Ann")),
        (("experience", "reason.text", "participant.type"), ("chat", None, None)),
        ((), ()),
    ],
)
def test_fields_of_an_event_are_read(fields: tuple[str, ...], values: tuple[Any, ...]) -> None:
    assert reader_of(fields)(EVENT) == values


def test_fields_of_a_delivery_are_read() -> None:
    delivery = Delivery("c-1", "st-1", delivery_id="d-1")

    assert reader_of(("botId", "received_at", "delivery_id"))(delivery) == ("st-1", None, "d-1")


@pytest.mark.parametrize(
    "value", [None, {"a": [1, 2.5, "x", True, None]}, "text", MappingProxyType({"a": 1})]
)
def test_what_is_kept_comes_back(value: object) -> None:
    assert expanded(compact(value)) == value


def test_equal_values_are_kept_alike() -> None:
    shared = "a-1"

    assert compact([shared, shared]) == compact(["a-1", "A-1".lower()])
