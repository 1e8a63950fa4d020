"""Whatever is given, a delivery comes back."""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.core.wire.mutation import json_values, odd_line, odd_lines
from tests.core.wire.samples import flaws, read_action, read_hook

from segue.core.events import Delivery
from segue.core.wire import parse_line, read_line

READERS = (read_hook, read_action, read_line)
MANY = 1_000_000
CONTRADICTING_FLAGS = ("SG209", "/sendAgentMessage")
"""The only flaw outside family 5 that a hook or an action can have: a note on readable fields."""


def total(raw: Any) -> None:
    for read in READERS:
        delivery = read(raw)
        assert isinstance(delivery, Delivery)
        for code, pointer in flaws(delivery):
            assert code.startswith("SG50") or (code, pointer) == CONTRADICTING_FLAGS
            assert pointer == "" or pointer.startswith("/")


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_text_gives_a_delivery(raw: bytes | str) -> None:
    """Law: no bytes and no string make a reader raise."""
    total(raw)


@given(st.dictionaries(st.text(max_size=5), json_values) | json_values)
def test_any_json_value_gives_the_same_delivery_as_its_text(value: Any) -> None:
    """Law: a value of Python's is read as its JSON text is."""
    if isinstance(value, str):
        return  # it is text itself
    total(value)
    for read in READERS:
        assert read(value) == read(json.dumps(value))
        assert read(value) == read(json.dumps(value, ensure_ascii=False))


@given(odd_lines)
def test_any_odd_line_gives_a_delivery(raw: bytes) -> None:
    """Law: nothing that can happen to a body makes a reader raise."""
    total(raw)
    parse_line(raw)


@given(odd_lines)
def test_text_and_bytes_are_read_alike(raw: bytes) -> None:
    """Law: a string is read as its bytes are."""
    try:
        string = raw.decode()
    except UnicodeDecodeError:
        return
    for read in READERS:
        assert read(string) == read(raw)


@given(
    st.recursive(
        st.sampled_from((None, 1, float("nan"), "a", "\ud800", "\0", b"", object(), 1j, len)),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.tuples(inner)
            | st.dictionaries(st.sampled_from(("events", "body", "author", 1, None, ())), inner)
        ),
        max_leaves=10,
    )
)
def test_any_python_object_gives_a_delivery(value: Any) -> None:
    """Law: no object of Python's makes a reader raise."""
    total(value)


@pytest.mark.slow
@pytest.mark.skipif("SEGUE_LONG" not in os.environ, reason="takes minutes; set SEGUE_LONG=1")
def test_a_million_odd_texts_give_deliveries() -> None:
    random = Random(int(os.environ.get("SEGUE_SEED", "0")))
    for number in range(MANY):
        raw = random.randbytes(random.randrange(80)) if number % 10 == 0 else odd_line(random)
        for read in READERS:
            assert isinstance(read(raw), Delivery)
