"""Playback of a log: the loop between where lines come from and what becomes of them."""

from collections.abc import Callable, Container, Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from os import PathLike
from typing import Literal

from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.findings import DEFAULT, Policy
from segue.fold import Partial
from segue.logs.layout import Layout
from segue.logs.replayer import Options, Replayer
from segue.logs.source import Path, lines_of, name_of

__all__ = ["replay"]


def replay(  # noqa: PLR0913 - the switches of a log, all optional
    source: Path | Iterable[object],
    *,
    policy: Policy = DEFAULT,
    partial: Partial = None,
    layout: Layout | None = None,
    conversations: Container[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    sort: Literal["received_at"] | None = None,
    time_zone: tzinfo = UTC,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Report]:
    """Yield a report for each conversation of a log: at its end, or when the log is over.

    `source` is a path (`-`: standard input), or the lines themselves: text, bytes or mappings,
    each a bare E21 body or an envelope. Files may be compressed (gzip, zstd). The log is streamed:
    memory grows with the conversations open at once, and by a tombstone for each that ended.

    What comes after the end of a conversation makes one more report, `late`, at the end of the
    log. A line that belongs to no conversation makes a report whose `conversation_id` is None.
    Transcription actions are believed. `sort="received_at"` puts the lines in order first, which
    holds them all in memory; lines without a time keep to the line before them.

    Raises `UnreadableLog` for a log that cannot be opened or unpacked, `ConfigurationError` for
    arguments that cannot be meant.
    """
    for name, at in (("since", since), ("until", until)):
        if at is not None and at.tzinfo is None:
            msg = f"{name} has no time zone: pass an aware datetime"
            raise ConfigurationError(msg)
    if sort not in (None, "received_at"):
        msg = f"sort is 'received_at' or None, not {sort!r}"
        raise ConfigurationError(msg)
    options = Options(policy, partial, layout, conversations, since, until, time_zone)
    return _replay(source, Replayer(options), progress, is_sorted=sort is not None)


def _replay(
    source: Path | Iterable[object],
    replayer: Replayer,
    progress: Callable[[int], None] | None,
    *,
    is_sorted: bool,
) -> Iterator[Report]:
    lines: Iterable[object]
    if isinstance(source, str | PathLike):
        replayer.source = name_of(source)
        lines = lines_of(source, progress)
    else:
        lines = source
    numbered: Iterable[tuple[int, object]] = enumerate(lines, start=1)
    if is_sorted:
        numbered = replayer.sorted(numbered)
    feed = replayer.feed
    for number, line in numbered:
        report = feed(line, number)
        if report is not None:
            yield report
    yield from replayer.close()

