"""The replay of a chunk (a part of a log) in a worker process, as if the log began there.

The result is wrong for conversations that began in an earlier chunk. The worker therefore records
the conversation of each line, so that the coordinator can apply the lines of those conversations
again. Most of those conversations begin with an event that cannot be the first one. The worker
skips them at once and leaves them to the coordinator.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

from segue.core.conversation import Keying, Note, Report
from segue.core.engine import MACHINES, apply
from segue.core.engine.snapshot import dump, load
from segue.core.events import Delivery
from segue.logs.accelerated import AcceleratedReplayer, can_read
from segue.logs.native import Learned
from segue.logs.parallel.chunks import Chunk, slice_lines
from segue.logs.parallel.report_codec import Position, ReportBatch
from segue.logs.plan import Detail, ReplayOptions
from segue.logs.replayer import Applying, batches
from segue.logs.source_names import SourceChange

T = TypeVar("T")

BATCH_SIZE: Final = 64
_REPORTS: Final = 256


class ChunkResult(NamedTuple):
    """The result of replaying a chunk of a log in a worker process."""

    reports: list[bytes]
    """Batches of pickled reports: of ended conversations and of lines without a conversation."""
    lines: "list[array[int]]"
    """For each slice of the chunk, the conversation number of each line, or 0 if it has none."""
    conversations: dict[str, int]
    """The numbers of the conversations, counted from 1, by conversation key."""
    ended: dict[str, bytes]
    """The tombstones (compact records) of ended conversations, by conversation key."""
    open: dict[str, bytes]
    """The snapshots of open conversations, by conversation key."""
    deferred: set[str]
    """The keys of the conversations that the worker skipped and left to the coordinator."""
    late: list[tuple[Position, str, bytes]]
    """For each conversation with deliveries after its END, `(first position, key, snapshot)`."""
    source_changes: dict[str, list[SourceChange]]
    notes: dict[str, list[Note]]


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
        self.conversations: dict[str, int] = {}
        self.deferred: set[str] | None = None
        """The keys of conversations that seem to have begun before the chunk and are skipped.

        None if such conversations are not skipped.
        """
        self._late_positions: list[tuple[Position, str]] = []

    def replay(
        self, lines: Iterable[bytes], batch_size: int, first_line: int
    ) -> Iterator[tuple[Position, Report]]:
        """Apply the lines of a slice, and yield `(position, report)` as conversations end.

        Args:
            lines: The lines of the slice.
            batch_size: The number of lines to parse at once.
            first_line: The line number of the first line.

        """
        for line, report in self._feed_all(lines, batch_size, first_line):
            yield (self.slice_number, line), report

    def replay_some(
        self, numbered: Iterator[tuple[int, bytes]]
    ) -> Iterator[tuple[Position, Report]]:
        """Apply selected lines of a slice, and yield `(position, report)` as conversations end.

        `numbered` yields `(line number, line)`.
        """
        for batch in batches(numbered, BATCH_SIZE):
            numbers, lines = zip(*batch, strict=True) if batch else ((), ())
            for line, report in self._apply_batch(self._parse_batch(lines, numbers)):
                yield (self.slice_number, line), report

    def knows(self, identity: str) -> bool:
        """Return whether the conversation with this key is open or has ended."""
        return identity in self._open or identity in self._ended

    def result(self, reports: list[bytes], lines: "list[array[int]]") -> ChunkResult:
        """Return the conversations and reports of the chunk, to be sent to the coordinator.

        Args:
            reports: The batches of pickled reports.
            lines: For each slice, the conversation number of each of its lines.

        """
        self._leave()
        ended = ((key, self._ended.get(key)) for key in self.conversations)
        return ChunkResult(
            reports,
            lines,
            self.conversations,
            {key: tombstone for key, tombstone in ended if tombstone is not None},
            {identity: dump(state) for identity, state in self._open.items()},
            self.deferred or set(),
            [(at, identity, dump(self._late[identity])) for at, identity in self._late_positions],
            self._source_changes,
            self._notes,
        )

    def take_over(
        self, result: ChunkResult, except_for: Collection[str], begun: Mapping[str, int]
    ) -> None:
        """Add the conversations that a worker has replayed to those of this replayer.

        Args:
            result: The worker's result for the chunk.
            except_for: The keys of the conversations to ignore, because this process has replayed
                them.
            begun: The numbers of the conversations that began in the chunk, by key. Open
                conversations are sorted by them.

        """
        for identity, tombstone in _without(result.ended, except_for).items():
            self._ended[identity] = tombstone
        for identity, snapshot in _without(result.open, except_for).items():
            self._open[identity] = load(snapshot)
        if result.deferred:
            self._open = dict(sorted(self._open.items(), key=lambda item: begun.get(item[0], 0)))
        self._source_changes |= _without(result.source_changes, except_for)
        self._notes |= _without(result.notes, except_for)
        late = [(at, identity, self._late.pop(identity)) for at, identity in self._late_positions]
        late += [
            (at, identity, load(snapshot))
            for at, identity, snapshot in result.late
            if identity not in except_for
        ]
        self._late |= {identity: state for _, identity, state in sorted(late, key=itemgetter(0))}

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
                return

    def begin_chunk(self) -> None:
        """Reset the slice number and the positions that were recorded for the previous chunk."""
        self.slice_number = 0
        self._late_positions.clear()

    def _note_owners(self, owners: "array[int]") -> None:
        if self.lines is not None:
            self.lines.extend(owners)
            self._note_begun()

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
        return deliveries

    def _apply(self, delivery: Delivery, note: object, applying: Applying = apply) -> Report | None:
        key, deferred = self._reader.key_of(delivery), self.deferred
        if deferred is not None and key is not None and self._defers(deferred, key, delivery):
            return None
        return super()._apply(delivery, note, applying)

    def _defers(self, deferred: set[str], key: str, delivery: Delivery) -> bool:
        """Return whether to skip a delivery of a conversation that seems to have begun earlier.

        Add the conversation to `deferred` if so, because the coordinator must replay it. Applying
        such deliveries is expensive: their errors start a search for a cause that is not in the
        chunk.
        """
        if key not in deferred:
            state = self._open.get(key)
            if key in self._ended if state is None else state.rows:
                return False
            machine = MACHINES[delivery.intake.machine]
            if not machine.foresee(state or self._begin(delivery), delivery):
                return False
            deferred.add(key)
            for kept in (self._open, self._notes, self._source_changes):
                kept.pop(key, None)
        if self._accelerator is not None:
            self._accelerator.excuse_line()
        return True

    def _apply_late(
        self, identity: str, delivery: Delivery, note: object, applying: Applying
    ) -> None:
        was_late = identity in self._late
        super()._apply_late(identity, delivery, note, applying)
        if not was_late and identity in self._late:
            self._late_positions.append(((self.slice_number, delivery.line or 0), identity))


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
    batch, packed, lines = ReportBatch(detail), [], []
    for number, part in enumerate(chunk):
        replayer.slice_number = number
        replayer.change_source(part.name, part.log)
        replayer.lines = array("I")
        for position, report in replayer.replay(slice_lines(part), BATCH_SIZE, part.first_line):
            batch.add(position, report)
            if len(batch) == _REPORTS:
                packed.append(batch.pack())
        lines.append(replayer.lines)
    return replayer.result([*packed, batch.pack()], lines)


def _without(values: dict[str, T], some: Collection[str]) -> dict[str, T]:
    return {key: value for key, value in values.items() if key not in some} if some else values
