"""`segue segments`: show who held each conversation, when, and for how long."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Final, TypeAlias

from segue.cli.log_input import LogInput
from segue.cli.options import LOG_OPTIONS, Params, command, format_option, show_option
from segue.cli.outputs import Sink, output_files, parquet_table
from segue.cli.terminal import COLOR, Output
from segue.core.conversation import Report
from segue.core.conversation.current import is_whole
from segue.core.segments import Segment
from segue.logs.plan import Detail
from segue.report.csv_table import CsvTable, TableRenderer
from segue.report.json_list import JsonItems
from segue.report.renderers import RenderOptions
from segue.report.rows import Row, to_rows
from segue.report.run_summary import RunSummary
from segue.report.segments_view import segments_lines

_FORMATS: Final = ("text", "json", "jsonl", "csv")
_FILE_FORMATS: Final = ("json", "jsonl", "csv", "parquet")
_SHOWN: Final = (
    *("conversation_id", "bot_id", "phase", "valid", "segments", "metrics"),
    *("estimated", "mended", "best", "after_end"),
)
"""The parts of a report that are shown as JSON."""
_Found: TypeAlias = tuple[Report, Sequence[Segment]]


@command(
    show_option("--agent ID...", "Only this agent."),
    format_option(*_FORMATS, text="How segments are shown."),
    show_option(
        "--output FORMAT=FILE...",
        f"Write them to a file as well, as {', '.join(_FILE_FORMATS[:-1])} or {_FILE_FORMATS[-1]}.",
    ),
    COLOR,
    *LOG_OPTIONS,
)
def segments(params: Params) -> None:
    """Show who held each conversation, when, and for how long.

    A bar shows when an agent was connected: by time if the log has times, else by event.
    """
    log = LogInput(params, detail=Detail())
    output = Output(params, log.progress)
    missing = dict.fromkeys(params["agent"])
    with ExitStack() as stack:
        sinks = [
            _text(output) if params["format"] == "text" else _sink(params["format"], output.write)
        ]
        for name, stream in output_files(
            params["output"], _FILE_FORMATS, log.inputs, stack, "segments"
        ):
            if name == "parquet":
                sinks.append(_table(parquet_table(stream, stack, "segments")))
            else:
                sinks.append(_sink(name, stream.write))
        for each in _chosen(log.reports(), frozenset(missing), missing):
            for sink in sinks:
                sink.add(each)
        for sink in sinks:
            sink.finish()
    log.refuse_agents(missing)


def _text(output: Output) -> Sink[_Found]:
    return Sink(lambda each: output.write_lines(segments_lines(*each, output.look)), lambda: None)


def _sink(name: str, write: Callable[[str], object]) -> Sink[_Found]:
    if name == "csv":
        return _table(CsvTable(write, RenderOptions(rows="segments")))
    items = JsonItems(name, write)
    return Sink(lambda each: items.add(_as_dict(*each)), items.finish)


def _table(table: TableRenderer) -> Sink[_Found]:
    return Sink(lambda each: table.write_rows(_rows(*each)), lambda: table.finish(RunSummary()))


def _rows(report: Report, found: Sequence[Segment]) -> Iterator[Row]:
    chosen = {segment.index for segment in found}
    return (row for row in to_rows(report, "segments") if row["index"] in chosen)


def _chosen(
    reports: Iterator[Report], agents: frozenset[str], missing: dict[str, None]
) -> Iterator[_Found]:
    """Yield a pair of report and segments for each conversation with a segment of these agents.

    If `agents` is empty, yield every conversation with all its segments. Late reports have no
    segments and are skipped. Agents with a segment are removed from `missing`.
    """
    for report in reports:
        if not is_whole(report):
            continue
        found = [s for s in report.segments if not agents or s.agent in agents]
        for segment in found:
            missing.pop(segment.agent, None)
        if found or not agents:
            yield report, found


def _as_dict(report: Report, found: Sequence[Segment]) -> dict[str, object]:
    whole = report.to_dict()
    segments = [segment.to_dict() for segment in found]
    return {name: whole[name] for name in _SHOWN} | {"segments": segments}
