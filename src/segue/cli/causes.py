"""`segue causes`: which mistakes go together with which attribute, and since when."""

from segue.analysis.causes import Counts, find_causes
from segue.cli.config import policy_of, settings_of
from segue.cli.log_input import LogInput
from segue.cli.options import LOG_OPTIONS, Params, command, format_option, option_group
from segue.cli.terminal import COLOR, Output
from segue.logs import Detail
from segue.report.causes_view import causes_lines

_count = option_group("What counts")


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
