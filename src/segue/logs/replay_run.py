"""The main loop of a replay, which reads the lines of all logs and yields reports."""

from collections.abc import Generator, Iterable, Iterator

from segue.core.conversation import Report
from segue.logs.accelerated import AcceleratedReplayer, can_accelerate
from segue.logs.leavings import Leavings
from segue.logs.once import Once
from segue.logs.plan import Replay
from segue.logs.readability import readable
from segue.logs.reordering import ReorderingReplayer
from segue.logs.replayer import Replayer
from segue.logs.sorting import Sort, Sorter, pick_sorter, sorter_in_memory
from segue.logs.sources import LogPath, batch_size_of, lines_of, name_of


def replayer_of(plan: Replay) -> Replayer:
    """Create the `Replayer`, or the subclass of it, that supports the options of `plan`."""
    if plan.options.race is not None:
        return ReorderingReplayer(plan.options, plan.options.race, plan.on_delivery)
    if can_accelerate(plan):
        return AcceleratedReplayer(plan.options)
    return Replayer(plan.options, plan.on_delivery)


class ReplayRun:
    """A single execution of a `Replay`, which yields its reports."""

    def __init__(self, plan: Replay, replayer: Replayer | None = None) -> None:
        self._plan = plan
        self._sorter: Sorter | None = None
        if plan.is_sorted:
            sort: Sort = plan.sort or "received_at"
            is_of_files = plan.lines is None
            picked = pick_sorter(plan.sort_memory, sort) if is_of_files else sorter_in_memory(sort)
            self._sorter = picked
        self._once = Once() if plan.once else None
        self._replayer = replayer or replayer_of(plan)
        self._bytes_read = 0
        self.lines = 0
        """The number of lines read."""
        self.chunks_reread = 0
        """The number of chunks that this process read itself because a worker process failed."""

    @property
    def healed(self) -> int:
        """The number of deliveries that are free of errors only because they were reordered."""
        return self._replayer.healed

    @property
    def late_beyond(self) -> int:
        """The number of conversations that were too many to be kept whole after late events."""
        return self._replayer.late_beyond

    @property
    def forgotten(self) -> int:
        """The number of ended conversations that were forgotten."""
        return self._replayer.forgotten

    @property
    def leavings(self) -> Leavings:
        """The lines that were left out or cut off so far."""
        return self._replayer.leavings

    def reports(self) -> Generator[Report, None, None]:
        """Read the logs, and yield a report for each conversation.

        A conversation is reported when it ends, or else at the end of the last log.
        """
        yield from self._replayed()
        yield from self._replayer.close()

    def interrupt(self) -> Iterator[Report]:
        """Yield reports of the conversations that are still open. Call this after an interrupt."""
        return self._replayer.interrupt()

    def _replayed(self) -> Iterator[Report]:
        """Read all lines, and yield the report of each conversation that ends."""
        replayer = self._replayer
        if self._sorter is not None:
            logs = ((name, lines) for name, lines, _ in self._sources())
            yield from replayer.feed_sorted(logs, self._sorter)
            return
        for name, lines, batch_size in self._sources():
            replayer.change_source(name)
            yield from replayer.feed_all(lines, batch_size, 1 if self._plan.numbered else None)

    def _sources(self) -> Iterator[tuple[str, Iterator[object], int]]:
        """Yield `(name, lines, batch size)` for each log to read."""
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
        if self._plan.refuse_unreadable:
            lines = readable(lines, options, name_of(log))
        return lines if self._once is None else self._once.lines(lines)

    def _advance(self, bytes_read: int) -> None:
        self._bytes_read = bytes_read
        if self._plan.progress is not None:
            self._plan.progress(bytes_read)
