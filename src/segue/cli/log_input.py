"""The logs that a command reads: options and settings in, reports out."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Final

from segue.cli.config import Settings, policy_of, settings_of, settings_path
from segue.cli.errors import print_error
from segue.cli.folders import files_among, logs_among
from segue.cli.ignores import Ignores
from segue.cli.layouts import ALLOW, field_mapping_of, refuse_absent
from segue.cli.noting import Noting
from segue.cli.options import LOG_OPTIONS, Params, parse_duration, parse_time, parse_zone
from segue.cli.progress import Progress
from segue.cli.terminal import is_terminal
from segue.core.conversation import Report
from segue.core.errors import ConfigurationError, UnreadableLog
from segue.core.findings import Policy
from segue.core.version import __version__
from segue.logs.diagnosis.decision import Diagnosis, diagnose
from segue.logs.log_files import same_file
from segue.logs.plan import WINDOW, Detail, NoteOf, OnDelivery, Replay, ReplayOptions
from segue.logs.replaying import start_replay
from segue.logs.sources import name_of
from segue.report.escape import visible

_NOT_SAID: Final = {"SG502": "note"}
"""Changed severities for logs of other platforms, whose events lack some required fields."""
_DECIDING: Final = (
    *("select", "ignore", "severity", "require", "strict", "baseline", "partial", "conversation"),
    *("since", "until", "sort", "no_sort", "once", "race", "key", "config", "tolerance"),
)
"""The names of the options that affect which findings are reported."""


class LogInput:
    """The logs that a command reads, and the options for checking them. They are read once.

    Raises `ConfigurationError` for invalid options, and `UnreadableLog` for a missing file.

    Args:
        params: The parameters of the command, including those of `LOG_OPTIONS`.
        settings: Values for options that are not on the command line. None reads the settings file
            that `--config` selects.
        policy: The rules to report and their severities. None takes them from the settings.
        detail: The details that reports without findings must have.
        on_delivery: A function that is called with each applied delivery and the position of its
            event.
        note: A function that returns a value to be stored with a delivery in `Report.notes`, or
            None.
        has_events: Whether `Report.notes` also describes the events, which grouping by causes
            needs.
        settled: Whether each conversation is reported once, when no later report can replace the
            report.
        shows_remarks: Whether the command shows `remarks` and what was not read itself. If not,
            they go to stderr.

    """

    def __init__(  # noqa: PLR0913 - what a command wants of its logs, all but one optional
        self,
        params: Params,
        settings: Settings | None = None,
        policy: Policy | None = None,
        *,
        detail: Detail | None = None,
        on_delivery: OnDelivery | None = None,
        note: NoteOf | None = None,
        has_events: bool = False,
        settled: bool = True,
        shows_remarks: bool = False,
    ) -> None:
        settings = settings_of(params) if settings is None else settings
        given = with_settings(params, settings)
        self._params = params
        if params["sort_memory"] is not None and given["sort"] is None:
            raise ConfigurationError("--sort-memory is for sorting: add --sort received_at")
        self.logs = files_among(params["logs"])
        self.progress = progress_of(params, self.logs)
        options = _options(given)
        self._allow_empty = bool(given["allow_empty"])
        self._conversations: tuple[str, ...] = params["conversation"]
        self._is_timed = bool(params["since"] or params["until"])
        policy = policy_of(settings) if policy is None else policy
        self._ignores = Ignores(settings.get("ignores", ()), datetime.now(UTC).date())
        self.noting = Noting(note, has_events=has_events or self._ignores.has_noted)
        """The `Noting` that separates the notes of the command from those of events."""
        mapping = field_mapping_of(given, self.logs)
        if mapping is not None and mapping.platform is not None:
            policy = replace(policy, severity={**_NOT_SAID, **policy.severity})
        self.options = replace(
            options,
            policy=policy,
            field_mapping=mapping,
            note=self.noting.note,
            settled=settled,
        )
        _refuse_repeated(params["logs"])
        self.logs = logs_among(self.logs, params["logs"], self.options)
        diagnosis = self._diagnosed(given)
        self.logs = tuple(map(str, diagnosis.logs))
        self.remarks = diagnosis.remarks
        """Remarks on the logs themselves, such as that they are newest first."""
        self._is_told = not (shows_remarks or params.get("quiet"))
        if self._is_told:
            for remark in self.remarks:
                print_error(visible(remark.sentence))
        sort = given["sort"] or diagnosis.sort
        self.is_sorted = sort is not None or given["race"] is not None
        """Whether the lines are checked in another order than that of the files."""
        self.run = start_replay(
            Replay(
                logs=self.logs,
                options=self.options,
                sort=sort,
                once=bool(given["once"]) or diagnosis.once,
                sort_memory=given["sort_memory"],
                jobs=1 if given["jobs"] is None else given["jobs"],
                detail=detail or Detail(),
                progress=self.progress.update,
                on_delivery=on_delivery,
                refuse_unreadable=True,
            )
        )
        for log in self.logs:
            if log != "-" and not Path(log).exists():
                raise UnreadableLog(f"{log} cannot be read: No such file or directory")
        if self.options.field_mapping is not None and not self._allow_empty:
            refuse_absent(self.options.field_mapping, self.logs)

    def _diagnosed(self, given: Params) -> Diagnosis:
        """Return how the logs have to be read, unless the options say that."""
        if given["no_sort"] or given["sort"] or given["race"] or given["once"]:
            return Diagnosis(self.logs)
        return diagnose(self.logs, self.options)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the files that are read and must not be overwritten: logs and settings."""
        path = settings_path(self._params)
        return self.logs if path is None else (*self.logs, str(path))

    def reports(self) -> Iterator[Report]:
        """Yield a report for each conversation, without the findings that the settings ignore.

        Show a progress bar while reading. At the end, write the number of ignored findings to
        stderr. Raise `UnreadableLog` if there were no deliveries, unless `--allow-empty` is given.
        """
        wanted: dict[str | None, None] = dict.fromkeys(self._conversations)
        is_empty = True
        with self.progress:
            for report in self.run.reports():
                is_empty = False
                wanted.pop(report.conversation_id, None)
                self._ignore(report)
                yield report
        self._show_ignored()
        self._show_leavings()
        if not self._allow_empty:
            self._refuse_empty(wanted, is_empty=is_empty)

    def interrupt(self) -> Iterator[Report]:
        """Stop reading the logs, and yield reports of the conversations that have not ended.

        The reports lack the findings that the settings ignore, as in `reports`.
        """
        for report in self.run.interrupt():
            self._ignore(report)
            yield report
        self._show_ignored()

    def _ignore(self, report: Report) -> None:
        self.noting.give_events(report, self._ignores.apply)

    def _show_leavings(self) -> None:
        """Say on stderr what was not read, unless the command shows it itself."""
        leavings = self.run.leavings
        if not self._is_told:
            return
        for remark in leavings.remarks():
            print_error(visible(remark.sentence))
        if leavings.count:
            print_error(leavings.in_words)

    def _show_ignored(self) -> None:
        for remark in map(visible, self._ignores.remarks()):
            print_error(remark)

    def refuse_agents(self, missing: Iterable[str]) -> None:
        """Raise `UnreadableLog` if `missing` names agents, unless `--allow-empty` is given.

        `missing` contains the requested agents who take part in no conversation of the logs.
        """
        absent = ", ".join(map(repr, missing))
        if absent and not self._allow_empty:
            names = ", ".join(map(name_of, self.logs))
            raise UnreadableLog(f"{names}: {absent} has no segment ({ALLOW})")

    def _refuse_empty(self, missing: Iterable[str | None], *, is_empty: bool) -> None:
        """Raise `UnreadableLog` if no delivery was read, or if a wanted conversation is missing."""
        names = ", ".join(map(name_of, self.logs))
        if is_empty and not self.run.lines:
            what = self._why_no_lines()
        elif absent := ", ".join(map(repr, missing)):
            within = " between --since and --until" if self._is_timed else ""
            what = f"there is no conversation {absent}{within}"
        elif is_empty:
            what = self._why_empty()
        else:
            return
        raise UnreadableLog(f"{names}: {what} ({ALLOW})")

    def _why_no_lines(self) -> str:
        mapping = self.options.field_mapping
        if mapping is not None and mapping.records_at:
            return f"no list with elements is at {mapping.records_at} (--records-at)"
        return "there are no lines"

    def _why_empty(self) -> str:
        """Return the end of an error message that says why the logs contain no delivery."""
        mapping = self.options.field_mapping
        if mapping is not None and mapping.platform is not None:
            return f"no line is a {mapping.platform} event that can be converted"
        if self._is_timed:
            return "no delivery was received between --since and --until"
        if mapping is not None and mapping.skip_others:
            return "no line has the body of a delivery"
        if mapping is not None and mapping.lines == "text":
            return "no line contains a JSON object"
        return "all lines are blank"


def with_settings(params: Params, settings: Settings) -> dict[str, Any]:
    """Return a copy of `params`, with log options that are missing taken from `settings`.

    The log options are those in `LOG_OPTIONS`. If an option is in neither, it is None, even a flag.
    """
    names = {option.name for option in LOG_OPTIONS}
    return {
        name: settings.get(name.replace("_", "-"))
        if name in names and (value is None or value is False)
        else value
        for name, value in params.items()
    }


def provenance_of(params: Params, logs: Iterable[str]) -> dict[str, Any]:
    """Return a JSON object that tells how reports were made.

    It contains the names of the logs, the version of Segue, and the options that affect findings.
    """
    chosen = {name.replace("_", "-"): params[name] for name in _DECIDING if params.get(name)}
    given = {name: [value] if isinstance(value, str) else value for name, value in chosen.items()}
    options = [
        f"--{name}" if each is True else f"--{name}={each}"
        for name, values in given.items()
        for each in ([True] if values is True else values)
    ]
    return {
        "logs": [visible(name_of(log)) for log in logs],
        "version": __version__,
        "options": [visible(option) for option in options],
    }


def progress_of(params: Params, logs: tuple[str, ...]) -> Progress:
    """Return a progress bar on stderr, drawn only on a terminal and without `--quiet`."""
    is_shown = is_terminal(sys.stderr) and not params.get("quiet")
    return Progress(logs, sys.stderr if is_shown else None)


def _refuse_repeated(paths: Iterable[str]) -> None:
    """Raise `ConfigurationError` if two paths name the same log, as its deliveries would repeat."""
    named: dict[str, str] = {}
    for path in paths:
        file = same_file(path)
        if file in named:
            first, again = name_of(named[file]), name_of(path)
            are_one = "is named twice" if first == again else f"and {again} are the same file"
            raise ConfigurationError(f"{first} {are_one}: name it once")
        named[file] = path


def _options(params: Params) -> ReplayOptions:
    """Return the options for reading and checking the logs, from the parameters of a command."""
    time_zone, race = parse_zone(params["time_zone"]), params["race"]
    return ReplayOptions(
        partial=params["partial"],
        conversations=frozenset(params["conversation"]) or None,
        since=_time(params, "since", time_zone),
        until=_time(params, "until", time_zone),
        time_zone=time_zone,
        day_first=bool(params["day_first"]),
        time_format=params["time_format"],
        key=params["key"],
        race=None if race is None else parse_duration("--race", race),
        window=WINDOW if params["window"] is None else params["window"],
        most_ended=params["most_ended"],
    )


def _time(params: Params, name: str, time_zone: tzinfo) -> datetime | None:
    return parse_time(f"--{name}", params[name], time_zone) if params[name] else None
