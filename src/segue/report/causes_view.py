"""Causes as lines for a terminal."""

from collections.abc import Iterator
from datetime import tzinfo

from segue.analysis.causes import RootCause, RootCauses
from segue.core.findings import BY_CODE
from segue.report.styled_text import TextLine, Tone


def causes_lines(causes: RootCauses, time_zone: tzinfo) -> Iterator[TextLine]:
    """Yield a sentence a line, with what its rule reports, and what is left unexplained.

    The zone, in which times are, is named behind them.
    """
    sentences = causes.sentences()
    if not sentences:
        yield TextLine("No mistakes, so no causes.", Tone.GOOD)
    for cause, sentence in zip(causes.causes, sentences, strict=False):
        yield from cause_lines(cause, sentence)
    for sentence in sentences[len(causes.causes) :]:
        yield TextLine(sentence, Tone.FAINT)
    if any(cause.since or cause.until for cause in causes.causes):
        yield TextLine(f"Times are in {time_zone}.", Tone.FAINT)


def cause_lines(cause: RootCause, sentence: str) -> Iterator[TextLine]:
    """Yield the sentence of a cause, and what its rule reports."""
    yield TextLine(sentence)
    yield TextLine(f"  {BY_CODE[cause.code].summary}", Tone.FAINT)
