"""Columns are counted as a terminal counts them, and ids are never broken."""

from hypothesis import given, strategies as st
from rich.cells import cell_len

from segue.report.styled_text import clip, fill, wrap

WORDS = st.text(st.sampled_from("abc李é-"), min_size=1, max_size=12)


def test_clipping_counts_columns_and_says_that_it_clipped() -> None:
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abcdef", 5) == "abcd…"
    assert clip("李小龍", 5) == "李小…"
    assert clip("李小龍", 4) == "李…"
    assert clip("abcdef", 5, "...") == "ab..."


def test_what_is_clipped_is_safe_to_show_and_fits() -> None:
    assert clip("a\x1bb", 6) == "a\\x1bb"
    assert clip("a\x1bbcd", 6) == "a\\x1b…"


def test_text_is_broken_between_words_only() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("a conversation-id-that-is-long b", 10) == [
        "a",
        "conversation-id-that-is-long",
        "b",
    ]
    assert wrap("", 10) == [""]


def test_items_are_broken_between_items_only() -> None:
    items = ["NA exit by a-1", "COLD exit by a-1", "message"]

    assert fill(items, 33) == ["NA exit by a-1, COLD exit by a-1,", "message"]
    assert fill([], 33) == [""]


@given(st.lists(WORDS, min_size=1), st.integers(1, 30))
def test_wrapping_loses_nothing_and_is_too_long_for_a_single_word_only(
    words: list[str],
    columns: int,
) -> None:
    lines = wrap(" ".join(words), columns)

    assert " ".join(lines).split(" ") == words
    assert all(cell_len(line) <= columns or " " not in line for line in lines)
