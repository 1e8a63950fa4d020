"""Reading logs for a command: options to a replay, with progress on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from segue.cli.options import at, zone
from segue.conversation import Report
from segue.findings import Policy
from segue.logs import Layout, Options, Replayer, lines_of, name_of

__all__ = ["Reading"]


class Reading:
    """The logs of one run: one replay over all of them, in the order given."""

    def __init__(self, given: dict[str, Any], policy: Policy) -> None:
        time_zone = zone(given["time_zone"])
        pointers = {
            name: given[name]
            for name in ("body_at", "time_at", "bot_at", "conversation_at")
            if given[name] is not None
        }
        conversations = given["conversations"]
        self.lines = 0
        self._logs: tuple[str, ...] = given["logs"]
        self._sort = given["sort"] is not None
        self._replayer = Replayer(
            Options(
                policy=policy,
                partial=given["partial"],
                layout=Layout(**pointers) if pointers else None,
                conversations=frozenset(conversations) if conversations else None,
                since=at("--since", given["since"], time_zone),
                until=at("--until", given["until"], time_zone),
                time_zone=time_zone,
            ),
        )

    def reports(self) -> Iterator[Report]:
        """Yield every report; on an interrupt what is open is reported as it stands."""
        feed = self._replayer.feed
        with _progress(self._logs) as told:
            for log in self._logs:
                self._replayer.source = name_of(log)
                for number, line in self._numbered(log, told):
                    report = feed(line, number)
                    self.lines += 1
                    if report is not None:
                        yield report
                told(None)
        yield from self._replayer.close()

    def interrupted(self) -> Iterator[Report]:
        """Yield the conversations still open, as they stand."""
        return self._replayer.interrupt()

    def _numbered(
        self,
        log: str,
        told: Callable[[int | None], None],
    ) -> Iterator[tuple[int, object]] | list[tuple[int, object]]:
        numbered: Iterator[tuple[int, object]] = enumerate(lines_of(log, told), start=1)
        return self._replayer.sorted(numbered) if self._sort else numbered


@contextmanager
def _progress(logs: tuple[str, ...]) -> Iterator[Callable[[int | None], None]]:
    """Show how many bytes are read, on a terminal; yield whom to tell (None: a log is over)."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda _: None
        return
    sizes = [_size(log) for log in logs]
    read = 0
    with Progress(
        TextColumn("checking"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        task = progress.add_task("", total=sum(sizes) if all(sizes) else None)

        def told(now: int | None) -> None:
            nonlocal read
            if now is None:
                read += sizes.pop(0)
                now = 0
            progress.update(task, completed=read + now)

        yield told


def _size(log: str) -> int:
    try:
        return 0 if log == "-" else Path(log).stat().st_size
    except OSError:
        return 0
