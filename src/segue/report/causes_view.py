"""Causes as lines for a terminal."""

from collections.abc import Iterator

from segue.findings import BY_CODE
from segue.report.styled_text import TextLine, Tone
from segue.root_causes import RootCause, RootCauses


def causes_lines(causes: RootCauses) -> Iterator[TextLine]:
    """Yield a sentence a line, with what its rule reports, and what is left unexplained."""
    sentences = causes.sentences()
    if not sentences:
        yield TextLine("No mistakes, so no causes.", Tone.GOOD)
    for cause, sentence in zip(causes.causes, sentences, strict=False):
        yield from cause_lines(cause, sentence)
    for sentence in sentences[len(causes.causes) :]:
        yield TextLine(sentence, Tone.FAINT)


def cause_lines(cause: RootCause, sentence: str) -> Iterator[TextLine]:
    """Yield the sentence of a cause, and what its rule reports."""
    yield TextLine(sentence)
    yield TextLine(f"  {BY_CODE[cause.code].summary}", Tone.FAINT)
