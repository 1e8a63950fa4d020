"""Render the changes of rates and metrics between two logs as lines for a terminal."""

from collections.abc import Iterator, Sequence

from segue.analysis.compare import Change, Share, Shift
from segue.analysis.compare.change import ERROR
from segue.core.findings import BY_CODE
from segue.report.header import ruled
from segue.report.look import Look
from segue.report.plurals import pluralize
from segue.report.stats_view import length_text
from segue.report.styled_text import TextLine, Tone, table

_NEUTRAL = "bot", "agent", "queue"


def change_lines(compared: Sequence[Change], look: Look) -> Iterator[TextLine]:
    """Yield a table of the statistically significant changes, then the number of comparisons."""
    yield TextLine()
    yield ruled("changes, rates in % of conversations", look)
    rows = [_row(each) for each in compared if each.is_significant]
    yield from table(rows, 2)
    others = "no other difference" if rows else "no difference"
    yield TextLine(
        f"{others} beyond chance: {pluralize(len(compared), 'comparison')}, "
        f"error {100 * ERROR:.0f} % for all together",
        Tone.FAINT,
    )


def _row(change: Change) -> list[tuple[str, Tone | None]]:
    medians = {each.median for each in (change.before, change.after) if isinstance(each, Shift)}
    before, after = (
        _value(each, has_medians=len(medians) > 1, is_time=change.is_time)
        for each in (change.before, change.after)
    )
    return [
        (f"{change.what} {_name(change)}", None),
        (change.kind, _tone(change)),
        (after, None),
        (f"before {before}", Tone.FAINT),
    ]


def _name(change: Change) -> str:
    if change.what == "rule":
        return f"{change.name} {BY_CODE[change.name].name}"
    return change.name.replace("_", " ") if change.what == "metric" else change.name


def _tone(change: Change) -> Tone:
    if change.what in _NEUTRAL:
        return Tone.STRONG
    return Tone.ERROR if change.kind in {"new", "more"} else Tone.GOOD


def _value(value: Share | Shift, *, has_medians: bool, is_time: bool) -> str:
    """Return the text for one side of a comparison.

    A `Share` becomes a percentage with its confidence interval, such as `2.0 % (1.5 to 2.7)`. A
    `Shift` becomes the median or the mean of a metric, such as `median 2m 05s of 120`.
    """
    if isinstance(value, Share):
        low, high = value.interval
        return f"{100 * value.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    number = value.median if has_medians else value.mean
    text = length_text(number) if is_time else f"{number:.4g}"
    return f"{'median' if has_medians else 'mean'} {text} of {value.count}"
