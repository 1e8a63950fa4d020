"""`segue.replay`, and the one function that starts a replay for it, for commands and for Spark."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from os import PathLike, fspath
from typing import Literal

from segue.core.conversation import Keying, Report
from segue.core.engine import Partial
from segue.core.errors import ConfigurationError
from segue.core.findings import DEFAULT, Policy
from segue.logs.field_mapping import FieldMapping
from segue.logs.log_files import files_of
from segue.logs.plan import NoteOf, OnDelivery, Replay, ReplayOptions
from segue.logs.replay_run import ReplayRun
from segue.logs.sources import LogPath


def start_replay(plan: Replay) -> ReplayRun:
    """Return a run of this plan; nothing is read before its reports are asked for.

    Several processes read files that are large enough.  Lines, standard input, tables, a single
    compressed file, a replay that changes the order and one with `on_delivery` are read by this
    process alone.

    Raises `ConfigurationError` for arguments that make no sense.
    """
    if plan.jobs == 1 and plan.jobs is not True:
        return ReplayRun(plan)
    from segue.logs import parallel  # noqa: PLC0415 - slow to import, and often not needed

    processes = parallel.count_processes(plan.jobs)
    mapping = plan.options.field_mapping
    is_in_order = plan.sort is None and plan.options.race is None
    is_cuttable = is_in_order and (mapping is None or not mapping.is_framed)
    if is_cuttable and plan.on_delivery is None and plan.logs:
        chunks = parallel.LogChunks(plan.logs, processes, plan.chunk_sizes)
        if chunks.processes > 1:
            return parallel.ParallelRun(plan, chunks)
    return ReplayRun(plan)


def replay(  # noqa: PLR0913 - the options of a log, all but one optional
    source: LogPath | Iterable[object],
    *,
    policy: Policy = DEFAULT,
    partial: Partial = None,
    field_mapping: FieldMapping | None = None,
    conversations: Container[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    sort: Literal["received_at"] | None = None,
    sort_memory: str | None = None,
    progress: Callable[[int], object] | None = None,
    time_zone: tzinfo = UTC,
    day_first: bool = False,
    time_format: str | None = None,
    key: Keying | None = None,
    race: timedelta | None = None,
    jobs: int = 1,
    on_delivery: OnDelivery | None = None,
    note: NoteOf | None = None,
) -> Iterator[Report]:
    """Yield a report for each conversation of a log: at its end, or when the log is over.

    The log is streamed: memory grows with the conversations open at once, and by a tombstone for
    each that ended. What comes after the end of a conversation makes one more report, `late`, at
    the end of the log; of its deliveries with an id only the last one is recognised when it is sent
    again. A line that belongs to no conversation makes a report whose `conversation_id` is None.
    Transcription actions are taken as what has happened.

    Args:
        source: a path (`-` is standard input), a folder, a list or tuple of `pathlib.Path` that are
            read in this order as one log, rotated files from old to new, or the lines themselves:
            text, bytes or mappings, each a bare E21 body or an envelope. Files may be compressed,
            or tables (Parquet, extra `duckdb`) of which each row is a line.
        policy: which findings are reported, and how severe they are.
        partial: which ends of the log are cut off: "start", "end" or "both".
        field_mapping: where lines that are neither bodies nor envelopes keep their parts.
        conversations: ids of the conversations to replay; picklable if there are several jobs.
        since: leave out deliveries received before this time, or at no readable time. Combine it
            with `partial="start"`: a conversation it cuts begins late.
        until: leave out deliveries received at this time or later, or at no readable time.
        sort: "received_at" puts the lines in order first; a line without a time follows the one
            before it. Lines of files wait on disk where the extra `duckdb` is installed, all others
            in memory.
        sort_memory: what may be held in memory before it goes to disk, such as "500MB"; 1GB by
            default.
        progress: called with how many bytes of the files have been read.
        time_zone: the zone of times that name none; of an hour that comes twice in autumn, the
            first is meant.
        day_first: read `02/03/2026` as a day in March.
        time_format: how the log writes times, as `datetime.strptime` takes it: `%d %b %Y %H.%M`.
            ISO 8601 with an offset, and what does not have this format, is read as ever: as ISO
            8601, dates with the month first or, with dots, the day first, times of access logs,
            seconds or milliseconds since 1970.
        key: what identifies a conversation: "bot" (bot and conversation id; the bot is that
            of the envelope, or else of the body) or "conversation" (the id alone). By default the
            first delivery decides: by bot if its envelope has a `bot_id`.
        race: how long, by the times of the lines, a delivery waits that would be an error of
            families 1 or 2; it is applied as soon as others that came later make it right, and at
            the end of this time whatever it is. END_OF_CONVERSATION always waits. What is never
            right keeps its errors.
        jobs: how many processes may read at once, 0 for one for each core. The reports are the
            same, in the same order.
        on_delivery: called with each delivery that was applied and the position of its first event,
            or of its action, before its conversation is reported.
        note: called with each delivery that was applied and its findings, before any policy;
            `report.notes` has what it returned other than None. Picklable if there are several
            jobs.

    Raises `UnreadableLog` for a log that cannot be opened or unpacked, after the reports of what
    could be read, and `ConfigurationError` for arguments that make no sense.

    """
    logs = _logs_of(source)
    plan = Replay(
        logs=logs or (),
        lines=source if logs is None and isinstance(source, Iterable) else None,
        options=ReplayOptions(
            policy=policy,
            partial=partial,
            field_mapping=field_mapping,
            conversations=conversations,
            since=since,
            until=until,
            time_zone=time_zone,
            day_first=day_first,
            time_format=time_format,
            key=key,
            race=race,
            note=note,
        ),
        sort=sort,
        sort_memory=sort_memory,
        jobs=jobs,
        progress=progress,
        on_delivery=on_delivery,
    )
    return start_replay(plan).reports()


def _logs_of(source: LogPath | Iterable[object]) -> tuple[LogPath, ...] | None:
    """Return the logs that are meant, or None if the source is the lines themselves."""
    if isinstance(source, str | PathLike):
        return files_of((fspath(source),))
    if isinstance(source, list | tuple) and source and all(isinstance(s, PathLike) for s in source):
        return files_of(map(fspath, source))
    if isinstance(source, bytes | bytearray | Mapping) or not isinstance(source, Iterable):
        msg = f"a log is a path or an iterable of lines, not one {type(source).__name__}"
        raise ConfigurationError(msg)
    return None
