"""Bytes that are not a snapshot of ours are refused."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.test_snapshot import sealed, told

from segue import Conversation
from segue.engine import dump, new
from segue.errors import ConfigurationError, SchemaTooNew

_state = new("c-1")
told(_state)
WHOLE = dump(_state)

PLACES = st.integers(0, len(WHOLE) - 1)
ODD_BYTES = st.one_of(
    st.binary(max_size=200),
    PLACES.map(lambda at: WHOLE[:at]),
    st.tuples(PLACES, st.binary(min_size=1, max_size=8)).map(
        lambda edit: WHOLE[: edit[0]] + edit[1] + WHOLE[edit[0] :]
    ),
    st.tuples(PLACES, st.integers(1, 255)).map(
        lambda flip: WHOLE[: flip[0]] + bytes([WHOLE[flip[0]] ^ flip[1]]) + WHOLE[flip[0] + 1 :]
    ),
    st.tuples(PLACES, PLACES).map(lambda cut: WHOLE[: min(cut)] + WHOLE[max(cut) + 1 :]),
)


@settings(max_examples=1000)
@given(ODD_BYTES)
def test_odd_bytes_are_refused(data: bytes) -> None:
    with pytest.raises((ConfigurationError, SchemaTooNew)):
        Conversation.restore(data)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    return [path, *(found for key, part in parts for found in _paths(part, (*path, key)))]


PATHS = _paths(json.loads(WHOLE[8:]))
ODD_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 2**70), st.floats(allow_nan=False),
    st.sampled_from(["", "x", "2026", [], {}, [None], [[]], [0, 1, 2], {"": None}]),
)  # fmt: skip


@settings(max_examples=300)
@given(st.sampled_from(PATHS), ODD_VALUES)
def test_what_was_forged_with_its_checksum_is_read_or_refused(
    path: tuple[Any, ...], odd: Any
) -> None:
    """The checksum tells damage; it is no signature."""
    value = {"": json.loads(WHOLE[8:])}
    holder: Any = value
    *before, last = ("", *path)
    for key in before:
        holder = holder[key]
    holder[last] = odd
    with suppress(ConfigurationError, SchemaTooNew):
        Conversation.restore(sealed(json.dumps(value[""]).encode()))
