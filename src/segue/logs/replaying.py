"""Playback of a log: the loop between where lines come from and what becomes of them.

It decides nothing but what a source is.  House rule: arguments that cannot be meant fail when
`replay` is called, logs that cannot be read when their lines are asked for.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, tzinfo
from os import PathLike
from typing import Literal, cast

from segue.conversation import Report
from segue.engine import Partial
from segue.errors import ConfigurationError
from segue.events import Delivery
from segue.findings import DEFAULT, Policy
from segue.logs.field_mapping import FieldMapping
from segue.logs.options import ReplayOptions
from segue.logs.parallel import Crew, Team, processes, share
from segue.logs.replayer import Replayer
from segue.logs.sorting import Order, in_memory, where_it_fits
from segue.logs.sources import Path, ahead_in, lines_of, name_of

__all__ = ["replay"]


def replay(  # noqa: PLR0913 - the switches of a log, all optional
    source: Path | Iterable[object],
    *,
    policy: Policy = DEFAULT,
    partial: Partial = None,
    field_mapping: FieldMapping | None = None,
    conversations: Container[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    sort: Literal["received_at"] | None = None,
    sort_memory: str | None = None,
    progress: Callable[[int], None] | None = None,
    time_zone: tzinfo = UTC,
    day_first: bool = False,
    jobs: int = 1,
    on_delivery: Callable[[Delivery, int], object] | None = None,
) -> Iterator[Report]:
    """Yield a report for each conversation of a log: at its end, or when the log is over.

    `source` is a path (`-`: standard input), or the lines themselves: text, bytes or mappings,
    each a bare E21 body or an envelope; `layout` says where other lines keep them. A list or tuple
    of `pathlib.Path` is several logs, read in this order as one story. Files may be compressed
    (gzip, zstd), or tables (Parquet, extra `duckdb`) of which each row is a line. The log is
    streamed: memory grows with the conversations open at once, and by a tombstone for each that
    ended.

    What comes after the end of a conversation makes one more report, `late`, at the end of the
    log; there, of the deliveries with an id only the last one is known again. A line that belongs
    to no conversation makes a report of its own, whose `conversation_id` is None. Transcription
    actions are believed.

    `conversations`, `since` (included) and `until` (excluded) choose deliveries; one without a
    readable id or time is not chosen, and a conversation cut off by `since` begins late: combine
    it with `partial="start"`. `sort="received_at"` puts the lines in order first; lines without a
    time keep to the line before them. Those of files wait on disk, beyond `sort_memory` (1GB),
    where the extra `duckdb` is installed; all others are held in memory. `time_zone` is that of
    times without one, and `day_first` reads `02/03/2026` as a day in March. `progress` is told how
    many bytes of the files have been read; `on_delivery` is called with each delivery that was
    applied and the position of its first event or of its action, before its conversation is
    reported.

    `jobs` is how many processes may read at once (0: one for each core); the reports are the same,
    in the same order. Files worth it are shared out; lines, standard input, tables, a single
    compressed file, what is sorted and what has a witness are read by this process alone.
    `conversations` has to be picklable then.

    Raises `UnreadableLog` for a log that cannot be opened or unpacked, after what could be read
    of it, and `ConfigurationError` for arguments that cannot be meant.
    """
    if sort not in (None, "received_at"):
        msg = f"sort is 'received_at' or None, not {sort!r}"
        raise ConfigurationError(msg)
    options = ReplayOptions(
        policy, partial, field_mapping, conversations, since, until, time_zone, day_first
    )
    count = processes(jobs) if on_delivery is None else 1
    logs = _logs(source)
    if logs is None:
        lines = [("", cast("Iterable[object]", source), 1)]
        return _replay(
            Replayer(options, on_delivery=on_delivery), lines, None if sort is None else in_memory
        )
    told = _Told(progress, field_mapping)
    if sort is None and (parts := share(logs, count)):
        return _together(Team(options, parts, Crew(options, parts, count), progress))
    files = ((name_of(log), told.lines(log), ahead_in(log)) for log in logs)
    return _replay(
        Replayer(options, on_delivery=on_delivery),
        files,
        None if sort is None else where_it_fits(sort_memory),
    )


def _logs(source: Path | Iterable[object]) -> Sequence[Path] | None:
    """Return the logs that are meant; None: the source is the lines themselves."""
    if isinstance(source, str | PathLike):
        return [source]
    if isinstance(source, list | tuple) and source and all(isinstance(s, PathLike) for s in source):
        return source
    if isinstance(source, bytes | bytearray | Mapping) or not isinstance(source, Iterable):
        msg = f"a log is a path or an iterable of lines, not one {type(source).__name__}"
        raise ConfigurationError(msg)
    return None


class _Told:
    """Tells how many bytes of several logs, read one after the other, have been read."""

    def __init__(
        self, progress: Callable[[int], object] | None, field_mapping: FieldMapping | None
    ) -> None:
        self._progress = progress
        self._field_mapping = field_mapping
        self._before = self._now = 0

    def lines(self, log: Path) -> Iterator[bytes]:
        """Return the lines of the next log."""
        self._before, self._now = self._before + self._now, 0
        tell = None if self._progress is None else self._tell
        return lines_of(log, tell, self._field_mapping)

    def _tell(self, count: int) -> None:
        self._now = count
        if self._progress is not None:
            self._progress(self._before + count)


def _replay(
    replayer: Replayer,
    logs: Iterable[tuple[str, Iterable[object], int]],
    order: Order | None,
) -> Iterator[Report]:
    """Replay logs: each with its name, its lines, and how far ahead they may be read."""
    if order is not None:
        yield from replayer.feed_sorted(((name, lines) for name, lines, _ in logs), order)
    else:
        for name, lines, ahead in logs:
            replayer.source = name
            yield from replayer.feed_all(lines, ahead)
    yield from replayer.close()


def _together(team: Team) -> Iterator[Report]:
    with closing(team):
        yield from team.reports()
