"""Counts of opportunities in conversations that the accelerator has processed.

The accelerator counts events by context. A context contains the attributes that the next event
inherits. The accelerator calls Python only once for each pair of context and event.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from segue.analysis.causes.contexts import CONVERSATION, MESSAGES, beginning, is_complete, step
from segue.logs.event_notes import EventNote, KnownNotes
from segue.logs.native import BEGIN, END, NOTHING, UPPER_HALF, CountStep

_LOWER_HALF: Final = (1 << UPPER_HALF) - 1

Place: TypeAlias = tuple[str, str, EventNote]
"""The attributes by which events are counted: name of the log, bot, and note of the event."""


class _Root(NamedTuple):
    """The bot and kind of conversation that a group of contexts has in common.

    The number of the group is the upper half of a context's number.
    """

    bot: str
    kind: str
    """The kind of the conversation: `conversation` or `recorded conversation`."""


class KeptCounts:
    """Counts of the conversations of one log that the accelerator has processed.

    The accelerator accepts an action only if a lifecycle event has named its agent before. Every
    event that is counted can therefore inherit attributes from a lifecycle event.
    """

    def __init__(self, known: KnownNotes, source: str) -> None:
        self._known, self._source = known, source
        self._counter = known.accelerator.new_counter()
        self._roots: dict[_Root, int] = {}
        self._wholes: list[tuple[_Root, list[EventNote]]] = []
        """For each group of contexts, its bot and kind, and the attributes of each context."""
        self._contexts: dict[tuple[int, EventNote], int] = {}
        self._places: dict[tuple[str, EventNote], int] = {}
        self.waiting: list[bytes] = []
        """The conversations to count next, as bytes that the accelerator has exported."""

    def count(self, share: int) -> tuple[dict[int, EventNote], int]:
        """Count a sample of the conversations in `waiting`, and empty the list.

        The sample contains one in `2 ** share` conversations. Return a dictionary from the hash of
        each conversation's key to the conversation's attributes, and the number of events counted.
        """
        counted = self._counter.count(self.waiting, share, self._step)
        self.waiting.clear()
        names, lasts, events = counted[::3], counted[1::3], counted[2::3]
        wholes = {each: self._found(each)[1] for each in set(lasts)}
        return dict(zip(names, map(wholes.__getitem__, lasts), strict=True)), sum(events)

    def counted(self) -> Iterator[tuple[Place, Sequence[int]]]:
        """Yield `(place, moments)` for all events counted so far."""
        for (bot, event), number in self._places.items():
            yield (self._source, bot, event), self._counter.moments(number)

    def _context(self, root: _Root, whole: EventNote) -> int:
        """Return the number of the context with these attributes, a new one if necessary.

        The first context of each group is that of a new conversation.
        """
        number = self._roots.get(root)
        if number is None:
            number = self._roots[root] = len(self._wholes)
            first = beginning(root.kind)
            self._contexts[number, first] = 0
            self._wholes.append((root, [first]))
        _, wholes = self._wholes[number]
        context = self._contexts.setdefault((number, whole), len(wholes))
        if context == len(wholes):
            wholes.append(whole)
        return number << UPPER_HALF | context

    def _found(self, context: int) -> tuple[_Root, EventNote]:
        root, wholes = self._wholes[context >> UPPER_HALF]
        return root, wholes[context & _LOWER_HALF]

    def _number(self, root: _Root, event: EventNote) -> int:
        return self._places.setdefault((root.bot, event), len(self._places))

    def _step(self, context: int, said: int) -> CountStep:
        """Return the number of the place at which an event is counted, and the next context.

        The accelerator calls this method with the number of a context and of an event.
        """
        if said == BEGIN:
            root = _Root(self._known.accelerator.name_of(context >> UPPER_HALF), CONVERSATION)
            first = self._context(root, beginning(CONVERSATION))
            return CountStep(NOTHING, first, is_certain=False)
        root, whole = self._found(context)
        if said == END:
            return CountStep(self._number(root, whole), context, is_certain=False)
        event = self._known[said]
        here, kind, last = step(event, root.kind, whole)
        number = NOTHING if event[0] in MESSAGES else self._number(root, here)
        if kind != root.kind:
            root = root._replace(kind=kind)
        return CountStep(number, self._context(root, (kind, *last[1:])), is_complete(event))
