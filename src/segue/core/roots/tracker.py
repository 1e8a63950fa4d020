"""Which errors of a conversation are mistakes of their own: what is remembered to tell it.

Of a conversation without errors its latest events are kept, as eight bytes each.  The search begins
at an error behind the first one, and is forgotten when its delivery has been applied.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, Final
from zlib import crc32

from segue.core.events import EventKind
from segue.core.findings import Place, Root
from segue.core.lifecycle import Presence, is_possible, transition
from segue.core.roots.graph import agent_of, coded, kind_of
from segue.core.roots.search import Search, Step

LOOK_BACK: Final = 256
"""The search looks back over so many lifecycle events at least."""
_AT_ONCE: Final = 32
"""So many older ones are taken as true together."""
_STEP: Final = Struct("<II")
"""An event between two bits, see `_REPEAT`, and a checksum of its value."""
_REPEAT, _BEFORE_MESSAGE = 1, 1 << 31
"""It was reported as SG601; a message came behind it."""
_LONGEST: Final = (LOOK_BACK + _AT_ONCE) * _STEP.size
MOST_STEPS: Final = _LONGEST - _STEP.size
"""So many bytes of packed events a tracker can begin with."""
_PENDING: Final = 4
"""So many exits that may still come are remembered of events that are taken as true."""
_CONSULTANTS: Final = 64
"""So many consultants of events that are taken as true are still there."""
LATE_MARKS: Final = 4
"""So many agents are remembered whose late events an earlier mistake would explain."""
_AGENT: Final = 0xFF00
"""The bits of a mark that stand for its agent."""
_ANYBODY_ELSE: Final = 0xFF00
"""The agent of a mark that is about every agent who has none."""
_TRANSFERS: Final = tuple(kind for kind in EventKind if kind.is_entry or kind.is_exit)
_OTHERS: Final = frozenset({EventKind.SUMMARY, EventKind.END, EventKind.UNPROCESSABLE})


class RootTracker:
    """What is known of the errors of one conversation. Mutable."""

    __slots__ = ("_base", "_resting", "_root_at", "_search", "_steps", "late", "root")

    def __init__(self, base: Presence, steps: bytes = b"") -> None:
        """Begin with a presence, and the events since it as `packed_step` returns them."""
        self.root: Root | None = None
        """What the next error follows unless it is a mistake of its own."""
        self.late: tuple[int, ...] | None = None
        """The marks of events that, after the end, follow `root`; None if any event does.

        Each is 8 bits that stand for an agent, or for anybody else, and a bit for each kind of its
        events.  Only the first event after the end is judged.
        """
        self._base = base
        """The presence before the first event that is kept."""
        self._steps = steps
        self._root_at = 0
        """How many of the events that are kept the latest mistake came with."""
        self._resting = 0
        """What so many more events lead to follows the latest mistake, and is not searched."""
        self._search: Search | None = None

    def add(self, step: bytes) -> None:
        """Add a lifecycle event, as `packed_step` returns it."""
        if self._resting:
            self._resting -= 1
            self._believe(_STEP.unpack(step)[0])
            return
        self._steps += step
        if len(self._steps) >= _LONGEST:
            self._shorten()
        elif self._search is not None:
            self._search.add(_step(*_STEP.unpack(step)))

    def add_message(self) -> None:
        """Add a message: the conversation cannot have ended before it."""
        if self._steps:
            code, value = _STEP.unpack(self._steps[-_STEP.size :])
            if not code & _BEFORE_MESSAGE:
                step = _STEP.pack(code | _BEFORE_MESSAGE, value)
                self._steps = self._steps[: -_STEP.size] + step
                self.rest()

    def add_unreadable(self, root: Root, events: int = 1) -> None:
        """Add events of which only this finding is known: each may have been any, or none."""
        for _ in range(events):
            self.add(packed_step(EventKind.UNPROCESSABLE, None, 0))
        self.root = root

    def follows(self, error: Root, believed: Presence) -> Root | None:
        """Return what explains an error of the latest event; None if it is a mistake of its own.

        Where the search has taken too much, what the next events lead to follows as well, and
        then it begins anew with what is believed.
        """
        root = self._judged(
            error, lambda search: search.reaches(self._count, search.least(self._root_at))
        )
        if self._search is not None and self._search.is_exhausted:
            self._base, self._steps, self._root_at = believed, b"", 0
            self._resting = LOOK_BACK
            self.rest()
        return root

    def follows_at_close(self, error: Root) -> Root | None:
        """Return what explains the first error of the close of a log; None if nothing does.

        To put the end in is always one more edit, so only an event that could not be read may
        have been it.
        """
        root = self._judged(error, self._may_have_ended)
        self.rest()
        return root

    def _may_have_ended(self, search: Search) -> bool:
        return search.has_unreadable and bool(
            search.ended(self._count, search.least(self._root_at))
        )

    def follows_after_end(self, error: Root, kind: EventKind, agent: str) -> Root | None:
        """Return what explains an error after the end; None if it is a mistake of its own."""
        late, self.late = self.late, None
        if self.root is None or (late is not None and not _is_marked(late, kind, agent)):
            self.root = error
            return None
        return self.root

    def _judged(self, error: Root, is_explained: Callable[[Search], bool]) -> Root | None:
        if self._resting:
            return self.root
        if self.root is not None:
            search = self._searched()
            if search.is_exhausted or is_explained(search) or search.is_exhausted:
                return self.root
        self.root, self._root_at = error, self._count
        return None

    def end(self, names: Sequence[str], *, is_error: bool) -> None:
        """Forget the events but for what the first error after the end is judged by.

        Args:
            names: The agents by number.
            is_error: Whether the end itself is an error; it explains what comes after it.

        """
        if self.root is not None and not is_error:
            self.late = self._late_marks(names)
        self.rest()
        self._steps = b""

    def _late_marks(self, names: Sequence[str]) -> tuple[int, ...] | None:
        """Return the marks of events that may come late, for they were put in before the end."""
        if self._resting:
            return None
        search = self._searched()
        moved = search.ended(self._count, search.least(self._root_at))
        if search.is_exhausted:
            return None
        marks, new = dict[int, int](), 0
        for code in {~code for moves in moved for code in moves if code < 0}:
            agent = agent_of(code)
            if agent is not None and agent < len(names):
                marks[agent] = marks.get(agent, 0) | _bit(kind_of(code))
            elif agent is not None:
                new |= _bit(kind_of(code))
        if new and len(names) < LATE_MARKS:  # an agent not named yet may be its agent
            known = [_agent_mark(name) | marks.get(agent, 0) for agent, name in enumerate(names)]
            return (*known, _ANYBODY_ELSE | new)
        latest = sorted(marks, reverse=True)[:LATE_MARKS]
        return tuple([_agent_mark(names[agent]) | marks[agent] for agent in latest])

    def rest(self) -> None:
        """Forget the search."""
        if self._search is not None:
            self._search.close()
            self._search = None

    @property
    def _count(self) -> int:
        return len(self._steps) // _STEP.size

    def _searched(self) -> Search:
        if self._search is None:
            steps = [_step(code, value) for code, value in _STEP.iter_unpack(self._steps)]
            self._search = Search(_recent(self._base), steps)
        return self._search

    def _shorten(self) -> None:
        """Take the oldest events as true."""
        self.rest()
        old = _AT_ONCE * _STEP.size
        for code, _ in _STEP.iter_unpack(self._steps[:old]):
            self._believe(code)
        self._steps = self._steps[old:]
        self._root_at = max(0, self._root_at - _AT_ONCE)

    def _believe(self, code: int) -> None:
        """Take an event as true that comes before those that are kept."""
        event, is_repeat, _ = _flags(code)
        kind = kind_of(event)
        if not is_repeat and kind is not EventKind.UNPROCESSABLE:
            self._base, _ = transition(_recent(self._base), kind, agent_of(event))

    def is_consistent(self, agents: int, *, has_ended: bool) -> bool:
        """Return whether what was loaded is of a conversation of so many agents."""
        return (
            is_possible(self._base)
            and self._base.agents <= agents
            and are_steps(self._steps, agents)
            and len(self._steps) < _LONGEST
            and (has_ended or self._root_at <= self._count)
        )

    def to_json(self) -> dict[str, Any]:
        """Return what is remembered as JSON."""
        root = self.root
        return {
            "base": self._base._asdict(),
            "steps": b64encode(self._steps).decode(),
            "root": root and [root.code, root.place.event, root.place.line, root.place.source],
            "root_at": self._root_at,
            "resting": self._resting,
            "late": self.late,
        }

    def load(self, value: Mapping[str, Any]) -> None:
        """Restore what `to_json` returned."""
        self._base = Presence.from_json(value["base"])
        self._steps = b64decode(value["steps"], validate=True)
        if value["root"] is not None:
            code, event, line, source = value["root"]
            self.root = Root(code, Place(event, None, "", line, source))
        self._root_at = value["root_at"]
        self._resting = value["resting"]
        self.late = None if value["late"] is None else tuple(value["late"])


def are_steps(steps: bytes, agents: int) -> bool:
    """Return whether these are events of so many agents as `packed_step` returns them."""
    if len(steps) % _STEP.size:
        return False
    codes = [_flags(code)[0] for code, _ in _STEP.iter_unpack(steps)]
    return all(_is_step(code, agents) for code in codes)


def _is_step(code: int, agents: int) -> bool:
    kind, agent = kind_of(code), agent_of(code)
    if kind in _TRANSFERS:
        return agent is not None and agent < agents
    return agent is None and kind in _OTHERS


def packed_step(
    kind: EventKind, agent: int | None, checksum: int, *, is_repeat: bool = False
) -> bytes:
    """Return a lifecycle event as a tracker takes it.

    Args:
        kind: Its kind.
        agent: The number of its agent.
        checksum: Of the event; the same for equal events.
        is_repeat: Whether it was reported as SG601.

    """
    return _STEP.pack(coded(kind, agent) << 1 | is_repeat, checksum)


def _recent(presence: Presence) -> Presence:
    """Return a presence that remembers a few of those who have left, and not too many present."""
    return presence._replace(
        consultants=presence.consultants[-_CONSULTANTS:],
        pending_exits=presence.pending_exits[-_PENDING:],
        consulted=presence.consulted[-_PENDING:],
    )


def _is_marked(marks: Sequence[int], kind: EventKind, agent: str) -> bool:
    """Whether an event is among those that are remembered."""
    bits: dict[int, int] = {}
    for mark in marks:
        bits[mark & _AGENT] = bits.get(mark & _AGENT, 0) | mark & ~_AGENT
    found = bits.get(_agent_mark(agent), bits.get(_ANYBODY_ELSE, 0))
    return kind in _TRANSFERS and bool(found & _bit(kind))


def _bit(kind: EventKind) -> int:
    return 1 << _TRANSFERS.index(kind)


def _agent_mark(agent: str) -> int:
    """Return 8 bits that stand for an agent, in any letter case, above those of its events."""
    checksum = crc32(agent.casefold().encode("utf-8", "surrogatepass")) & _AGENT
    return 0 if checksum == _ANYBODY_ELSE else checksum


def _step(code: int, value: int) -> Step:
    event, is_repeat, is_before_message = _flags(code)
    return Step(event, value, is_repeat, is_before_message)


def _flags(code: int) -> tuple[int, bool, bool]:
    """Return an event, and whether either bit is set."""
    return (code & ~_BEFORE_MESSAGE) >> 1, bool(code & _REPEAT), bool(code & _BEFORE_MESSAGE)
