"""`segue check`: check logs and show the findings."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from segue.analysis.causes import Counts, find_causes
from segue.cli.baseline import (
    Baseline,
    BaselineKey,
    baseline_key,
    refuse_target,
    write_baseline,
)
from segue.cli.config import Settings, policy_of, settings_of
from segue.cli.errors import INTERRUPTED, print_error
from segue.cli.log_input import LogInput, provenance_of
from segue.cli.options import COUNT, LOG_OPTIONS, Params, command, option_group, show_option
from segue.cli.outputs import file_renderers
from segue.cli.sigint import DeferredInterrupt
from segue.cli.terminal import COLOR, QUIET, Output
from segue.cli.user_files import read_json_file
from segue.core.conversation import Report, keep_findings
from segue.core.errors import ConfigurationError, UnreadableLog
from segue.core.findings import Finding, Severity
from segue.core.lifecycle import Phase
from segue.logs.plan import Detail
from segue.report.escape import visible
from segue.report.explaining import Explaining, share_of
from segue.report.page_rows import page_note
from segue.report.plurals import pluralize
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer
from segue.report.run_summary import RunSummary

if TYPE_CHECKING:
    from segue.analysis.compare.directory import Directory

_count = option_group("What counts")
_SHOWN: Final = 20
"""The number of conversations that the full format shows by default."""
_WITH_CAUSES: Final = {"full", "concise", "html", "json"}
"""The formats that show causes. If no output has such a format, causes go to stderr."""

_LIVE: Final = {"full", "concise", "jsonl"}
"""The formats that show the reports of standard input as they are made."""

_OPTIONS: Final = (
    show_option(f"--format [{'|'.join(FORMATS)}]", "How findings are shown.  [default: full]"),
    show_option("--output FORMAT=FILE...", "Write this format to a file as well, complete."),
    show_option(
        "--limit N",
        f"Conversations that the full format shows.  [default: {_SHOWN}]",
        type=COUNT,
    ),
    show_option("--all", "Show all of them."),
    show_option("--include-text", "Show bodies of deliveries in the html format."),
    show_option(
        "--directory FILE",
        "Names of agents and queues, as segue call agents.list --format json writes them; says "
        "which are not in it.",
    ),
    show_option("--causes", "Say what mistakes have in common, and since when."),
    show_option("--no-explain", "Count and show errors, without the mistakes that cause them."),
    COLOR,
    QUIET,
    _count("--select CODES...", "Report only these codes, prefixes or names."),
    _count("--ignore CODES...", "Ignore these codes, prefixes or names."),
    _count("--severity CODE=SEVERITY...", "Make a rule an error, a warning or a note."),
    _count(
        "--require FIELDS...",
        "Fields that each entry, exit and end must have: language, customFields.KEY.",
    ),
    _count("--strict", "Make warnings and notes of the rules SG1 to SG4 errors."),
    _count(
        f"--fail-on [{'|'.join(Severity)}|never]",
        "Least severity that makes the exit code 1.  [default: error]",
    ),
    _count("--baseline FILE", "Ignore the findings listed in this file."),
    _count("--write-baseline FILE", "Write all findings to this file, as known ones."),
)


@command(*_OPTIONS, *LOG_OPTIONS)
def check(params: Params) -> int:
    """Check logs: what is wrong, where, why, and what would be right.

    Conversations may be interleaved; - is standard input. Settings are read from [tool.segue] in
    the nearest pyproject.toml, or from segue.toml; the command line wins.

    Exit codes: 0 no error finding, 1 error findings, 2 could not run, 130 interrupted.
    """
    settings = settings_of(params)
    with ExitStack() as stack:
        run = _Run(params, settings, stack)
        stopped = run.read()
    for remark in run.remarks():
        print_error(remark)
    if isinstance(stopped, UnreadableLog):
        raise stopped
    if stopped is not None:
        how_far = "open conversations are shown as far as they were read"
        if not run.tally.has_reports:
            how_far = "no conversation was read completely"
        print_error(f"interrupted: {how_far}")
        return INTERRUPTED
    if params["write_baseline"]:
        write_baseline(Path(params["write_baseline"]), run.keys)
        print_error(f"{pluralize(len(run.keys), 'finding')} written to {params['write_baseline']}")
    threshold = params["fail_on"] or settings.get("fail-on", Severity.ERROR)
    return int(threshold != "never" and run.tally.has(Severity(threshold)))


def _directory_in(path: str) -> "Directory":
    from segue.analysis.compare.directory import (  # noqa: PLC0415 - on request only
        Directory,
    )

    return Directory(read_json_file(path), path)


class _Run:
    """One run of `segue check`.

    It reads reports from the logs, removes the findings of the baseline, and passes the reports to
    the renderers.
    """

    def __init__(self, params: Params, settings: Settings, stack: ExitStack) -> None:
        formats = [params["format"] or settings.get("format", "full"), *params["output"]]
        policy = policy_of(settings, params)
        self._params = params
        self._is_recording = bool(params["write_baseline"])
        baseline = params["baseline"] or settings.get("baseline")
        self._has_baseline = bool(baseline) or self._is_recording
        self._counts = Counts() if params["causes"] else None
        shown = {each.partition("=")[0] for each in formats}
        if params["limit"] is not None and formats[0] != "full":
            raise ConfigurationError(f"--limit is for the format full, not for {formats[0]}")
        if params["include_text"] and "html" not in shown:
            msg = "--include-text is for the format html: add --output html=FILE"
            raise ConfigurationError(msg)
        note = partial(page_note, include_text=bool(params["include_text"]))
        directory = params["directory"]
        self._directory = _directory_in(directory) if directory else None
        has_json = not directory and not shown.isdisjoint({"json", "jsonl"})
        if params["causes"] and params["no_explain"]:
            msg = "--causes is about mistakes, which --no-explain leaves out: give one of them"
            raise ConfigurationError(msg)
        share = "none" if params["no_explain"] else "all" if params["causes"] else share_of(shown)
        limit = _SHOWN if params["limit"] is None else params["limit"]
        shown_in_full = None if params["all"] else limit
        self._explaining = Explaining(share, shown_in_full)
        detail = Detail(
            history=bool(directory) or "html" in shown, json=has_json, explained=share == "all"
        )
        self._log = LogInput(
            params,
            settings,
            policy,
            detail=detail,
            note=note if "html" in shown else None,
            has_events=bool(params["causes"]),
            settled=not self._is_streamed(shown),
            shows_remarks=not shown.isdisjoint(_WITH_CAUSES),
        )
        self._shows_causes = not shown.isdisjoint(_WITH_CAUSES)
        self._baseline = Baseline(Path(baseline)) if baseline and not self._is_recording else None
        self._interrupt = DeferredInterrupt()
        self.tally = RunSummary()
        self.keys: list[BaselineKey] = []
        logs = self._log.logs
        inputs = (*self._log.inputs, *filter(None, (baseline, directory)))
        if self._is_recording:
            refuse_target(Path(params["write_baseline"]), self._log.inputs)
        self._output = Output(params, self._log.progress, flush="-" in logs)
        about = provenance_of(params, logs)
        self._files = list(
            file_renderers(params["output"], inputs, stack, about, self._log.remarks)
        )
        self._renderers: list[Renderer] = [
            renderer(
                formats[0],
                self._output.write,
                RenderOptions(
                    self._output.look,
                    limit=shown_in_full,
                    is_brief=params["quiet"],
                    log=self._log.remarks,
                    about=about,
                ),
            ),
            *self._files,
        ]

    def _is_streamed(self, shown: set[str]) -> bool:
        """Return whether reports are shown at once, before later reports may replace them."""
        can_count_again = not (self._params["causes"] or self._has_baseline)
        is_live = "-" in self._params["logs"] and shown <= _LIVE
        return can_count_again and (shown == {"jsonl"} or is_live)

    def read(self) -> KeyboardInterrupt | UnreadableLog | None:
        """Read the logs and show the reports.

        If an interrupt or an unreadable log stops the reading, return this exception. Otherwise,
        return None.
        """
        stopped: KeyboardInterrupt | UnreadableLog | None = None
        with self._interrupt.installed():
            try:
                self._show(self._log.reports())
            except (KeyboardInterrupt, UnreadableLog) as reason:
                stopped = reason
                self._show(self._log.interrupt())
        self._log.progress.clear()
        run = self._log.run
        self.tally.lines, self.tally.healed = run.lines, run.healed
        self.tally.late_beyond, self.tally.forgotten = run.late_beyond, run.forgotten
        self.tally.log = (*self._log.remarks, *run.leavings.remarks())
        self.tally.leavings = run.leavings
        self.tally.is_incomplete = stopped is not None
        if self._counts is not None and not self.tally.possibly_of_log:
            self.tally.causes = find_causes(self._counts, self._log.options.time_zone)
        if self.tally.has_reports or not isinstance(stopped, UnreadableLog):
            for each in self._renderers:
                each.finish(self.tally)
        return stopped

    def remarks(self) -> Iterator[str]:
        """Yield the lines to print to stderr after the run, such as the duration of the run."""
        if self._log.run.chunks_reread:
            parts = pluralize(self._log.run.chunks_reread, "part")
            yield f"workers exited unexpectedly: {parts} of the log read by this process"
        if self._directory is not None:
            yield from map(visible, self._directory.remarks())
        if not self._shows_causes:
            yield from map(visible, self.tally.causes_in_words())
        stale = 0 if self._baseline is None else self._baseline.stale
        if stale and not self._log.options.is_filtered:
            verb = "occurs" if stale == 1 else "occur"
            yield f"{pluralize(stale, 'finding')} of the baseline no longer {verb}"
        if self._log.progress.is_shown:
            seconds = self._log.progress.elapsed
            lines = self._log.run.lines
            rate = lines / seconds if seconds else 0
            yield f"{pluralize(lines, 'line')} in {seconds:.1f} s, {rate:.0f} a second"

    def _show(self, reports: Iterator[Report]) -> None:
        for report in reports:
            with self._interrupt:
                self._explaining.choose(report)
                if report.findings:
                    self._apply_baseline(report)
                is_doubtful = self._log.run.leavings.concerns(
                    report.conversation_id, is_open=report.phase is not Phase.ENDED
                )
                self.tally.add(report, is_doubtful=is_doubtful)
                if self._counts is not None and not is_doubtful:
                    self._log.noting.give_events(report, self._counts.add)
                self._log.noting.leave_own(report)
                if self._directory is not None:
                    self._directory.apply(report)
                for each in self._renderers:
                    each.show(report)
            if self._output.is_closed and not self._files and not self._is_recording:
                return

    def _apply_baseline(self, report: Report) -> None:
        """Remove the findings that the baseline contains from a report.

        With `--write-baseline`, record all findings for the new baseline instead, and remove them.
        """
        baseline = self._baseline
        left: tuple[Finding, ...] = ()
        if self._is_recording:
            self.keys += [baseline_key(report, finding) for finding in report.findings]
        elif baseline is not None:
            left = tuple(f for f in report.findings if not baseline.match(report, f))
        else:
            return
        self.tally.known += len(report.findings) - len(left)
        keep_findings(report, left)
