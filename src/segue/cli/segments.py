"""`segue segments`: who held each conversation, when, and for how long."""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from segue.cli.config import settings_of
from segue.cli.log_input import Reading, size_of
from segue.cli.option_groups import Sectioned, formats, section
from segue.cli.options import log_options
from segue.cli.outputs import Outlet
from segue.cli.progress import Progress
from segue.cli.terminal import COLOR, is_terminal, look, stdout
from segue.conversation import Report
from segue.findings import DEFAULT
from segue.report.segments_view import segments_lines
from segue.segments import Segment

__all__ = ["segments"]


_show = section("What is shown")


@click.command(cls=Sectioned)
@_show("--agent", "agents", multiple=True, metavar="ID", help="Only this agent. Repeatable.")
@formats(_show, "text", "json", "jsonl", help="How segments are shown.")
@COLOR
@log_options
def segments(**given: Any) -> None:  # noqa: ANN401 - click's own
    """Show who held each conversation, when, and for how long.

    A bar shows when an agent was connected: by time when the log has times, else by event.
    """
    settings = settings_of(given)
    reading = Reading(given, settings, DEFAULT)
    progress = Progress(size_of(reading.logs), sys.stderr if is_terminal(sys.stderr) else None)
    out = stdout()
    outlet = Outlet(out, progress, flush=out.isatty())
    chosen = _chosen(reading.reports(progress), frozenset(given["agents"]))
    if given["style"] == "text":
        appearance = look(out, given["color"])
        for report, found in chosen:
            lines = segments_lines(report, found, appearance)
            outlet.write("".join(f"{line.render(color=appearance.color)}\n" for line in lines))
    elif given["style"] == "jsonl":
        for report, found in chosen:
            outlet.write(f"{json.dumps(_as_dict(report, found))}\n")
    else:
        before = "[\n"
        for report, found in chosen:
            outlet.write(f"{before}{json.dumps(_as_dict(report, found))}")
            before = ",\n"
        outlet.write("[]\n" if before.startswith("[") else "\n]\n")
    progress.wipe()


def _chosen(
    reports: Iterator[Report],
    agents: frozenset[str],
) -> Iterator[tuple[Report, Sequence[Segment]]]:
    """Yield conversations with the segments asked for; what came late has none."""
    for report in reports:
        if report.conversation_id is None or report.late:
            continue
        found = [s for s in report.segments if not agents or s.agent in agents]
        if found or not agents:
            yield report, found


def _as_dict(report: Report, found: Sequence[Segment]) -> dict[str, object]:
    return {
        "conversation_id": report.conversation_id,
        "bot_id": report.bot_id,
        "phase": report.phase.value,
        "valid": report.valid,
        "segments": [segment.to_dict() for segment in found],
        "metrics": report.metrics.to_dict(),
    }
