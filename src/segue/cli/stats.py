"""`segue stats` and `segue causes`: counts of findings, metrics, and causes of mistakes."""

from collections.abc import Mapping, Sequence

from segue.analysis.causes import Counts, FindingReader, find_causes
from segue.analysis.compare import Figures, Grouping, Statistics, changes
from segue.analysis.compare.hours import OperatingHours
from segue.cli.config import policy_of, settings_of
from segue.cli.log_input import LogInput
from segue.cli.options import (
    LOG_OPTIONS,
    Params,
    command,
    format_option,
    option_group,
    show_option,
)
from segue.cli.terminal import COLOR, Output
from segue.cli.user_files import read_json_file
from segue.core.errors import ConfigurationError
from segue.logs.plan import Detail

_count = option_group("What counts")


@command(
    format_option("full", "json", text="How statistics are shown."),
    show_option("--against LOG...", "Say what has changed since this log."),
    show_option(
        "--hours [QUEUE=]FILE...",
        "Hours of operation, as segue call hours.get --format json writes them: counts "
        "segments that begin outside.",
    ),
    show_option(
        "--as [told|mended]",
        "Measure conversations as told, or as mended by the edits of their explanations.  "
        "[default: whichever is better, by the kind of edit]",
    ),
    show_option(
        "--by [agent|queue|bot|hour]",
        "Measure the conversations of each agent, queue or bot, or of each hour in which they "
        "began, as well.",
        multiple=True,
    ),
    COLOR,
    *LOG_OPTIONS,
)
def stats(params: Params) -> None:
    """Count findings and measure conversations.

    Findings by rule, agent, queue, bot, day and hour of the day (in the zone of --time-zone), and
    how the metrics of conversations are distributed. Of conversations with mistakes, metrics that
    are a range or not known are left out and counted as in doubt. With --against, what differs from
    an earlier log more than chance allows: rates of rules, bots, agents and queues that are new or
    gone, and metrics. With --hours, which segments begin outside the hours of their queue. Agents
    who were in two voice conversations at once are listed.
    """
    from segue.report.changes_view import change_lines  # noqa: PLC0415 - causes needs neither
    from segue.report.stats_view import statistics_lines  # noqa: PLC0415

    settings = settings_of(params)
    hours = dict(_hours(each) for each in params["hours"])
    figures: Figures = params["as"] or "best"
    log = LogInput(params, settings, has_events=True)
    statistics = _statistics(log, figures, hours, _grouping(params["by"]))
    output = Output(params)
    compared = None
    if params["against"]:
        earlier = {**params, "logs": params["against"]}
        before = _statistics(LogInput(earlier, settings, has_events=True), figures)
        compared = changes(before, statistics)
    if params["format"] == "json":
        document = statistics.to_dict()
        if compared is not None:
            document["compared"] = len(compared)
            document["changes"] = [each.to_dict() for each in compared if each.is_significant]
            document["rates"] = [each.to_dict() for each in compared if each.what == "rule"]
        output.write_json(document, indent=2)
    else:
        output.write_lines(statistics_lines(statistics, output.look))
        if compared is not None:
            output.write_lines(change_lines(compared, output.look))


@command(
    format_option("text", "json", text="How causes are shown."),
    COLOR,
    _count("--select CODES...", "Only these codes, prefixes or names."),
    _count("--ignore CODES...", "Ignore these codes, prefixes or names."),
    *LOG_OPTIONS,
)
def causes(params: Params) -> None:
    """Say which mistakes have something in common, and since when.

    Each rule's mistakes (and warnings that no mistake explains) are compared with what could have
    gone wrong, by file, bot, agent, queue, language, experience, isExtAD, kind of transfer,
    spelling, hour and time of onset. What has no cause is counted, and what the settings ignore is
    left out.
    """
    from segue.report.causes_view import causes_lines  # noqa: PLC0415 - stats does not need it

    settings = settings_of(params)
    policy = policy_of(settings, params)
    log = LogInput(params, settings, policy, detail=Detail(history=False), has_events=True)
    counts = Counts()
    for report in log.reports():
        counts.add(report)
    found = find_causes(counts, log.options.time_zone)
    output = Output(params)
    if params["format"] == "json":
        output.write_json(found.to_dict(), indent=2)
    else:
        output.write_lines(causes_lines(found, log.options.time_zone))


def _grouping(given: Sequence[Grouping]) -> Grouping | None:
    """Return the value of `--by`. Raise `ConfigurationError` if it has several values."""
    values = list(dict.fromkeys(given))
    if len(values) > 1:
        raise ConfigurationError(
            f"--by takes one property, not {' and '.join(values)}: run segue stats once for each"
        )
    return values[0] if values else None


def _hours(text: str) -> tuple[str, OperatingHours]:
    """Return the queue and the hours of operation for a text `[QUEUE=]FILE`.

    The queue is an empty string if the text does not name one.
    """
    queue, _, path = text.rpartition("=")
    return queue, OperatingHours(read_json_file(path), path)


def _statistics(
    log: LogInput,
    figures: Figures,
    hours: Mapping[str, OperatingHours] | None = None,
    by: Grouping | None = None,
) -> Statistics:
    statistics = Statistics(
        time_zone=log.options.time_zone, hours_of_queues=hours or {}, figures=figures, by=by
    )
    reader = FindingReader()
    for report in log.reports():
        found = reader.read(report) if report.findings else ()
        statistics.add(report, [each.at for each in found])
    return statistics
