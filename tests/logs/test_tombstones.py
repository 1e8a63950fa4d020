"""The table of tombstones: what was put into it comes back, in little memory."""

from __future__ import annotations

import gc
import tracemalloc
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from segue.logs.tombstones import Tombstones

KEYS = st.one_of(st.sampled_from(["", "c-1", "4:st-1c-1", "\ud800", "ü" * 300]), st.text())


@settings(max_examples=200)
@given(st.lists(st.tuples(KEYS, st.binary(max_size=255))), st.lists(KEYS))
def test_it_has_what_a_dictionary_has(given_: list[tuple[str, bytes]], asked: list[str]) -> None:
    table, model = Tombstones(), dict(given_)
    for key, tombstone in given_:
        table[key] = tombstone
    for key in (*model, *asked):
        assert table.get(key) == model.get(key)
        assert (key in table) == (key in model)


def test_none_is_lost_while_it_grows_and_tombstones_change() -> None:
    chance, table, model = Random(1), Tombstones(), {}
    for number in range(6_000):
        for key in (f"c-{number}", f"c-{chance.randrange(number + 1)}"):
            table[key] = model[key] = chance.randbytes(chance.randrange(64))
    assert all(table[key] == tombstone for key, tombstone in model.items())
    assert not any(f"d-{number}" in table for number in range(6_000))


def test_what_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="c-1"):
        Tombstones()["c-1"]


@pytest.mark.thorough
@pytest.mark.parametrize("size", [9, 21, 38])
def test_it_takes_24_bytes_a_conversation_besides_the_tombstone_at_any_size(size: int) -> None:
    """17 for the digest and the size, and 7 for all that Python adds."""
    table, tombstone, number = Tombstones(), bytes(size), 0
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for whole in (5_000, 10_000, 20_000, 30_000, 50_000):
            while number < whole:
                table[f"conversation-{number}"] = tombstone
                number += 1
            grown, most = (each - before for each in tracemalloc.get_traced_memory())
            assert grown <= number * (size + 24)
            assert most <= number * (size + 24)  # there is no moment with two tables
    finally:
        tracemalloc.stop()
