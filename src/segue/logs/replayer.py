"""The replay of a log whose conversations are interleaved.

A conversation is reported at its END_OF_CONVERSATION event, or else at the end of the log. If its
transcription is open then, the report waits for the `end` of the transcription, but not longer than
the window. Deliveries after the report are late. If the conversation is still in the window, they
are applied to its whole state, and another report, which replaces the first, is due at the end of
the log. A callback gives the replacing report at once. After the window only a small record (a
tombstone) is left of an ended conversation, and late deliveries are reported without it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias, TypeVar

from segue.core.conversation import Note, Report
from segue.core.engine import MACHINES, ApplyResult, State, apply, awaits_end, finish, new
from segue.core.engine.snapshot import dump, load
from segue.core.epoch import microseconds
from segue.core.events import HOOKS, TRANSCRIPTION, Delivery
from segue.core.findings import Finding, Place, line_number
from segue.logs.ended import (
    EndedConversation,
    LateConversation,
    SavedConversation,
    copied,
    events_until_end,
    pack,
    restore,
    size_of,
    unpack,
)
from segue.logs.leavings import Leavings
from segue.logs.line_reader import LineReader
from segue.logs.plan import OnDelivery, ReplayOptions
from segue.logs.sorting import Sorter, TimedLine, sort_in_memory
from segue.logs.source_names import SourceChange, latest_source, with_source
from segue.logs.tombstones import Tombstones
from segue.logs.window import Window

T = TypeVar("T")

_BEFORE_ALL_TIMES: Final = -(2**63)

_LOOKED_AT: Final = 1024
"""The number of lines in a batch when lines are read to sort them by time."""

TimedKey: TypeAlias = tuple[int | None, str | None]
"""The time of a line in microseconds since 1970 and the key of its conversation, if known."""
Applying: TypeAlias = Callable[[State, Delivery], ApplyResult]
"""A function that applies a delivery to a conversation's state and returns the findings."""
_CONTROLS: Final = frozenset({HOOKS.name, TRANSCRIPTION.name})
"""The intakes whose late deliveries are reported at the end of the log. Others are callbacks."""


class _Effect(NamedTuple):
    """The effect of a delivery that came after the END of its conversation."""

    found: Sequence[Finding]
    position: int
    """The position of its first event or of its action."""
    has_moved: bool
    """Whether it was applied, and is not a repeat."""
    is_late: bool
    """Whether it is to be reported at the end of the log."""


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
        self._waiting: dict[str, int] = {}
        """For open conversations that wait for the `end` of their transcription, the number of
        events of the log up to the END of the conversation, in ascending order.
        """
        self._bot_id: str | None = None
        """The bot id of the last new conversation, so that equal ids share one string."""
        self._ended = Tombstones(options.most_ended)
        self._window: Window[EndedConversation] = Window(options.window)
        self._late: dict[str, LateConversation] = {}
        """The conversations with late deliveries, in the order of the first one."""
        self._whole_late = 0
        """The number of them that are kept whole."""
        self._events = 0
        """The number of events of the log so far."""
        self._notes: defaultdict[str, list[Note]] = defaultdict(list)
        """The notes of conversations that have not been reported yet, by conversation key."""
        self._source_changes: dict[str, list[SourceChange]] = {}
        """For open conversations with events in several logs, the first event in each log."""
        self.healed = 0
        """The number of deliveries that gave no error because they were held and reordered."""
        self.late_beyond = 0
        """The number of conversations whose late deliveries were reported without them, because too
        many others had late deliveries.
        """

    @property
    def leavings(self) -> Leavings:
        """The lines that were not read."""
        return self._reader.leavings

    @property
    def forgotten(self) -> int:
        """The number of ended conversations that were forgotten (`ReplayOptions.most_ended`)."""
        return self._ended.evicted

    def change_source(self, name: str, number: int | None = None) -> None:
        """Begin to read another log. Findings in the following lines contain its name.

        Conversations may continue from one log to the next. The `number` of a log is by default the
        next one. Processes that share logs must give a log the same number.
        """
        for identity, state in self._open.items():
            changes = self._source_changes.setdefault(identity, [SourceChange(0, self._source)])
            changes.append(SourceChange(state.position, name))
        self._source = self._reader.leavings.log = name
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
            if delivery is not None:
                if (report := self._apply(delivery, note)) is not None:
                    yield delivery.line or 0, report
                for report in self._due():
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
        before = self._events
        self._events += len(delivery.events)
        identity = self._reader.key_of(delivery)
        if identity is None:
            return self._report_orphan(delivery)
        state = self._open.get(identity)
        if state is None:
            if self._has_ended(identity):
                return self._apply_after_end(identity, delivery, note, applying, before)
            state = self._open[identity] = self._begin(delivery)
        machine = MACHINES[delivery.intake.machine]
        position = machine.position(state)
        changes = self._source_changes.get(identity, ()) if self._source_changes else ()
        found = self._applied(state, delivery, applying, changes)
        if self._on_delivery is not None and machine.position(state) > position:
            self._on_delivery(delivery, position)
        if found and self._note is not None:
            note = self._note(delivery, found)
        if note is not None and machine.position(state) > position:
            self._notes[identity].append((position, self._source, note))
        return self._end_or_wait(identity, state) if state.ended else None

    def _has_ended(self, identity: str) -> bool:
        """Return whether a conversation has ended, unless that was forgotten."""
        return identity in self._ended or identity in self._window or identity in self._late

    def _begin(self, delivery: Delivery) -> State:
        """Create the state of a conversation from its first delivery."""
        state = new(delivery.conversation_id, partial=self._options.partial)
        if delivery.bot_id != self._bot_id:
            self._bot_id = delivery.bot_id
        state.bot_id = self._bot_id
        return state

    def _report(
        self,
        state: State,
        notes: Sequence[Note],
        *,
        late: bool = False,
        replaces: bool = False,
        events_before: int = 0,
    ) -> Report:
        report = Report(
            state,
            policy=self._options.policy,
            late=late,
            replaces=replaces,
            events_before=events_before,
            keyed_by=self._reader.keying or "conversation",
        )
        if notes:
            report.notes = notes
        return report

    def _end_or_wait(self, identity: str, state: State) -> Report | None:
        """Report a conversation that has ended, unless its transcription may still be ended."""
        if awaits_end(state):
            self._waiting.setdefault(identity, self._events)
            return None
        return self._end(identity, state)

    def _end(self, identity: str, state: State) -> Report | None:
        """Move a conversation that has ended to the window, and report it."""
        del self._open[identity]
        self._ended[identity] = pack(state)
        changes = self._source_changes.pop(identity, ())
        notes: Sequence[Note] = self._notes.pop(identity, ()) if self._notes else ()
        ended = EndedConversation(state, self._source, self._log, notes, changes)
        self._keep(identity, ended, size_of(state), self._waiting.pop(identity, self._events))
        return None if self._options.settled else self._report_of(ended)

    def _keep(self, identity: str, ended: EndedConversation, size: int, ended_at: int) -> None:
        """Add a conversation to the window.

        Its estimated size in memory is `size` bytes. It ended after `ended_at` events of the log.
        """
        self._window.add(identity, ended_at, size, ended)
        if not self._options.settled:
            self._window.forget(self._events)

    def _report_of(self, ended: EndedConversation) -> Report:
        """Return the report of a conversation in the window."""
        return self._report(
            ended.content,
            ended.notes,
            late=ended.is_late,
            replaces=ended.is_late,
            events_before=ended.events_before,
        )

    def _due(self) -> Iterable[Report]:
        """Return the reports that waited for a number of events, which have come now."""
        waited = map(itemgetter(1), self._waited()) if self._waiting else ()
        if self._options.settled and (self._waiting or self._window.has_left(self._events)):
            return chain(waited, self._left())
        return waited

    def _waited(self) -> Iterator[tuple[int, Report]]:
        """Report conversations whose transcription was not ended within the window.

        Yield the number of events of the log after which the report is due, and the report.
        """
        while self._waiting:
            identity, ended_at = next(iter(self._waiting.items()))
            due_at = ended_at + self._options.window
            if self._events < due_at:
                return
            state = self._open[identity]
            found = finish(state).findings
            self._add_source(state, found, self._source_changes.get(identity, ()))
            report = self._end(identity, state)
            if report is not None:
                yield due_at, report

    def _left(self, *, is_over: bool = False) -> Iterator[Report]:
        """Yield the reports that waited until their conversations left the window.

        If `is_over`, the log has ended, and all conversations leave.
        """
        for _, ended in self._window.leave(None if is_over else self._events):
            yield self._report_of(ended)

    def close(self) -> Iterator[Report]:
        """End the log, and yield the reports that are still due.

        These are reports of open conversations, followed by those of conversations with deliveries
        after their END.
        """
        if self._options.settled:
            yield from self._left(is_over=True)
        for identity, state in list(self._open.items()):
            del self._open[identity]
            found = finish(state).findings
            self._add_source(state, found, self._source_changes.get(identity, ()))
            yield self._report(state, self._notes.pop(identity, ()))
        self._waiting.clear()
        self._source_changes.clear()
        for late in self._late.values():
            finish(late.state)
        yield from self.late_reports()
        self._late.clear()

    def late_reports(self) -> Iterator[Report]:
        """Yield the reports of conversations to which deliveries came after their latest report."""
        for late in self._late.values():
            if late.is_due:
                late.is_due = False
                yield self._report_late(late)

    def _report_late(self, late: LateConversation) -> Report:
        """Return a report of a conversation with late deliveries, whose state may go on."""
        events_before, late.events_before = late.events_before, late.state.position
        return self._report(
            copied(late.state),
            list(late.notes),
            late=True,
            replaces=late.is_whole,
            events_before=events_before,
        )

    def interrupt(self) -> Iterator[Report]:
        """Yield reports of open conversations and of late deliveries, without ending the log.

        Open conversations stay open. Late deliveries are those after the END of their conversation.
        """
        if self._options.settled:
            yield from self._left(is_over=True)
        for identity, state in self._open.items():
            yield self._report(state, self._notes.get(identity, ()))
        yield from self.late_reports()

    def save(self, identity: str) -> SavedConversation:
        """Serialize the conversation with the key `identity`, for a replayer to `resume`."""
        late, ended = self._late.get(identity), self._window.get(identity, self._events)
        state = self._open.get(identity)
        if late is not None:
            state = late.state
        elif ended is not None:
            state = self._state_in(ended[1], [])
        return SavedConversation(
            None if state is None else dump(state),
            is_reported=identity in self._ended,
            is_late=late is not None,
            is_due=late is not None and late.is_due,
        )

    def resume(self, identity: str, saved: SavedConversation) -> None:
        """Restore a conversation that this or another replayer has saved with `save`."""
        if saved.state is None:
            return
        state = load(saved.state)
        if not saved.is_reported:
            self._open[identity] = state
            return
        self._ended[identity] = pack(state)
        if saved.is_late:
            here, is_due = [SourceChange(0, self._source)], saved.is_due
            self._late[identity] = LateConversation(state, [], here, is_whole=True, is_due=is_due)
        else:
            ended = EndedConversation(state, self._source, self._log)
            self._window.add(identity, self._events, size_of(state), ended)

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
            self._names[log] = self._reader.leavings.log = name
            number = 0
            for batch in batches(iter(lines), _LOOKED_AT):
                for line, seen in zip(batch, self._look(batch, number + 1), strict=True):
                    number += 1
                    if seen is not None:
                        latest = latest if seen[0] is None else seen[0]
                        yield latest, log, number, seen[1], line

    def _look(self, lines: Sequence[object], first: int) -> list[TimedKey | None]:
        """Return the time and the conversation key of each line, of which `first` is the number.

        The result has None for each line that is blank or skipped.
        """
        found: list[TimedKey | None] = []
        for number, line in enumerate(lines, first):
            delivery, at = self._reader.read_any(line, number), None
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
        if state is None and self._has_ended(identity):
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

    def _apply_after_end(
        self, identity: str, delivery: Delivery, note: object, applying: Applying, before: int
    ) -> Report | None:
        """Apply a delivery that arrived after the END of its conversation.

        Return the report that replaces the earlier one if the delivery is a callback. `before` is
        the number of events of the log before the delivery.
        """
        known = self._late.get(identity)
        late = known or self._recalled(identity, before) or self._partly(identity, delivery)
        effect = self._effect(late, delivery, applying)
        if effect.is_late and late.is_whole and known is None and self._has_most_late:
            self.late_beyond += 1
            late = self._partly(identity, delivery)
            effect = self._effect(late, delivery, applying)
        if effect.found and self._note is not None:
            note = self._note(delivery, effect.found)
        if note is not None and (effect.found or effect.has_moved):
            late.notes.append((effect.position, self._source, note))
        if late.is_whole and effect.has_moved and self._on_delivery is not None:
            self._on_delivery(delivery, effect.position)
        if effect.is_late:
            late.is_due = True
            self._whole_late += known is None and late.is_whole
            self._late[identity] = late
            if late.is_whole:
                self._window.remove(identity)
            return None
        if known is not None:
            known.is_due |= effect.has_moved
            return self._report_at_once(known, delivery, effect)
        self._ended[identity] = pack(late.state, late.tombstone)
        return self._put_back(identity, late, delivery, effect) if late.is_whole else None

    def _effect(self, late: LateConversation, delivery: Delivery, applying: Applying) -> _Effect:
        """Apply a late delivery, and return its effect."""
        state, machine = late.state, MACHINES[delivery.intake.machine]
        if not late.is_whole:
            restore(state, late.tombstone, delivery)
        elif late.changes[-1].source != self._source:
            late.changes.append(SourceChange(state.position, self._source))
        events, position = state.position, machine.position(state)
        found = self._applied(state, delivery, applying, late.changes)
        is_control = not late.is_whole or delivery.intake.name in _CONTROLS
        is_late = is_control and (bool(found) or state.position != events)
        return _Effect(found, position, machine.position(state) > position, is_late)

    def _recalled(self, identity: str, before: int) -> LateConversation | None:
        """Return a copy of a conversation in the window, or None if it has left the window."""
        found = self._window.get(identity, before)
        if found is None:
            return None
        ended_at, ended = found
        changes = [*ended.changes] or [SourceChange(0, ended.source)]
        state = self._state_in(ended, changes)
        return LateConversation(
            state,
            self._notes_in(ended),
            changes,
            is_whole=True,
            ended_at=ended_at,
            events_before=0 if self._options.settled else state.position,
        )

    def _state_in(self, ended: EndedConversation, changes: list[SourceChange]) -> State:
        """Return a copy of the state of a conversation in the window.

        `changes` are the logs in which the conversation continues. They may be completed.
        """
        del changes
        return copied(ended.content)

    def _notes_in(self, ended: EndedConversation) -> list[Note]:
        """Return a copy of the notes of a conversation in the window."""
        return list(ended.notes)

    def _partly(self, identity: str, delivery: Delivery) -> LateConversation:
        """Return a conversation of which only the tombstone is left."""
        tombstone = self._ended[identity]
        state = unpack(delivery.conversation_id or "", tombstone)
        state.bot_id = delivery.bot_id
        return LateConversation(
            state,
            [],
            [],
            is_whole=False,
            events_before=events_until_end(tombstone),
            tombstone=tombstone,
        )

    @property
    def _has_most_late(self) -> bool:
        """Whether no further conversation may be kept to the end of the log."""
        return self._whole_late >= self._options.most_late

    def _report_at_once(
        self, late: LateConversation, delivery: Delivery, effect: _Effect
    ) -> Report | None:
        """Return the replacing report if a callback has changed a conversation kept as late."""
        if not late.is_whole or not _is_callback(delivery, effect):
            return None
        late.is_due = self._options.settled
        return None if self._options.settled else self._report_late(late)

    def _put_back(
        self, identity: str, late: LateConversation, delivery: Delivery, effect: _Effect
    ) -> Report | None:
        """Keep in the window what a callback or an action without findings has changed.

        Return the replacing report after a callback.
        """
        if not effect.found and not effect.has_moved:
            return None
        is_late = _is_callback(delivery, effect)
        source = late.changes[-1].source
        ended = EndedConversation(
            late.state,
            source,
            self._log,
            late.notes,
            late.changes,
            is_late,
            late.events_before if is_late else 0,
        )
        self._window.add(identity, late.ended_at, size_of(late.state), ended)
        return self._report_of(ended) if is_late and not self._options.settled else None

    def _applied(
        self,
        state: State,
        delivery: Delivery,
        applying: Applying,
        changes: Sequence[SourceChange],
    ) -> Sequence[Finding]:
        """Apply a delivery of the log that is being read, and return its findings with their log.

        Meanwhile, the line of the delivery also tells the log.
        """
        line = delivery.line
        if line is not None:
            delivery.line = line_number(self._log, line)
        found = applying(state, delivery).findings
        delivery.line = line
        return self._add_source(state, found, changes)

    def _add_source(
        self, state: State, found: Sequence[Finding], changes: Sequence[SourceChange]
    ) -> Sequence[Finding]:
        """Add the name of their log to `found`, the latest findings of a conversation."""
        if not found or not self._names:
            return found
        source = latest_source(changes, self._source, state.position - 1)
        sourced = with_source(found, self._names, source)
        state.add_findings(sourced, slice(-len(found), None))
        return sourced


def _is_callback(delivery: Delivery, effect: _Effect) -> bool:
    """Return whether a delivery is a callback that has changed its conversation."""
    return delivery.intake.name not in _CONTROLS and (bool(effect.found) or effect.has_moved)


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
