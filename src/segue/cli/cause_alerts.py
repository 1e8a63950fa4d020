"""Alerts for new causes of findings. Each cause is shown once, and may start a command."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any, Final

from segue.analysis.causes import MOST_ROWS, CauseWindow, RootCause
from segue.cli.errors import print_error
from segue.cli.options import Params, parse_duration
from segue.cli.programs import run_program
from segue.cli.terminal import Output
from segue.core.errors import ConfigurationError
from segue.report.causes_view import cause_lines
from segue.server.inspector.recent_causes import add_entry
from segue.server.processor import JournalEntry, Processor, drive

_WAIT: Final = 5.0
"""Seconds to wait for a new delivery before the journal of the store is read again."""
_SECONDS: Final = 10.0
"""The minimum number of seconds between two searches for causes."""


class CauseAlerts:
    """A search for causes in the latest deliveries, which shows each new cause once."""

    def __init__(self, width: timedelta, command: Sequence[str], *, as_json: bool) -> None:
        self._window = CauseWindow(width)
        self._command = command
        self._as_json = as_json
        self._has_news = False
        self.searched = 0.0
        """The value of `time.monotonic` at the last search."""
        self.count = 0
        """The number of causes shown so far."""

    def show(self, entries: Sequence[Mapping[str, Any]], output: Output) -> None:
        """Add feed entries, and show new causes if ten seconds have passed since the last search.

        If `entries` is empty, search at once.
        """
        for entry in entries:
            self._has_news |= self._window.add(entry)
        self._search(output, is_due=not entries)

    def follow(
        self, processor: Processor, output: Output, place: int, since: datetime | None
    ) -> Iterator[None]:
        """Show new causes in the journal of a store, each time the iterator is resumed.

        The journal is read after the entry with the number `place`. Deliveries received before
        `since` are skipped.
        """

        def take(entries: Sequence[JournalEntry]) -> None:
            nonlocal place
            for entry in entries:
                if since is None or entry.received_at >= since:
                    self._has_news |= add_entry(self._window, entry)
                place = entry.number

        is_first = True
        while True:
            drive(processor.queries.read_journal(place, MOST_ROWS, take))
            self._search(output, is_due=is_first)
            is_first = False
            yield
            processor.read_feed(after=str(place), limit=1, wait=_WAIT)

    def _search(self, output: Output, *, is_due: bool) -> None:
        if self._has_news and (is_due or monotonic() - self.searched > _SECONDS):
            for cause in self._window.new_causes(datetime.now(UTC)):
                self._alert(cause, output)
            self._has_news, self.searched = False, monotonic()

    def _alert(self, cause: RootCause, output: Output) -> None:
        self.count += 1
        sentence = cause.sentence(datetime.now(UTC).date())
        text = json.dumps({**cause.to_dict(), "sentence": sentence})
        if self._as_json:
            output.write(f"{text}\n")
        else:
            output.write_lines(cause_lines(cause, sentence))
        if self._command:
            done = run_program(self._command, text, captures=False)
            if done.returncode:
                print_error(f"the command of --run exited with {done.returncode}")


def alerts_of(params: Params) -> CauseAlerts:
    """Return alerts with the settings of `--window`, `--run` and `--format`."""
    width = parse_duration("--window", params["window"])
    try:
        command = shlex.split(params["run"] or "")
    except ValueError as error:
        raise ConfigurationError(f"--run takes a command, not {params['run']!r}: {error}") from None
    return CauseAlerts(width, command, as_json=params["format"] == "jsonl")
