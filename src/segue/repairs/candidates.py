"""Shapes: what an event of a stream may be sent as, and what may be put in, each at its price.

House rule: a summary and a message are never put in, nor a redial exit, which nothing allows.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from segue.events import EventKind, fingerprint
from segue.lifecycle import MESSAGES
from segue.repairs.costs import PRICES, Change
from segue.repairs.editable import Stream
from segue.repairs.synthesis import Draft

__all__ = ["Shape", "Shapes"]

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


class Shape(NamedTuple):
    """What an event may be sent as, and what that costs."""

    level: int
    kind: EventKind
    agent: str
    token: int
    """Tells it from other events, where a warning depends on whether it repeats one."""
    changes: tuple[Change, ...]


class Shapes:
    """The shapes of all events of a stream."""

    def __init__(self, stream: Stream, draft: Draft) -> None:
        self._items = stream.items
        self._agents = stream.agents
        self._draft = draft
        self._tokens = {digest: number for number, digest in enumerate(stream.warned, start=1)}
        self._known: dict[int, dict[int, list[Shape]]] = {}
        self.inserted = tuple(self._new())
        """What may be put in anywhere."""

    def of(self, event: int, level: int) -> list[Shape]:
        """Return what an event may be sent as at this price."""
        shapes = self._known.get(event)
        if shapes is None:
            shapes = self._known[event] = {}
            for shape in self._all(event):
                shapes.setdefault(shape.level, []).append(shape)
        return shapes.get(level, [])

    def _all(self, event: int) -> Iterator[Shape]:
        item = self._items[event]
        kinds = (item.kind, *_RETYPED.get(item.kind, ()))
        agents = (item.agent, *(each for each in self._agents if each != item.agent))
        for agent in agents if item.agent else agents[:1]:
            for kind in kinds:
                changes = ((Change.RETYPE,) if kind is not item.kind else ()) + (
                    (Change.REIDENTIFY,) if agent != item.agent else ()
                )
                level = sum(PRICES[change] for change in changes)
                yield Shape(level, kind, agent, self._token(event, kind, agent), changes)

    def _new(self) -> Iterator[Shape]:
        for kind in _INSERTED:
            for agent in self._agents if kind.transfer_type else ("",):
                token = self._token(None, kind, agent)
                yield Shape(PRICES[Change.INSERT], kind, agent, token, (Change.INSERT,))

    def _token(self, event: int | None, kind: EventKind, agent: str) -> int:
        if not self._tokens or kind in MESSAGES:
            return 0
        return self._tokens.get(fingerprint(self._draft.value(event, kind, agent)), 0)
