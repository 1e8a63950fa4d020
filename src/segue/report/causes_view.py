"""Render root causes as lines for a terminal."""

from collections.abc import Iterator
from datetime import tzinfo

from segue.analysis.causes import RootCause, RootCauses
from segue.core.findings import BY_CODE
from segue.report.styled_text import TextLine, Tone


def causes_lines(causes: RootCauses, time_zone: tzinfo) -> Iterator[TextLine]:
    """Yield each cause with the summary of its rule, then the findings left unexplained.

    The time zone is named at the end if a cause has a time.
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
    """Yield the sentence of a cause and the summary of its rule."""
    yield TextLine(sentence)
    yield TextLine(f"  {BY_CODE[cause.code].summary}", Tone.FAINT)
