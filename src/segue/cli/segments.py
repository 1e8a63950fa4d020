"""`segue segments`: who held each conversation, when, and for how long."""

from collections.abc import Iterator, Sequence

from segue.cli.config import settings_of
from segue.cli.log_input import LogInput
from segue.cli.options import LOG_OPTIONS, Params, command, format_option, show_option
from segue.cli.terminal import COLOR, Output
from segue.conversation import Report
from segue.report.segments_view import segments_lines
from segue.segments import Segment


@command(
    show_option("--agent ID...", "Only this agent."),
    format_option("text", "json", "jsonl", text="How segments are shown."),
    COLOR,
    *LOG_OPTIONS,
)
def segments(params: Params) -> None:
    """Show who held each conversation, when, and for how long.

    A bar shows when an agent was connected: by time if the log has times, else by event.
    """
    log = LogInput(params, settings_of(params))
    output = Output(params, log.progress)
    missing = dict.fromkeys(params["agent"])
    chosen = _chosen(log.reports(), frozenset(missing), missing)
    if params["format"] == "text":
        for report, found in chosen:
            output.write_lines(segments_lines(report, found, output.look))
    else:
        output.write_json(params["format"], (_as_dict(*each) for each in chosen))
    log.refuse_agents(missing)


def _chosen(
    reports: Iterator[Report], agents: frozenset[str], missing: dict[str, None]
) -> Iterator[tuple[Report, Sequence[Segment]]]:
    """Yield conversations with the segments asked for; late reports have none.

    Agents of whom there is a segment leave `missing`.
    """
    for report in reports:
        if report.conversation_id is None or report.late:
            continue
        found = [s for s in report.segments if not agents or s.agent in agents]
        for segment in found:
            missing.pop(segment.agent, None)
        if found or not agents:
            yield report, found


def _as_dict(report: Report, found: Sequence[Segment]) -> dict[str, object]:
    whole = report.to_dict()
    names = ("conversation_id", "bot_id", "phase", "valid", "segments", "metrics")
    segments = [segment.to_dict() for segment in found]
    return {name: whole[name] for name in names} | {"segments": segments}
