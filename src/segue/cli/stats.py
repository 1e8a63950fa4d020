"""`segue stats`: what a log adds up to: findings by rule, agent, queue and hour, and metrics."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from segue.cli.config import configuration
from segue.cli.options import log_options
from segue.cli.outlet import Outlet
from segue.cli.progress import Progress
from segue.cli.reading import Reading, size_of
from segue.cli.section import Sectioned, section
from segue.cli.terminal import COLOR, is_terminal, look, stdout
from segue.compare import Statistics
from segue.findings import DEFAULT
from segue.report.figures import figures

__all__ = ["stats"]

_show = section("What is shown")


@click.command(cls=Sectioned)
@_show(
    "--format",
    "style",
    type=click.Choice(["full", "json"]),
    default="full",
    show_default=True,
    help="How statistics are shown.",
)
@COLOR
@log_options
def stats(**given: Any) -> None:  # noqa: ANN401 - click's own
    """Show what logs add up to.

    Findings by rule, agent, queue and hour of the day (in the zone of --time-zone), and how the
    metrics of conversations are distributed.
    """
    settings = {}
    if not given["no_config"]:
        settings = configuration(Path(given["config"]) if given["config"] else None)
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
    lines = figures(statistics, appearance)
    outlet.write("".join(f"{line.render(color=appearance.color)}\n" for line in lines))
