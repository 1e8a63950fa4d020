"""Ids as findings repeat them."""

from segue.core.engine.truncation import listed, short


def test_a_long_id_is_cut() -> None:
    assert short("x" * 120) == "x" * 120
    assert short("x" * 121) == "x" * 120 + "…"


def test_of_many_ids_twenty_are_named() -> None:
    assert listed([]) == "nobody"
    assert listed(["a", "b"]) == "a, b"
    assert listed("abcdefghijklmnopqrst").endswith("r, s, t")
    assert listed("abcdefghijklmnopqrstuv").endswith("r, s, t, 2 more")


def test_an_id_beside_blanks_is_quoted() -> None:
    assert short(" ada") == '" ada"'
    assert short("ada\t") == '"ada\t"'
    assert short("ada b") == "ada b"
    assert listed(["ada", "ada "]) == 'ada, "ada "'
