"""`segue send`: the deliveries of a log, sent to a server one after the other.

It decides when sending stops, and the exit code.  House rules: what is not answered with 2xx is
shown and counted, and the rest is sent all the same; whatever stops it says with which line to go
on; what was sent before is recognised by its id.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, Final

import click

from segue.cli.client import Answer, Client, ServerAway
from segue.cli.feed_view import findings_of
from segue.cli.log_input import POINTER_NAMES, size_of
from segue.cli.option_groups import Sectioned, options, section
from segue.cli.options import POINTERS
from segue.cli.outgoing import pack
from segue.cli.problem import Interrupted, complain
from segue.cli.progress import Progress
from segue.cli.terminal import COLOR, is_terminal, look, stdout
from segue.cli.token import CREDENTIALS, credential
from segue.errors import ConfigurationError
from segue.logs import FieldMapping, lines_of, name_of
from segue.report.plurals import pluralize
from segue.report.styled_text import TextLine, Tone

__all__ = ["send"]

_send = section("What is sent")

_OPTIONS: Final = (
    click.argument("log"),
    click.argument("url"),
    _send(
        "--rate",
        type=click.FloatRange(min=0, min_open=True),
        metavar="N",
        help="At most N deliveries a second.",
    ),
    _send(
        "--from",
        "start",
        type=click.IntRange(min=1),
        default=1,
        metavar="LINE",
        help="Go on with this line of the log.",
    ),
    _send("--bot", metavar="ID", help="Send for this bot, whatever the log says."),
    _send(
        "--patience",
        type=click.FloatRange(min=0),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to try again when the server is away.",
    ),
    *CREDENTIALS,
    *POINTERS,
    COLOR,
)

_HOPELESS: Final = {
    401: "it does not accept the token: put another one into SEGUE_TOKEN",
    404: "there is no hook: is there something before its paths, as in http://host/segue?",
}
"""Statuses that every other delivery would be answered with, too."""


@click.command(cls=Sectioned)
@options(_OPTIONS)
def send(**given: Any) -> int:  # noqa: ANN401 - click's own
    """Send the deliveries of a log to a server.

    In the order of the log, each under its delivery id, or under one that the same line always
    gets: sending it again changes nothing. Answers that are not 2xx are shown, with their findings.

    Exit codes: 0 all were answered with 2xx, 1 some were not, 2 could not run, 130 interrupted.
    """
    run = _Run(given)
    with closing(run.client):
        try:
            run.send()
        except (ServerAway, ConfigurationError) as error:
            raise type(error)(f"{error}; {run.left_off}") from error
        except KeyboardInterrupt:
            complain(f"interrupted: {run.left_off}")
            raise Interrupted from None
    complain(run.summary)
    return int(run.refused > 0)


class _Run:
    """One log on its way."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.client = Client(given["url"], credential(given), patience=given["patience"])
        self._log, self._start, self._bot = given["log"], given["start"], given["bot"]
        pointers = {name: given[name] for name in POINTER_NAMES if given[name] is not None}
        self._field_mapping = FieldMapping(**pointers) if pointers else None
        self._pause = 1 / given["rate"] if given["rate"] else 0.0
        self._look = look(stdout(), given["color"])
        watched = sys.stderr if is_terminal(sys.stderr) else None
        self._progress = Progress(size_of((self._log,)), watched)
        self._bots: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._line = 0
        """The last that was dealt with."""

    @property
    def refused(self) -> int:
        """How many were not answered with 2xx, or not sent at all."""
        return self._counts["refused"] + self._counts["unsent"]

    @property
    def left_off(self) -> str:
        """Say how to go on."""
        return f"go on with --from {max(self._line + 1, self._start)}"

    @property
    def summary(self) -> str:
        """Say what became of all."""
        counts = self._counts
        parts = [f"{counts['applied']} applied", pluralize(counts["duplicate"], "duplicate")]
        parts += [f"{counts[what]} {what}" for what in ("refused", "unsent") if counts[what]]
        return f"{pluralize(counts.total(), 'line')} sent: {', '.join(parts)}"

    def send(self) -> None:
        """Send all of it."""
        due = time.monotonic()
        for at, raw in self._lines():
            if self._pause:
                time.sleep(max(due - time.monotonic(), 0))
                due = max(due + self._pause, time.monotonic())
            self._deal_with(at, raw)
            self._line = at
        self._progress.wipe()

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        for at, raw in enumerate(
            lines_of(self._log, self._progress.told, self._field_mapping), start=1
        ):
            if at >= self._start and raw.strip():
                yield at, raw

    def _deal_with(self, at: int, raw: bytes) -> None:
        parcel = pack(
            raw, at, field_mapping=self._field_mapping, bot_id=self._bot, known=self._bots
        )
        if parcel is None:
            self._counts["unsent"] += 1
            self._show(
                at, TextLine("not sent", Tone.ERROR).add(": nothing says for which bot: give --bot")
            )
            return
        answer = self.client.post(*parcel)
        if answer.status in _HOPELESS:
            raise ConfigurationError(_HOPELESS[answer.status])
        if answer.is_good:
            self._counts["duplicate" if answer.value.get("duplicate") is True else "applied"] += 1
            return
        self._counts["refused"] += 1
        self._show(at, _title(answer), *findings_of(answer.value))

    def _show(self, at: int, first: TextLine, *lines: TextLine) -> None:
        self._progress.wipe()
        out = stdout()
        color = self._look.color
        place = TextLine(f"{name_of(self._log)}:{at}: ", Tone.FAINT).render(color=color)
        out.write(f"{place} {first.render(color=color)}\n")
        out.writelines(f"{line.render(color=color)}\n" for line in lines)
        out.flush()


def _title(answer: Answer) -> TextLine:
    kind = str(answer.value.get("type", "")).rpartition(":")[2]
    line = TextLine(f"{answer.status} {kind}".rstrip(), Tone.ERROR)
    title = answer.value.get("title")
    return line.add(f": {title}") if title else line
