"""`segue.convert`: convert a log or reports to another format."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from segue.core.conversation import Report
from segue.core.conversation.current import LogReports, current_reports
from segue.core.errors import ConfigurationError
from segue.core.options import check_choice
from segue.logs.replaying import replay
from segue.logs.sources import LogLine, LogPath
from segue.report.export.exporter import FORMATS, Exporter


def convert(
    source: LogPath | Report | Iterable[Report] | Iterable[LogPath | LogLine],
    to: str,
    *,
    include_text: bool = False,
    left_out: Callable[[str, str], object] | None = None,
    **options: Any,
) -> Iterator[str]:
    """Convert a log or reports to another format and yield the text in pieces.

    The joined pieces are the document. For example, `"".join(convert("shift.jsonl", "xes"))` is an
    XES document in XML.

    Args:
        source: A log as `replay` takes it, or one or more reports. If a conversation has several
            reports, only the one that counts is exported: see `Report.replaces`. Reports contain
            only the number of messages, so an export of reports has lifecycle events only.
        to: The format: `vcon`, `xes`, `ocel`, `trace`, `otlp` or `segments`.
        include_text: Whether the text of messages is exported.
        left_out: A function that is called with the id and the reason for each conversation that
            cannot be exported because times are missing. By default, such a conversation raises
            an error.
        options: The options of `replay`.

    Raises:
        ConfigurationError: If an argument is invalid, or if a conversation cannot be exported and
            `left_out` is not given.

    """
    check_choice("to", to, FORMATS)
    exporter = Exporter(to, left_out or _refuse, include_text=include_text)
    if isinstance(source, Report):
        source = (source,)
    if isinstance(source, LogReports):
        reports = current_reports(source)
    elif isinstance(source, Iterator):
        replay((), **options)  # raises for invalid options now, not at the first line
        reports = _reports(source, exporter, options)
    elif isinstance(source, list | tuple) and any(isinstance(each, Report) for each in source):
        reports = _reports(iter(source), exporter, options)
    else:
        reports = current_reports(replay(source, on_delivery=exporter.recorder, **options))
    return exporter.pieces(reports)


def _reports(
    things: Iterator[object], exporter: Exporter, options: Mapping[str, Any]
) -> Iterator[Report]:
    """Yield reports from an iterator of either reports or log lines.

    Log lines are replayed with `options`, and their deliveries are recorded for the exporter.
    """
    for first in things:
        rest = chain((first,), things)
        if isinstance(first, Report):
            yield from current_reports(each for each in rest if isinstance(each, Report))
        else:
            yield from current_reports(replay(rest, on_delivery=exporter.recorder, **options))


def _refuse(conversation_id: str, reason: str) -> None:
    raise ConfigurationError(f"conversation {conversation_id!r} cannot be written: {reason}")
