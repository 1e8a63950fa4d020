"""`segue stats`: what a log adds up to: findings by rule, agent, queue and hour, and metrics."""

import json
import sys
from typing import Any

import click

from segue.cli.config import settings_of
from segue.cli.log_input import Reading, size_of
from segue.cli.option_groups import Sectioned, formats, section
from segue.cli.options import log_options
from segue.cli.outputs import Outlet
from segue.cli.progress import Progress
from segue.cli.terminal import COLOR, is_terminal, look, stdout
from segue.compare import Statistics
from segue.findings import DEFAULT
from segue.report.stats_view import statistics_lines

__all__ = ["stats"]

_show = section("What is shown")


@click.command(cls=Sectioned)
@formats(_show, "full", "json", help="How statistics are shown.")
@COLOR
@log_options
def stats(**given: Any) -> None:  # noqa: ANN401 - click's own
    """Show what logs add up to.

    Findings by rule, agent, queue and hour of the day (in the zone of --time-zone), and how the
    metrics of conversations are distributed.
    """
    settings = settings_of(given)
    reading = Reading(given, settings, DEFAULT)
    progress = Progress(size_of(reading.logs), sys.stderr if is_terminal(sys.stderr) else None)
    statistics = Statistics(time_zone=reading.options.time_zone)
    for report in reading.reports(progress):
        statistics.add(report)
    progress.wipe()
    out = stdout()
    outlet = Outlet(out, progress, flush=out.isatty())
    if given["style"] == "json":
        outlet.write(f"{json.dumps(statistics.to_dict(), indent=2)}\n")
        return
    appearance = look(out, given["color"])
    lines = statistics_lines(statistics, appearance)
    outlet.write("".join(f"{line.render(color=appearance.color)}\n" for line in lines))
