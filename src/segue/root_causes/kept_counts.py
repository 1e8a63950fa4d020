"""Counts of conversations that the accelerator has kept: it follows steps that it asks for once."""

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Final, NamedTuple, TypeAlias

from segue.logs import EventNote, KeptNotes, KnownNotes
from segue.native import END, NOTHING, UPPER_HALF, CountStep
from segue.root_causes.contexts import CONVERSATION, MESSAGES, beginning, is_complete, step
from segue.root_causes.moments import LEVEL_BITS, NO_MINUTE, hash_of, level_of

_LOWER_HALF: Final = (1 << UPPER_HALF) - 1

Place: TypeAlias = tuple[str, str, EventNote]
"""What is counted together: events of a log, and of a bot."""
ConversationKey: TypeAlias = tuple[str | None, str | None]
"""Bot, where bots may use the same ids, and id."""
_Log: TypeAlias = tuple[str, str]
"""The name of a log, and a bot."""


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
        self._counter = known.new_counter()
        self._roots: dict[_Root, int] = {}
        self._wholes: list[tuple[_Root, list[EventNote]]] = []
        """What conversations count for in the contexts of each root."""
        self._contexts: dict[tuple[int, EventNote], int] = {}
        self._places: dict[Place, int] = {}
        self._waiting: tuple[list[ConversationKey], list[_Log], list[bytes]] = [], [], []
        """Of conversations that are not counted yet keys, logs and records: a column each, so that
        little of them is looked at again."""

    def add(self, key: ConversationKey, bot: str, notes: KeptNotes) -> int:
        """Take a conversation; return how many are not counted yet."""
        keys, logs, records = self._waiting
        keys.append(key)
        logs.append((notes.sources[0], bot))
        records.append(notes.records)
        return len(records)

    def count(self, share: int) -> tuple[dict[int, EventNote], int]:
        """Count one in `2 ** share` of the conversations that were taken.

        Returns what each counts for, by the hash of its name, and how many events there were.
        """
        keys, logs, records = self._waiting
        names = [hash_of(*key) for key in keys]
        levels = list(map(level_of, names))
        if share:
            is_counted = [level >= share for level in levels]
            names, levels = [*compress(names, is_counted)], [*compress(levels, is_counted)]
            logs, records = [*compress(logs, is_counted)], [*compress(records, is_counted)]
        begins = {log: self._beginning(*log) for log in set(logs)}
        contexts = map(begins.__getitem__, logs)
        moments = [NO_MINUTE << LEVEL_BITS | level for level in levels]
        lasts, events = self._counter.count(records, contexts, moments, self._step)
        wholes = {each: self._found(each)[1] for each in set(lasts)}
        of_names = dict(zip(names, map(wholes.__getitem__, lasts), strict=True))
        for waiting in self._waiting:
            waiting.clear()
        return of_names, events

    def counted(self) -> Iterator[tuple[Place, Sequence[int]]]:
        """Yield what was counted, and when."""
        for place, number in self._places.items():
            yield place, self._counter.moments(number)

    def _beginning(self, source: str, bot: str) -> int:
        """Return the context that conversations of a log and a bot begin in."""
        return self._context(_Root(source, bot, CONVERSATION), beginning(CONVERSATION))

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
