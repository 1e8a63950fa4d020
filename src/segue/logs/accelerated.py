"""A replayer that reads ordinary lines with the accelerator, an optional compiled library.

The replayer yields the same reports as `Replayer`, in the same order. `segue.logs.native` describes
the accelerator.
"""

from array import array
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, Final, cast

from segue.core.conversation import Keying, Note, Report
from segue.core.engine import State, apply, new
from segue.core.engine.entries import MOST_RUNS
from segue.core.engine.entry_replay import Past, past_of
from segue.core.engine.judging_form import has_forms
from segue.core.epoch import microseconds
from segue.core.events import Delivery
from segue.core.findings import Finding, line_number, split_line
from segue.core.transcription import Session
from segue.logs.ended import EndedConversation, SavedConversation, pack_kept
from segue.logs.event_notes import EventNotes, KeptNotes, KnownNotes
from segue.logs.native import (
    NO_TIME,
    Accelerator,
    Happening,
    KeptConversation,
    KeptEnd,
    KeptPast,
    Learned,
    OddLine,
    kept_past,
    usable_library,
)
from segue.logs.plan import COLLECTIONS, Replay, ReplayOptions
from segue.logs.replayer import Replayer, TimedKey, batches
from segue.logs.sorting import Sorter, sort_in_memory
from segue.logs.source_names import SourceChange

if TYPE_CHECKING:
    from segue.core.explain import Explanation

_BATCH: Final = 1024
_KEPT_SIZE: Final = 400
"""The approximate memory of a kept conversation in the window, without its content, in bytes."""
_AFTER_ALL: Final = (1 << 63) - 1


def can_accelerate(plan: Replay) -> bool:
    """Return whether the optional accelerator is installed and supports all options of `plan`."""
    is_usual = plan.on_delivery is None and plan.lines is None and plan.options.race is None
    return is_usual and can_read(plan.options)


def can_read(options: ReplayOptions) -> bool:
    """Return whether the accelerator is installed and supports these options for reading lines."""
    wanted = options.conversations
    return (
        (wanted is None or (type(wanted) in COLLECTIONS and bool(wanted)))
        and options.field_mapping is None
        and (options.note is None or isinstance(options.note, EventNotes))
        and not options.policy.require
        and has_forms()
        and usable_library() is not None
    )


class AcceleratedReplayer(Replayer):
    """A replayer that passes most lines to a compiled library, the accelerator, for speed.

    It reads lines in unusual spellings itself, and gives the same reports as `Replayer`.
    """

    def __init__(
        self,
        options: ReplayOptions,
        *,
        is_accelerated: bool = True,
        learned: Learned | None = None,
    ) -> None:
        super().__init__(options)
        self._learned = learned
        self._accelerator: Accelerator | None = None
        """The accelerator, or None if it is not in use.

        It is created after the first delivery, which decides how conversations are identified.
        """
        self._last_accelerator: Accelerator | None = None
        """The same, also when it is not used any more, to decode the conversations of the window.
        """
        self._events_kept = 0
        """The number of events of the log that the accelerator has kept, as far as it was told."""
        self._pending: deque[Happening] = deque()
        """Ended conversations and unusual lines from the accelerator, to be handled next."""
        self.is_accelerated = is_accelerated
        """Whether the accelerator is used now or may be used for later lines."""
        self._earlier: list[str] = []
        """Keys of conversations that must not be passed to the accelerator when it is created."""
        self._known_notes: KnownNotes | None = None
        self._is_sorted = False
        """Whether lines are sorted by time, so that their numbers tell their logs."""

    def change_source(self, name: str, number: int | None = None) -> None:
        """Continue with the first line of the log `name`, such as `"shift.jsonl"`."""
        self._take_all()
        super().change_source(name, number)

    def close(self) -> Iterator[Report]:
        """End the log. Yield reports of the open conversations, then of deliveries after an END."""
        self._take_all()
        yield from super().close()

    def interrupt(self) -> Iterator[Report]:
        """Yield reports at a point where reading may continue later, so conversations stay open.

        The reports are about the open conversations, then about deliveries after an END.
        """
        for _, report in self._settle():
            yield report
        self._take_all()
        yield from super().interrupt()

    def save(self, identity: str) -> SavedConversation:
        """Return the data of the conversation with the key `identity`.

        Pass the data to `resume` of another replayer to continue the conversation there.
        """
        self._take(identity)
        return super().save(identity)

    def resume(self, identity: str, saved: SavedConversation) -> None:
        """Add a conversation that `save` returned, so that its later lines continue it."""
        self._take(identity)
        super().resume(identity, saved)

    def feed_sorted(
        self, logs: Iterable[tuple[str, Iterable[object]]], sort: Sorter = sort_in_memory
    ) -> Iterator[Report]:
        """Read several logs as one log sorted by time, and yield reports of ended conversations.

        `logs` contains `(name, lines)` pairs, and `sort` is the function that sorts the lines.
        """
        self._is_sorted = True
        rows = iter(sort(self._timed(logs)))
        while batch := list(islice(rows, _BATCH)):  # all lines are looked at before the first row
            if self._accelerator is None:
                self._leave()
                for row in batch:
                    yield from self._feed_timed(row)
                continue
            numbers = array("q", [line_number(log, number) for _, log, number, _, _ in batch])
            lines = [line for *_, line in batch]
            for _, report in self._feed_batch(self._accelerator, lines, numbers):
                yield report
            self._go_on_in(batch[-1][1], None)
            self._leave_if_slow()

    def _look(self, lines: Sequence[object], first: int) -> list[TimedKey | None]:
        found: list[TimedKey | None] = []
        rest = iter(lines)
        while self._begun() is None and (one := list(islice(rest, 1))):
            found += super()._look(one, first + len(found))
        accelerator, remaining = self._accelerator, list(rest)
        text = _joined(remaining)
        if accelerator is None or text is None:
            return found + super()._look(remaining, first + len(found))
        for line, seen in zip(remaining, accelerator.look(text), strict=True):
            found += super()._look((line,), first + len(found)) if seen is None else (seen,)
        return found

    def _feed_all(
        self, lines: Iterable[object], batch_size: int, first: int | None
    ) -> Iterator[tuple[int, Report]]:
        if first is None or not self.is_accelerated:
            yield from super()._feed_all(lines, batch_size, first)
            return
        remaining = iter(lines)
        has_begun = self._begun() is not None
        for line in batches(remaining if not has_begun else iter(()), 1):  # empty before an error
            yield from super()._feed_all(line, 1, first)
            first += len(line)
            if line and (self._begun() is not None or not self.is_accelerated):
                break
        many = batches(remaining, batch_size if batch_size == 1 else _BATCH)
        for batch in many:
            if self._accelerator is None:
                rest = chain(batch, chain.from_iterable(many))
                yield from super()._feed_all(rest, batch_size, first)
                return
            numbers = array("q", range(first, first + len(batch)))
            yield from self._feed_batch(self._accelerator, batch, numbers)
            first += len(batch)
            self._leave_if_slow()

    def _begun(self) -> Accelerator | None:
        """Return the accelerator, after creating it if that is possible now, or None.

        It can be created once the first delivery has decided how conversations are identified.
        """
        keying, options = self._reader.keying, self._options
        if self._accelerator is None and self.is_accelerated and keying is not None:
            library = usable_library()
            assert library is not None, "see can_read"
            wanted = options.conversations
            try:
                self._accelerator = self._last_accelerator = Accelerator(
                    library,
                    self._learned or Learned(options.partial),
                    by_bot=keying == "bot",
                    times=_times_of(options),
                    wanted=None if wanted is None else _ids_in(wanted),
                )
            except (ValueError, OverflowError):  # the fields of the body are unknown
                self.is_accelerated = False
                return None
            if isinstance(options.note, EventNotes):
                self._known_notes = KnownNotes(options.note.of_event, self._accelerator)
            for key in (*self._open, *self._earlier):
                self._take(key)
        return self._accelerator

    def _leave_if_slow(self) -> None:
        if self._accelerator is not None and not self._accelerator.is_worthwhile:
            self._leave()

    def _leave(self) -> None:
        """Stop using the accelerator, and read all further lines without it."""
        self.is_accelerated = False
        self._take_all()
        self._accelerator = None

    def _feed_batch(
        self, accelerator: Accelerator, batch: list[object], numbers: "array[int]"
    ) -> Iterator[tuple[int, Report]]:
        text = _joined(batch)
        if text is not None:
            yield from self._feed_text(accelerator, text, numbers)
            return
        for index, line in enumerate(batch):
            text = _joined((line,))
            if text is not None:
                yield from self._feed_text(accelerator, text, numbers[index : index + 1])
            elif isinstance(line, bytes):
                self._note_line()
                number, before = numbers[index], accelerator.events
                odd = OddLine(line, number, None, is_known=False, events_before=before)
                self._pending.append(odd)
                yield from self._settle()

    def _feed_text(
        self, accelerator: Accelerator, text: bytes, numbers: "array[int]"
    ) -> Iterator[tuple[int, Report]]:
        for happenings in accelerator.feed(text, numbers):
            self._note_lines(accelerator)
            self._pending += happenings
            yield from self._settle()
            if self._accelerator is not None:
                yield from self._count(accelerator.events, int(numbers[-1]))

    def _note_lines(self, accelerator: Accelerator) -> None:
        """Tell subclasses that the accelerator has read lines. Do nothing by default."""

    def _note_line(self) -> None:
        """Tell subclasses that a line follows that the accelerator cannot read. Do nothing."""

    def _note_last_owner(self, owner: int) -> None:
        """Tell subclasses the number of the last line's conversation. Do nothing by default."""

    def _note_events(self, number: int, delivery: Delivery) -> None:
        """Tell subclasses the delivery of a line that this replayer reads. Do nothing."""

    def _count(self, events: int, line: int) -> Iterable[tuple[int, Report]]:
        """Count the events that the accelerator has kept, `events` in all.

        Return `(line, report)` for each report that is due then.
        """
        self._events += events - self._events_kept
        self._events_kept = events
        return zip(repeat(line), self._due(), strict=False)

    def _settle(self) -> Iterator[tuple[int, Report]]:
        """Process the ended conversations and unusual lines that the accelerator has returned.

        Yield a `(line, report)` pair for each conversation that ends.
        """
        while self._pending:
            happening = self._pending.popleft()
            yield from self._count(happening.events_before, happening.number)
            if isinstance(happening, KeptEnd):
                kept, events = happening.kept, happening.events_before + happening.kept.last_size
                self._events += events - self._events_kept
                self._events_kept = events
                self._ended[kept.key] = pack_kept(kept)
                ended = EndedConversation(kept.exported, self._source, self._log)
                self._keep(kept.key, ended, _KEPT_SIZE + len(kept.exported), self._events)
                if not self._options.settled:
                    yield happening.number, self._kept_report(kept, ended)
            else:
                yield from self._read_odd(happening)

    def _report_of(self, ended: EndedConversation) -> Report:
        if not isinstance(ended.content, bytes):
            return super()._report_of(ended)
        return self._kept_report(self._kept_of(ended.content), ended)

    def _kept_report(self, kept: KeptConversation, ended: EndedConversation) -> Report:
        return _KeptReport(
            kept,
            partial(self._state_of, log=ended.log),
            partial(
                kept_past, cut=self._options.partial, log=None if self._is_sorted else ended.log
            ),
            self._reader.keying or "conversation",
            self._notes_of(kept, ended.source),
        )

    def _state_in(self, ended: EndedConversation, changes: list[SourceChange]) -> State:
        if not isinstance(ended.content, bytes):
            return super()._state_in(ended, changes)
        found: list[SourceChange] = []
        state = self._state_of(self._kept_of(ended.content), found, log=ended.log)
        changes[:] = found or changes
        return state

    def _notes_in(self, ended: EndedConversation) -> list[Note]:
        if not isinstance(ended.content, bytes):
            return super()._notes_in(ended)
        return list(self._notes_of(self._kept_of(ended.content), ended.source))

    def _kept_of(self, exported: bytes) -> KeptConversation:
        accelerator = self._last_accelerator
        assert accelerator is not None, "it has exported the conversation"
        return accelerator.kept(exported)

    def _read_odd(self, line: OddLine) -> Iterator[tuple[int, Report]]:
        if line.kept is not None:
            self._adopt(line.kept)
        log, number = self._located(line.number)
        delivery = self._reader.read(line.raw, number)
        if delivery is None:
            return
        self._note_events(number, delivery)
        key = self._reader.key_of(delivery)
        if key is not None and not line.is_known:
            self._take(key)
            if self._accelerator is not None:
                self._note_last_owner(self._accelerator.order(key) + 1)
        if self._is_sorted:
            self._go_on_in(log, key)
        yield from self._apply_batch([delivery])

    def _located(self, number: int) -> tuple[int, int]:
        """Return the log and the line of a number that was passed to the accelerator."""
        return split_line(number) if self._is_sorted else (self._log, number)

    def _take(self, key: str) -> None:
        """Move a conversation from the accelerator to this replayer, which then processes it."""
        if self._accelerator is not None:
            kept = self._accelerator.give(key)
            if kept is not None:
                self._adopt(kept)
        elif self.is_accelerated:
            self._earlier.append(key)

    def _end(self, identity: str, state: State) -> Report | None:
        if self._accelerator is None:
            self._take(identity)
        return super()._end(identity, state)

    def _take_all(self) -> None:
        """Move all conversations from the accelerator to this replayer, sorted by their start."""
        accelerator = self._accelerator
        if accelerator is not None:
            for kept in accelerator.give_all():
                self._adopt(kept)
            begun = sorted(self._open.items(), key=lambda item: accelerator.order(item[0]))
            self._open = dict(begun)

    def _adopt(self, kept: KeptConversation) -> None:
        """Add a conversation from the accelerator to the open conversations."""
        changes: list[SourceChange] = []
        self._open[kept.key] = self._state_of(kept, changes, log=self._log)
        if changes:
            self._source_changes[kept.key] = changes
        if notes := list(self._notes_of(kept, self._source)):
            self._notes[kept.key] = notes

    def _notes_of(self, kept: KeptConversation, source: str) -> Sequence[Note]:
        """Return the notes about a conversation's deliveries, in order.

        The result is empty unless the options of the replay request notes about events. If lines
        are not sorted, all of them are in the log `source`.
        """
        if self._known_notes is None:
            return ()
        names = self._names if self._is_sorted else {0: source}
        return KeptNotes(kept, self._known_notes, names)

    def _state_of(
        self, kept: KeptConversation, changes: list[SourceChange] | None = None, *, log: int
    ) -> State:
        """Compute the state of a conversation from the deliveries that the accelerator has kept.

        If lines are sorted by time, their numbers tell their logs. Append to `changes` whenever the
        conversation continues in another log. Otherwise, all lines are in the log of number `log`.
        """
        state = new(kept.conversation_id, partial=self._options.partial)
        state.bot_id = kept.bot_id
        changes = [] if changes is None else changes
        for delivery in kept.deliveries():
            number = delivery.line or 0
            if self._is_sorted:
                source = self._names.get(split_line(number)[0], "")
                if not changes or changes[-1].source != source:
                    changes.append(SourceChange(state.position, source))
            else:
                delivery.line = line_number(log, number)
            apply(state, delivery)
        return state


def _joined(batch: Sequence[object]) -> bytes | None:
    """Return the concatenated lines, or None if splitting them at newlines would change them.

    Some lines contain newlines inside a JSON value, and an overlong line has no newline at its end.
    """
    lines = [line for line in batch if isinstance(line, bytes)]
    if not lines or len(lines) < len(batch):
        return None
    ends = [line.find(b"\n") + 1 for line in lines]  # faster than counting newlines
    last = ends.pop() or len(lines[-1])
    is_cut = all(lines[:-1]) and ends == [*map(len, lines[:-1])] and last == len(lines[-1])
    return b"".join(lines) if is_cut else None


def _ids_in(wanted: Container[str]) -> list[str]:
    """Return a list of the conversation ids in `wanted`, without values that are not strings."""
    return [each for each in cast("Iterable[object]", wanted) if isinstance(each, str)]


def _times_of(options: ReplayOptions) -> tuple[int, int]:
    """Return `since` and `until` as microseconds since 1970.

    If an option is None, its value is a number that excludes no time.
    """
    since, until = options.since, options.until
    if since is None and until is None:
        return NO_TIME, _AFTER_ALL
    return (
        NO_TIME + 1 if since is None else microseconds(since),
        _AFTER_ALL if until is None else microseconds(until),
    )


class _KeptReport(Report):
    """A report of a conversation without findings, whose details are computed on first use."""

    def __init__(
        self,
        kept: KeptConversation,
        state_of: Callable[[KeptConversation], State],
        past_in: Callable[[KeptConversation], KeptPast],
        keyed_by: Keying,
        notes: Sequence[Note],
    ) -> None:
        self._describe(
            conversation_id=kept.conversation_id,
            bot_id=kept.bot_id,
            keyed_by=keyed_by,
            phase=kept.example.presence.phase,
            events=kept.sizes[0],
            findings=(),
        )
        self._kept, self._state_of, self._past_in, self.notes = kept, state_of, past_in, notes

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy the report as one that has its state and does not need the replay."""
        kept = self.__getstate__()
        del kept["_kept"], kept["_state_of"], kept["_past_in"]
        return Report.__new__, (Report,), kept

    @cached_property
    def _kept_past(self) -> KeptPast:
        return self._past_in(self._kept)

    @property
    def _past(self) -> Past:
        if self._kept.sizes[0] > MOST_RUNS:  # the reference knows which messages are not listed
            return past_of(self._state)
        return self._kept_past.past

    @property
    def _transcription(self) -> Session:
        return self._kept_past.transcription

    @cached_property
    def _explained(self) -> "Explanation | None":
        from segue.core.explain import NOTHING  # noqa: PLC0415 - on request only

        return NOTHING if self.is_explained else None

    @property
    def _all_findings(self) -> tuple[Finding, ...]:
        return ()

    @property
    def _call(self) -> None:
        return None

    @cached_property
    def _state(self) -> State:
        return self._state_of(self._kept)
