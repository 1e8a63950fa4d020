"""Placeholders are told from ids by their spelling."""

from __future__ import annotations

from string import ascii_letters, digits

import pytest

from segue.core.events.ids import ODD_STARTS, is_placeholder, listed, one_spelling, short

PLACEHOLDERS = [
    *("undefined", "Undefined", "UNDEFINED", "null", "NULL", "none", "None", "nil", "NIL", "NaN"),
    *("{{conversationId}}", "{{ a.b }}", "${agent.id}", "${}", "#{id}", "%ID%", "<id>", "<>"),
    *("{botId}", "{}", ":botId", ":a_1", "[object Object]", "[Object object]"),
    *(" ", "\t \n", "{{two\nlines}}"),
]
IDS = [
    *("a-1", "nobody", "nullable", "annul", "undefined-1", "0", "", "u@x", "ü"),
    "{7F0F4D6E-0000-4000-8000-0000000000c1}",  # a UUID as Windows writes it
    *("%", "%%", "50%", "%20x", ":", "::1", ":1", "c:1", "<a", "[a]", "#1", "$5", "#general"),
    *("{a", "{{a", "{a}{b}", "${a", "[object Object]s"),
]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_a_placeholder(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize("text", IDS)
def test_an_id(text: str) -> None:
    assert not is_placeholder(text)


def test_usual_ids_do_not_begin_like_a_template() -> None:
    """The accelerator reads ids that begin with a letter, a digit, `+`, `-` or `_` only."""
    assert ODD_STARTS.isdisjoint(ascii_letters + digits + "+-_")


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


UUID = "7f0f4d6e-0000-4000-8000-0000000000c1"


@pytest.mark.parametrize(
    "text", [UUID, UUID.upper(), f"{{{UUID}}}", f"{{{UUID.upper()}}}", UUID.replace("c", "C")]
)
def test_a_uuid_has_one_spelling(text: str) -> None:
    assert one_spelling(text) == UUID


@pytest.mark.parametrize(
    "text",
    [
        *("", "A-1", "{A}", "A" * 36, UUID.upper() + "0", UUID.upper().replace("-", "")),
        *(f"{{{UUID.upper()}", f"({UUID.upper()})", UUID.replace("7f", "7G"), "A" * 38),
    ],
)
def test_other_ids_are_exact(text: str) -> None:
    assert one_spelling(text) == text
