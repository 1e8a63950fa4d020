"""Render root causes, which explain many findings at once, as lines for a terminal."""

from collections.abc import Iterator
from datetime import tzinfo

from segue.analysis.causes import RootCause, RootCauses
from segue.core.findings import BY_CODE
from segue.report.styled_text import TextLine, Tone


def causes_lines(causes: RootCauses, time_zone: tzinfo) -> Iterator[TextLine]:
    """Yield the lines of all root causes and of the findings that no cause explains.

    Each cause is a sentence, followed by the summary of its rule. The last line names the time zone
    if any cause has a start or an end time.
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
    """Yield two lines: the sentence that describes a cause, and the summary of the cause's rule."""
    yield TextLine(sentence)
    yield TextLine(f"  {BY_CODE[cause.code].summary}", Tone.FAINT)
