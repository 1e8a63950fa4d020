"""Reading logs for a command: from options and settings to reports.

It decides what the options of a log come to.  House rules: a log that is not there is said before
anything is shown; several logs are one story, read in the order given.  It refuses to know what is
done with a report.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from segue.cli.config import Settings
from segue.cli.options import at, zone
from segue.cli.progress import Progress
from segue.conversation import Report
from segue.errors import UnreadableLog
from segue.events import Delivery
from segue.findings import Policy
from segue.logs import (
    FULL_DETAIL,
    Crew,
    Detail,
    FieldMapping,
    Replayer,
    ReplayOptions,
    Team,
    ahead_in,
    lines_of,
    name_of,
    processes,
    share,
    where_it_fits,
)

__all__ = ["POINTER_NAMES", "Reading", "size_of"]

POINTER_NAMES: Final = (
    "body_at",
    "time_at",
    "bot_at",
    "conversation_at",
    "delivery_at",
    "endpoint_at",
)


class Reading:
    """The logs of one run: one replay over all of them.

    `detail` is what must be at hand of reports without findings.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        settings: Settings,
        policy: Policy,
        detail: Detail = FULL_DETAIL,
        on_delivery: Callable[[Delivery, int], object] | None = None,
    ) -> None:
        said = {
            name: given[name] or settings.get(name.replace("_", "-"))
            for name in (*POINTER_NAMES, "partial", "time_zone", "day_first", "sort", "sort_memory")
        }
        time_zone = zone(said["time_zone"])
        pointers: dict[str, Any] = {
            name: said[name] for name in POINTER_NAMES if said[name] is not None
        }
        self.logs: tuple[str, ...] = given["logs"]
        self._detail = detail
        self._lines = 0
        self.is_choosy = any(given[name] for name in ("conversations", "since", "until"))
        """Whether only a part of the log is asked for."""
        self.is_sorted = said["sort"] is not None
        self._order = where_it_fits(said["sort_memory"]) if self.is_sorted else None
        self.options = ReplayOptions(
            policy=policy,
            partial=said["partial"],
            field_mapping=FieldMapping(**pointers) if pointers else None,
            conversations=frozenset(given["conversations"]) or None,
            since=at("--since", given["since"], time_zone),
            until=at("--until", given["until"], time_zone),
            time_zone=time_zone,
            day_first=bool(said["day_first"]),
        )
        jobs = settings.get("jobs", 1) if given["jobs"] is None else given["jobs"]
        self._jobs = 1 if self.is_sorted or on_delivery is not None else processes(jobs)
        self._replayer = Replayer(self.options, on_delivery=on_delivery)
        self._team: Team | None = None
        """Who reads, if several do."""
        for log in self.logs:
            if log != "-" and not Path(log).exists():
                msg = f"{log} cannot be read: No such file or directory"
                raise UnreadableLog(msg)

    @property
    def lines(self) -> int:
        """How many have been read."""
        return self._lines if self._team is None else self._team.lines

    @property
    def given_back(self) -> int:
        """How many parts had to be read here after all."""
        return 0 if self._team is None else self._team.given_back

    def reports(self, progress: Progress) -> Iterator[Report]:
        """Yield every report."""
        if parts := share(self.logs, self._jobs):
            crew = Crew(self.options, parts, self._jobs, self._detail)
            self._team = Team(self.options, parts, crew, progress.told)
            return self._team.reports()
        return self._replayed(progress)

    def rest(self) -> Iterator[Report]:
        """Yield the conversations still open as they stand, when the reading had to stop."""
        return self._replayer.interrupt() if self._team is None else self._team.rest()

    def _replayed(self, progress: Progress) -> Iterator[Report]:
        replayer = self._replayer
        logs = ((name_of(log), self._read(log, progress)) for log in self.logs)
        if self._order is not None:
            yield from replayer.feed_sorted(logs, self._order)
        else:
            for log, (name, lines) in zip(self.logs, logs, strict=True):
                replayer.source = name
                yield from replayer.feed_all(lines, ahead_in(log))
        yield from replayer.close()

    def _read(self, log: str, progress: Progress) -> Iterator[bytes]:
        for line in lines_of(log, progress.told, self.options.field_mapping):
            self._lines += 1
            yield line
        progress.next()


def size_of(logs: tuple[str, ...]) -> int | None:
    """Return how many bytes the logs have; None when that cannot be told."""
    total = 0
    for log in logs:
        path = Path(log)
        if log == "-" or not path.is_file():
            return None
        total += path.stat().st_size
    return total
