"""What an event of a conversation may be sent as, and what may be inserted, each at its price.

A summary, a message and a redial exit, which is never allowed, are not inserted.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from segue.core.edits.costs import PRICES, EditKind
from segue.core.edits.stream import EventStream, ValueOf
from segue.core.events import EventKind, fingerprint
from segue.core.lifecycle import MESSAGES

_INSERTED: Final = tuple(
    kind
    for kind in EventKind
    if (kind.transfer_type or kind is EventKind.END) and kind is not EventKind.REDIAL_EXIT
)
_RETYPED: Final = {
    kind: tuple(
        other
        for other in EventKind
        if other is not kind and other.transfer_type and other.is_entry is kind.is_entry
    )
    for kind in EventKind
    if kind.transfer_type
}


class Candidate(NamedTuple):
    """What an event may be sent as, and what that costs."""

    cost: int
    kind: EventKind
    agent: str
    token: int
    """Equal for equal events, where a warning depends on whether an event repeats another."""
    edits: tuple[EditKind, ...]


class Candidates:
    """The candidates for all events of a conversation."""

    def __init__(self, stream: EventStream, value_of: ValueOf) -> None:
        self._events = stream.events
        self._agents = stream.agents
        self._value_of = value_of
        self._tokens = {digest: number for number, digest in enumerate(stream.warned, start=1)}
        self._known: dict[int, dict[int, list[Candidate]]] = {}
        self.inserted = tuple(self._new())
        """What may be inserted anywhere."""

    def unchanged(self, position: int) -> Candidate:
        """Return an event as it was sent, without the list of what else it may be sent as."""
        event = self._events[position]
        token = self._token(position, event.kind, event.agent)
        return Candidate(0, event.kind, event.agent, token, ())

    def of(self, position: int, cost: int) -> list[Candidate]:
        """Return what an event may be sent as at this cost."""
        known = self._known.get(position)
        if known is None:
            known = self._known[position] = {}
            for candidate in self._all(position):
                known.setdefault(candidate.cost, []).append(candidate)
        return known.get(cost, [])

    def _all(self, position: int) -> Iterator[Candidate]:
        event = self._events[position]
        kinds = (event.kind, *_RETYPED.get(event.kind, ()))
        agents = (event.agent, *(each for each in self._agents if each != event.agent))
        for agent in agents if event.agent else agents[:1]:
            for kind in kinds:
                edits = ((EditKind.RETYPE,) if kind is not event.kind else ()) + (
                    (EditKind.REIDENTIFY,) if agent != event.agent else ()
                )
                cost = sum(PRICES[edit] for edit in edits)
                yield Candidate(cost, kind, agent, self._token(position, kind, agent), edits)

    def _new(self) -> Iterator[Candidate]:
        edit = EditKind.INSERT
        for kind in _INSERTED:
            for agent in self._agents if kind.transfer_type else ("",):
                token = self._token(None, kind, agent)
                yield Candidate(PRICES[edit], kind, agent, token, (edit,))

    def _token(self, position: int | None, kind: EventKind, agent: str) -> int:
        if not self._tokens or kind in MESSAGES:
            return 0
        return self._tokens.get(fingerprint(self._value_of(position, kind, agent), kind), 0)
