"""`segue segments`: who held each conversation, when, and for how long."""

import json
from datetime import timedelta
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from segue.cli.options import log_options
from segue.cli.reading import Reading
from segue.conversation import Report
from segue.findings import DEFAULT
from segue.report import visible
from segue.segments import Segment

__all__ = ["segments"]


@click.command()
@log_options
@click.option("--agent", "agents", multiple=True, metavar="ID", help="Only this agent. Repeatable.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "jsonl"]),
    default="text",
    show_default=True,
    help="How segments are shown.",
)
def segments(**given: Any) -> None:  # noqa: ANN401 - click's own
    """Show who held each conversation of a log, when, and for how long."""
    style, agents = given["style"], given["agents"]
    console = Console()
    separator = "[\n"
    for report in Reading(given, DEFAULT).reports():
        if report.conversation_id is None or report.late:
            continue
        chosen = [s for s in report.segments if not agents or s.agent in agents]
        if agents and not chosen:
            continue
        if style == "text":
            _show(console, report, chosen)
            continue
        text = json.dumps(_as_dict(report, chosen))
        click.echo(text if style == "jsonl" else f"{separator}{text}", nl=style == "jsonl")
        separator = ",\n"
    if style == "json":
        click.echo("\n]" if separator != "[\n" else "[]")


def _as_dict(report: Report, chosen: list[Segment]) -> dict[str, object]:
    return {
        "conversation_id": report.conversation_id,
        "phase": report.phase.value,
        "valid": report.valid,
        "segments": [segment.to_dict() for segment in chosen],
        "metrics": report.metrics.to_dict(),
    }


def _show(console: Console, report: Report, chosen: list[Segment]) -> None:
    metrics = report.metrics
    facts = [report.phase.value, f"duration {_clock(metrics.duration)}"]
    facts.append(f"connected {_clock(metrics.connected_time)}")
    if not report.valid:
        facts.append("has errors")
    console.print(
        Text.assemble(
            (visible(report.conversation_id or ""), "bold underline"),
            ("  " + "  ".join(facts), "dim"),
        ),
        soft_wrap=True,
    )
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in ("", "agent", "entered", "as", "events", "talk", "outcome", "messages"):
        table.add_column(title, no_wrap=True)
    for segment in chosen:
        agent = visible(segment.agent)
        if segment.name:
            agent += f" ({visible(segment.name)})"
        role = segment.role
        if segment.promoted_at is not None:
            role += f" since {segment.promoted_at}"
        spans = ", ".join(
            f"{connection.opened_by}–{'' if connection.closed_by is None else connection.closed_by}"
            for connection in segment.connections
        )
        table.add_row(
            Text(f"  {segment.index}", style="dim"),
            Text(agent, style="bold"),
            Text(segment.kind),
            Text(role),
            Text(spans),
            Text(_clock(segment.talk_time)),
            Text(segment.outcome),
            Text(str(segment.user_messages + segment.agent_messages)),
        )
    console.print(table)
    console.print()


def _clock(time: timedelta | None) -> str:
    if time is None:
        return "?"
    minutes, seconds = divmod(int(time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}"
