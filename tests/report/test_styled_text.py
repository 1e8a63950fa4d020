"""A line is plain text with tones; whatever enters it is made safe."""

import re

from hypothesis import given, strategies as st
from tests.families import family

from segue.report.look import Look
from segue.report.styled_text import TextLine, Tone, indented, table

Row = list[tuple[str, Tone | None]]


def test_a_line_without_colour_is_plain_text() -> None:
    line = TextLine("error", Tone.ERROR).add(" ").add("name", Tone.STRONG).add("  ")

    assert line.render() == "error name"


def test_tones_are_escape_sequences_that_end_where_they_should() -> None:
    line = TextLine("error", Tone.ERROR).add(": ").add("name", Tone.FAINT)

    assert line.render(color=True) == "\x1b[1;31merror\x1b[0m: \x1b[2mname\x1b[0m"


def test_a_line_knows_its_columns() -> None:
    assert [TextLine(text).width for text in ("", "abc", "李小", "e\u0301")] == [0, 3, 4, 1]
    assert TextLine("李").to(5).add("a\n").width == 8
    assert TextLine("abc").to(2).render() == "abc"


@given(st.text())
def test_only_tones_of_ours_can_be_in_a_line(text: str) -> None:
    shown = TextLine(text, Tone.ERROR).render(color=True)

    assert shown.removeprefix("\x1b[1;31m").removesuffix("\x1b[0m").count("\x1b") == 0
    assert len(shown.splitlines()) <= 1


@family(
    "pieces",
    [("::notice::a",), ("  ", "::notice::a"), (" \u00a0:", ":notice::a"), ("", "\u2003::a")],
)
def test_no_line_begins_as_a_workflow_command(pieces: tuple[str, ...]) -> None:
    """GitHub Actions removes all blanks before it looks."""
    line = TextLine()
    for piece in pieces:
        line.add(piece, Tone.STRONG)
    escaped = "".join(pieces).replace("::", r"\x3a:", 1)

    assert line.render() == escaped
    assert re.sub("\x1b[^m]*m", "", line.render(color=True)) == escaped


def test_colons_elsewhere_stay() -> None:
    assert TextLine("urn::a").add("::").render() == "urn::a::"
    assert TextLine(" : ").add(":").render() == " : :"


def test_signs_are_ascii_where_nothing_else_can_be_shown() -> None:
    assert "".join(Look(fancy=False).signs).isascii()
    assert not "".join(Look(fancy=True).signs).isascii()


def test_cells_of_a_table_stand_below_each_other() -> None:
    head: Row = [("agent", Tone.FAINT), ("stays", None), ("as", None)]
    row: Row = [("李", Tone.STRONG), ("1", None), ("x", None)]

    assert [line.render() for line in table([head, row], 1, right={1})] == [
        " agent  stays  as",
        " 李         1  x",
    ]


def test_texts_of_a_table_are_made_safe() -> None:
    rows: list[Row] = [[("a\x1b[31m", None), ("b", None)], [("long enough", None), ("c", None)]]

    assert [line.render() for line in table(rows, 0)] == ["a\\x1b[31m    b", "long enough  c"]


def test_empty_texts_are_no_lines() -> None:
    assert [line.render() for line in indented(["a", "", "b"], 2)] == ["  a", "  b"]
