"""`segue check`: which conversations are wrong, where, why, and what would have been right."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console

from segue.cli.baseline import Baseline, Key, keys, write
from segue.cli.config import configuration, policy_from
from segue.cli.options import listed, log_options
from segue.cli.reading import Reading
from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.findings import Severity
from segue.report import PLAIN, Renderer, Tally
from segue.report.full import Full

__all__ = ["check"]

FORMATS = ("full", *PLAIN)
_SHOWN = 20
_INTERRUPTED = 130


@click.command()
@log_options
@click.option(
    "--format",
    "style",
    type=click.Choice(FORMATS),
    default="full",
    show_default=True,
    help="How findings are shown.",
)
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write this format to a file as well. Repeatable.",
)
@click.option("--select", multiple=True, metavar="CODES", help="Report only these codes, prefixes or names.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these.")
@click.option(
    "--severity",
    "ranks",
    multiple=True,
    metavar="CODE=SEVERITY",
    help="Another severity: error, warning or note. Repeatable.",
)
@click.option("--strict", is_flag=True, help="Warnings and notes of families 1 to 4 are errors.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note", "never"]),
    help="The least severity that makes the exit code 1. Default: error.",
)
@click.option("--baseline", metavar="FILE", help="Do not report the findings of this file.")
@click.option("--write-baseline", metavar="FILE", help="Write the findings to this file; exit with 0.")
@click.option("--limit", type=click.IntRange(min=0), default=_SHOWN, show_default=True, help="Conversations shown in full.")
@click.option("--all", "show_all", is_flag=True, help="Show all conversations with findings.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True, help="NO_COLOR and FORCE_COLOR are honoured too.")
@click.option("--config", metavar="FILE", help="Read settings from this file.")
@click.option("--no-config", is_flag=True, help="Read no settings.")
def check(**given: Any) -> int:  # noqa: ANN401 - click's own
    """Check logs of conversations, interleaved or not; - is standard input.

    Exit codes: 0 no error finding, 1 error findings, 2 could not run, 130 interrupted.
    """
    settings = _settings(given)
    policy = policy_from(settings)
    for option in ("partial", "time_zone", "body_at", "time_at", "bot_at", "conversation_at"):
        given[option] = given[option] or settings.get(option.replace("_", "-"))
    reading = Reading(given, policy)
    path = given["baseline"] or settings.get("baseline")
    baseline = Baseline(Path(path)) if path and not given["write_baseline"] else None
    with ExitStack() as stack:
        renderers = [_renderer(given, sys.stdout), *_files(given, stack)]
        tally, entries = Tally(), list[Key]()
        interrupted = False
        try:
            _run(reading.reports(), renderers, tally, baseline, entries)
        except KeyboardInterrupt:
            interrupted = True
            _run(reading.interrupted(), renderers, tally, baseline, entries)
        if baseline is not None:
            tally.known = baseline.known
        for renderer in renderers:
            renderer.finish(tally)
    if baseline is not None and baseline.stale:
        click.echo(f"segue: {baseline.stale} entries of the baseline match nothing", err=True)
    if interrupted:
        click.echo("segue: interrupted; conversations still open are shown as they stood", err=True)
        return _INTERRUPTED
    if given["write_baseline"]:
        write(Path(given["write_baseline"]), entries)
        return 0
    threshold = given["fail_on"] or settings.get("fail-on", "error")
    return int(threshold != "never" and tally.has(_severity("fail-on", threshold)))


def _run(
    reports: Iterator[Report],
    renderers: list[Renderer],
    tally: Tally,
    baseline: Baseline | None,
    entries: list[Key],
) -> None:
    for report in reports:
        if baseline is not None and report.findings:
            baseline.filter(report)
        if report.findings:
            entries += keys(report)
        tally.add(report)
        for renderer in renderers:
            renderer.show(report)


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the configuration, overridden by the command line."""
    settings: dict[str, Any] = {}
    if not given["no_config"]:
        settings = configuration(Path(given["config"]) if given["config"] else None)
    for name in ("select", "ignore"):
        if given[name]:
            settings[name] = list(listed(given[name]))
    if given["strict"]:
        settings["strict"] = True
    ranks = dict(settings.get("severity", {}))
    for text in listed(given["ranks"]):
        code, equals, rank = text.partition("=")
        if not equals:
            msg = f"--severity takes CODE=SEVERITY, such as SG205=error, not {text!r}"
            raise ConfigurationError(msg)
        ranks[code] = _severity("--severity", rank).value
    settings["severity"] = ranks
    return settings


def _severity(option: str, text: str) -> Severity:
    try:
        return Severity(text)
    except ValueError:
        msg = f"{option} knows error, warning and note, not {text!r}"
        raise ConfigurationError(msg) from None


def _renderer(given: dict[str, Any], out: TextIO, style: str | None = None) -> Renderer:
    to_file = style is not None
    style = style or given["style"]
    if style in PLAIN:
        return PLAIN[style](out)
    limit = None if given["show_all"] or to_file else given["limit"]
    return Full(console(out, "never" if to_file else given["color"]), limit)


def console(out: TextIO, color: str) -> Console:
    """Return a console that colours as asked; `auto` asks the terminal and the environment."""
    if color == "always":
        return Console(file=out, force_terminal=True, color_system="standard")
    if color == "never":
        return Console(file=out, no_color=True, force_terminal=False)
    return Console(file=out)


def _files(given: dict[str, Any], stack: ExitStack) -> Iterator[Renderer]:
    for output in given["outputs"]:
        style, equals, path = output.partition("=")
        if not equals or style not in FORMATS:
            msg = f"--output takes FORMAT=FILE with one of {', '.join(FORMATS)}, not {output!r}"
            raise ConfigurationError(msg)
        try:
            out = stack.enter_context(Path(path).open("w", encoding="utf-8"))
        except OSError as error:
            msg = f"{path} cannot be written: {error.strerror or error}"
            raise ConfigurationError(msg) from error
        yield _renderer(given, out, style)
