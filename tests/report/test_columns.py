"""Columns: what is in them, how it is written, and that nothing is lost."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.report.columns import values_of

from segue.report.columns import to_column

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=2), inner)
)
ALIKE = st.lists(st.sampled_from(["", "a", "b"]) | st.none(), min_size=5)
TABLES = st.lists(st.tuples(st.integers(0, 9), st.sampled_from("ab")).map(list), min_size=5)


@pytest.mark.parametrize(
    ("values", "column"),
    [
        ([], []),
        ([1000, 1001, None, 1003], {"steps": [1000, 1, None, 2]}),
        ([5, 1, 5, 1], [5, 1, 5, 1]),
        ([2**60, 2**60 + 1], [2**60, 2**60 + 1]),
        (["a"] * 6 + ["b"] * 3, {"of": ["a", "b"], "at": [0, 0, 0, 0, 0, 0, 1, 1, 1]}),
        (["a", "b", "c"], ["a", "b", "c"]),
        ([True, 1], [True, 1]),
        ([[7, "x"], [3, "y"]], {"items": [[7, 3], ["x", "y"]]}),
        ([[1], [], [2, 3]], {"sizes": [1, 0, 2], "all": [1, 2, 3]}),
        (
            [{"a": "x", "b": 7}, {"b": 3}, {"a": "y", "b": 7}],
            {
                "keys": [["a", "b"], ["b"]],
                "which": [0, 1, 0],
                "values": [["x", "y"], [7, 3, 7]],
            },
        ),
    ],
)
def test_a_column_is_written_by_what_its_values_are(values: list[Any], column: Any) -> None:
    assert to_column(values) == column


@given(st.lists(JSON) | ALIKE | TABLES | st.lists(ALIKE))
def test_a_column_has_all_its_values(values: list[Any]) -> None:
    written = json.loads(json.dumps(to_column(values)))

    assert repr(values_of(written)) == repr(values)  # True is not 1
