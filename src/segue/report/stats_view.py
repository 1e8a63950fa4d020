"""Render statistics as tables with bars for a terminal.

Bars show numbers in proportion to the largest of their table. Names are cut, numbers are not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from segue.analysis.compare import Statistics
from segue.analysis.compare.statistics import ranked
from segue.core.findings import Severity
from segue.report.grouping import counts_by_severity
from segue.report.header import ruled
from segue.report.look import Look
from segue.report.plurals import pluralize
from segue.report.styled_text import TONES, TextLine, Tone, clip

_NAME: Final = 34
_ROWS: Final = 15
_HOURS: Final = 24
_DAYS: Final = 31
"""The maximum number of rows of the table of days.

`_HOURS` is that of the table of hours, and `_ROWS` that of all other tables.
"""
_METRIC: Final = 24
_FIGURE: Final = 9
_UNITS: Final = ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "m"), (60, "m", 1, "s"))
"""Each unit of time as `(seconds, sign, seconds of the next smaller unit, its sign)`."""

_Row = tuple[str, int, Tone]
"""A row of a table: its name, its count, and the style of its bar."""


def statistics_lines(statistics: Statistics, look: Look) -> Iterator[TextLine]:
    """Yield the lines that show the statistics of a log, as bar charts and one table.

    The charts count findings by rule, day and hour, mistakes and other findings by agent, queue and
    bot, and segments outside the hours of operation. The table summarizes the metrics of
    conversations.
    """
    counts = f"{pluralize(statistics.findings, 'finding')} in "
    counts += pluralize(statistics.conversations, "conversation")
    errors = counts_by_severity(
        {Severity.ERROR: statistics.errors}, statistics.mistakes, statistics.untraced
    )
    yield TextLine(": ".join((counts, *errors.values())), Tone.STRONG)
    rules = ranked(statistics.rules, key=lambda rule: rule.code)
    named = [(f"{rule.code} {rule.name}", count, TONES[rule.severity]) for rule, count in rules]
    yield from _table("findings by rule", named, look)
    for name, placed, unnamed in (
        ("agent", statistics.agents, ""),
        ("queue", statistics.queues, "(no queue)"),
        ("bot", statistics.bots, "(no bot)"),
    ):
        title = f"mistakes and other findings by {name}"
        yield from _table(title, _ranked(placed, unnamed), look)
    zone = statistics.time_zone
    if len(statistics.days) > 1:
        days = [(f"{day}", statistics.days[day], Tone.CODE) for day in sorted(statistics.days)]
        yield from _table(f"findings by day ({zone})", days, look, limit=_DAYS)
        yield from _unplaced(statistics, "day")
    yield from _table(f"findings by hour ({zone})", _hours(statistics.hours), look, limit=_HOURS)
    if statistics.hours:
        yield from _unplaced(statistics, "hour")
    outside = _ranked(statistics.outside_hours, "(no queue)")
    yield from _table("segments outside hours of operation", outside, look)
    if statistics.hours_of_queues and not outside:
        yield TextLine("  no segment outside hours of operation", Tone.FAINT)
    yield from _metrics(statistics, look)
    yield from _groups(statistics, look)
    busy = Counter(overlap.agent for overlap in statistics.voice.overlaps())
    yield from _table("in two voice conversations at once", _ranked(busy), look)


def _ranked(counts: Counter[str], unnamed: str = "") -> list[_Row]:
    return [(name or unnamed, count, Tone.CODE) for name, count in ranked(counts)]


def _hours(counts: dict[int, int]) -> list[_Row]:
    """Return a row for each hour of the day, from the first to the last hour with findings.

    `counts` maps hours, from 0 to 23, to numbers of findings. Hours in between have a row even if
    they have no findings.
    """
    hours = range(min(counts), max(counts) + 1) if counts else ()
    return [(f"{hour:02}:00", counts.get(hour, 0), Tone.CODE) for hour in hours]


def _unplaced(statistics: Statistics, what: str) -> Iterator[TextLine]:
    """Yield a line such as `3 of no known day` if the times of some findings are unknown.

    `what` is `day` or `hour`.
    """
    if statistics.unplaced:
        yield TextLine(f"  {statistics.unplaced} of no known {what}", Tone.FAINT)


def _table(title: str, rows: Sequence[_Row], look: Look, limit: int = _ROWS) -> Iterator[TextLine]:
    if not rows:
        return
    yield from (TextLine(), ruled(title, look))
    most = max(count for _, count, _ in rows)
    names = [clip(name, _NAME, look.signs.more) for name, *_ in rows[:limit]]
    room = look.columns - max(map(cell_len, names)) - len(str(most)) - 6
    for name, (_, count, tone) in zip(names, rows, strict=False):
        line = TextLine("  ").add(name).to(look.columns - room - 2 - len(str(count)))
        length = max(round(room * count / most), int(count > 0))
        yield line.add(f"{count}  ").add(look.signs.block * length, tone)
    hidden = [count for _, count, _ in rows[limit:]]
    if hidden:
        yield TextLine(f"  {look.signs.more} and {sum(hidden)} in {len(hidden)} more", Tone.FAINT)


def _metrics(statistics: Statistics, look: Look) -> Iterator[TextLine]:
    spreads = statistics.measures.spreads()
    if not spreads:
        return
    figures = "" if statistics.figures == "best" else f", as {statistics.figures}"
    yield from (TextLine(), ruled(f"metrics of a conversation{figures}", look))
    has_doubt = any(spread.doubt for spread in spreads)
    heads = ("count", "mean", "median", "p90", "max", *(("in doubt",) if has_doubt else ()))
    yield TextLine(" " * _METRIC).add("".join(head.rjust(_FIGURE) for head in heads), Tone.FAINT)
    for spread in spreads:
        line = TextLine("  ").add(spread.name.replace("_", " ")).to(_METRIC)
        line.add(str(spread.count).rjust(_FIGURE))
        for value in (spread.mean, spread.median, spread.p90, spread.maximum):
            line.add((length_text(value) if spread.is_time else _plain(value)).rjust(_FIGURE))
        if has_doubt:
            line.add(f"{spread.doubt:.1%}".rjust(_FIGURE))
        yield line
    if statistics.measures.untold:
        yield TextLine("  no wrap-up time: each END came within a second of the exit", Tone.FAINT)
    if unexplained := statistics.measures.unexplained:
        count = pluralize(unexplained, "conversation")
        yield TextLine(f"  without {count} whose mistakes are not explained", Tone.FAINT)


_GROUPED: Final = ("answer_time", "first_response", "talk_time", "handle_time")
"""The metrics whose medians are shown for each group."""


def _groups(statistics: Statistics, look: Look) -> Iterator[TextLine]:
    """Yield a table with a row for each agent, queue, bot or hour."""
    groups = statistics.ranked_groups()
    if not groups:
        return
    yield from (TextLine(), ruled(f"conversations by {statistics.by}, medians", look))
    heads = ("count", "answer", "response", "talk", "handle")
    yield TextLine(" " * _METRIC).add("".join(head.rjust(_FIGURE) for head in heads), Tone.FAINT)
    limit = _HOURS + 1 if statistics.by == "hour" else _ROWS
    for key, group in groups[:limit]:
        name = f"{key:02}:00" if isinstance(key, int) else key or f"(no {statistics.by})"
        line = TextLine("  ").add(clip(name, _METRIC - 3, look.signs.more)).to(_METRIC)
        line.add(str(group.conversations).rjust(_FIGURE))
        medians = {spread.name: length_text(spread.median) for spread in group.spreads()}
        yield line.add("".join(medians.get(name, "").rjust(_FIGURE) for name in _GROUPED))
    if groups[limit:]:
        yield TextLine(f"  {look.signs.more} and {len(groups) - limit} more", Tone.FAINT)


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.2f}"


def length_text(seconds: float) -> str:
    """Format a duration in seconds with its two largest units, such as `2h 05m`."""
    if round(seconds, 1) < _UNITS[-1][0]:
        return f"{seconds:.1f}s" if seconds != int(seconds) else f"{int(seconds)}s"
    whole = round(seconds)
    size, unit, less, part = next(units for units in _UNITS if whole >= units[0])
    return f"{whole // size}{unit} {whole % size // less:02}{part}"
