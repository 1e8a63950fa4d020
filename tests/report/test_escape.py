"""Nothing that a sender writes can act on a terminal or in the log of a CI job."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from segue.report.escape import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a-1", "a-1"),
        ("Zoë 李", "Zoë 李"),
        ("one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\x9b31m\x7f", "\\x9b31m\\x7f"),
        ("a\u202eb\u2066c\u2069", "a\\u202eb\\u2066c\\u2069"),
        ("a\u200bb\u2060\ufeff", "a\\u200bb\\u2060\\ufeff"),
        ("line\u2028paragraph\u2029", "line\\u2028paragraph\\u2029"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("[red]bold[/red]", "[red]bold[/red]"),
        ("##[error]a", r"\x23#[error]a"),
        ("a ###vso[task.complete]", r"a #\x23#vso[task.complete]"),
        ("##teamcity[x]", r"\x23#teamcity[x]"),
        ("#1 ## [x] #[y]", "#1 ## [x] #[y]"),
    ],
)
def test_what_acts_is_shown_as_an_escape_and_what_shows_as_it_is(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_no_control_format_or_surrogate_character_is_left(text: str) -> None:
    left = {unicodedata.category(character) for character in visible(text)}

    assert not left & {"Cc", "Cs", "Zl", "Zp"}


@given(st.text())
def test_escaping_twice_is_escaping_once(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@pytest.mark.parametrize("number", [*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
def test_every_bidirectional_override_is_shown(number: int) -> None:
    assert visible(chr(number)) == f"\\u{number:04x}"
