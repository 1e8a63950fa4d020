"""The main loop of a replay, which reads the lines of all logs and yields reports."""

from collections.abc import Iterable, Iterator

from segue.core.conversation import Report
from segue.logs.accelerated import AcceleratedReplayer, can_accelerate
from segue.logs.plan import Replay
from segue.logs.readability import readable
from segue.logs.reordering import ReorderingReplayer
from segue.logs.replayer import Replayer
from segue.logs.sorting import Sorter, pick_sorter, sort_in_memory
from segue.logs.sources import LogPath, batch_size_of, lines_of, name_of


def replayer_of(plan: Replay) -> Replayer:
    """Return a new `Replayer`, or the subclass of it that the options of a plan require."""
    if plan.options.race is not None:
        return ReorderingReplayer(plan.options, plan.options.race, plan.on_delivery)
    if can_accelerate(plan):
        return AcceleratedReplayer(plan.options)
    return Replayer(plan.options, plan.on_delivery)


class ReplayRun:
    """One run of a replay, which yields reports and counts the lines read."""

    def __init__(self, plan: Replay, replayer: Replayer | None = None) -> None:
        self._plan = plan
        self._sorter: Sorter | None = None
        if plan.sort is not None:
            self._sorter = pick_sorter(plan.sort_memory) if plan.lines is None else sort_in_memory
        self._replayer = replayer or replayer_of(plan)
        self._bytes_read = 0
        self.lines = 0
        """The number of lines read."""
        self.chunks_reread = 0
        """The number of chunks that this process read itself because a worker process failed."""

    @property
    def healed(self) -> int:
        """The number of deliveries that gave no error because they were held and reordered."""
        return self._replayer.healed

    def reports(self) -> Iterator[Report]:
        """Yield a report when a conversation ends, and all other reports at the end of the log."""
        yield from self._replayed()
        yield from self._replayer.close()

    def interrupt(self) -> Iterator[Report]:
        """Yield reports of the conversations that are open when the run is interrupted."""
        return self._replayer.interrupt()

    def _replayed(self) -> Iterator[Report]:
        """Read all lines, and yield the reports of conversations that end."""
        replayer = self._replayer
        if self._sorter is not None:
            logs = ((name, lines) for name, lines, _ in self._sources())
            yield from replayer.feed_sorted(logs, self._sorter)
            return
        for name, lines, batch_size in self._sources():
            replayer.change_source(name)
            yield from replayer.feed_all(lines, batch_size, 1 if self._plan.numbered else None)

    def _sources(self) -> Iterator[tuple[str, Iterator[object], int]]:
        """Yield `(name, lines, batch size)` for each log."""
        if self._plan.lines is not None:
            yield "", self._counted(self._plan.lines), 1
        for log in self._plan.logs:
            yield name_of(log), self._counted(self._lines_of(log)), batch_size_of(log)

    def _counted(self, lines: Iterable[object]) -> Iterator[object]:
        for line in lines:
            self.lines += 1
            yield line

    def _lines_of(self, log: LogPath) -> Iterator[bytes]:
        before = self._bytes_read

        def progress(count: int) -> None:
            self._advance(before + count)

        options = self._plan.options
        lines = lines_of(log, progress, options.field_mapping)
        return readable(lines, options, name_of(log)) if self._plan.refuse_unreadable else lines

    def _advance(self, bytes_read: int) -> None:
        self._bytes_read = bytes_read
        if self._plan.progress is not None:
            self._plan.progress(bytes_read)
