"""A conversation as it was told: its events by number, and what the check says of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from segue.core.engine.entries import Entry
from segue.core.events import EventKind, json_text
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle import MESSAGES, Phase, Presence, can_repeat, transition

Symbol: TypeAlias = int
"""A kind of event and an agent as one number, see `symbol`."""

KINDS: Final = tuple(EventKind)
_NUMBERS: Final = {kind: number for number, kind in enumerate(KINDS)}
_BITS: Final = 4
NO_AGENT: Final = -1

END: Final = _NUMBERS[EventKind.END]
"""The symbol of END_OF_CONVERSATION."""
SUMMARY: Final = _NUMBERS[EventKind.SUMMARY]

_ORDERED: Final = {code: rule for code, rule in BY_CODE.items() if rule.family in (1, 2)}
ERRORS: Final = frozenset(c for c, rule in _ORDERED.items() if rule.severity is Severity.ERROR)
"""The errors of families 1 and 2, which edits explain."""
WARNINGS: Final = frozenset(c for c, rule in _ORDERED.items() if rule.severity is Severity.WARNING)
"""The warnings of families 1 and 2."""


def symbol(kind: EventKind, agent: int = NO_AGENT) -> Symbol:
    """Return the number of an event: its agent plus 1, then four bits for its kind."""
    return (agent + 1) << _BITS | _NUMBERS[kind]


def kind_of(what: Symbol) -> EventKind:
    """Return the kind of event of a symbol."""
    return KINDS[what & 15]


def agent_of(what: Symbol) -> int:
    """Return the number of the agent of a symbol, or `NO_AGENT`."""
    return (what >> _BITS) - 1


class ToldEvent(NamedTuple):
    """One event as it was told."""

    kind: EventKind
    agent: int
    """The number of the agent in order of appearance, or `NO_AGENT`."""
    what: Symbol
    delivery: int
    """Equal for events of the same delivery."""
    same: int
    """Equal for events that are the same. 0 for an event that equals no other."""
    at: datetime | None
    position: int
    """The position in the conversation."""
    size: int = 1
    """The number of messages of a run, otherwise 1. Messages of others may be between them."""
    told: int | None = None
    """The index in the conversation as told, or None for an event that was put in."""
    last: int = 0
    """The position of the last message of a run, otherwise `position`."""
    turn: int | None = None
    """The turn of the edit that put the event in, otherwise None."""

    @property
    def is_transfer(self) -> bool:
        """Whether an agent enters or leaves."""
        return self.kind.is_entry or self.kind.is_exit

    @property
    def is_message(self) -> bool:
        """Whether the event is a message."""
        return self.kind in MESSAGES


class Said(NamedTuple):
    """A finding of families 1 and 2 about the conversation as told."""

    event: int | None
    """The index of the event as told, or None for a finding of the close."""
    code: str


def told_events(entries: Iterable[Entry]) -> tuple[list[ToldEvent], list[str]]:
    """Return the events that can matter for an explanation, and the identities of the agents.

    Messages of customers before END_OF_CONVERSATION are left out. All messages of an agent between
    two lifecycle events are one run, at the place of the first.
    """
    names: dict[str, int] = {}
    alike = _Alike()
    events: list[ToldEvent] = []
    wrote: dict[str, int] = {}
    has_ended = False
    for entry in entries:
        kind, agent = entry.kind, NO_AGENT
        if kind is EventKind.AGENT_MESSAGE and not entry.agent:
            kind = EventKind.MESSAGE
        if entry.agent and (kind is EventKind.AGENT_MESSAGE or kind.transfer_type):
            agent = names.setdefault(entry.agent, len(names))
        if kind not in MESSAGES:
            wrote.clear()
        elif not has_ended:
            if kind is not EventKind.AGENT_MESSAGE:
                continue
            if entry.agent in wrote:
                run = events[wrote[entry.agent]]
                size, last = run.size + entry.count, entry.position + entry.count - 1
                events[wrote[entry.agent]] = run._replace(size=size, last=last)
                continue
            wrote[entry.agent] = len(events)
        has_ended = has_ended or kind is EventKind.END
        is_compared = kind not in MESSAGES and kind is not EventKind.UNPROCESSABLE
        same = alike.number(entry) if is_compared else 0
        events.append(
            ToldEvent(
                kind,
                agent,
                symbol(kind, agent),
                entry.delivery,
                same,
                entry.received_at,
                entry.position,
                entry.count,
                len(events),
                entry.position + entry.count - 1,
            )
        )
    unique = alike.unique
    return [e._replace(same=0) if e.same in unique else e for e in events], list(names)


class _Alike:
    """Numbers of lifecycle events, equal for events that are the same."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._counts: list[int] = [0]
        self._latest = 0

    def number(self, entry: Entry) -> int:
        """Return the number of an event. A repeat has the number of the event before it.

        Entries lack some fields of events. So an entry that equals the one before it, and is not a
        repeat, has a number of its own. A summary has no details, and so equals no other.
        """
        if not (entry.is_repeat and self._latest):
            key, known = (entry.kind, entry.agent, json_text(entry.details)), 0
            if entry.agent and entry.details is not None:
                known = self._numbers.get(key, 0)
            if not known or known == self._latest:
                known = len(self._counts)
                self._counts.append(0)
            self._numbers[key] = self._latest = known
        self._counts[self._latest] += 1
        return self._latest

    @property
    def unique(self) -> frozenset[int]:
        """The numbers of events that equal no other."""
        return frozenset(number for number, count in enumerate(self._counts) if count == 1)


def first_presence(events: Sequence[ToldEvent], *, begins_late: bool) -> Presence:
    """Return the presence before the first event.

    If the log begins late, every agent who is first seen leaving was there: the first of them who
    leaves as a primary is the primary, whom no event has named yet, and the others consult. An
    agent who is first seen in a later redial may have consulted before.
    """
    if not begins_late:
        return Presence()
    seen: set[int] = set()
    guests: list[int] = []
    consulted: list[int] = []
    has_primary = False
    for event in events:
        if event.is_transfer and event.agent not in seen:
            if event.kind is EventKind.REDIAL_ENTRY and seen:
                consulted.append(event.agent)
            seen.add(event.agent)
            if event.kind is EventKind.WARM_EXIT or (event.kind.is_exit and has_primary):
                guests.append(event.agent)
            has_primary = has_primary or event.kind.is_exit
    start = Presence.truncated_start()._replace(begins_late=False, consulted=tuple(consulted))
    if not guests:
        return start
    return start._replace(phase=Phase.CONSULTING, consultants=tuple(guests), agents=1)


class Checkpoint(NamedTuple):
    """What the check knows between two events."""

    presence: Presence
    previous: int = 0
    """`ToldEvent.same` of the last lifecycle event."""
    absent: frozenset[int] = frozenset()
    """The agents whose message in their absence has been reported."""


def judged(event: ToldEvent, mark: Checkpoint) -> tuple[Checkpoint, str | None]:
    """Return what the check knows after an event, and the rule that reports the event or None."""
    kind, (before, previous, absent) = event.kind, mark
    if kind is EventKind.UNPROCESSABLE:
        return mark, None
    agent = None if event.agent == NO_AGENT else event.agent
    after, decision = transition(before, kind, agent)
    code = decision.reported_code
    if kind in MESSAGES:
        if code == "SG205":
            code, absent = (
                (None, absent) if event.agent in absent else (code, absent | {event.agent})
            )
        return Checkpoint(after, previous, absent), code
    if code and event.same and event.same == previous and can_repeat(decision):
        return mark, "SG601"
    if kind.is_entry:
        absent -= {event.agent}
    if before.phase is Phase.ENDED:
        return Checkpoint(after, previous, absent), code
    return Checkpoint(after, event.same, absent), code


def closing(mark: Checkpoint, *, is_open: bool) -> tuple[str, ...]:
    """Return the rules that report the close of the log, in order."""
    if is_open or mark.presence.phase is Phase.ENDED:
        return ()
    _, decision = transition(mark.presence, EventKind.CLOSE, None)
    code = decision.reported_code
    return ("SG108",) if code is None else (code, "SG108")


class Verdict(NamedTuple):
    """The check of a conversation as told."""

    marks: tuple[Checkpoint, ...]
    """What the check knows before the first event, and after each."""
    said: tuple[Said, ...]
    """All findings of families 1 and 2 and of SG601, in order."""
    repeats: frozenset[int]
    """The indices of events reported by SG601."""
    absent: frozenset[int]
    """The indices of messages from absent agents, including those that were not reported again."""
    notes: frozenset[tuple[int | None, str]]
    """Pairs of the index of an event and the note about it."""

    @property
    def errors(self) -> list[Said]:
        """The errors."""
        return [each for each in self.said if each.code in ERRORS]


def checked(events: Sequence[ToldEvent], start: Presence, *, is_open: bool) -> Verdict:
    """Check a conversation as told."""
    marks, said = [Checkpoint(start)], list[Said]()
    absent: set[int] = set()
    for index, event in enumerate(events):
        mark, code = judged(event, marks[-1])
        if event.kind is EventKind.AGENT_MESSAGE and _is_absent(event, marks[-1].presence):
            absent.add(index)
        marks.append(mark)
        if code is not None:
            said.append(Said(index, code))
    said += [Said(None, code) for code in closing(marks[-1], is_open=is_open)]
    repeats = frozenset(e.event for e in said if e.code == "SG601" and e.event is not None)
    notes = frozenset(e for e in said if e.code not in ERRORS | WARNINGS | {"SG601"})
    return Verdict(tuple(marks), tuple(said), repeats, frozenset(absent), notes)


def _is_absent(event: ToldEvent, presence: Presence) -> bool:
    if presence.phase is Phase.ENDED:
        return True
    return transition(presence, event.kind, event.agent)[1].reported_code == "SG205"


def counted(codes: Mapping[int | None, Sequence[str]]) -> Iterator[Said]:
    """Yield findings from rules by the index of their event."""
    for index, found in codes.items():
        for code in found:
            yield Said(index, code)
