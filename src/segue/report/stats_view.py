"""Statistics as tables with bars, for a terminal.

It decides how many rows a table has, and how long a bar is.  House rule: a bar repeats the number
beside it and is as long as the largest of its table allows; names are clipped, numbers never.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from segue.report.plurals import pluralize
from segue.report.styled_text import TONES, Look, TextLine, Tone
from segue.report.text_layout import clip, width

if TYPE_CHECKING:
    from segue.compare import Spread, Statistics

__all__ = ["statistics_lines"]

_NAME: Final = 34
_ROWS: Final = 15
_METRIC: Final = 24
_FIGURE: Final = 10
_DAY: Final = 86_400
_HOUR: Final = 3_600
_MINUTE: Final = 60


def statistics_lines(statistics: "Statistics", look: Look) -> Iterator[TextLine]:
    """Yield all tables."""
    counts = f"{pluralize(statistics.findings, 'finding')} in "
    yield TextLine(counts + pluralize(statistics.conversations, "conversation"), Tone.STRONG)
    rules = sorted(statistics.rules.items(), key=lambda item: (-item[1], item[0].code))
    named = [(f"{rule.code} {rule.name}", count) for rule, count in rules]
    tones = [TONES[rule.severity] for rule, _ in rules]
    yield from _table("findings by rule", named, look, tones)
    yield from _table("findings by agent", _ranked(statistics.agents), look)
    queues = [(name or "(no queue)", count) for name, count in _ranked(statistics.queues)]
    yield from _table("findings by queue", queues, look)
    zone = statistics.time_zone
    yield from _table(f"findings by hour ({zone})", _hours(statistics.hours), look, is_whole=True)
    if statistics.unplaced and statistics.hours:
        yield TextLine(f"  {statistics.unplaced} of no known hour", Tone.FAINT)
    yield from _metrics(statistics.spreads(), look)


def _ranked(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _hours(counts: dict[int, int]) -> list[tuple[str, int]]:
    """Return every hour from the first to the last that has any."""
    if not counts:
        return []
    return [(f"{hour:02}:00", counts.get(hour, 0)) for hour in range(min(counts), max(counts) + 1)]


def _title(text: str, look: Look) -> Iterator[TextLine]:
    yield TextLine()
    yield TextLine(f"{text} ").add(look.signs.dash * (look.columns - width(text) - 1), Tone.FRAME)


def _table(
    title: str,
    rows: Sequence[tuple[str, int]],
    look: Look,
    tones: Sequence[Tone] = (),
    *,
    is_whole: bool = False,
) -> Iterator[TextLine]:
    if not rows:
        return
    yield from _title(title, look)
    shown = rows if is_whole else rows[:_ROWS]
    most = max(count for _, count in rows)
    digits = len(str(most))
    names = min(_NAME, max(width(name) for name, _ in shown))
    room = look.columns - names - digits - 6
    for index, (name, count) in enumerate(shown):
        line = TextLine("  ").add(clip(name, names, look.signs.more)).to(names + 4)
        line.add(str(count).rjust(digits)).add("  ")
        length = max(round(room * count / most), int(count > 0))
        yield line.add(look.signs.block * length, tones[index] if tones else Tone.CODE)
    if len(shown) < len(rows):
        rest = sum(count for _, count in rows[len(shown) :])
        yield TextLine(
            f"  {look.signs.more} and {rest} in {len(rows) - len(shown)} more", Tone.FAINT
        )


def _metrics(spreads: "Sequence[Spread]", look: Look) -> Iterator[TextLine]:
    if not spreads:
        return
    yield from _title("metrics of a conversation", look)
    heads = ("count", "mean", "median", "p90", "max")
    yield TextLine(" " * _METRIC).add("".join(head.rjust(_FIGURE) for head in heads), Tone.FAINT)
    for spread in spreads:
        line = TextLine("  ").add(spread.name.replace("_", " ")).to(_METRIC)
        line.add(str(spread.count).rjust(_FIGURE))
        for value in (spread.mean, spread.median, spread.p90, spread.maximum):
            line.add((_span(value) if spread.is_time else _plain(value)).rjust(_FIGURE))
        yield line


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.2f}"


def _span(seconds: float) -> str:
    """Return a length of time in its two largest units."""
    units = [(_DAY, "d"), (_HOUR, "h"), (_MINUTE, "m"), (1, "s")]
    if seconds < _MINUTE:
        return f"{seconds:.1f}s" if seconds != int(seconds) else f"{int(seconds)}s"
    whole = round(seconds)
    for (size, unit), (less, part) in pairwise(units):
        if whole >= size:
            return f"{whole // size}{unit} {whole % size // less:02}{part}"
    return f"{whole}s"
