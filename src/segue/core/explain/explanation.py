"""The explanation of a conversation: the least edits after which it has no error.

`explain` is computed from the entries and the findings of a conversation on request. It
stores nothing, and it may change when more events come.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from segue.core.engine.entries import Entry
from segue.core.engine.state import Partial
from segue.core.events import EventKind
from segue.core.explain.alternatives import AlternativeSearch, ToldConversation, edit_of
from segue.core.explain.assignment import Assigner
from segue.core.explain.changes import EditScript, StreamEdit, applied
from segue.core.explain.costs import EditKind
from segue.core.explain.edits import (
    NOTHING,
    Alternative,
    Completeness,
    Edit,
    Explanation,
    Mistake,
)
from segue.core.explain.exits import OpenExits
from segue.core.explain.search import Account, find
from segue.core.explain.sentences import Wording
from segue.core.explain.steps import steps_for
from segue.core.explain.told import (
    ERRORS,
    NO_AGENT,
    Checkpoint,
    Said,
    ToldEvent,
    agent_of,
    checked,
    first_presence,
    judged,
    told_events,
)
from segue.core.explain.ways import SearchSpace
from segue.core.findings import Finding, Severity
from segue.core.lifecycle import Presence

BUDGET: Final = 2_000_000
"""The maximum number of events that the explanation of a conversation of a log judges."""
LIVE_BUDGET: Final = 10_000
"""The same for a conversation that is going on."""

_Search: TypeAlias = Callable[[], tuple[Alternative, ...]]
_SHAPE: Final = 5
_REPEATED: Final = "SG601"
_MIXED: Final = "SG512"
"""The rule about a placeholder as conversation id. All other errors may follow from the mixture."""


def explain(
    entries: Iterable[Entry],
    findings: Sequence[Finding],
    *,
    partial: Partial = None,
    is_open: bool = False,
    bot: str | None = None,
    budget: int = BUDGET,
) -> Explanation:
    """Explain the findings of a conversation.

    Args:
        entries: The past of the conversation.
        findings: All its findings, whatever the policy.
        partial: The ends that the log lacks.
        is_open: Whether the conversation may go on.
        bot: The id of its bot.
        budget: The maximum number of events that are judged.

    """
    if all(finding.severity is not Severity.ERROR for finding in findings):
        return NOTHING
    whole = list(entries)
    past = _Past(whole, findings, bot)
    if any(finding.code == _MIXED for finding in findings):
        return Explanation("complete", (past.mixed().mistake(1),), ())
    drafts: list[_Draft] = []
    account = None
    if any(finding.code in ERRORS for finding in findings):
        events, names = told_events(whole)
        start = first_presence(events, begins_late=partial in {"start", "both"})
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
    free, read = ((), ()) if account is None else account.free
    completeness: Completeness = "complete" if is_whole else "untraced"
    return Explanation(completeness, mistakes, untraced, free, read, spent)


class _Group(NamedTuple):
    """The edits of one mistake, and the findings that they remove."""

    changes: tuple[StreamEdit, ...]
    said: tuple[Said, ...]
    search: _Search | None
    """The search for alternatives."""


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
        self._story = SearchSpace(
            events, start, self.verdict, self._steps, is_open=is_open, fresh=len(names)
        )
        self._found = self._stopped() or find(self._story, budget)
        self.gaps = self._found.gaps
        changes = self._found.script.changes
        self._free_repeats = self._repeats(start)
        self._free = (*self._found.script.read, *self._free_repeats)
        assigner = Assigner(events, self.verdict, self._free, is_open=self._is_open)
        count = len(events) if self._story.stops else -1
        self._tail = tuple(each for each in changes if each.at is None and each.to == count)
        self._inner = changes[: len(changes) - len(self._tail)]
        self.freed, *self._said = assigner.assign(self._inner, self._tail)
        self.left = assigner.left
        made = [*changes, *self._free]
        exits = OpenExits(events, made, self.verdict, self._steps, is_open=self._is_open)
        self.kinds = exits.kinds()
        self.spent = len(events) + self._story.spent + assigner.spent + exits.spent

    def _stopped(self) -> Account | None:
        """Return the edits of a conversation that stops, if nothing else is wrong with it."""
        if any(said.event is not None for said in self.verdict.errors):
            return None
        if any(event.kind is EventKind.UNPROCESSABLE for event in self.events):
            return None  # it may have been what is missing
        place = self._steps.number(self.verdict.marks[-1].presence)
        tail = self._story.tail(place)
        if tail is None:
            return None
        whats, _, _ = tail
        count = len(self.events)
        changes = [
            StreamEdit(EditKind.LOST, None, 1, count, what, 2 * number)
            for number, what in enumerate(whats)
        ]
        return Account(EditScript(tuple(changes), ()), 0, (), ())

    def _repeats(self, start: Presence) -> list[StreamEdit]:
        """Return the repeats that must be left out, because they would be no repeats any more."""
        script, mark = self._found.script, Checkpoint(start)
        found = list(script.repeats)
        for event in applied(self.events, [*script.changes, *script.read, *found]):
            after, code = judged(event, mark)
            if event.told in self.verdict.repeats and code in ERRORS:
                assert event.told is not None
                found.append(StreamEdit(EditKind.SURPLUS, event.told, 1, event.told, event.what))
            else:
                mark = after
        return found

    @property
    def free(self) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
        """The edits that cost nothing: repeats to leave out, and unreadable events as read."""
        repeats, read = (
            tuple(self.edit(each) for each in changes)
            for changes in (self._free_repeats, self._found.script.read)
        )
        return repeats, read

    def edit(self, change: StreamEdit) -> Edit:
        """Return an edit of indices as an edit of positions."""
        kinds = self.kinds.get(change.turn, ()) if change.at is None else ()
        return edit_of(change, self.events, self.names, kinds)

    @property
    def stops(self) -> bool:
        """Whether no END was told although the log is whole."""
        return self._story.stops

    def groups(self) -> Iterator[_Group]:
        """Yield the mistakes."""
        source = self._alternatives(self._found.script.changes)
        for number, change in enumerate(self._inner):
            search = None if source is None else partial(source.of, number)
            yield _Group((change,), self._said[number], search)
        if self._tail:
            yield _Group(self._tail, self._said[-1], None)

    def _alternatives(self, changes: tuple[StreamEdit, ...]) -> AlternativeSearch | None:
        if self.gaps:
            return None
        told = ToldConversation(self.events, self.names, self.verdict, self._is_open)
        left = max(self._budget - self.spent, 0)
        return AlternativeSearch(told, changes, self._free, self._found.singles, left)


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
    search: _Search | None = None

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
            self.search,
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
        words = Wording(account.events, account.names, account.kinds)
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
        found = self._found(account.events, group.said)
        return _Draft(
            sentence,
            words.fix(change),
            tuple(account.edit(each) for each in group.changes),
            found,
            position,
            self._time(position),
            agent,
            self._queue(agent, position),
            self._bot,
            group.search,
        )

    def add_freed(self, account: _Account) -> None:
        """Give the findings that free edits remove to the unreadable events."""
        unreadable = [e.position for e in account.events if e.kind is EventKind.UNPROCESSABLE]
        for finding in self._found(account.events, account.freed):
            event = finding.place.event
            before = [at for at in unreadable if event is None or at <= event]
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

    def mixed(self) -> _Draft:
        """Return the one mistake of a conversation whose id is a placeholder."""
        found = [each for each in self._findings if each.severity is Severity.ERROR]
        found.sort(key=lambda each: each.code != _MIXED)
        first = found[0]
        event = first.place.event
        at = self._time(event)
        return _Draft(first.message, first.help, (), found, event, at, None, None, self._bot)

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
                found = entry.details.queue_id or found
        return found


def _mistake_of(finding: Finding) -> tuple[object, ...]:
    """Return what is equal for consecutive errors that are one mistake."""
    place = finding.place
    if finding.rule.family == _SHAPE:
        return _SHAPE, place.event, place.action, place.line, place.source
    if finding.code == "SG401":
        return (finding.code,)
    return (id(finding),)
