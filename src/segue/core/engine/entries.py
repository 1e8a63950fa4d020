"""The past of a conversation as a list of entries."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from heapq import merge
from operator import attrgetter
from typing import NamedTuple

from segue.core.engine.agents import ParticipantInfo
from segue.core.engine.history import History, HistoryRow, events_of, rows_of, runs_of
from segue.core.engine.state import DUPLICATE, State
from segue.core.events import EventKind
from segue.core.findings import Severity


class Entry(NamedTuple):
    """A lifecycle event, a run of messages of one author, or an event that could not be read."""

    kind: EventKind
    agent: str
    """The identity of the agent as resolved, or an empty string."""
    position: int
    """The position in the conversation. Of a run of messages, the position of the first."""
    count: int = 1  # type: ignore[assignment]  # hides the method of tuples
    """The number of messages of a run, otherwise 1."""
    delivery: int = 0
    """Equal for entries of the same delivery. Of a run of messages, that of the first."""
    received_at: datetime | None = None
    last_at: datetime | None = None
    """The time of the last message of a run."""
    is_repeat: bool = False
    """Whether the event equals the one before it (SG601). After END no finding says so."""
    details: ParticipantInfo | None = None
    """The facts that the event contains about its agent, or None."""


def entries_of(state: State) -> Iterator[Entry]:
    """Yield the past of a conversation, in order.

    Each event of a delivery that was dropped because its id came before (SG603) is an unreadable
    event, which has the position of the next event. Messages that are only counted, because too
    many came before, are left out. So are the events after END if not all of them are kept.
    """
    known = [*merge(_lifecycle_events(state), _messages(state), key=attrgetter("position"))]
    known += _events_after_end(state)
    dropped = (at for at, count in state.rare.dropped or () for _ in range(count))
    unread = [*_flawed(state, known), *dropped]
    lost = (Entry(EventKind.UNPROCESSABLE, "", at, delivery=~at) for at in sorted(unread))
    yield from merge(lost, known, key=attrgetter("position"))


def entries_in(history: History) -> list[Entry]:
    """Return the lifecycle events and the messages of a history in order.

    Messages that are only counted come before the next lifecycle event.
    """
    events = lifecycle_entries(history)
    if not history.runs:
        return events
    messages = [Entry(*run) for run in (*history.runs, *history.unlisted)]
    return sorted([*messages, *events], key=attrgetter("position"))  # stable


def lifecycle_entries(history: History) -> list[Entry]:
    """Return the lifecycle events of a history."""
    return [_entry(row) for row in history.rows]


def _entry(row: HistoryRow, delivery: int = 0) -> Entry:
    position, at, decision, verdict, agent, info = row
    is_repeat = verdict == DUPLICATE
    return Entry(decision.kind, agent, position, 1, delivery, at, None, is_repeat, info)


def _lifecycle_events(state: State) -> Iterator[Entry]:
    for event, row in zip(events_of(state), rows_of(state), strict=True):
        yield _entry(row, event.delivery)


def _messages(state: State) -> Iterator[Entry]:
    for run in runs_of(state):
        yield Entry(*run)


def _events_after_end(state: State) -> Iterator[Entry]:
    late, before = () if state.has_more_after_end else state.rare.after_end or (), ""
    for each in late:
        yield Entry(
            EventKind(each.kind),
            each.agent,
            each.position,
            delivery=each.delivery,
            received_at=each.at,
            is_repeat=each.fingerprint == before != "",
            details=ParticipantInfo.of(each.said) if each.said else None,
        )
        before = each.fingerprint or before


_SHAPE = 5


def _flawed(state: State, known: Iterable[Entry]) -> set[int]:
    """Return the positions of the events that could not be read."""
    flawed = {
        finding.place.event
        for finding in state.findings
        if finding.place.event is not None
        and finding.rule.family == _SHAPE
        and finding.rule.severity is Severity.ERROR
    }
    for entry in known if flawed else ():
        flawed.difference_update(range(entry.position, entry.position + entry.count))
    return flawed
