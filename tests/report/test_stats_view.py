"""Lengths of time, as a terminal shows them."""

import pytest

from segue.report.stats_view import length_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (7, "7s"),
        (7.25, "7.2s"),
        (59.94, "59.9s"),
        (59.97, "1m 00s"),
        (60, "1m 00s"),
        (3_599.6, "1h 00m"),
        (90_000, "1d 01h"),
    ],
)
def test_a_length_is_rounded_before_its_units_are_chosen(seconds: float, text: str) -> None:
    assert length_text(seconds) == text
