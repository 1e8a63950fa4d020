"""`segue show`: draw one conversation as a ladder diagram, a column for each participant."""

from collections.abc import Iterator
from datetime import tzinfo
from math import inf
from pathlib import Path
from typing import Final

import click

from segue.cli.log_input import LogInput
from segue.cli.options import LOG_OPTIONS, Params, command, format_option
from segue.cli.terminal import COLOR, Output
from segue.core.conversation.current import is_whole
from segue.core.errors import ConfigurationError
from segue.core.events import EventKind
from segue.core.findings import Finding, Severity
from segue.report.export.conversation_view import ExportView
from segue.report.export.recorder import Recorder, TimelineItem
from segue.report.export.role_intervals import CONSULTANT, role_at
from segue.report.header import conversation_header
from segue.report.ladder import Change, LadderRow, Lane, ladder_lines
from segue.report.ladder_diagrams import mermaid_lines, svg_lines
from segue.report.locations import location_parts
from segue.report.look import Look
from segue.report.styled_text import TONES, TextLine, Tone, indented, wrap

_DIAGRAMS: Final = {"mermaid": mermaid_lines, "svg": svg_lines}
_CUSTOMER: Final = Lane("customer")
_BOT: Final = Lane("bot")
_FORMAT: Final = format_option("text", "mermaid", "svg", text="How it is drawn.")
_OPTIONS: Final = tuple(option for option in LOG_OPTIONS if option.name != "conversation")


@command(*_OPTIONS, click.Argument(["conversation"], metavar="ID"), _FORMAT, COLOR)
def show(params: Params) -> None:
    """Show one conversation as a ladder: customer, bot and agents as columns.

    Each line is an event. A heavy line is an agent who is the primary, a light one a consultant.
    Below are the findings. As mermaid or svg it can be put into an issue or a document.
    """
    if not Path(params["logs"][-1]).exists() and Path(params["conversation"]).exists():
        raise ConfigurationError("give the logs first and then the id: segue show LOG ID")
    recorder = Recorder()
    chosen = {**params, "conversation": (params["conversation"],)}
    log = LogInput(chosen, on_delivery=recorder)
    output = Output(params, log.progress)
    for report in log.reports():
        if report.conversation_id is None:
            continue
        items = recorder.recall(report) if is_whole(report) else []
        view = ExportView(report, items, has_unprocessable=True)
        if params["format"] == "text":
            output.write_lines(_lines(view, log.options.time_zone, output.look))
        elif is_whole(report):
            lines = _DIAGRAMS[params["format"]](
                _lanes(view), list(_rows(view, log.options.time_zone))
            )
            output.write("".join(f"{line}\n" for line in lines))


def _lines(view: ExportView, time_zone: tzinfo, look: Look) -> Iterator[TextLine]:
    report = view.report
    yield from conversation_header(report, look)
    yield TextLine()
    if is_whole(report):
        yield from ladder_lines(_lanes(view), list(_rows(view, time_zone)), look)
        yield TextLine()
    for finding in report.findings:
        yield from _finding(finding, look)
    if report.findings:
        yield TextLine()


def _lanes(view: ExportView) -> dict[Lane, str]:
    """Return the title of each column of the diagram, such as `a-1 (Ada)` for an agent."""
    lanes = {_CUSTOMER: "customer", _BOT: "bot"}
    for agent, name in view.agents.items():
        lanes[Lane("agent", agent)] = f"{agent} ({name})" if name not in {"", agent} else agent
    return lanes


def _rows(view: ExportView, time_zone: tzinfo) -> Iterator[LadderRow]:
    codes: dict[tuple[bool, int | None], dict[str, Severity]] = {}
    for finding in view.report.findings:
        place = finding.place
        key = place.action is not None, place.event if place.action is None else place.action
        codes.setdefault(key, {})[finding.code] = finding.severity
    has_times = any(item.at is not None for item in view.timeline)
    digits = len(str(max((item.position for item in view.timeline), default=0)))
    position = -1
    for item in view.timeline:
        if not item.is_action:
            position = item.position
        number = "" if item.is_action else str(item.position)
        time = f"  {item.at.astimezone(time_zone):%H:%M:%S}" if item.at else " " * 10
        yield LadderRow(
            place=number.rjust(digits) + time * has_times,
            lane=_lane(item),
            label=_label(item),
            change=_change(item),
            roles=dict(_roles(view, position, "" if item.is_action else item.agent)),
            findings=tuple(codes.get((item.is_action, item.position), {}).items()),
        )


def _label(item: TimelineItem) -> str:
    if item.kind is EventKind.UNPROCESSABLE:
        return "event"
    return "message" if item.is_message else item.label


def _lane(item: TimelineItem) -> Lane:
    if item.agent:
        return Lane("agent", item.agent)
    return _CUSTOMER if item.is_message else _BOT


def _change(item: TimelineItem) -> Change:
    kind = item.kind
    if not isinstance(kind, EventKind):
        return ""
    return "entry" if kind.is_entry else "exit" if kind.is_exit else ""


def _roles(view: ExportView, position: int, mover: str) -> Iterator[tuple[Lane, str]]:
    """Yield the column and the role of each agent who is present at an event.

    `position` is that of the event. The agent `mover` counts as present even if the event ends the
    agent's presence.
    """
    for segment in view.segments:
        for each in segment.connections:
            end = inf if each.closed_by is None else each.closed_by + (segment.agent == mover)
            start = each.closed_by if each.opened_by is None else each.opened_by
            if start is not None and start <= position < end:
                is_primary = role_at(segment, position) == "primary"
                yield Lane("agent", segment.agent), "primary" if is_primary else CONSULTANT


def _finding(finding: Finding, look: Look) -> Iterator[TextLine]:
    title = f"{finding.severity.value} {finding.code}"
    yield (
        TextLine(title, TONES[finding.severity])
        .add(" ")
        .add("  ".join(location_parts(finding)), Tone.FAINT)
    )
    yield from indented(wrap(finding.message, look.columns - 2), 2)
