"""Counts of conversations that the accelerator has kept: it follows steps that it asks for once."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from segue.analysis.causes.contexts import CONVERSATION, MESSAGES, beginning, is_complete, step
from segue.logs import EventNote, KnownNotes
from segue.logs.native import BEGIN, END, NOTHING, UPPER_HALF, CountStep

_LOWER_HALF: Final = (1 << UPPER_HALF) - 1

Place: TypeAlias = tuple[str, str, EventNote]
"""What is counted together: the name of a log, a bot, and an event."""


class _Root(NamedTuple):
    """What all contexts with one upper half have in common."""

    bot: str
    kind: str
    """Of the conversation."""


class KeptCounts:
    """Counts conversations of one log whose events these notes are of.

    An action is kept only of an agent whom a lifecycle event has named: no event is counted before
    there is one that says for whom.
    """

    def __init__(self, known: KnownNotes, source: str) -> None:
        self._known, self._source = known, source
        self._counter = known.accelerator.new_counter()
        self._roots: dict[_Root, int] = {}
        self._wholes: list[tuple[_Root, list[EventNote]]] = []
        """What conversations count for in the contexts of each root."""
        self._contexts: dict[tuple[int, EventNote], int] = {}
        self._places: dict[tuple[str, EventNote], int] = {}
        self.waiting: list[bytes] = []
        """Conversations that are not counted yet, as the library has exported them."""

    def count(self, share: int) -> tuple[dict[int, EventNote], int]:
        """Count one in `2 ** share` of the conversations that wait.

        Returns what each counts for, by the hash of its key, and how many events there were.
        """
        counted = self._counter.count(self.waiting, share, self._step)
        self.waiting.clear()
        names, lasts, events = counted[::3], counted[1::3], counted[2::3]
        wholes = {each: self._found(each)[1] for each in set(lasts)}
        return dict(zip(names, map(wholes.__getitem__, lasts), strict=True)), sum(events)

    def counted(self) -> Iterator[tuple[Place, Sequence[int]]]:
        """Yield what was counted, and when."""
        for (bot, event), number in self._places.items():
            yield (self._source, bot, event), self._counter.moments(number)

    def _context(self, root: _Root, whole: EventNote) -> int:
        """Return the number of a context; the first one of a root is that of a beginning."""
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
        """Return what an event counts for in a context, and what it leaves."""
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
