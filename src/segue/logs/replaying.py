"""The public function `segue.replay`, and `start_replay`, which other modules use as well."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from os import PathLike, fspath

from segue.core.conversation import Keying, Report
from segue.core.conversation.current import LogReports, current_reports
from segue.core.engine import Partial
from segue.core.errors import ConfigurationError
from segue.core.findings import Policy
from segue.logs.field_mapping import FieldMapping
from segue.logs.log_files import files_of
from segue.logs.plan import WINDOW, NoteOf, OnDelivery, Replay, ReplayOptions
from segue.logs.replay_run import ReplayRun
from segue.logs.sorting import Sort
from segue.logs.sources import LogPath


def start_replay(plan: Replay) -> ReplayRun:
    """Prepare to run a replay. The logs are read when the reports of the run are requested.

    Several processes are used if `jobs` allows it and the files are large enough. A single process
    always reads iterables of lines, standard input, tables and a single compressed file. It also
    runs replays that sort or reorder lines, and those with `on_delivery`.

    Raises `ConfigurationError` for invalid arguments.
    """
    if plan.jobs == 1 and plan.jobs is not True:
        return ReplayRun(plan)
    from segue.logs import parallel  # noqa: PLC0415 - slow to import, and often not needed

    processes = parallel.count_processes(plan.jobs)
    mapping = plan.options.field_mapping
    is_in_order = plan.sort is None and plan.options.race is None and not plan.once
    is_cuttable = is_in_order and (mapping is None or not mapping.is_framed)
    if is_cuttable and plan.on_delivery is None and plan.logs:
        chunks = parallel.LogChunks(plan.logs, processes, plan.chunk_sizes)
        if chunks.processes > 1:
            return parallel.ParallelRun(plan, chunks)
    return ReplayRun(plan)


def replay(  # noqa: PLR0913 - the options of a log, all but one optional
    source: LogPath | Iterable[object],
    *,
    policy: Policy | None = None,
    partial: Partial = None,
    field_mapping: FieldMapping | None = None,
    conversations: Container[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    sort: Sort | None = None,
    sort_memory: str | None = None,
    progress: Callable[[int], object] | None = None,
    time_zone: tzinfo = UTC,
    day_first: bool = False,
    time_format: str | None = None,
    key: Keying | None = None,
    race: timedelta | None = None,
    jobs: int = 1,
    window: int = WINDOW,
    on_delivery: OnDelivery | None = None,
    note: NoteOf | None = None,
) -> Iterator[Report]:
    """Yield a report for each conversation of a log, at its END or at the end of the log.

    The log is streamed. Memory grows with the number of open conversations, and by a small record
    for each conversation that has ended. If deliveries come after the END, a second report follows
    at the end of the log, with `late` set. It covers the whole conversation and replaces the first
    report (`replaces`). If the conversation had left the `window`, it covers only what came after.
    Functions that take several reports, such as `to_rows`, count each conversation once. A line
    that belongs to no conversation gives a report whose `conversation_id` is None. Transcription
    actions are assumed to have been carried out.

    Args:
        source: A path (`-` is standard input), a folder, a list or tuple of `pathlib.Path`, or the
            lines themselves: text, bytes or mappings, each a bare E21 body or an envelope. Paths
            are read in order as one log, rotated files from old to new. Files may be compressed, or
            tables (Parquet, extra `duckdb`) in which each row is a line.
        policy: The findings to report, and their severities. The default reports every rule.
        partial: The ends at which the log is cut off: "start", "end" or "both".
        field_mapping: The locations of the parts of an envelope in lines of another format.
        conversations: The ids of the conversations to replay. Must be picklable if `jobs` is not 1.
        since: Skip deliveries received before this time, and those without a readable time. Use
            with `partial="start"`, because conversations that it cuts begin late.
        until: Skip deliveries received at this time or later, and those without a readable time.
        sort: "received_at" to sort the lines by time. A line without a time has the time of the
            line before it. "newest_first" also reverses lines with equal times. Lines of files are
            sorted on disk if the extra `duckdb` is installed, all others in memory.
        sort_memory: The maximum memory for sorting before spilling to disk, such as "500MB". The
            default is 1GB.
        progress: Called with the number of bytes of the files that have been read.
        time_zone: The time zone of times without an offset. If an hour occurs twice in autumn, the
            first occurrence is assumed.
        day_first: Whether to read `02/03/2026` as a day in March.
        time_format: The format of times in the log, as for `datetime.strptime`: `%d %b %Y %H.%M`.
            ISO 8601 with an offset, and times in another format, are still recognized: ISO 8601,
            dates with the month first or, with dots, the day first, times of access logs, and
            seconds or milliseconds since 1970.
        key: The identification of conversations: "bot" (by bot and conversation id, where the bot
            is that of the envelope, or else of the body) or "conversation" (by the id alone). By
            default, the first delivery decides: by bot if its envelope has a `bot_id`.
        race: The maximum time, by the times of lines, to hold a delivery that would give an error
            or a warning about the order of events (rules SG1 and SG2), or, with a delivery id of
            its own, repeat the event before it (SG601). It is applied as soon as later deliveries
            put it in order, or at the end of this time. END_OF_CONVERSATION is always held.
            Deliveries that never fit keep their findings.
        jobs: The number of processes that may read at once, or 0 for one for each core. The reports
            and their order do not change.
        window: The number of events of the log after an END that are explained with the ended
            conversation. The latest ended conversations are held in up to 64 MiB of memory, and
            others in temporary files.
        on_delivery: Called with each delivery applied, and the position of its first event or of
            its action, before its conversation is reported.
        note: Called with each delivery applied and its findings, before any policy. Results other
            than None are in `report.notes`. Must be picklable if `jobs` is not 1.

    Raises:
        UnreadableLog: A log cannot be opened or decompressed. Everything that could be read is
            reported first.
        ConfigurationError: An argument is invalid.

    """
    logs = _logs_of(source)
    plan = Replay(
        logs=logs or (),
        lines=source if logs is None and isinstance(source, Iterable) else None,
        options=ReplayOptions(
            policy=Policy.checked(policy),
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
            window=window,
        ),
        sort=sort,
        sort_memory=sort_memory,
        jobs=jobs,
        progress=progress,
        on_delivery=on_delivery,
    )
    return _ReplayedReports(plan)


class _ReplayedReports(LogReports):
    """The reports of a replay, which begins when the first of them is requested."""

    def __init__(self, plan: Replay) -> None:
        self._plan = plan
        self._reports = start_replay(plan).reports()
        self._is_begun = False

    def __next__(self) -> Report:
        self._is_begun = True
        return next(self._reports)

    def close(self) -> None:
        """Stop reading the log, and remove temporary files."""
        self._reports.close()

    def settled(self) -> Iterator[Report]:
        if self._is_begun:
            return current_reports(list(self._reports))
        options = replace(self._plan.options, settled=True)
        return start_replay(replace(self._plan, options=options)).reports()


def _logs_of(source: LogPath | Iterable[object]) -> tuple[LogPath, ...] | None:
    """Return the paths of the logs, or None if the source is an iterable of lines."""
    if isinstance(source, str | PathLike):
        return files_of((fspath(source),))
    if isinstance(source, list | tuple) and source and all(isinstance(s, PathLike) for s in source):
        return files_of(map(fspath, source))
    if isinstance(source, bytes | bytearray | Mapping) or not isinstance(source, Iterable):
        msg = f"a log must be a path or an iterable of lines, not a single {type(source).__name__}"
        raise ConfigurationError(msg)
    return None
