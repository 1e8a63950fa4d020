"""`segue stats`: findings by rule, agent, queue and hour, and the metrics of a log."""

import json

from segue.cli.config import settings_of
from segue.cli.log_input import LogInput
from segue.cli.options import LOG_OPTIONS, Params, command, format_option
from segue.cli.terminal import COLOR, Output
from segue.compare import Statistics
from segue.report.stats_view import statistics_lines


@command(format_option("full", "json", text="How statistics are shown."), COLOR, *LOG_OPTIONS)
def stats(params: Params) -> None:
    """Count findings and measure conversations.

    Findings by rule, agent, queue and hour of the day (in the zone of --time-zone), and how the
    metrics of conversations are distributed.
    """
    log = LogInput(params, settings_of(params))
    statistics = Statistics(time_zone=log.options.time_zone)
    for report in log.reports():
        statistics.add(report)
    output = Output(params)
    if params["format"] == "json":
        output.write(f"{json.dumps(statistics.to_dict(), indent=2)}\n")
    else:
        output.write_lines(statistics_lines(statistics, output.look))
