"""Counts of conversations that the accelerator has kept.

The accelerator follows events from one context to the next. It asks once for each step.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from segue.analysis.causes.contexts import CONVERSATION, MESSAGES, beginning, is_complete, step
from segue.logs.event_notes import EventNote, KnownNotes
from segue.logs.native import BEGIN, END, NOTHING, UPPER_HALF, CountStep

_LOWER_HALF: Final = (1 << UPPER_HALF) - 1

Place: TypeAlias = tuple[str, str, EventNote]
"""Fields that are counted together: the name of a log, a bot, and the note of an event."""


class _Root(NamedTuple):
    """The part that is common to all contexts with one upper half."""

    bot: str
    kind: str
    """The kind of the conversation."""


class KeptCounts:
    """Counts kept conversations of one log.

    The accelerator keeps an action only if a lifecycle event has named its agent before. No event
    is therefore counted before a lifecycle event has given the attributes that it inherits.
    """

    def __init__(self, known: KnownNotes, source: str) -> None:
        self._known, self._source = known, source
        self._counter = known.accelerator.new_counter()
        self._roots: dict[_Root, int] = {}
        self._wholes: list[tuple[_Root, list[EventNote]]] = []
        """The attributes of a conversation in each context, by root."""
        self._contexts: dict[tuple[int, EventNote], int] = {}
        self._places: dict[tuple[str, EventNote], int] = {}
        self.waiting: list[bytes] = []
        """Conversations to be counted, as the library has exported them."""

    def count(self, share: int) -> tuple[dict[int, EventNote], int]:
        """Count one in `2 ** share` of the waiting conversations.

        Returns the attributes of each conversation by the hash of its key, and the number of
        events.
        """
        counted = self._counter.count(self.waiting, share, self._step)
        self.waiting.clear()
        names, lasts, events = counted[::3], counted[1::3], counted[2::3]
        wholes = {each: self._found(each)[1] for each in set(lasts)}
        return dict(zip(names, map(wholes.__getitem__, lasts), strict=True)), sum(events)

    def counted(self) -> Iterator[tuple[Place, Sequence[int]]]:
        """Yield the places with the moments counted at each."""
        for (bot, event), number in self._places.items():
            yield (self._source, bot, event), self._counter.moments(number)

    def _context(self, root: _Root, whole: EventNote) -> int:
        """Return the number of a context.

        The first context of a root is that of a new conversation.
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
        """Return the number that an event is counted under in a context, and the next context."""
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
