"""The past of a conversation as a list of entries."""

from collections import deque
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from segue.core.engine.agents import ParticipantInfo
from segue.core.engine.history import MessageCounts, events_of, rows_of, tail_of
from segue.core.engine.segment_replay import presences_of
from segue.core.engine.state import DUPLICATE, State
from segue.core.events import EventKind
from segue.core.findings import Severity
from segue.core.lifecycle import UNNAMED, Presence


class Entry(NamedTuple):
    """A lifecycle event, a run of messages of one author, or an event that could not be read."""

    kind: EventKind
    agent: str
    """The identity of the agent as resolved, or an empty string."""
    position: int
    """The position in the conversation. Of a run of messages, a position at which it can begin."""
    count: int = 1  # type: ignore[assignment]  # hides the method of tuples
    """The number of messages of a run, otherwise 1."""
    delivery: int = 0
    """Equal for entries of the same delivery."""
    received_at: datetime | None = None
    is_repeat: bool = False
    """Whether the event equals the one before it (SG601)."""
    details: ParticipantInfo | None = None
    """The facts that the event contains about its agent, or None."""


def entries_of(state: State) -> Iterator[Entry]:
    """Yield the past of a conversation, in order.

    The order of the messages between two lifecycle events is not kept: those of customers come
    first, then those of the primary, then those of other agents. Each event of a delivery that was
    dropped because its id came before (SG603) is an unreadable event, which has the position of the
    next event. The events after END are left out if not all of them are kept.
    """
    places = deque(at for at, count in state.rare.dropped or () for _ in range(count))
    for entry in _applied(state):
        while places and places[0] <= entry.position:
            yield Entry(EventKind.UNPROCESSABLE, "", places.popleft())
        yield entry
    for at in places:
        yield Entry(EventKind.UNPROCESSABLE, "", at)


def _applied(state: State) -> Iterator[Entry]:
    """Yield the events that were applied or could not be read."""
    gaps = _Gaps(state)
    begin = 0
    rows = zip(events_of(state), rows_of(state), presences_of(state), strict=False)
    for event, row, presence in rows:
        yield from gaps.entries(begin, row.position, row.messages, presence)
        is_repeat = row.verdict == DUPLICATE
        yield Entry(
            event.kind, row.agent, row.position, 1, event.delivery, row.at, is_repeat, row.info
        )
        begin = row.position + 1
    late = () if state.has_more_after_end else state.rare.after_end or ()
    end = late[0].position if late else state.position
    yield from gaps.entries(begin, end, tail_of(state), state.presence)
    for number, each in enumerate(late):
        info = ParticipantInfo.of(each.said) if each.said else None
        yield Entry(
            EventKind(each.kind), each.agent, each.position, 1, each.delivery, each.at, details=info
        )
        begin = each.position + 1
        following = late[number + 1].position if number + 1 < len(late) else begin
        yield from gaps.entries(begin, following, _NO_MESSAGES, state.presence)


_NO_MESSAGES = MessageCounts(0, 0, ())
_SHAPE = 5


class _Gaps:
    """What happened between two lifecycle events: messages, and events that cannot be read."""

    def __init__(self, state: State) -> None:
        self._names = tuple(state.agents)
        self._flawed = sorted(
            {
                finding.place.event
                for finding in state.findings
                if finding.place.event is not None
                and finding.rule.family == _SHAPE
                and finding.rule.severity is Severity.ERROR
            }
        )

    def entries(
        self, begin: int, end: int, messages: MessageCounts, presence: Presence
    ) -> Iterator[Entry]:
        """Yield the entries for the positions from `begin` to before `end`."""
        if begin >= end:
            return
        of_primary = self._primary(presence)
        runs = [(EventKind.USER_MESSAGE, "", messages.of_users)]
        runs += [(EventKind.AGENT_MESSAGE, of_primary, messages.of_primary)]
        runs += [(EventKind.AGENT_MESSAGE, agent, count) for agent, count in messages.of_others]
        known: dict[int, Entry] = {}
        left = end - begin - sum(count for *_, count in runs)
        for at in self._flawed:
            if left > 0 and begin <= at < end:
                known[at] = Entry(EventKind.UNPROCESSABLE, "", at, 1, ~at)
                left -= 1
        position = begin
        for kind, agent, count in runs:
            if count:
                while position in known:
                    yield known.pop(position)
                    position += 1
                yield Entry(kind, agent, position, count, ~position)
                position += count
        yield from known.values()

    def _primary(self, presence: Presence) -> str:
        number = presence.primary
        return "" if number is None or number == UNNAMED else self._names[number]
