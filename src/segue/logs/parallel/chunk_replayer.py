"""The replay of a chunk (a part of a log) in a worker process, as if the log began there.

The result is wrong for conversations that began in an earlier chunk. The worker therefore records
the conversation of each line, so that the coordinator can apply the lines of those conversations
again. Most of those conversations begin with an event that cannot be the first one. The worker
skips them at once and leaves them to the coordinator. It also leaves to the coordinator the
conversations that get a delivery after their END, because only the coordinator counts the events of
the whole log.
"""

import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias, TypeVar

from segue.core.conversation import Keying, Note, Report
from segue.core.engine import MACHINES, apply
from segue.core.engine.snapshot import dump, load
from segue.core.events import Delivery
from segue.logs.accelerated import AcceleratedReplayer, can_read
from segue.logs.ended import EndedConversation, size_of
from segue.logs.keying import KEYS
from segue.logs.leavings import Leavings
from segue.logs.native import Accelerator, Learned
from segue.logs.parallel.chunks import Chunk, slice_lines
from segue.logs.parallel.event_counts import EventCounts
from segue.logs.parallel.report_codec import Position, ReportBatches
from segue.logs.plan import Detail, ReplayOptions
from segue.logs.replayer import Applying, batches
from segue.logs.source_names import SourceChange
from segue.logs.sources import LogSlice

T = TypeVar("T")

BATCH_SIZE: Final = 64
_PLACE_SIZE: Final = 300
"""The approximate memory of an ended conversation of which only the places are known, in bytes."""


class ChunkResult(NamedTuple):
    """The result of replaying a chunk of a log in a worker process."""

    reports: list[bytes]
    """Batches of pickled reports of ended conversations."""
    orphans: list[bytes]
    """Batches of pickled reports of lines without a conversation."""
    lines: "list[array[int]]"
    """For each slice of the chunk, the conversation number of each line, or 0 if it has none."""
    sizes: "list[array[int]]"
    """For each slice of the chunk, the number of events of each line."""
    conversations: dict[str, int]
    """The numbers of the conversations, counted from 1, by conversation key."""
    ended: dict[str, tuple[int, bytes]]
    """The number of events of the chunk up to the end of each ended conversation, and its tombstone
    (compact record), by conversation key.
    """
    open: dict[str, bytes]
    """The snapshots of open conversations, by conversation key."""
    deferred: set[str]
    """The keys of the conversations that the worker skipped and left to the coordinator."""
    source_changes: dict[str, list[SourceChange]]
    notes: dict[str, list[Note]]
    waiting: dict[str, int]
    """For open conversations that wait for the `end` of their transcription, the number of events
    of the chunk up to the END of the conversation.
    """
    leavings: Leavings
    """The lines of the chunk that were not read."""

    @property
    def events(self) -> int:
        """The number of events of the chunk."""
        return sum(map(sum, self.sizes))


class _ChunkRead(NamedTuple):
    """A chunk that a worker has replayed, whose lines can be read again."""

    chunk: Chunk
    lines: "list[array[int]]"
    """As in `ChunkResult`."""


class _InChunk(NamedTuple):
    """An ended conversation of the window, of which only the places of its lines are known."""

    read: _ChunkRead
    number: int
    """The number of the conversation in the chunk."""


LinesAgain: TypeAlias = Callable[
    [LogSlice, Collection[int], Collection[int]], Iterator[tuple[int, bytes]]
]
"""A function that reads lines of some conversations in a slice again.

Its arguments are the slice, the conversation number of each of its lines, and the numbers of the
wanted conversations. It yields `(line number, line)`.
"""


class ChunkReplayer(AcceleratedReplayer):
    """A replayer that applies a chunk (a part of a log) slice by slice.

    A worker creates one for each chunk. The coordinator has one that collects the conversations of
    all chunks.
    """

    def __init__(
        self,
        options: ReplayOptions,
        *,
        is_accelerated: bool = False,
        learned: Learned | None = None,
    ) -> None:
        super().__init__(options, is_accelerated=is_accelerated, learned=learned)
        self.slice_number = 0
        self.lines: array[int] | None = None
        """The conversation numbers of the lines read so far, or None if they are not recorded."""
        self.sizes: array[int] = array("I")
        """The numbers of events of these lines."""
        self._first_line = 1
        self._ended_at: dict[str, int] = {}
        """The number of events up to the end of each ended conversation of the chunk.

        The coordinator has them only if it holds reports back.
        """
        self.holds_back = False
        """Whether reports are held back until no report can replace them any more."""
        self.events_before = 0
        """The number of events of the log before the latest line."""
        self._replacing: dict[str, Report] = {}
        """The latest reports of the conversations in the window that callbacks have changed."""
        self.conversations: dict[str, int] = {}
        self.deferred: set[str] | None = None
        """The keys of conversations that seem to have begun before the chunk and are skipped.

        None if such conversations are not skipped.
        """

    def replay(
        self, lines: Iterable[bytes], batch_size: int, first_line: int
    ) -> Iterator[tuple[Position, Report]]:
        """Apply the lines of a slice, and yield `(position, report)` as conversations end.

        Args:
            lines: The lines of the slice.
            batch_size: The number of lines to parse at once.
            first_line: The line number of the first line.

        """
        self._first_line = first_line
        for line, report in self._feed_all(lines, batch_size, first_line):
            yield (self.slice_number, line), report

    def replay_some(
        self, numbered: Iterator[tuple[int, bytes]], counts: EventCounts | None = None
    ) -> Iterator[tuple[Position, Report]]:
        """Apply selected lines of a slice, and yield `(position, report)` as conversations end.

        Args:
            numbered: Yields `(line number, line)`.
            counts: The events of the chunk. None counts those of the selected lines.

        """
        for batch in batches(numbered, BATCH_SIZE):
            numbers, lines = zip(*batch, strict=True) if batch else ((), ())
            deliveries = self._parse_batch(lines, numbers)
            notes = self._notes_on(deliveries)
            for number, delivery, note in zip(numbers, deliveries, notes, strict=True):
                position = self.slice_number, number
                if counts is not None:
                    self._events = counts.before(*position)
                    yield from self.waited(counts)
                if delivery is not None and (report := self._apply(delivery, note)) is not None:
                    yield position, report

    def knows(self, identity: str) -> bool:
        """Return whether the conversation with this key is open or has ended."""
        return identity in self._open or self._has_ended(identity)

    @property
    def events(self) -> int:
        """The number of events of the log that were counted so far."""
        return self._events

    def recall(self, keys: Iterable[str] | None, lines_again: LinesAgain) -> None:
        """Read again the ended conversations among `keys` that workers have replayed.

        Only those in the window are read again. They may continue in the next chunk. None recalls
        all of them.
        """
        wanted: dict[int, tuple[_ChunkRead, dict[str, int]]] = {}
        for key in self._window.keys() if keys is None else keys:
            found = self._window.get(key, self._events)
            if found is not None and isinstance(found[1].content, _InChunk):
                read, number = found[1].content
                wanted.setdefault(id(read), (read, {}))[1][key] = number
        for read, numbers in wanted.values():
            self._recall_from(read, numbers, lines_again)

    def _recall_from(
        self, read: _ChunkRead, numbers: dict[str, int], lines_again: LinesAgain
    ) -> None:
        options = replace(self._options, key=self.keying, window=sys.maxsize)
        again, some = ChunkReplayer(options), frozenset(numbers.values())
        for part, lines in zip(read.chunk, read.lines, strict=True):
            again.change_source(part.name, part.log)
            for _ in again.replay_some(lines_again(part, lines, some)):
                pass
        for key in numbers:
            known, found = self._window.get(key, self._events), again._window.get(key, 0)
            assert known is not None, "the conversation is in the window"
            assert found is not None, "the conversation has ended in the chunk"
            self._window.add(key, known[0], size_of(found[1].content), found[1])

    def current(self, report: Report) -> Report | None:
        """Return the report to show for a conversation whose report was held back.

        Return None if the conversation is reported at the end of the log.
        """
        key = KEYS[report.keyed_by](report)
        assert key is not None, "lines without a conversation are not held back"
        replacing, late = self._replacing.pop(key, report), self._late.get(key)
        return None if late is not None and late.is_whole else replacing

    def ends(self) -> dict[str, int]:
        """Return the number of events of the log up to the end of each conversation of a chunk.

        They are those that were added since the last call, by key.
        """
        ends, self._ended_at = self._ended_at, {}
        return ends

    def result(
        self,
        reports: list[bytes],
        orphans: list[bytes],
        lines: "list[array[int]]",
        sizes: "list[array[int]]",
    ) -> ChunkResult:
        """Return the conversations and reports of the chunk, to be sent to the coordinator.

        Args:
            reports: The batches of pickled reports of conversations.
            orphans: The batches of pickled reports of lines without a conversation.
            lines: For each slice, the conversation number of each of its lines.
            sizes: For each slice, the number of events of each of its lines.

        """
        self._leave()
        return ChunkResult(
            reports,
            orphans,
            lines,
            sizes,
            self.conversations,
            {key: (ended_at, self._ended[key]) for key, ended_at in self._ended_at.items()},
            {identity: dump(state) for identity, state in self._open.items()},
            self.deferred or set(),
            self._source_changes,
            self._notes,
            self._waiting,
            self.leavings,
        )

    def take_over(
        self,
        chunk: Chunk,
        begin: int,
        result: ChunkResult,
        except_for: Collection[str],
        begun: Mapping[str, int],
    ) -> None:
        """Add the conversations that a worker has replayed to those of this replayer.

        Args:
            chunk: The slices that the worker has replayed.
            begin: The number of events of the log before the chunk.
            result: The worker's result for the chunk.
            except_for: The keys of the conversations to ignore, because this process has replayed
                them.
            begun: The numbers of the conversations that began in the chunk, by key. Open
                conversations are sorted by them.

        """
        events, read = result.events, _ChunkRead(chunk, result.lines)
        for identity, (ended_at, tombstone) in _without(result.ended, except_for).items():
            self._ended[identity] = tombstone
            if self.holds_back:
                self._ended_at[identity] = begin + ended_at
            if events - ended_at < self._options.window:
                place = _InChunk(read, result.conversations[identity])
                ended = EndedConversation(place, self._source, self._log)
                self._window.add(identity, begin + ended_at, _PLACE_SIZE, ended)
        for identity, snapshot in _without(result.open, except_for).items():
            self._open[identity] = load(snapshot)
        if result.deferred:
            self._open = dict(sorted(self._open.items(), key=lambda item: begun.get(item[0], 0)))
        self._source_changes |= _without(result.source_changes, except_for)
        self._notes |= _without(result.notes, except_for)
        waiting = _without(result.waiting, except_for).items()
        self._waiting |= {identity: begin + ended_at for identity, ended_at in waiting}
        self._waiting = dict(sorted(self._waiting.items(), key=itemgetter(1)))
        self._events = begin + events
        self._window.forget(self._events)

    @property
    def keying(self) -> Keying | None:
        """The way to identify conversations, `"bot"` or `"conversation"`, or None if undecided."""
        return self._reader.keying

    def decide(self, lines: Iterable[bytes]) -> None:
        """Determine how conversations are identified, from the first delivery in the lines.

        The lines are not applied. If they contain no delivery, `keying` remains None.
        """
        for line in lines:
            self._reader.read_any(line, None)
            if self.keying is not None:
                break
        self._reader.leavings = Leavings()  # the lines are read again

    def begin_chunk(self) -> None:
        """Reset the slice number."""
        self.slice_number = 0

    def _note_lines(self, accelerator: Accelerator) -> None:
        if self.lines is not None:
            self.lines.extend(accelerator.owners())
            self.sizes.extend(accelerator.sizes())
            self._note_begun()

    def _note_line(self) -> None:
        if self.lines is not None:
            self.lines.append(0)
            self.sizes.append(0)

    def _note_events(self, number: int, delivery: Delivery) -> None:
        if self.lines is not None:
            self.sizes[number - self._first_line] = len(delivery.events)

    def _take(self, key: str) -> None:
        super()._take(key)
        if self.lines is not None:
            self._note_begun()

    def _note_begun(self) -> None:
        if self._accelerator is not None:
            for key in self._accelerator.begun():
                self.conversations.setdefault(key, len(self.conversations) + 1)

    def _note_last_owner(self, owner: int) -> None:
        if self.lines is not None:
            self.lines[-1] = owner

    def _parse_batch(
        self, batch: Sequence[object], numbers: Iterable[int | None]
    ) -> list[Delivery | None]:
        deliveries = super()._parse_batch(batch, numbers)
        if self.lines is not None:
            known, key_of = self.conversations, self._reader.key_of
            keys = (None if delivery is None else key_of(delivery) for delivery in deliveries)
            self.lines.extend(
                [0 if key is None else known.setdefault(key, len(known) + 1) for key in keys]
            )
            self.sizes.extend([0 if each is None else len(each.events) for each in deliveries])
        return deliveries

    def _keep(self, identity: str, ended: EndedConversation, size: int, ended_at: int) -> None:
        if self.deferred is None:
            super()._keep(identity, ended, size, ended_at)
        if self.deferred is not None or self.holds_back:
            self._ended_at[identity] = ended_at

    def _waited(self) -> Iterator[tuple[int, Report]]:
        """Yield nothing in a worker. The coordinator reports conversations that waited."""
        return super()._waited() if self.deferred is None else iter(())

    def waited(self, counts: EventCounts) -> Iterator[tuple[Position, Report]]:
        """Report conversations that have left the window while they waited for the `end`.

        Yield `(position, report)`. `counts` are those of the chunk that was read. The reports of a
        line are in the order in which their conversations ended.
        """
        for due_at, report in self._waited():
            yield (*counts.line_at(due_at), due_at), report

    def _apply(self, delivery: Delivery, note: object, applying: Applying = apply) -> Report | None:
        key, deferred = self._reader.key_of(delivery), self.deferred
        self.events_before = self._events
        if deferred is not None and key is not None and self._defers(deferred, key, delivery):
            self._events += len(delivery.events)
            return None
        return super()._apply(delivery, note, applying)

    def _defers(self, deferred: set[str], key: str, delivery: Delivery) -> bool:
        """Return whether to skip a delivery of a conversation that began earlier or has ended.

        Add the conversation to `deferred` if so, because the coordinator must replay it. Applying
        such deliveries is expensive: their errors start a search for a cause that is not in the
        chunk.
        """
        if key not in deferred:
            state, has_ended = self._open.get(key), key in self._ended_at or self._is_due(key)
            if state is not None and state.last is not None and not has_ended:
                return False
            machine = MACHINES[delivery.intake.machine]
            if not has_ended and not machine.foresee(state or self._begin(delivery), delivery):
                return False
            deferred.add(key)
            changes = self._source_changes
            for kept in (self._open, self._notes, changes, self._ended_at, self._waiting):
                kept.pop(key, None)
        if self._accelerator is not None:
            self._accelerator.excuse_line()
        return True

    def _is_due(self, key: str) -> bool:
        """Return whether a conversation has left the window while it waited for the `end`."""
        ended_at = self._waiting.get(key, self._events)
        return key in self._waiting and self._events - ended_at >= self._options.window

    def _apply_after_end(
        self, identity: str, delivery: Delivery, note: object, applying: Applying, before: int
    ) -> Report | None:
        report = super()._apply_after_end(identity, delivery, note, applying, before)
        if report is None or not self.holds_back:
            return report
        late = self._late.get(identity)
        if late is None:
            self._replacing[identity] = report
        else:
            late.is_due = True
        return None


def replay_chunk(
    chunk: Chunk, options: ReplayOptions, detail: Detail, learned: Learned
) -> ChunkResult:
    """Replay a chunk, and return its reports and conversations. Runs in a worker process.

    Args:
        chunk: The slices of logs to read.
        options: The options for reading, filtering and checking lines.
        detail: The parts of each report to return.
        learned: The state transitions that the native accelerator has learned from earlier chunks.

    """
    is_accelerated = options.key is not None and can_read(options)
    replayer = ChunkReplayer(options, is_accelerated=is_accelerated, learned=learned)
    replayer.deferred = set()
    ended, orphans, lines, sizes = ReportBatches(detail), ReportBatches(detail), [], []
    for number, part in enumerate(chunk):
        replayer.slice_number = number
        replayer.change_source(part.name, part.log)
        replayer.lines, replayer.sizes = array("I"), array("I")
        for position, report in replayer.replay(slice_lines(part), BATCH_SIZE, part.first_line):
            batches = orphans if report.conversation_id is None else ended
            batches.add(position, report)
        lines.append(replayer.lines)
        sizes.append(replayer.sizes)
    return replayer.result(ended.packed(), orphans.packed(), lines, sizes)


def _without(values: dict[str, T], some: Collection[str]) -> dict[str, T]:
    return {key: value for key, value in values.items() if key not in some} if some else values
