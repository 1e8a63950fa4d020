"""The explanation of a conversation: the least edits after which it has no error.

`explain` is computed from the entries and the findings of a conversation when somebody asks. It
stores nothing, and it may change when more events come.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Final, Literal, NamedTuple, TypeAlias

from segue.core.engine.entries import Entry
from segue.core.engine.state import Partial
from segue.core.events import EventKind
from segue.core.explain.assignment import Assigner
from segue.core.explain.changes import Change, Script, applied
from segue.core.explain.costs import WARNING, EditKind
from segue.core.explain.edits import Alternative, Edit, Mistake
from segue.core.explain.search import Account, find, single_edits
from segue.core.explain.sentences import Wording
from segue.core.explain.steps import steps_for
from segue.core.explain.told import (
    ERRORS,
    NO_AGENT,
    WARNINGS,
    Mark,
    Said,
    ToldEvent,
    agent_of,
    checked,
    first_presence,
    judged,
    kind_of,
    told_events,
)
from segue.core.explain.ways import Story
from segue.core.findings import Finding, Severity
from segue.core.lifecycle import Phase, Presence

BUDGET: Final = 2_000_000
"""The maximum number of events that the explanation of a conversation of a log judges."""
LIVE_BUDGET: Final = 10_000
"""The same for a conversation that is going on."""

Completeness: TypeAlias = Literal["complete", "untraced"]
_ALTERNATIVES: Final = 3
_CALM: Final = 8
_LOOK_BACK: Final = 32
_SHAPE: Final = 5
_REPEATED: Final = "SG601"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What went wrong in a conversation."""

    completeness: Completeness
    """`untraced` if the search for edits ended before everything was explained."""
    mistakes: tuple[Mistake, ...]
    """The mistakes in the order of events."""
    untraced: tuple[Finding, ...]
    """The errors that the search did not explain."""
    free: tuple[Edit, ...] = ()
    """Edits that cost nothing: repeats (SG601) to leave out, which would no longer be repeats."""
    spent: int = field(default=0, compare=False)
    """The number of events judged."""


NOTHING: Final = Explanation("complete", (), ())
"""The explanation of a conversation without errors."""


def explain(
    entries: Iterable[Entry],
    findings: Sequence[Finding],
    *,
    partial: Partial = None,
    is_open: bool = False,
    is_late: bool = False,
    bot: str | None = None,
    budget: int = BUDGET,
) -> Explanation:
    """Explain the findings of a conversation.

    Args:
        entries: The past of the conversation.
        findings: All its findings, whatever the policy.
        partial: The ends that the log lacks.
        is_open: Whether the conversation may go on.
        is_late: Whether the entries are those after END_OF_CONVERSATION only.
        bot: The id of its bot.
        budget: The maximum number of events that are judged.

    """
    whole = list(entries)
    past = _Past(whole, findings, bot)
    drafts: list[_Draft] = []
    account = None
    if any(finding.code in ERRORS for finding in findings):
        events, names = told_events(whole)
        start = first_presence(events, begins_late=partial in {"start", "both"})
        if is_late:
            start = Presence(phase=Phase.ENDED)
        is_open = is_open or partial in {"end", "both"}
        account = _Account(events, names, start, is_open=is_open, budget=budget)
        drafts = [past.ordered(account, each) for each in account.groups()]
        past.add_freed(account)
    drafts += past.others()
    drafts.sort(key=lambda each: (each.event is None, each.event or 0))
    mistakes = tuple(each.mistake(number) for number, each in enumerate(drafts, start=1))
    untraced = past.untraced()
    is_whole = account is None or not (account.gaps or untraced)
    spent = 0 if account is None else account.spent
    free = () if account is None else tuple(_edit(each, account) for each in account.repeats)
    return Explanation("complete" if is_whole else "untraced", mistakes, untraced, free, spent)


class _Group(NamedTuple):
    """The edits of one mistake, and the findings that they remove."""

    changes: tuple[Change, ...]
    said: tuple[Said, ...]
    alternatives: tuple[Change, ...]


class _Account:
    """The edits that explain a conversation, with what belongs to each."""

    def __init__(
        self,
        events: Sequence[ToldEvent],
        names: Sequence[str],
        start: Presence,
        *,
        is_open: bool,
        budget: int,
    ) -> None:
        self.events, self.names = events, names
        self._is_open, self._budget = is_open, budget
        self.verdict = checked(events, start, is_open=self._is_open)
        redialing = frozenset(
            event.agent for event in events if event.kind is EventKind.REDIAL_ENTRY
        )
        self._steps = steps_for(redialing)
        self._story = self._told(events, start)
        self._start = start
        self._found = self._stopped() or find(self._story, budget)
        self.gaps = self._found.gaps
        changes = self._found.script.changes
        self.repeats = self._repeats(start)
        free = [*self._found.script.read, *self.repeats]
        assigner = Assigner(events, self.verdict, free, is_open=self._is_open)
        self.freed, *self._said = assigner.assign(changes)
        self.left = assigner.left
        self.spent = len(events) + self._story.spent + assigner.spent

    def _told(
        self,
        events: Sequence[ToldEvent],
        start: Presence,
        *,
        is_open: bool | None = None,
        until: int | None = None,
    ) -> Story:
        return Story(
            events,
            start,
            self.verdict,
            self._steps,
            is_open=self._is_open if is_open is None else is_open,
            fresh=len(self.names),
            until=until,
        )

    def _stopped(self) -> Account | None:
        """Return the edits of a conversation that stops, if nothing else is wrong with it."""
        if any(said.event is not None for said in self.verdict.errors):
            return None
        place = self._steps.number(self.verdict.marks[-1].presence)
        tail = self._story.tail(place)
        if tail is None:
            return None
        whats, _, _ = tail
        count = len(self.events)
        changes = [
            Change(EditKind.LOST, None, 1, count, what, turn) for turn, what in enumerate(whats)
        ]
        return Account(Script(tuple(changes), ()), 0, (), ())

    def _repeats(self, start: Presence) -> list[Change]:
        """Return the repeats that must be left out, because they would be no repeats any more."""
        script, found, mark = self._found.script, list[Change](), Mark(start)
        for event in applied(self.events, [*script.changes, *script.read]):
            after, code = judged(event, mark)
            if event.told in self.verdict.repeats and code in ERRORS | WARNINGS:
                assert event.told is not None
                found.append(Change(EditKind.SURPLUS, event.told, 1, event.told, event.what))
            else:
                mark = after
        return found

    @property
    def stops(self) -> bool:
        """Whether no END was told although the log is whole."""
        return self._story.stops

    @property
    def budget_left(self) -> int:
        """The number of events that may still be judged."""
        return max(self._budget - self.spent, 0)

    def part(
        self, stream: Sequence[ToldEvent], start: Presence | None, end: Presence | None
    ) -> Story:
        """Return a stretch of the conversation, between two presences if they are known."""
        is_open = self._is_open or end is not None
        until = None if end is None else self._steps.number(end)
        return self._told(stream, start or self._start, is_open=is_open, until=until)

    def groups(self) -> Iterator[_Group]:
        """Yield the mistakes."""
        count, tail, tail_said = len(self.events), list[Change](), list[Said]()
        changes = self._found.script.changes
        options = self._options(changes)
        for change, said in zip(changes, self._said, strict=True):
            if self._story.stops and change.at is None and change.to == count:
                tail.append(change)
                tail_said += said
            else:
                yield _Group((change,), said, options(change))
        if tail:
            yield _Group(tuple(tail), tuple(tail_said), ())

    def _options(self, changes: Sequence[Change]) -> Callable[[Change], tuple[Change, ...]]:
        """Return a function that returns the other edits that explain a mistake as well."""
        singles = self._found.singles
        if len(changes) == 1:
            return lambda change: tuple(e for e in singles if e != change)[:_ALTERNATIVES]
        cuts = None if self.gaps else _Cuts(self, changes)
        last: list[Change] = []

        def options(change: Change) -> tuple[Change, ...]:
            alike = last and _is_exchangeable(last[-1], change)
            last.append(change)
            if cuts is None or alike or self.spent > self._budget:
                return ()
            return cuts.around(change)

        return options


def _is_exchangeable(one: Change, other: Change) -> bool:
    """Return whether two edits differ only in the agent who enters or leaves at one place."""
    is_lost = one.at is None and other.at is None
    return is_lost and one.to == other.to and kind_of(one.what) is kind_of(other.what)


class _Cuts:
    """Stretches of a conversation in which one mistake can be looked at by itself."""

    def __init__(self, account: _Account, changes: Sequence[Change]) -> None:
        self._account, self._changes = account, changes
        events = account.events
        bridged: set[int] = set()
        for change in changes:
            bridged.update(range(change.begin + 1, change.end + 1))
        self._free = [at for at in range(len(events) + 1) if at not in bridged]
        self._before: dict[int, Presence] = {}
        mark = account.verdict.marks[0]
        for event in applied(events, changes):
            if event.told is not None:
                self._before.setdefault(event.told, mark.presence)
            mark, _ = judged(event, mark)
            account.spent += 1

    def around(self, change: Change) -> tuple[Change, ...]:
        """Return the single edits that explain what a change explains, but for it."""
        account, free, before = self._account, self._free, self._before
        count = len(account.events)
        at = bisect_left(free, max(change.begin - _LOOK_BACK, 0))
        low = next((each for each in free[at::-1] if each in before), 0)
        at = bisect_left(free, change.end + _CALM)
        high = next((each for each in free[at:] if each in before), count)
        others = [
            each
            for each in self._changes
            if each is not change and each.end >= low and each.begin <= high
        ]
        stream = list(applied(account.events[:high], [e for e in others if e.to <= high], low))
        story = account.part(stream, before.get(low), before.get(high) if high < count else None)
        singles = single_edits(story, account.budget_left) or []
        account.spent += story.spent
        found = []
        for single in singles:
            if single.cost // WARNING != singles[0].cost // WARNING:
                break
            told = _as_told(single.script.changes[0], stream, high)
            if told is not None and told._replace(turn=change.turn) != change:
                found.append(told)
        return tuple(found[:_ALTERNATIVES])


def _as_told(change: Change, stream: Sequence[ToldEvent], high: int) -> Change | None:
    """Return an edit of an edited stream as an edit of the conversation as told."""
    following = [event.told for event in stream[change.to :] if event.told is not None]
    to = following[0] if following else high
    if change.at is None:
        return change._replace(to=to)
    index = stream[change.at].told
    if index is None:
        return None
    is_moved = change.kind is EditKind.MOVED
    other = change.other
    if change.kind is EditKind.STAY_RENAMED and other is not None:
        other = stream[other].told
    return change._replace(at=index, to=to if is_moved else index, other=other)


@dataclass(slots=True)
class _Draft:
    """A mistake that has no number yet."""

    sentence: str
    fix: str
    edits: tuple[Edit, ...]
    findings: list[Finding]
    event: int | None
    at: datetime | None
    agent: str | None
    queue: str | None
    bot: str | None
    alternatives: tuple[Alternative, ...] = ()

    def mistake(self, number: int) -> Mistake:
        return Mistake(
            number,
            self.sentence,
            self.fix,
            self.edits,
            tuple(self.findings),
            self.event,
            self.at,
            self.agent,
            self.queue,
            self.bot,
            self.alternatives,
        )


class _Past:
    """The entries and findings of a conversation, while they are divided among mistakes."""

    def __init__(
        self, entries: Sequence[Entry], findings: Sequence[Finding], bot: str | None
    ) -> None:
        self._entries, self._findings, self._bot = entries, findings, bot
        self._at = {entry.position: number for number, entry in enumerate(entries)}
        self._places: dict[tuple[int | None, str], list[Finding]] = {}
        for finding in findings:
            if finding.rule.family in (1, 2):
                self._places.setdefault((finding.place.event, finding.code), []).append(finding)
        self._taken: list[Finding] = []
        self._freed: dict[int, list[Finding]] = {}

    def ordered(self, account: _Account, group: _Group) -> _Draft:
        """Return the mistake of some edits."""
        words = Wording(account.events, account.names)
        change = group.changes[0]
        if account.stops and change.at is None and change.to == len(account.events):
            sentence = words.stopped(group.changes)
            change = group.changes[-1]
        else:
            sentence = words.sentence(change)
        index = change.at
        place = change.to if index is None else index
        event = account.events[place] if place < len(account.events) else None
        told = None if index is None else account.events[index]
        number = agent_of(change.what)
        agent = account.names[number] if 0 <= number < len(account.names) else None
        if agent is None and told is not None and told.agent != NO_AGENT:
            agent = account.names[told.agent]
        position = None if event is None else event.position
        return _Draft(
            sentence,
            words.fix(change),
            tuple(_edit(each, account) for each in group.changes),
            self._found(account.events, group.said),
            position,
            self._time(position),
            agent,
            self._queue(agent, position),
            self._bot,
            tuple(
                Alternative(words.sentence(each), (_edit(each, account),))
                for each in group.alternatives
            ),
        )

    def add_freed(self, account: _Account) -> None:
        """Give the findings that free edits remove to the unreadable events."""
        unreadable = [e.position for e in account.events if e.kind is EventKind.UNPROCESSABLE]
        for finding in self._found(account.events, account.freed):
            event = finding.place.event
            before = [at for at in unreadable if event is None or at < event]
            self._freed.setdefault((before or unreadable or [0])[-1], []).append(finding)

    def others(self) -> Iterator[_Draft]:
        """Yield the mistakes that are not about order or presence."""
        errors = [
            finding
            for finding in self._findings
            if finding.severity is Severity.ERROR and finding.rule.family not in (1, 2)
        ]
        for _, group in groupby(errors, key=_mistake_of):
            found = list(group)
            first = found[0]
            event = first.place.event
            entry = None if event is None else self._entry(event)
            agent = (entry.agent or None) if entry is not None else None
            if event is not None:
                found += self._freed.pop(event, [])
            yield _Draft(
                first.message,
                first.help,
                (),
                found,
                event,
                self._time(event),
                agent,
                self._queue(agent, event),
                self._bot,
            )

    def untraced(self) -> tuple[Finding, ...]:
        """Return the errors of order and presence that belong to no mistake."""
        return tuple(
            finding
            for finding in self._findings
            if finding.code in ERRORS and not any(finding is each for each in self._taken)
        )

    def _found(self, events: Sequence[ToldEvent], said: Iterable[Said]) -> list[Finding]:
        found = []
        for index, code in said:
            place = None if index is None else events[index].position
            waiting = self._places.get((place, code))
            if waiting:
                found.append(waiting.pop(0))
        self._taken += found
        return found

    def _entry(self, position: int) -> Entry | None:
        number = self._at.get(position)
        return None if number is None else self._entries[number]

    def _time(self, position: int | None) -> datetime | None:
        if position is None:
            return self._entries[-1].received_at if self._entries else None
        entry = self._entry(position)
        return None if entry is None else entry.received_at

    def _queue(self, agent: str | None, position: int | None) -> str | None:
        """Return the queue of an agent, as the latest of its events up to a position has it."""
        found = None
        for entry in self._entries if agent is not None else ():
            if position is not None and entry.position > position and found is not None:
                break
            if entry.agent == agent and entry.details is not None:
                fields = entry.details.participant.get("customFields")
                queue = fields.get("queueId") if isinstance(fields, dict) else None
                found = queue if isinstance(queue, str) and queue else found
        return found


def _mistake_of(finding: Finding) -> tuple[object, ...]:
    """Return what is equal for consecutive errors that are one mistake."""
    place = finding.place
    if finding.rule.family == _SHAPE:
        return _SHAPE, place.event, place.action, place.line
    if finding.code == "SG401":
        return (finding.code,)
    return (id(finding),)


def _edit(change: Change, account: _Account) -> Edit:
    events, index = account.events, change.at
    agent = agent_of(change.what)
    named = account.names[agent] if 0 <= agent < len(account.names) else None
    before = events[change.to].position if change.to < len(events) else None
    if index is None:
        return Edit(change.kind, None, None, before, kind_of(change.what), named)
    last = events[index + change.size - 1]
    size = last.position + last.size - events[index].position
    if change.kind is EditKind.STAY_RENAMED and change.other is not None:
        size = events[change.other].position + 1 - events[index].position
    if change.kind in {EditKind.SURPLUS, EditKind.ID_USED_AGAIN}:
        return Edit(change.kind, events[index].position, size, None, None, None)
    is_moved = change.kind is EditKind.MOVED
    return Edit(
        change.kind,
        events[index].position,
        size,
        before if is_moved else None,
        kind_of(change.what),
        named,
    )
