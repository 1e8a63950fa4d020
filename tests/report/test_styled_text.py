"""A line is plain text with tones; whatever enters it is made safe."""

from hypothesis import given
from hypothesis import strategies as st

from segue.report import Look, TextLine, Tone


def test_a_line_without_colour_is_plain_text() -> None:
    line = TextLine("error", Tone.ERROR).add(" ").add("name", Tone.STRONG).add("  ")

    assert line.render() == "error name"


def test_tones_are_escape_sequences_that_end_where_they_should() -> None:
    line = TextLine("error", Tone.ERROR).add(": ").add("name", Tone.FAINT)

    assert line.render(color=True) == "\x1b[1;31merror\x1b[0m: \x1b[2mname\x1b[0m"


def test_a_line_knows_its_columns() -> None:
    assert TextLine("李").to(5).add("a\n").width == 8
    assert TextLine("abc").to(2).render() == "abc"


@given(st.text())
def test_only_tones_of_ours_can_be_in_a_line(text: str) -> None:
    shown = TextLine(text, Tone.ERROR).render(color=True)

    assert shown.removeprefix("\x1b[1;31m").removesuffix("\x1b[0m").count("\x1b") == 0
    assert len(shown.splitlines()) <= 1


def test_signs_are_ascii_where_nothing_else_can_be_shown() -> None:
    assert "".join(Look(fancy=False).signs).isascii()
    assert not "".join(Look(fancy=True).signs).isascii()
