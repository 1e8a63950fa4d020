"""Counts of conversations that the accelerator has kept: it follows steps that it asks for once."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from segue.logs import EventNote, KeptNotes, KnownNotes
from segue.native import END, NOTHING, UPPER_HALF, CountStep, EventCounter
from segue.root_causes.contexts import (
    CONVERSATION,
    MESSAGES,
    beginning,
    is_complete,
    step,
)

_LOWER_HALF: Final = (1 << UPPER_HALF) - 1


Place: TypeAlias = tuple[str, str, EventNote]
"""What is counted together: events of a log, and of a bot."""


class _Root(NamedTuple):
    """What all contexts with one upper half have in common."""

    source: str
    bot: str
    kind: str
    """Of the conversation."""


class KeptCounts:
    """Counts conversations whose events these notes are of.

    An action is kept only of an agent whom a lifecycle event has named: no event is counted before
    there is one that says for whom.
    """

    def __init__(self, known: KnownNotes) -> None:
        self.known = known
        self._counter = EventCounter(known.library)
        self._begins: dict[tuple[str, str], int] = {}
        """The contexts that conversations begin in."""
        self._roots: dict[_Root, int] = {}
        self._wholes: list[tuple[_Root, list[EventNote]]] = []
        """What conversations count for in the contexts of each root."""
        self._contexts: dict[tuple[int, EventNote], int] = {}
        self._places: dict[Place, int] = {}
        self._waiting: tuple[list[int], list[int], list[int], list[bytes]] = [], [], [], []
        """Of conversations that are not counted yet hashes of names, moments, contexts and records:
        a column each, so that little of them is looked at again."""

    def __len__(self) -> int:
        """Return how many conversations are not counted yet."""
        return len(self._waiting[0])

    def add(self, name: int, moment: int, bot: str, notes: KeptNotes) -> None:
        """Take a conversation, with the moment of what comes before any time."""
        log = notes.sources[0], bot
        context = self._begins.get(log)
        if context is None:
            root = _Root(*log, CONVERSATION)
            context = self._begins[log] = self._context(root, beginning(CONVERSATION))
        names, moments, contexts, records = self._waiting
        names.append(name)
        moments.append(moment)
        contexts.append(context)
        records.append(notes.records)

    def count(self) -> tuple[dict[int, EventNote], int]:
        """Count the conversations that were taken.

        Returns what each counts for, by the hash of its name, and how many events there were.
        """
        names, moments, contexts, records = self._waiting
        lasts, events = self._counter.count(records, contexts, moments, self._step)
        wholes = {each: self._found(each)[1] for each in set(lasts)}
        of_names = dict(zip(names, map(wholes.__getitem__, lasts), strict=True))
        for column in self._waiting:
            column.clear()
        return of_names, events

    def counted(self) -> Iterator[tuple[Place, Sequence[int]]]:
        """Yield what was counted, and when."""
        for place, number in self._places.items():
            yield place, self._counter.moments(number)

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
        return self._places.setdefault((root.source, root.bot, event), len(self._places))

    def _step(self, context: int, said: int) -> CountStep:
        """Return what an event counts for in a context, and what it leaves."""
        root, whole = self._found(context)
        if said == END:
            return CountStep(self._number(root, whole), context, is_certain=False)
        event = self.known[said]
        here, whole = step(event, whole)
        number = NOTHING if event[0] in MESSAGES else self._number(root, here)
        if whole[0] != root.kind:
            root = root._replace(kind=whole[0])
        return CountStep(number, self._context(root, whole), is_complete(event))
