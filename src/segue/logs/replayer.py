"""Many conversations at once: one state for each open one, a tombstone for each that ended.

It decides which conversation a delivery belongs to and when a conversation is reported: at its
END_OF_CONVERSATION, or else when the log is over.  What comes after that is late, and makes one
more report at the very end.

House rules.  (1) A line costs a reading, a look-up and a step; whatever is rarer than a line has a
method of its own.  (2) Memory grows with what is open at once, by a tombstone for each conversation
that has ended, and with what came late.  (3) A report says no more of its log than line numbers and
its name: in another order of conversations, or alone, it is the same report.

It refuses to know files, and what is legal.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Final

from segue.conversation import Report
from segue.engine import State, dump, finish, load, new, plainly, step
from segue.events import Delivery, EventKind, Facts
from segue.findings import Finding, Place
from segue.lifecycle import Phase
from segue.logs.ended import SavedConversation, bury, exhume, recall
from segue.logs.line_reader import Lines, is_blank
from segue.logs.options import ReplayOptions
from segue.logs.places import Past, located
from segue.logs.sorting import Order, Row, in_memory
from segue.logs.sources import LONGEST_LINE
from segue.wire import as_delivery, glance

__all__ = ["Replayer"]

_END: Final = EventKind.END
_ENDED: Final = Phase.ENDED
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FIRST: Final = -(2**63)
"""Before all times, as a number of 64 bits."""


class Replayer:
    """Takes the lines of a log one by one and gives a report for each conversation."""

    __slots__ = (
        "_ended",
        "_late",
        "_lines",
        "_look_closely",
        "_on_delivery",
        "_open",
        "_options",
        "_pasts",
        "_source",
    )

    def __init__(
        self,
        options: ReplayOptions,
        source: str = "",
        on_delivery: Callable[[Delivery, int], object] | None = None,
    ) -> None:
        """Take the options, the name of the log, and whom to tell of each delivery.

        The witness is told what was applied to a conversation before its end is reported, with the
        position of the first event, or of the action.
        """
        self._options = options
        self._on_delivery = on_delivery
        self._lines = Lines(options)
        self._look_closely = (
            options.is_filtered or options.field_mapping is not None or on_delivery is not None
        )
        self._source = source
        self._open: dict[str, State] = {}
        self._ended: dict[str, bytes] = {}
        self._late: dict[str, State] = {}
        self._pasts: dict[str, list[Past]] = {}
        """Open conversations that more than one log tells: from which event on, and its name."""

    @property
    def source(self) -> str:
        """Name of the log that the lines come from; set it between two logs."""
        return self._source

    @source.setter
    def source(self, name: str) -> None:
        for identity, state in self._open.items():
            pasts = self._pasts.setdefault(identity, [(0, self._source)])
            pasts.append((state.position, name))
        self._source = name

    def feed(self, raw: object, line: int | None = None) -> Report | None:
        """Take one line; return the report of the conversation it ends, if it ends one.

        A line is JSON text (`bytes`, `str`), a mapping or a `Delivery`.  One that belongs to no
        conversation gives a report without an id.
        """
        return next(self._judge((raw,), (line,), self._look((raw,), (line,))), None)

    def read(self, raw: object, line: int | None = None) -> Delivery | None:
        """Read a line without taking it; None: it is blank, or not one that is replayed."""
        delivery = self._lines.read(raw, line)
        return None if delivery is None or not self._options.matches(delivery) else delivery

    def feed_all(
        self, lines: Iterable[object], ahead: int = 1, first: int | None = 1
    ) -> Iterator[Report]:
        """Take all lines of a log, numbered from `first`; None: their numbers mean nothing.

        `ahead` is how many are read before the first of them is judged: decoding and judging by
        turns costs an eighth more, for each drives the other from the processor's caches.
        """
        for batch in _batches(iter(lines), ahead):
            numbers: Sequence[int | None] = [None] * len(batch)
            if first is not None:
                numbers = range(first, first + len(batch))
                first += len(batch)
            yield from self._judge(batch, numbers, self._look(batch, numbers))

    def _look(
        self, batch: Sequence[object], numbers: Sequence[int | None]
    ) -> list[Facts | Delivery | None]:
        """Read some lines; None: one that is not asked for, or blank."""
        if self._look_closely:
            return [self.read(raw, line) for raw, line in zip(batch, numbers, strict=True)]
        read, read_time = self._lines.read, self._lines.read_time
        return [
            glance(raw, read_time, line)
            if type(raw) is bytes and len(raw) <= LONGEST_LINE
            else read(raw, line)
            for raw, line in zip(batch, numbers, strict=True)
        ]

    def _judge(  # noqa: C901 - once a line, and calls cost
        self,
        batch: Sequence[object],
        numbers: Sequence[int | None],
        reads: Sequence[Facts | Delivery | None],
    ) -> Iterator[Report]:
        """Take some lines that have been read."""
        states, ended, partial = self._open, self._ended, self._options.partial
        for raw, line, read in zip(batch, numbers, reads, strict=True):
            if isinstance(read, tuple):
                identity = read[0]
                state = states.get(identity)
                if state is None and identity not in ended:
                    state = states[identity] = new(identity, partial=partial)
                if state is None or not plainly(state, read, line):
                    report = self._take(as_delivery(read, line))
                elif read[1] is _END:
                    if self._source and state.findings:
                        found = [each for each in state.findings if not each.place.source]
                        self._locate(state, found)
                    report = self._end(identity, state)
                else:
                    continue
            elif read is None or is_blank(raw, read):
                continue
            else:
                report = self._take(read)
            if report is not None:
                yield report

    def _take(self, delivery: Delivery) -> Report | None:
        identity = delivery.conversation_id
        if identity is None:
            return self._stray(delivery)
        state = self._open.get(identity)
        if state is None:
            if identity in self._ended:
                self._feed_late(identity, delivery)
                return None
            state = self._open[identity] = new(identity, partial=self._options.partial)
        events, actions = state.position, _actions(state)
        found = step(state, delivery).findings
        if self._source:
            self._locate(state, found)
        if self._on_delivery is not None:
            if state.position > events:
                self._on_delivery(delivery, events)
            elif _actions(state) > actions:
                self._on_delivery(delivery, actions)
        return self._end(identity, state) if state.phase is _ENDED else None

    def _end(self, identity: str, state: State) -> Report:
        del self._open[identity]
        self._ended[identity] = bury(state)
        self._pasts.pop(identity, None)
        return Report(state, policy=self._options.policy)

    def close(self) -> Iterator[Report]:
        """Close the log: report the conversations still open, then what came late."""
        for identity, state in list(self._open.items()):
            del self._open[identity]
            found = finish(state).findings
            if found and self._source:
                self._locate(state, found)
            yield Report(state, policy=self._options.policy)
        self._pasts.clear()
        for identity, state in list(self._late.items()):
            del self._late[identity]
            yield Report(state, policy=self._options.policy, late=True)

    def interrupt(self) -> Iterator[Report]:
        """Report what is open as it stands, without closing it, and what came late."""
        for state in self._open.values():
            yield Report(state, policy=self._options.policy)
        for state in self._late.values():
            yield Report(state, policy=self._options.policy, late=True)

    def hand_over(self, identity: str) -> SavedConversation:
        """Return what is kept of a conversation, for a replayer that goes on with it elsewhere."""
        state, late = self._open.get(identity), self._late.get(identity)
        return SavedConversation(
            None if state is None else dump(state),
            self._ended.get(identity),
            None if late is None else dump(late),
        )

    def resume(self, identity: str, remains: SavedConversation) -> None:
        """Go on with a conversation where another replayer stopped."""
        if remains.state is not None:
            self._open[identity] = load(remains.state)
        if remains.tombstone is not None:
            self._ended[identity] = remains.tombstone
        if remains.late is not None:
            self._late[identity] = load(remains.late)

    def feed_sorted(
        self, logs: Iterable[tuple[str, Iterable[object]]], order: Order = in_memory
    ) -> Iterator[Report]:
        """Take the lines of all these logs, each with its name, in order of time.

        Lines of one time keep their order, and one without a time keeps to the line before it.
        """
        names: list[str] = []
        for _, log, number, identity, line in order(self._timed(logs, names)):
            self._turn_to(names[log], identity)
            report = self.feed(line, number)
            if report is not None:
                yield report

    def _timed(
        self, logs: Iterable[tuple[str, Iterable[object]]], names: list[str]
    ) -> Iterator[Row]:
        """Yield the lines that are not blank with their times; write down the names of the logs."""
        latest = _FIRST
        for log, (name, lines) in enumerate(logs):
            names.append(name)
            for number, line in enumerate(lines, start=1):
                delivery = self._lines.read(line, None)
                if delivery is None:
                    continue
                if delivery.received_at is not None:
                    latest = (delivery.received_at - _EPOCH) // _MICROSECOND
                yield latest, log, number, delivery.conversation_id, line

    def _turn_to(self, source: str, identity: str | None) -> None:
        """Go on in another log, as far as one conversation is concerned."""
        self._source = source
        if identity is not None and identity not in self._ended:
            state = self._open.get(identity)
            pasts = self._pasts.setdefault(identity, [])
            if not pasts or pasts[-1][1] != source:
                pasts.append((0 if state is None else state.position, source))

    # What belongs to no open conversation.

    def _stray(self, delivery: Delivery) -> Report | None:
        flaws = [*delivery.flaws, *(flaw for event in delivery.events for flaw in event.flaws)]
        state = new(None)
        state.bot_id = delivery.bot_id
        place = Place(line=delivery.line, source=self._source)
        state.findings = [flaw.finding(place) for flaw in flaws]
        report = Report(state, policy=self._options.policy)
        return report if report.findings else None

    def _feed_late(self, identity: str, delivery: Delivery) -> None:
        tombstone = self._ended[identity]
        state = self._late.get(identity)
        if state is None:
            state = exhume(identity, tombstone)
            state.bot_id = delivery.bot_id
        recall(state, tombstone, delivery)
        position = state.position
        found = step(state, delivery).findings
        if self._source:
            self._locate(state, found)
        if found or state.position != position:
            self._late[identity] = state
        elif identity not in self._late:  # nothing to report: an action that only closes
            self._ended[identity] = bury(state, tombstone)

    def _locate(self, state: State, found: Sequence[Finding]) -> None:
        """Write the name of the log into the latest findings, which are these."""
        if found:
            pasts = self._pasts.get(state.conversation_id or "", ())
            latest = state.position - 1
            state.findings[-len(found) :] = located(found, self._source, pasts, latest)


def _actions(state: State) -> int:
    return 0 if state.session is None else state.session.position


def _batches(lines: Iterator[object], size: int) -> Iterator[list[object]]:
    """Yield so many lines at once; before an error, what came before it."""
    while True:
        batch: list[object] = []
        try:
            batch.extend(islice(lines, size))
        except Exception:
            yield batch
            raise
        if not batch:
            return
        yield batch
