"""`segue send`: send the deliveries of a log to a server, one after the other.

A delivery that is not answered with 2xx is shown and counted, and sending continues. If a run stops
early, the error message names the line to continue with.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import click

from segue.cli.client import ServerClient, ServerReply, ServerUnreachableError
from segue.cli.credentials import CREDENTIALS, token_source
from segue.cli.errors import INTERRUPTED, print_error
from segue.cli.feed_view import finding_lines
from segue.cli.layouts import field_mapping_of
from segue.cli.log_input import progress_of, with_settings
from segue.cli.options import AMOUNT, FIELD_OPTIONS, POSITIVE, RATE, Params, command, option_group
from segue.cli.outgoing import Outgoing, UnknownBotError
from segue.cli.terminal import COLOR, Output
from segue.core.errors import ConfigurationError, UnreadableLog
from segue.logs.plan import ReplayOptions
from segue.logs.readability import readable
from segue.logs.sources import lines_of, name_of
from segue.report.plurals import pluralize
from segue.report.styled_text import TextLine, Tone

_send = option_group("What is sent")

_OPTIONS: Final = (
    click.Argument(["log"]),
    click.Argument(["url"]),
    _send("--rate N", "Send at most N deliveries a second.", type=RATE),
    _send("--from LINE", "Continue with this line of the log.", type=POSITIVE, default=1),
    _send("--bot ID", "Send for this bot, whatever the log says."),
    _send("--timeout SECONDS", "How long to try an unavailable server.", type=AMOUNT, default=60.0),
    *CREDENTIALS,
    *FIELD_OPTIONS,
    COLOR,
)

FATAL: Final = {
    401: "the server refuses the token, or got no token: put another one into SEGUE_TOKEN",
    404: "the server has no webhook there: does its URL need a prefix, as in http://host/segue?",
}
"""The error messages for statuses that stop a run, since all deliveries would get them."""


@command(*_OPTIONS)
def send(params: Params) -> int:
    """Send the deliveries of a log to a server.

    In the order of the log, each under its delivery id, or under one that the same line at the same
    place always gets: sending the log again changes nothing. Answers that are not 2xx are shown,
    with their findings.

    Exit codes: 0 all were answered with 2xx, 1 some were not, 2 could not run, 130 interrupted.
    """
    run = _Run(params)
    with closing(run.client):
        try:
            run.send()
        except (ServerUnreachableError, ConfigurationError) as error:
            raise type(error)(f"{error} ({run.continuation})") from error
        except KeyboardInterrupt:
            print_error(f"interrupted: {run.continuation}")
            return INTERRUPTED
    print_error(run.summary)
    return int(run.refused > 0)


class _Run:
    """One run of the command, which sends a log line by line."""

    def __init__(self, params: Params) -> None:
        self.client = ServerClient(params["url"], token_source(params), timeout=params["timeout"])
        self._log, self._start = params["log"], params["from"]
        layout = with_settings(
            {**params, "from": None}, {}
        )  # --from is a line here, not a platform
        self._field_mapping = field_mapping_of(layout, (self._log,))
        self._outgoing = Outgoing(self._field_mapping, params["bot"])
        self._pause = 1 / params["rate"] if params["rate"] else 0.0
        self._progress = progress_of(params, (self._log,))
        self._output = Output(params, self._progress, flush=True, needs_reader=True)
        self._counts: Counter[str] = Counter()
        self._line = 0
        """The number of the last line that was sent."""

    @property
    def refused(self) -> int:
        """The number of deliveries that were not answered with 2xx, or not sent."""
        return self._counts["refused"] + self._counts["unsent"]

    @property
    def continuation(self) -> str:
        """The advice for continuing after an interruption, such as `continue with --from 17`."""
        return f"continue with --from {max(self._line + 1, self._start)}"

    @property
    def summary(self) -> str:
        """A line of text such as `17 lines sent: 15 applied, 1 duplicate, 1 refused`."""
        counts = self._counts
        parts = [f"{counts['applied']} applied", pluralize(counts["duplicate"], "duplicate")]
        parts += [f"{counts[what]} {what}" for what in ("refused", "unsent") if counts[what]]
        return f"{pluralize(counts.total(), 'line')} sent: {', '.join(parts)}"

    def send(self) -> None:
        """Send all lines of the log, from that of `--from` on.

        Raise `UnreadableLog` if the log has no such line.
        """
        due = time.monotonic()
        with self._progress:
            for at, raw in self._lines():
                if self._pause:
                    time.sleep(max(due - time.monotonic(), 0))
                    due = max(due + self._pause, time.monotonic())
                self._send_line(at, raw)
                self._line = at
        if not self._line:
            raise UnreadableLog(f"{name_of(self._log)} has no lines from line {self._start} on")

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        lines = lines_of(self._log, self._progress.update, self._field_mapping)
        options = ReplayOptions(field_mapping=self._field_mapping)
        lines = readable(lines, options, name_of(self._log))
        for at, raw in enumerate(lines, start=1):
            if at >= self._start and raw.strip():
                yield at, raw

    def _send_line(self, at: int, raw: bytes) -> None:
        try:
            request = self._outgoing.request(raw, at)
        except UnknownBotError:
            self._counts["unsent"] += 1
            line = TextLine("not sent", Tone.ERROR).add(": the bot is unknown: give --bot")
            self._show(at, line)
            return
        if request is None:
            return
        reply = self.client.post(*request)
        if reply.status in FATAL:
            raise ConfigurationError(FATAL[reply.status])
        if reply.is_success:
            self._counts["duplicate" if reply.value.get("duplicate") is True else "applied"] += 1
            return
        self._counts["refused"] += 1
        self._show(at, _refusal(reply), *finding_lines(reply.value))

    def _show(self, at: int, first: TextLine, *lines: TextLine) -> None:
        place = TextLine(f"{name_of(self._log)}:{at}: ", Tone.FAINT)
        self._output.write(f"{place.render(color=self._output.look.color)} ")
        self._output.write_lines((first, *lines))


def _refusal(reply: ServerReply) -> TextLine:
    kind = str(reply.value.get("type", "")).rpartition(":")[2]
    line = TextLine(f"{reply.status} {kind}".rstrip(), Tone.ERROR)
    reason = reply.value.get("detail") or reply.value.get("title")
    return line.add(f": {reason}") if reason else line
