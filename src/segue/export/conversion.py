"""The public way to an export: a log, or reports, to the pieces of a document.

It decides nothing but what a source is, and that a conversation which cannot be told is an error
unless somebody wants to hear of it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.export.exporter import FORMATS, Exporter
from segue.logs import Path, replay

__all__ = ["convert"]


def convert(
    source: Path | Report | Iterable[object],
    to: str,
    *,
    include_text: bool = False,
    left_out: Callable[[str, str], object] | None = None,
    **reading: Any,  # noqa: ANN401 - what `replay` takes
) -> Iterator[str]:
    """Yield a log in another format, piece by piece: `vcon`, `xes`, `ocel`, `trace`, `otlp`.

    `source` and `reading` are those of `replay`. It may also be reports, which have forgotten
    single messages and actions, so that only their lifecycle events are told. The text of messages
    is told when `include_text` asks for it.

    Formats that need times cannot tell a conversation without. `left_out` is then called with its
    id and the reason; when there is no `left_out`, and for arguments that cannot be meant,
    `ConfigurationError` is raised.
    """
    if to not in FORMATS:
        msg = f"there is no export to {to!r}, only to {', '.join(FORMATS)}"
        raise ConfigurationError(msg)
    pieces: list[str] = []
    exporter = Exporter(to, pieces.append, include_text=include_text)
    if isinstance(source, Report):
        source = (source,)
    if isinstance(source, Iterator):
        replay((), **reading)  # arguments that cannot be meant fail now
        reports = _reports(source, exporter, reading)
    elif isinstance(source, list | tuple) and any(isinstance(each, Report) for each in source):
        reports = _reports(iter(source), exporter, reading)
    else:
        reports = replay(source, on_delivery=exporter.witness, **reading)
    return _converted(reports, exporter, pieces, left_out)


def _reports(things: Iterator[object], exporter: Exporter, reading: Any) -> Iterator[Report]:  # noqa: ANN401
    """Yield reports, or those of the lines of a log."""
    for first in things:
        rest = chain((first,), things)
        if isinstance(first, Report):
            yield from (each for each in rest if isinstance(each, Report))
        else:
            yield from replay(rest, on_delivery=exporter.witness, **reading)


def _converted(
    reports: Iterable[Report],
    exporter: Exporter,
    pieces: list[str],
    left_out: Callable[[str, str], object] | None,
) -> Iterator[str]:
    for report in reports:
        reason = exporter.take(report)
        if reason is not None and left_out is None:
            msg = f"conversation {report.conversation_id!r} cannot be told: {reason}"
            raise ConfigurationError(msg)
        if reason is not None and left_out is not None:
            left_out(report.conversation_id or "", reason)
        yield from pieces
        pieces.clear()
    exporter.finish()
    yield from pieces
