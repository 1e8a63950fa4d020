"""Causes as lines for a terminal."""

from collections.abc import Iterator

from segue.report.styled_text import TextLine, Tone
from segue.root_causes import RootCauses


def causes_lines(causes: RootCauses) -> Iterator[TextLine]:
    """Yield a sentence a line, and what is left unexplained."""
    sentences = causes.sentences()
    if not sentences:
        yield TextLine("No mistakes, so no causes.", Tone.GOOD)
    for number, sentence in enumerate(sentences):
        yield TextLine(sentence, None if number < len(causes.causes) else Tone.FAINT)
