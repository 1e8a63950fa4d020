"""A replayer that shares one log with others of its kind, each of which reads a part of it.

A part is read as if the log began there, so what is made of a conversation that had begun before is
wrong.  It decides what of a part counts: the conversations that no part before it knows.  The lines
of the others are judged again by the one who knows how they began, and that is all the difference.

House rules: whoever reads a part notes of every line whose it is, as a hash; parts are put together
in the order of the log, and all that is kept stands in the order in which one process would have
found it.  It refuses to know files and processes.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from segue.conversation import Report
from segue.engine import State, dump, load, move
from segue.events import Delivery, Facts
from segue.logs.options import ReplayOptions
from segue.logs.replayer import Replayer

__all__ = ["Note", "Outcome", "Tracer"]

T = TypeVar("T")

Note: TypeAlias = Callable[[Sequence[bytes], list[int]], object]
"""Takes lines, and whose each of them is, as a hash."""

_NOBODY: Final = 0


class Outcome(NamedTuple):
    """What stays of a part when its reports have been made."""

    lines: tuple[int, ...]
    """How many there are, of each log."""
    ended: dict[str, bytes]
    """Tombstones."""
    open: dict[str, bytes]
    """Snapshots."""
    late: list[tuple[int, str, bytes]]
    """Where in the part it was late first; the conversation, and its snapshot."""
    pasts: dict[str, list[tuple[int, str]]]
    hashes: "array[int]"
    """Of the conversations that ended, then of those still open."""

    def known(self, knows: Callable[[str], bool]) -> dict[str, int]:
        """Return the conversations somebody knows, with their hashes."""
        identities = zip((*self.ended, *self.open), self.hashes, strict=True)
        return {identity: code for identity, code in identities if knows(identity)}


class Tracer(Replayer):
    """Takes parts of a log: by reading them, or from somebody who has read them."""

    __slots__ = ("_lates", "_note", "before", "count", "line")

    def __init__(self, options: ReplayOptions, note: Note | None = None) -> None:
        super().__init__(options)
        self._note = note
        self._lates: list[tuple[int, str]] = []
        """Conversations first late in this part, and where."""
        self.before = 0
        """How many lines the part has before the present log."""
        self.count = 0
        """How many lines have been read since `begin`."""
        self.line = 0
        """Line of the latest report, within its log."""

    def knows(self, identity: str) -> bool:
        """Whether there has been anything of a conversation."""
        return identity in self._open or identity in self._ended

    def outcome(self, lines: tuple[int, ...]) -> Outcome:
        """Return what stays of a part that was read; reading on makes no sense."""
        return Outcome(
            lines,
            self._ended,
            {identity: dump(state) for identity, state in self._open.items()},
            [(at, identity, dump(self._late[identity])) for at, identity in self._lates],
            self._pasts,
            array("q", map(hash, (*self._ended, *self._open))),
        )

    def again(
        self, lines: Iterable[tuple[int, bytes]], crossing: Collection[str]
    ) -> Iterator[Report]:
        """Take those of some lines that are of these conversations."""
        for line, raw in lines:
            [read] = super()._look((raw,), (line,))
            if read is not None and _whose(read) in crossing:
                yield from self._judge((raw,), (line,), (read,))

    def take_over(self, outcome: Outcome, crossing: Collection[str], lines: int) -> None:
        """Take what stays of a part, but for some conversations.

        `lines` is how many its log has before it.
        """
        self._ended |= _without(outcome.ended, crossing)
        for identity, snapshot in _without(outcome.open, crossing).items():
            self._open[identity] = _loaded(snapshot, lines)
        self._pasts |= _without(outcome.pasts, crossing)
        lates = [(at, identity, self._late.pop(identity)) for at, identity in self._lates]
        lates += [
            (at, identity, _loaded(snapshot, lines))
            for at, identity, snapshot in outcome.late
            if identity not in crossing
        ]
        self._late |= {identity: state for _, identity, state in sorted(lates, key=_place)}
        self._lates.clear()

    def begin(self) -> None:
        """Count lines from here, and late conversations."""
        self.count = 0
        self._lates.clear()

    def _look(
        self, batch: Sequence[object], numbers: Sequence[int | None]
    ) -> list[Facts | Delivery | None]:
        reads = super()._look(batch, numbers)
        self.count += len(batch)
        if self._note is not None:
            whose = [
                hash(read[0])
                if type(read) is tuple
                else _NOBODY
                if read is None
                else hash(_whose(read))
                for read in reads
            ]
            self._note(batch, whose)  # type: ignore[arg-type]  # parts are bytes
        return reads

    def _end(self, identity: str, state: State) -> Report:
        last = state.trail.last(state.known)  # an END is in the trail
        self.line = 0 if last is None else last.line or 0
        return super()._end(identity, state)

    def _stray(self, delivery: Delivery) -> Report | None:
        self.line = delivery.line or 0
        return super()._stray(delivery)

    def _feed_late(self, identity: str, delivery: Delivery) -> None:
        is_first = identity not in self._late
        super()._feed_late(identity, delivery)
        if is_first and identity in self._late:
            self._lates.append((self.before + (delivery.line or 0), identity))


def _whose(read: Facts | Delivery) -> str | None:
    return read.conversation_id if isinstance(read, Delivery) else read[0]


def _place(late: tuple[int, str, State]) -> int:
    return late[0]


def _without(values: dict[str, T], some: Collection[str]) -> dict[str, T]:
    return {key: value for key, value in values.items() if key not in some} if some else values


def _loaded(snapshot: bytes, lines: int) -> State:
    state = load(snapshot)
    if lines:
        move(state, lines)
    return state
