"""Playback of a log: the loop between where lines come from and what becomes of them.

It decides nothing but what a source is.  House rule: arguments that cannot be meant fail when
`replay` is called, logs that cannot be read when their lines are asked for.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from os import PathLike
from typing import Literal

from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.events import Delivery
from segue.findings import DEFAULT, Policy
from segue.fold import Partial
from segue.logs.layout import Layout
from segue.logs.replayer import Options, Replayer
from segue.logs.source import Path, ahead_in, lines_of, name_of

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
    progress: Callable[[int], None] | None = None,
    time_zone: tzinfo = UTC,
    day_first: bool = False,
    witness: Callable[[Delivery, int], object] | None = None,
) -> Iterator[Report]:
    """Yield a report for each conversation of a log: at its end, or when the log is over.

    `source` is a path (`-`: standard input), or the lines themselves: text, bytes or mappings,
    each a bare E21 body or an envelope; `layout` says where other lines keep them. Files may be
    compressed (gzip, zstd). The log is streamed: memory grows with the conversations open at once,
    and by a tombstone for each that ended.

    What comes after the end of a conversation makes one more report, `late`, at the end of the
    log; there, of the deliveries with an id only the last one is known again. A line that belongs
    to no conversation makes a report of its own, whose `conversation_id` is None. Transcription
    actions are believed.

    `conversations`, `since` (included) and `until` (excluded) choose deliveries; one without a
    readable id or time is not chosen, and a conversation cut off by `since` begins late: combine
    it with `partial="start"`. `sort="received_at"` puts the lines in order first, which holds them
    all in memory; lines without a time keep to the line before them. `time_zone` is that of times
    without one, and `day_first` reads `02/03/2026` as a day in March. `progress` is told how many
    bytes of a file have been read; `witness` is told each delivery that was applied, with the
    position of its first event or of its action, before its conversation is reported.

    Raises `UnreadableLog` for a log that cannot be opened or unpacked, after what could be read
    of it, and `ConfigurationError` for arguments that cannot be meant.
    """
    if sort not in (None, "received_at"):
        msg = f"sort is 'received_at' or None, not {sort!r}"
        raise ConfigurationError(msg)
    replayer = Replayer(
        Options(policy, partial, layout, conversations, since, until, time_zone, day_first),
        witness=witness,
    )
    lines, ahead = _lines(source, replayer, progress)
    return _replay(replayer, lines, ahead, is_sorted=sort is not None)


def _lines(
    source: Path | Iterable[object],
    replayer: Replayer,
    progress: Callable[[int], None] | None,
) -> tuple[Iterable[object], int]:
    """Return the lines of a source, and how far ahead they may be read."""
    if isinstance(source, str | PathLike):
        replayer.source = name_of(source)
        return lines_of(source, progress), ahead_in(source)
    if isinstance(source, bytes | bytearray | Mapping) or not isinstance(source, Iterable):
        msg = f"a log is a path or an iterable of lines, not one {type(source).__name__}"
        raise ConfigurationError(msg)
    return source, 1  # the next line may not be there yet


def _replay(
    replayer: Replayer, lines: Iterable[object], ahead: int, *, is_sorted: bool
) -> Iterator[Report]:
    if is_sorted:
        yield from replayer.feed_sorted([(replayer.source, lines)])
    else:
        yield from replayer.feed_all(lines, ahead)
    yield from replayer.close()
