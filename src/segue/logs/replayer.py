"""The replay of a log whose conversations are interleaved.

A conversation is reported at its END_OF_CONVERSATION event, or else at the end of the log. If its
transcription is open then, the report waits for the `end` of the transcription.
Deliveries after the report are late. They give a second report at the end of the log. The replayer
stores a state for each conversation that is open or has late deliveries, and a small record (a
tombstone) for each conversation that has ended.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import Final, TypeAlias, TypeVar

from segue.core.conversation import Note, Report
from segue.core.engine import MACHINES, ApplyResult, State, apply, awaits_end, finish, new
from segue.core.engine.snapshot import dump, load
from segue.core.epoch import microseconds
from segue.core.events import Delivery
from segue.core.findings import Finding, Place, line_number
from segue.logs.ended import SavedConversation, events_until_end, pack, restore, unpack
from segue.logs.line_reader import LineReader
from segue.logs.plan import OnDelivery, ReplayOptions
from segue.logs.sorting import Sorter, TimedLine, sort_in_memory
from segue.logs.source_names import SourceChange, latest_source, with_source
from segue.logs.tombstones import Tombstones

T = TypeVar("T")

_BEFORE_ALL_TIMES: Final = -(2**63)

_LOOKED_AT: Final = 1024
"""The number of lines in a batch when lines are read to sort them by time."""

TimedKey: TypeAlias = tuple[int | None, str | None]
"""The time of a line in microseconds since 1970 and the key of its conversation, if known."""
Applying: TypeAlias = Callable[[State, Delivery], ApplyResult]
"""A function that applies a delivery to a conversation's state and returns the findings."""


class Replayer:
    """Checks the interleaved conversations in a log, line by line, and reports each of them.

    Pass it lines with `feed` or `feed_all`, and call `close` at the end of the log. All of these
    return reports.
    """

    def __init__(self, options: ReplayOptions, on_delivery: OnDelivery | None = None) -> None:
        """Create a replayer for a new log.

        Args:
            options: The options for reading, filtering and checking lines.
            on_delivery: A callback for each applied delivery. It receives the delivery and the
                position of its first event or action, before the conversation is reported.

        """
        self._options = options
        self._on_delivery = on_delivery
        self._note = options.note
        self._reader = LineReader(options)
        self._source = ""
        """The name of the log that is being read."""
        self._log = 0
        """The number of the log that is being read."""
        self._names: dict[int, str] = {}
        """The names of the logs, by number."""
        self._open: dict[str, State] = {}
        self._bot_id: str | None = None
        """The bot id of the last new conversation, so that equal ids share one string."""
        self._ended = Tombstones()
        self._late: dict[str, State] = {}
        self._notes: defaultdict[str, list[Note]] = defaultdict(list)
        """The notes of conversations that have not been reported yet, by conversation key."""
        self._source_changes: dict[str, list[SourceChange]] = {}
        """For open conversations with events in several logs, the first event in each log."""
        self.healed = 0
        """The number of deliveries that gave no error because they were held and reordered."""

    def change_source(self, name: str, number: int | None = None) -> None:
        """Begin to read another log. Findings in the following lines contain its name.

        Conversations may continue from one log to the next. The `number` of a log is by default the
        next one. Processes that share logs must give a log the same number.
        """
        for identity, state in self._open.items():
            changes = self._source_changes.setdefault(identity, [SourceChange(0, self._source)])
            changes.append(SourceChange(state.position, name))
        self._source = name
        self._log = len(self._names) if number is None else number
        self._names[self._log] = name

    def feed(self, raw: object, line: int | None = None) -> Report | None:
        """Check one line. Return the conversation's report if the line ends it, otherwise None.

        A line that belongs to no conversation is reported at once if it has findings, with None as
        the conversation id.

        Args:
            raw: The line as JSON text (`bytes` or `str`), a mapping, or a `Delivery`.
            line: The line number for findings, or None.

        """
        return next(self.feed_all((raw,), first=line), None)

    def feed_all(
        self, lines: Iterable[object], batch_size: int = 1, first: int | None = 1
    ) -> Iterator[Report]:
        """Check the lines of a log, and yield the report of each conversation that ends.

        Args:
            lines: Lines of the types that `feed` accepts.
            batch_size: The number of lines that are parsed before the first of them is applied.
                Parsing and applying line by line is 12 % slower (cache misses).
            first: The number of the first line, or None if lines have no numbers.

        """
        for _, report in self._feed_all(lines, batch_size, first):
            yield report

    def _feed_all(
        self, lines: Iterable[object], batch_size: int, first: int | None
    ) -> Iterator[tuple[int, Report]]:
        """Check lines, and yield `(line number, report)` for each conversation that ends."""
        for batch in batches(iter(lines), batch_size):
            numbers: Iterable[int | None] = repeat(None, len(batch))
            if first is not None:
                numbers = range(first, first + len(batch))
                first += len(batch)
            yield from self._apply_batch(self._parse_batch(batch, numbers))

    def _parse_batch(
        self, batch: Sequence[object], numbers: Iterable[int | None]
    ) -> list[Delivery | None]:
        """Parse lines. The result has None for each line that is blank or skipped."""
        read = self._reader.read
        return [read(raw, line) for raw, line in zip(batch, numbers, strict=True)]

    def _apply_batch(self, deliveries: Sequence[Delivery | None]) -> Iterator[tuple[int, Report]]:
        """Apply deliveries, and yield `(line number, report)` for each conversation that ends."""
        for delivery, note in zip(deliveries, self._notes_on(deliveries), strict=True):
            if delivery is not None and (report := self._apply(delivery, note)) is not None:
                yield delivery.line or 0, report

    def _notes_on(self, deliveries: Sequence[Delivery | None]) -> Iterable[object]:
        """Call the option `note` for each delivery, assuming that it has no findings.

        Calling it for a whole batch at once is faster than before each delivery is applied (fewer
        cache misses).
        """
        note_of = self._note
        if note_of is None:
            return repeat(None, len(deliveries))
        return [None if delivery is None else note_of(delivery, ()) for delivery in deliveries]

    def _apply(self, delivery: Delivery, note: object, applying: Applying = apply) -> Report | None:
        identity = self._reader.key_of(delivery)
        if identity is None:
            return self._report_orphan(delivery)
        state = self._open.get(identity)
        if state is None:
            if identity in self._ended:
                self._apply_late(identity, delivery, note, applying)
                return None
            state = self._open[identity] = self._begin(delivery)
        machine = MACHINES[delivery.intake.machine]
        position = machine.position(state)
        found = self._applied(state, delivery, applying)
        if self._on_delivery is not None and machine.position(state) > position:
            self._on_delivery(delivery, position)
        if found and self._note is not None:
            note = self._note(delivery, found)
        if note is not None and machine.position(state) > position:
            self._notes[identity].append((position, self._source, note))
        is_over = state.ended and not awaits_end(state)
        return self._end(identity, state) if is_over else None

    def _begin(self, delivery: Delivery) -> State:
        """Create the state of a conversation from its first delivery."""
        state = new(delivery.conversation_id, partial=self._options.partial)
        if delivery.bot_id != self._bot_id:
            self._bot_id = delivery.bot_id
        state.bot_id = self._bot_id
        return state

    def _report(self, identity: str, state: State, *, late: bool = False) -> Report:
        keyed_by = self._reader.keying or "conversation"
        report = Report(
            state,
            policy=self._options.policy,
            late=late,
            events_before=events_until_end(self._ended[identity]) if late else 0,
            keyed_by=keyed_by,
        )
        if self._notes:
            report.notes = self._notes.pop(identity, ())
        return report

    def _end(self, identity: str, state: State) -> Report:
        del self._open[identity]
        self._ended[identity] = pack(state)
        self._source_changes.pop(identity, None)
        return self._report(identity, state)

    def close(self) -> Iterator[Report]:
        """End the log, and yield the reports that are still due.

        These are reports of open conversations, followed by second reports of the conversations
        with deliveries after their END.
        """
        for identity, state in list(self._open.items()):
            del self._open[identity]
            found = finish(state).findings
            self._add_source(state, found)
            yield self._report(identity, state)
        self._source_changes.clear()
        for identity, state in list(self._late.items()):
            del self._late[identity]
            yield self._report(identity, state, late=True)

    def interrupt(self) -> Iterator[Report]:
        """Yield reports of open conversations and of late deliveries, without ending the log.

        Open conversations stay open. Late deliveries are those after the END of their conversation.
        """
        for identity, state in self._open.items():
            yield self._report(identity, state)
        for identity, state in self._late.items():
            yield self._report(identity, state, late=True)

    def save(self, identity: str) -> SavedConversation:
        """Serialize the conversation with the key `identity`, for a replayer to `resume`."""
        state, late = self._open.get(identity), self._late.get(identity)
        return SavedConversation(
            None if state is None else dump(state),
            self._ended.get(identity),
            None if late is None else dump(late),
        )

    def resume(self, identity: str, saved: SavedConversation) -> None:
        """Restore a conversation that this or another replayer has saved with `save`."""
        if saved.state is not None:
            self._open[identity] = load(saved.state)
        if saved.tombstone is not None:
            self._ended[identity] = saved.tombstone
        if saved.late is not None:
            self._late[identity] = load(saved.late)

    def feed_sorted(
        self, logs: Iterable[tuple[str, Iterable[object]]], sort: Sorter = sort_in_memory
    ) -> Iterator[Report]:
        """Check the lines of several logs in the order of their times, and yield reports.

        Lines with equal times keep their order. A line without a time has the time of the line
        before it.

        Args:
            logs: The `(name, lines)` of each log.
            sort: The function that sorts the lines, in memory or on disk.

        """
        for row in sort(self._timed(logs)):
            yield from self._feed_timed(row)

    def _feed_timed(self, row: TimedLine) -> Iterator[Report]:
        """Check a sorted line."""
        _, log, number, identity, line = row
        (delivery,) = self._parse_batch((line,), (number,))
        if delivery is not None:  # within --since and --until
            self._go_on_in(log, identity)
            yield from (report for _, report in self._apply_batch((delivery,)))

    def _timed(self, logs: Iterable[tuple[str, Iterable[object]]]) -> Iterator[TimedLine]:
        """Yield a `TimedLine` for each line that is not blank or skipped, to be sorted by time."""
        latest = _BEFORE_ALL_TIMES
        for log, (name, lines) in enumerate(logs, len(self._names)):
            self._names[log] = name
            number = 0
            for batch in batches(iter(lines), _LOOKED_AT):
                for line, seen in zip(batch, self._look(batch), strict=True):
                    number += 1
                    if seen is not None:
                        latest = latest if seen[0] is None else seen[0]
                        yield latest, log, number, seen[1], line

    def _look(self, lines: Sequence[object]) -> list[TimedKey | None]:
        """Return the time and the conversation key of each line.

        The result has None for each line that is blank or skipped.
        """
        found: list[TimedKey | None] = []
        for line in lines:
            delivery, at = self._reader.read_any(line, None), None
            if delivery is not None and delivery.received_at is not None:
                at = microseconds(delivery.received_at)
            found.append(None if delivery is None else (at, self._reader.key_of(delivery)))
        return found

    def _go_on_in(self, log: int, identity: str | None) -> None:
        """Continue in the log of this number with the next line of the conversation `identity`.

        Unlike `change_source`, record the change for this conversation only.
        """
        before, source = self._source, self._names.get(log, "")
        self._source, self._log = source, log
        if identity is None:
            return
        state = self._open.get(identity)
        if state is None and identity in self._ended:
            return
        changes = self._source_changes.setdefault(identity, [])
        if not changes:
            changes.append(SourceChange(0, source if state is None else before))
        if state is not None and changes[-1].source != source:
            changes.append(SourceChange(state.position, source))

    def _report_orphan(self, delivery: Delivery) -> Report | None:
        """Report a delivery without a conversation id. Return None if it has no findings."""
        flaws = [*delivery.flaws, *(flaw for event in delivery.events for flaw in event.flaws)]
        state = new(None)
        state.bot_id = delivery.bot_id
        place = Place(line=delivery.line, source=self._source)
        state.findings = [flaw.finding(place) for flaw in flaws]
        # The key of the log is not used, because a later line may decide it.
        report = Report(state, policy=self._options.policy)
        if self._note is not None:
            report.notes = [(0, self._source, self._note(delivery, report.findings))]
        return report if report.findings else None

    def _apply_late(
        self, identity: str, delivery: Delivery, note: object, applying: Applying
    ) -> None:
        """Apply a delivery that arrived after the END of its conversation."""
        tombstone = self._ended[identity]
        state = self._late.get(identity)
        if state is None:
            state = unpack(delivery.conversation_id or "", tombstone)
            state.bot_id = delivery.bot_id
        restore(state, tombstone, delivery)
        position, machine = state.position, MACHINES[delivery.intake.machine]
        noted_at = machine.position(state)
        found = self._applied(state, delivery, applying)
        if found or state.position != position:
            self._late[identity] = state
            if found and self._note is not None:
                note = self._note(delivery, found)
            if note is not None:
                self._notes[identity].append((noted_at, self._source, note))
        elif identity not in self._late:  # nothing to report: an action that only closes
            self._ended[identity] = pack(state, tombstone)

    def _applied(self, state: State, delivery: Delivery, applying: Applying) -> Sequence[Finding]:
        """Apply a delivery of the log that is being read, and return its findings with their log.

        Meanwhile, the line of the delivery also tells the log.
        """
        line = delivery.line
        if line is not None:
            delivery.line = line_number(self._log, line)
        found = applying(state, delivery).findings
        delivery.line = line
        return self._add_source(state, found)

    def _add_source(self, state: State, found: Sequence[Finding]) -> Sequence[Finding]:
        """Add the name of their log to `found`, the latest findings of a conversation."""
        if not found or not self._names:
            return found
        changes = self._source_changes.get(self._reader.key_of(state) or "", ())
        source = latest_source(changes, self._source, state.position - 1)
        sourced = with_source(found, self._names, source)
        state.add_findings(sourced, slice(-len(found), None))
        return sourced


def batches(lines: Iterator[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most `size` lines.

    If reading a line raises an error, yield the lines before it first.
    """
    while True:
        batch: list[T] = []
        try:
            batch.extend(islice(lines, size))
        except Exception:
            yield batch
            raise
        if not batch:
            return
        yield batch
