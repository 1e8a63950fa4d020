"""`segue check`: which conversations are wrong, where, why, and what would have been right.

It decides how the pieces of a run are put together, and its exit code.  House rules: a report is
shown and forgotten; a run that has to stop early still shows what it has, and says that it stopped.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from segue.cli.baseline import Baseline, Key, key_of, write
from segue.cli.config import Settings, policy_from, settings_of
from segue.cli.log_input import Reading, size_of
from segue.cli.message_texts import Said
from segue.cli.option_groups import Sectioned, options, section
from segue.cli.options import listed, log_options, selectors
from segue.cli.outputs import Outlet, files
from segue.cli.problem import Interrupted, complain
from segue.cli.progress import Progress
from segue.cli.sigint import Interrupts
from segue.cli.terminal import COLOR, is_terminal, look, stdout
from segue.conversation import Report
from segue.errors import ConfigurationError, UnreadableLog
from segue.findings import Finding, Severity
from segue.logs import Detail
from segue.report.plurals import pluralize
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer
from segue.report.run_summary import RunSummary

__all__ = ["check"]


_show = section("What is shown")
_count = section("What counts")

_OPTIONS: Final = (
    _show(
        "--format",
        "style",
        type=click.Choice(FORMATS),
        help="How findings are shown.  [default: full]",
    ),
    _show(
        "--output",
        "outputs",
        multiple=True,
        metavar="FORMAT=FILE",
        help="Write this format to a file as well, with everything in it. Repeatable.",
    ),
    _show(
        "--limit",
        type=click.IntRange(min=0),
        default=20,
        metavar="N",
        help="Conversations with findings that the full format shows.  [default: 20]",
    ),
    _show("--all", "show_all", is_flag=True, help="Show all of them."),
    _show(
        "--include-text",
        is_flag=True,
        help="Quote what was said in the html format; this reads the log a second time.",
    ),
    COLOR,
    _show("--quiet", "-q", is_flag=True, help="No summary and no progress."),
    _count("--select", multiple=True, metavar="CODES", help="Only these codes, prefixes or names."),
    _count("--ignore", multiple=True, metavar="CODES", help="Not these codes, prefixes or names."),
    _count(
        "--severity",
        "ranks",
        multiple=True,
        metavar="CODE=SEVERITY",
        help="Make a rule an error, a warning or a note. Repeatable.",
    ),
    _count("--strict", is_flag=True, help="Warnings and notes of families 1 to 4 are errors."),
    _count(
        "--fail-on",
        type=click.Choice([*(severity.value for severity in Severity), "never"]),
        help="Least severity that makes the exit code 1.  [default: error]",
    ),
    _count("--baseline", metavar="FILE", help="Not the findings in this file."),
    _count(
        "--write-baseline",
        metavar="FILE",
        help="Write all findings to this file, as known from now on.",
    ),
)


@click.command(cls=Sectioned)
@options(_OPTIONS)
@log_options
def check(**given: Any) -> int:  # noqa: ANN401 - click's own
    """Check logs: what is wrong, where, why, and what would be right.

    Conversations may be interleaved; - is standard input. Settings are read from [tool.segue] in
    the nearest pyproject.toml, or from segue.toml; the command line wins.

    Exit codes: 0 no error finding, 1 error findings, 2 could not run, 130 interrupted.
    """
    settings = _settings(given)
    with ExitStack() as stack:
        run = _Run(given, settings, stack)
        stopped = run.read()
    for remark in run.remarks():
        complain(remark)
    if isinstance(stopped, UnreadableLog):
        raise stopped
    if stopped is not None:
        complain("interrupted: conversations still open were shown as they stood")
        raise Interrupted
    if given["write_baseline"]:
        write(Path(given["write_baseline"]), run.keys)
        complain(f"{pluralize(len(run.keys), 'finding')} written to {given['write_baseline']}")
    threshold = given["fail_on"] or settings.get("fail-on", Severity.ERROR)
    return int(threshold != "never" and run.tally.has(Severity(threshold)))


class _Run:
    """One check: reports from the reading, past the baseline, to the renderers."""

    def __init__(self, given: Mapping[str, Any], settings: Settings, stack: ExitStack) -> None:
        style = given["style"] or settings.get("format", "full")
        self._reading = Reading(
            given, settings, policy_from(settings), _detail([style, *given["outputs"]])
        )
        self._baseline: Baseline | None = None
        self._is_recording = bool(given["write_baseline"])
        known = given["baseline"] or settings.get("baseline")
        if known and not self._is_recording:
            self._baseline = Baseline(Path(known))
        self._interrupts = Interrupts()
        self.tally = RunSummary()
        self.keys: list[Key] = []
        self._is_watched = is_terminal(sys.stderr) and not given["quiet"]
        logs = self._reading.logs
        self._progress = Progress(size_of(logs), sys.stderr if self._is_watched else None)
        out = stdout()
        self._outlet = Outlet(out, self._progress, flush=out.isatty() or "-" in logs)
        said: Iterable[Mapping[str, Any]] = ()
        if given["include_text"]:
            said = Said(self._reading, [style, *given["outputs"]])
        self._files = list(files(given["outputs"], logs, stack, said))
        self._renderers: list[Renderer] = [
            renderer(
                style,
                self._outlet.write,
                RenderOptions(
                    look(out, given["color"]),
                    limit=None if given["show_all"] else given["limit"],
                    is_brief=given["quiet"],
                    texts=said,
                ),
            ),
            *self._files,
        ]

    def read(self) -> KeyboardInterrupt | UnreadableLog | None:
        """Read the logs and show what they come to; return why it had to stop early."""
        stopped: KeyboardInterrupt | UnreadableLog | None = None
        with self._interrupts.watched():
            try:
                self._show(self._reading.reports(self._progress))
            except (KeyboardInterrupt, UnreadableLog) as reason:
                stopped = reason
                self._show(self._reading.rest())
        self._progress.wipe()
        self.tally.lines = self._reading.lines
        if stopped is None or self.tally.lines:  # of a log nobody could open there is no summary
            for each in self._renderers:
                each.finish(self.tally)
        return stopped

    def remarks(self) -> Iterator[str]:
        """Yield what is worth a line on stderr."""
        if self._reading.given_back:
            parts = pluralize(self._reading.given_back, "part")
            yield f"other processes ended before their time: {parts} of the log read by this one"
        stale = 0 if self._baseline is None else self._baseline.stale
        if stale and not self._reading.is_choosy:
            verb = "matches" if stale == 1 else "match"
            yield f"{stale} of the baseline's findings {verb} nothing any more"
        if self._is_watched:
            seconds = self._progress.elapsed
            rate = self._reading.lines / seconds if seconds else 0
            lines = pluralize(self._reading.lines, "line")
            yield f"{lines} in {seconds:.1f} s, {rate:.0f} a second"

    def _show(self, reports: Iterator[Report]) -> None:
        for report in reports:
            with self._interrupts:
                if report.findings:
                    self._set_aside(report)
                self.tally.add(report)
                for each in self._renderers:
                    each.show(report)
            if self._outlet.is_closed and not self._files and not self._is_recording:
                return

    def _set_aside(self, report: Report) -> None:
        """Take what is known, or to be known from now on, out of a report."""
        baseline = self._baseline
        left: tuple[Finding, ...] = ()
        if self._is_recording:
            self.keys += [key_of(report, finding) for finding in report.findings]
        elif baseline is not None:
            left = tuple(f for f in report.findings if not baseline.knows(report, f))
        else:
            return
        self.tally.known += len(report.findings) - len(left)
        report.findings = left


def _detail(outputs: Iterable[str]) -> Detail:
    """Return what these outputs show of conversations without findings."""
    formats = {output.partition("=")[0] for output in outputs}
    return Detail(history="html" in formats, json=not formats.isdisjoint({"json", "jsonl"}))


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the configuration, overridden by the command line."""
    settings = settings_of(given)
    for name in ("select", "ignore"):
        chosen = given[name] or settings.get(name, ())
        settings[name] = selectors(chosen)
    settings["strict"] = given["strict"] or settings.get("strict", False)
    ranks = dict(settings.get("severity", {}))
    for text in listed(given["ranks"]):
        code, equals, rank = text.partition("=")
        if not equals or rank not in list(Severity):
            msg = f"--severity takes CODE=SEVERITY, such as SG205=error, not {text!r}"
            raise ConfigurationError(msg)
        ranks[code] = rank
    settings["severity"] = {selectors((code,))[0]: rank for code, rank in ranks.items()}
    return settings
