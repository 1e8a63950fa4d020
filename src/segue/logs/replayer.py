"""Many conversations at once: one state for each open one, a tombstone for each that ended.

It decides which conversation a delivery belongs to and when a conversation is reported: at its
END_OF_CONVERSATION, or else when the log is over.  What comes after that is late, and makes one more
report at the very end.  It knows nothing of files and nothing of rules.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Final

from segue.conversation import Report
from segue.events import Delivery, Flaw, fingerprint
from segue.findings import DEFAULT, Finding, Place, Policy, find
from segue.fold import Partial, State, finish, new, revive, step
from segue.lifecycle import Phase
from segue.logs.layout import Layout
from segue.logs.source import LONGEST_LINE
from segue.logs.times import reader
from segue.wire import parse_line, read_line

__all__ = ["Options", "Replayer"]

_BLANK: Final = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Options:
    """What of a log is replayed, and how its lines are read."""

    policy: Policy = DEFAULT
    partial: Partial = None
    layout: Layout | None = None
    conversations: Container[str] | None = None
    """Only these; None: all."""
    since: datetime | None = None
    until: datetime | None = None
    """Only deliveries received from `since` on and before `until`; one without a time is not."""
    time_zone: tzinfo = UTC
    """Of times that have none."""


class Replayer:
    """Takes the lines of a log one by one and gives a report for each conversation."""

    def __init__(self, options: Options, source: str = "") -> None:
        self.source = source
        """Name of the log that the lines come from; change it between two logs."""
        self._options = options
        self._read_time = reader(options.time_zone)
        self._open: dict[str, State] = {}
        self._ended: dict[str, int | tuple[int, int]] = {}
        self._late: dict[str, State] = {}

    def feed(self, raw: object, line: int | None = None) -> Report | None:
        """Take one line; return the report of the conversation it ends, if it ends one.

        A line that belongs to no conversation gives a report without an id.
        """
        delivery = self._read(raw, line)
        if delivery is None or not self._wanted(delivery):
            return None
        identity = delivery.conversation_id
        if identity is None:
            return self._stray(delivery)
        state = self._open.get(identity)
        if state is None:
            if identity in self._ended:
                self._feed_late(identity, delivery)
                return None
            state = self._open[identity] = new(identity, partial=self._options.partial)
        done = step(state, delivery)
        if done.findings and self.source:
            self._locate(state, len(done.findings))
        if state.roster.phase is not Phase.ENDED:
            return None
        del self._open[identity]
        self._ended[identity] = _tombstone(state, delivery)
        return Report(state, policy=self._options.policy)

    def close(self) -> Iterator[Report]:
        """Close the log: report the conversations still open, then what came late."""
        for state in self._open.values():
            finish(state)
            yield Report(state, policy=self._options.policy)
        self._open.clear()
        for state in self._late.values():
            yield Report(state, policy=self._options.policy, late=True)
        self._late.clear()

    def interrupt(self) -> Iterator[Report]:
        """Report the conversations still open as they stand, without closing them."""
        for state in self._open.values():
            yield Report(state, policy=self._options.policy)

    def sorted(self, numbered: Iterable[tuple[int, object]]) -> list[tuple[int, object]]:
        """Put numbered lines in order of time; one without a time keeps to the line before it."""
        keyed: list[tuple[datetime, int, object]] = []
        latest = datetime.min.replace(tzinfo=UTC)
        for number, line in numbered:
            delivery = self._read(line, None)
            if delivery is not None and delivery.received_at is not None:
                latest = delivery.received_at
            keyed.append((latest, number, line))
        keyed.sort(key=lambda item: item[:2])
        return [(number, line) for _, number, line in keyed]

    def _read(self, raw: object, line: int | None) -> Delivery | None:
        if isinstance(raw, Delivery):
            return raw
        if isinstance(raw, str):
            raw = raw.encode("utf-8", "surrogatepass")
        if isinstance(raw, bytes):
            if not raw.strip(_BLANK):
                return None
            if len(raw) > LONGEST_LINE:
                return _unreadable("larger than 16 MiB", line)
        elif not isinstance(raw, Mapping):
            return _unreadable("not an object", line)
        if self._options.layout is not None:
            return self._read_foreign(self._options.layout, raw, line)
        return read_line(raw, read_time=self._read_time, line=line)

    def _read_foreign(
        self,
        layout: Layout,
        raw: bytes | Mapping[str, object],
        line: int | None,
    ) -> Delivery:
        record = parse_line(raw, line=line) if isinstance(raw, bytes) else raw
        if isinstance(record, Delivery):
            return record
        envelope = layout.envelope(record)
        if envelope is None:
            return _unreadable(f"no body at {layout.body_at}", line)
        return read_line(envelope, read_time=self._read_time, line=line)

    def _wanted(self, delivery: Delivery) -> bool:
        options = self._options
        if (
            options.conversations is not None
            and delivery.conversation_id not in options.conversations
        ):
            return False
        if options.since is None and options.until is None:
            return True
        at = delivery.received_at
        return (
            at is not None
            and (options.since is None or at >= options.since)
            and (options.until is None or at < options.until)
        )

    def _stray(self, delivery: Delivery) -> Report:
        state = new(None)
        flaws = [*delivery.flaws, *(flaw for event in delivery.events for flaw in event.flaws)]
        if delivery.action is not None:
            flaws += delivery.action.flaws
        state.bot_id = delivery.bot_id
        state.findings = [
            find(
                flaw.code,
                Place(pointer=flaw.pointer, line=delivery.line, source=self.source),
                flaw.facts,
            )
            for flaw in flaws
        ]
        return Report(state, policy=self._options.policy)

    def _feed_late(self, identity: str, delivery: Delivery) -> None:
        tombstone = self._ended[identity]
        count, receipt = tombstone if isinstance(tombstone, tuple) else (tombstone, None)
        if receipt is not None and receipt == _receipt(delivery):
            return
        state = self._late.get(identity)
        if state is None:
            state = self._late[identity] = revive(identity, count >> 1, told=bool(count & 1))
            state.bot_id = delivery.bot_id
        done = step(state, delivery)
        if done.findings and self.source:
            self._locate(state, len(done.findings))

    def _locate(self, state: State, number: int) -> None:
        """Write the name of the log into the latest findings."""
        state.findings[-number:] = [
            _located(finding, self.source) for finding in state.findings[-number:]
        ]


def _located(finding: Finding, source: str) -> Finding:
    return replace(
        finding,
        place=replace(finding.place, source=source),
        because=tuple(
            replace(cause, place=replace(cause.place, source=source)) for cause in finding.because
        ),
    )


def _tombstone(state: State, delivery: Delivery) -> int | tuple[int, int]:
    """What stays of a conversation: how many events, whether SG110 was told, the last receipt."""
    count = state.position << 1 | ("SG110" in state.roster.told)
    receipt = _receipt(delivery)
    return count if receipt is None else (count, receipt)


def _receipt(delivery: Delivery) -> int | None:
    """A number by which the same delivery is known again."""
    if delivery.delivery_id is None:
        return None
    return hash((delivery.delivery_id, fingerprint(delivery.body)))


def _unreadable(reason: str, line: int | None) -> Delivery:
    flaw = Flaw("SG501", "", {"reason": reason})
    return Delivery(None, None, flaws=(flaw,), line=line)
