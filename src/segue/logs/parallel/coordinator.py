"""Merges the results of workers into the reports that a single process would give.

If a conversation continues from an earlier chunk, or continues after its END, the coordinator reads
the conversation's lines again and applies them itself. All other conversations of the chunk are
taken from the worker's result. If a worker fails, the coordinator reads the chunk.
"""

import pickle
import sys
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from heapq import merge
from itertools import chain, compress, islice
from operator import itemgetter
from typing import Final, TypeAlias

from segue.core.conversation import Report
from segue.core.errors import ConfigurationError, UnreadableLog
from segue.logs.keying import KEYS
from segue.logs.native import Learned
from segue.logs.parallel.chunk_replayer import (
    BATCH_SIZE,
    ChunkReplayer,
    ChunkResult,
    replay_chunk,
)
from segue.logs.parallel.chunks import Chunk, LogChunks
from segue.logs.parallel.event_counts import EventCounts
from segue.logs.parallel.pool import results_in_order
from segue.logs.parallel.report_codec import Position, reports_of
from segue.logs.plan import Replay
from segue.logs.readability import readable
from segue.logs.replay_run import ReplayRun
from segue.logs.sources import LogSlice, lines_of

_END: Final = (sys.maxsize,)
"""A position after all reports of a chunk."""

Results: TypeAlias = Generator[tuple[Chunk, ChunkResult | None], None, None]
ResultsInOrder: TypeAlias = Callable[
    [Callable[[Chunk], ChunkResult], Iterable[Chunk], int], Results
]


class ParallelRun(ReplayRun):
    """A replay by several processes: workers replay chunks, and this process merges the results."""

    def __init__(
        self, plan: Replay, chunks: LogChunks, results: ResultsInOrder = results_in_order
    ) -> None:
        """Create a run of `plan`, which starts no workers until its reports are requested.

        Args:
            plan: The replay to run.
            chunks: The parts of the logs that workers replay.
            results: A function that replays the chunks in workers and yields the results in order.

        """
        self._options = replace(plan.options, settled=False)
        """The options of the replayers. This run holds reports back that may be replaced."""
        self._merger = ChunkReplayer(self._options)
        self._merger.holds_back = plan.options.settled
        super().__init__(plan, self._merger)
        self._chunks = chunks
        self._merging: _MergedReports | None = None
        self._held = _HeldReports(self._merger, plan.options.window)
        self._results_in_order = results
        self._unreadable: UnreadableLog | None = None
        """The error of a log that cannot be read, to be raised after the chunks before it."""
        self._results: Results | None = None
        try:
            pickle.dumps(plan.options)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ConfigurationError(
                f"these options cannot be sent to other processes: {error}; use jobs=1"
            ) from error

    def reports(self) -> Generator[Report, None, None]:
        """Read the logs, and yield a report for each conversation, as `ReplayRun` does."""
        return self._first(super().reports())

    def _first(self, reports: Iterator[Report]) -> Generator[Report, None, None]:
        """Yield reports, which are the first of their conversations if others are held back."""
        for report in reports:
            if report.replaces and self._plan.options.settled:
                report.events_before = 0
            yield report

    def interrupt(self) -> Iterator[Report]:
        """Stop the workers, and yield the pending reports and those of open conversations."""
        return self._first(self._interrupted())

    def _interrupted(self) -> Iterator[Report]:
        if self._results is not None:
            self._results.close()
        if self._merging is not None and self._plan.options.settled:
            self._held.add(self._merging)
        elif self._merging is not None:
            yield from self._merging.remaining()
        yield from self._held.released(is_over=True)
        yield from self._replayer.interrupt()

    def _replayed(self) -> Iterator[Report]:
        with closing(self._chunks):
            begun, rest = self._begun()
            options = replace(self._options, key=self._merger.keying)
            learned = Learned(options.partial)
            work = partial(replay_chunk, options=options, detail=self._plan.detail, learned=learned)
            results = self._results_in_order(work, chain(begun, rest), self._chunks.processes)
            self._results = results
            with closing(results):
                yield from self._merged(results)
        if self._unreadable is not None:
            raise self._unreadable

    def _merged(self, results: Results) -> Iterator[Report]:
        is_settled = self._plan.options.settled
        for chunk, result in results:
            self._merger.begin_chunk()
            if result is not None:
                merging = self._merge(chunk, result)
            else:
                self.chunks_reread += 1
                merging = self._merging = _MergedReports([], ())
                self._merger.recall(None, self._lines_again)
                if is_settled:
                    self._read_into(merging, chunk)
                else:
                    yield from self._read(chunk)
            if is_settled:
                self._held.add(merging)
                self._merging = None
                yield from self._held.released()
            else:
                yield from merging.remaining()
            self._merging = None
            self._advance(self._bytes_read + sum(part.size for part in chunk))
        yield from self._held.released(is_over=True)

    def _read_into(self, merging: "_MergedReports", chunk: Chunk) -> None:
        """Replay a chunk in this process, and add its reports to `merging`."""
        for number, report in enumerate(self._read(chunk)):
            if report.conversation_id is None:
                merging.orphans.append(((0, number), self._merger.events_before, report))
            else:
                merging.applied_here.append(((0, number), report))

    def _begun(self) -> tuple[list[Chunk], Iterator[Chunk]]:
        """Read chunks until the first delivery, which decides how to identify conversations.

        Return a list of the chunks read, and an iterator over all others.
        """
        begun, chunks = [], self._readable_chunks()
        while self._merger.keying is None and (chunk := next(chunks, None)) is not None:
            begun.append(chunk)
            self._merger.decide(line for part in chunk for line in self._chunks.lines(part))
        return begun, chunks

    def _readable_chunks(self) -> Iterator[Chunk]:
        """Yield the chunks up to the first log that cannot be read.

        Keep its error, which must not be raised before everything earlier has been reported.
        """
        readable_parts: list[LogSlice] = []
        try:
            for chunk in self._chunks:
                for part in chunk:
                    self._refuse_unreadable(part)
                    readable_parts.append(part)
                yield tuple(readable_parts)
                readable_parts.clear()
        except OSError as error:
            msg = f"{error.filename} cannot be read: {error.strerror or error}"
            self._unreadable = UnreadableLog(msg)
            self._unreadable.__cause__ = error
        except UnreadableLog as error:
            self._unreadable = error
        if readable_parts:
            yield tuple(readable_parts)

    def _refuse_unreadable(self, part: LogSlice) -> None:
        if self._plan.refuse_unreadable and not part.start:
            readable(lines_of(part.path), self._plan.options, part.name)

    def _read(self, chunk: Chunk) -> Iterator[Report]:
        """Replay a chunk in this process because the worker failed. Yield the reports."""
        for part in chunk:
            self._begin(part)
            lines = self._counted(self._chunks.lines(part))
            yield from self._replayer.feed_all(lines, BATCH_SIZE, part.first_line)

    def _begin(self, part: LogSlice) -> None:
        if not part.start:
            self._replayer.change_source(part.name, part.log)

    def _merge(self, chunk: Chunk, result: ChunkResult) -> "_MergedReports":
        """Merge a worker's result for a chunk into this replay, and return the chunk's reports.

        Conversations that began before the chunk are replayed here, with the lines that belong to
        them. All others are taken from the result.
        """
        replayer = self._merger
        replayer.leavings.merge(result.leavings)
        numbers = result.conversations
        begun = {key: number for key, number in numbers.items() if not replayer.knows(key)}
        crossing = {
            key: number
            for key, number in numbers.items()
            if key in result.deferred or key not in begun
        }
        merging = self._merging = _MergedReports(result.reports, crossing)
        replayer.recall(crossing, self._lines_again)
        wanted, begin = frozenset(crossing.values()), replayer.events
        counts = EventCounts(chunk, result.sizes, begin)
        for index, (part, conversations) in enumerate(zip(chunk, result.lines, strict=True)):
            self._begin(part)
            replayer.slice_number = index
            again = self._lines_again(part, conversations, wanted)
            merging.applied_here += replayer.replay_some(again, counts)
            self.lines += len(conversations)
        replayer.take_over(chunk, begin, result, crossing, begun)
        merging.applied_here += replayer.waited(counts)
        merging.applied_here.sort(key=itemgetter(0))
        for packed in result.orphans:
            for position, report in reports_of(packed):
                merging.orphans.append((position, counts.before(*position), report))
        merging.is_complete = True
        return merging

    def _lines_again(
        self, part: LogSlice, conversations: Collection[int], wanted: Collection[int]
    ) -> Iterator[tuple[int, bytes]]:
        """Read a slice again, and yield `(line number, line)` for the wanted conversations.

        Args:
            part: The slice to read.
            conversations: The conversation number of each line in the slice.
            wanted: The numbers of the wanted conversations.

        """
        is_wanted = bytes(map(wanted.__contains__, conversations))
        left = is_wanted.count(True)
        if not left:
            return
        lines = enumerate(self._chunks.lines(part), part.first_line)
        for numbered in compress(lines, is_wanted):
            yield numbered
            left -= 1
            if not left:
                return
        raise UnreadableLog(f"{part.name} was truncated while it was read")


class _MergedReports:
    """The reports of a chunk in order, those from the worker and those made by this process."""

    def __init__(self, sent: list[bytes], crossing: Collection[str]) -> None:
        self._sent, self._crossing = sent, crossing
        self._yielded = 0
        self.applied_here: list[tuple[Position, Report]] = []
        """Reports of conversations that began before the chunk, with their positions."""
        self.orphans: list[tuple[Position, int, Report]] = []
        """Reports of lines without a conversation.

        Each is `(position, number of events of the log before the line, report)`.
        """
        self.is_complete = False
        """Whether `applied_here` is complete. Only then can the worker's reports be merged."""

    def remaining(self) -> Iterator[Report]:
        """Yield the reports that have not been yielded before."""
        orphans = [(position, report) for position, _, report in self.orphans]
        every = merge(self.of_conversations(), orphans, key=itemgetter(0))
        for _, report in islice(every, self._yielded, None):
            self._yielded += 1
            yield report

    def of_conversations(self) -> Iterator[tuple[Position, Report]]:
        """Yield the reports of conversations with their positions."""
        sent = self._sent_reports() if self.is_complete else iter(())
        return merge(sent, self.applied_here, key=itemgetter(0))

    def _sent_reports(self) -> Iterator[tuple[Position, Report]]:
        for packed in self._sent:
            for position, report in reports_of(packed):
                if KEYS[report.keyed_by](report) not in self._crossing:
                    yield position, report


class _HeldReports:
    """The reports that are held back until no report can replace them any more.

    As in a single process, conversations are reported in the order of their ends, each when it and
    those before it have left the window. Lines without a conversation are reported at once.
    """

    def __init__(self, merger: ChunkReplayer, window: int) -> None:
        self._merger, self._window = merger, window
        self._chunks: deque[tuple[int, _MergedReports, dict[str, int]]] = deque()
        self._added = 0
        self._orphans: deque[tuple[Position, int, Report]] = deque()
        """The reports of lines of the latest chunk that have not been yielded yet."""
        self._due_at = 0
        """The number of events of the log with which the next report is due."""
        self._reports = self._in_order()
        self._next: tuple[Position, Report] | None = None

    def add(self, merging: _MergedReports) -> None:
        """Add the reports of the next chunk. All that are due in earlier ones were yielded."""
        self._added += 1
        self._chunks.append((self._added, merging, self._merger.ends()))
        self._orphans.extend(merging.orphans)

    def released(self, *, is_over: bool = False) -> Iterator[Report]:
        """Yield the reports that are due now. If `is_over`, these are all."""
        while self._orphans:
            position, before, report = self._orphans[0]
            yield from self._left(before, (self._added, *position))
            self._orphans.popleft()
            yield report
        yield from self._left(sys.maxsize if is_over else self._merger.events, _END)

    def _left(self, events: int, end: Position) -> Iterator[Report]:
        """Yield the reports before a position that are due after a number of events of the log."""
        while self._fetch() is not None:
            assert self._next is not None, "a report was fetched"
            position, report = self._next
            if position >= end or self._due_at > events:
                return
            self._next = None
            current = self._merger.current(report)
            if current is not None:
                yield current

    def _fetch(self) -> tuple[Position, Report] | None:
        """Return the next report that is held back, with its position."""
        while self._next is None and self._chunks:
            self._next = next(self._reports, None)
            if self._next is None:
                self._reports = self._in_order()
        return self._next

    def _in_order(self) -> Iterator[tuple[Position, Report]]:
        while self._chunks:
            number, merging, ends = self._chunks[0]
            for position, report in merging.of_conversations():
                key = KEYS[report.keyed_by](report)
                assert key is not None, "the report is that of a conversation"
                self._due_at = max(self._due_at, ends[key] + self._window)
                yield (number, *position), report
            self._chunks.popleft()
