"""How often something could go wrong, and how often it did, by attributes and minute.

Counts of parts of a log can be merged in any order and come to the counts of the whole, as long as
no conversation is in two parts.  Memory is bounded: of a log that is too large only a share of the
conversations is counted, which a hash of the conversation decides, and so alike everywhere.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, NamedTuple, TypeAlias

from segue.conversation import Note, Report
from segue.events import ActionKind, EventKind
from segue.findings import Finding, Severity
from segue.logs import EventNote

Attributes: TypeAlias = tuple[str, ...]
"""File, bot, and what is kept of an event."""
Minutes: TypeAlias = "array[int]"


class FindingPlace(NamedTuple):
    """Where a finding that counts is."""

    code: str
    event: int | None = None
    action: int | None = None
    minute: int | None = None
    """Where nothing is kept of its event or action; None for the last of its conversation."""


MOST_ROWS: Final = 1 << 20
"""So many events are counted at most, in eight bytes each."""
NO_MINUTE: Final = -(1 << 62)
"""Stands for the minute of an event without a time."""
CONVERSATION: Final = "conversation"
RECORDED: Final = "recorded conversation"
"""Kinds of findings about a conversation as a whole, without and with transcription actions."""
UNREADABLE: Final = EventKind.UNPROCESSABLE.value
"""A finding at such an event might have been at any event that is not a message."""

_HASH_SIZE: Final = 8
_ACTIONS: Final = frozenset(kind.value for kind in ActionKind)
_MESSAGES: Final = frozenset(
    {EventKind.USER_MESSAGE.value, EventKind.AGENT_MESSAGE.value, EventKind.MESSAGE.value}
)
NO_EVENTS: Final = frozenset({CONVERSATION, RECORDED, *_ACTIONS, *_MESSAGES})
"""Kinds that an unreadable event cannot have been."""
_KIND: Final = 2
"""Where in `Attributes` the kind is."""
_SHORT: Final = 2
"""Parts of the note of a message or an action."""
_NOTHING: Final[EventNote] = ("",) * 7


@dataclass(slots=True)
class _Table:
    """The counts of some conversations."""

    rows: int = 0
    opportunities: dict[tuple[str, str], dict[EventNote, Minutes]] = field(default_factory=dict)
    """By file and bot, and by what is kept of an event."""
    found: dict[tuple[str, Attributes], Minutes] = field(default_factory=dict)
    """Findings by code and attributes."""
    squares: Counter[str] = field(default_factory=Counter)
    """By code, the sum over the conversations of their findings squared."""
    ended: dict[int, EventNote] = field(default_factory=dict)
    """The attributes of each conversation by the hash of its name, for what comes late."""

    def minutes_of(self, source: str, bot: str) -> dict[EventNote, Minutes]:
        """Return when something could have gone wrong in this file and of this bot."""
        known = self.opportunities.get((source, bot))
        if known is None:
            known = self.opportunities[source, bot] = defaultdict(_no_minutes)
        return known

    def add(self, other: "_Table") -> None:
        self.rows += other.rows
        self.squares.update(other.squares)
        self.ended.update(other.ended)
        for where, events in other.opportunities.items():
            known = self.minutes_of(*where)
            for event, minutes in events.items():
                known[event].extend(minutes)
        for key, minutes in other.found.items():
            self.found.setdefault(key, array("q")).extend(minutes)


@dataclass(slots=True)
class Counts:
    """Counts over the reports of a log that was replayed with `note_of`."""

    most_rows: int = MOST_ROWS
    totals: Counter[str] = field(default_factory=Counter)
    """All findings that count, by code."""
    share: int = 0
    """One in `2 ** share` conversations is counted."""
    _tables: dict[int, _Table] = field(default_factory=dict)
    """By the number of zero bits that the hash of a conversation begins with."""
    _rows: int = 0

    def add(self, report: Report) -> None:
        """Count a report."""
        found: Sequence[FindingPlace] = ()
        if report.findings:
            found = [
                FindingPlace(each.code, each.place.event, each.place.action)
                for each in _found_in(report)
            ]
        bot, conversation_id = report.key
        conversation = _Conversation(
            report.bot_id or "", report.notes, NO_MINUTE, report.late, conversation_id is not None
        )
        self._add(_hash_of(bot or "", conversation_id or ""), conversation, found)

    def add_part(
        self,
        key: tuple[str, str],
        notes: Sequence[Note],
        found: Sequence[FindingPlace],
        minute: int,
    ) -> None:
        """Count what is known of a conversation of this bot and id, which came until a minute."""
        self._add(_hash_of(*key), _Conversation(key[0], notes, minute), found)

    def _add(self, name: int, conversation: "_Conversation", found: Sequence[FindingPlace]) -> None:
        if found:
            self.totals.update([each.code for each in found])
        level = 8 * _HASH_SIZE - name.bit_length()
        if level < self.share:
            return
        table = self._tables.get(level)
        if table is None:
            table = self._tables[level] = _Table()
        before = table.rows
        conversation.count(table, name, found)
        self._rows += table.rows - before
        if self._rows > self.most_rows:
            self._shrink()

    def merge(self, other: "Counts") -> None:
        """Add the counts of another part of the log."""
        self.totals.update(other.totals)
        self.share = max(self.share, other.share)
        for level, table in other._tables.items():  # noqa: SLF001 - of the same class
            self._tables.setdefault(level, _Table()).add(table)
        for level in [level for level in self._tables if level < self.share]:
            del self._tables[level]
        self._rows = sum(table.rows for table in self._tables.values())
        self._shrink()

    def _shrink(self) -> None:
        while self._rows > self.most_rows:
            self._rows -= self._tables.pop(self.share, _Table()).rows
            self.share += 1

    def opportunities(self) -> Iterator[tuple[Attributes, Minutes]]:
        """Yield what could have gone wrong; the same attributes may come more than once."""
        for table in self._tables.values():
            for where, events in table.opportunities.items():
                for event, minutes in events.items():
                    yield (*where, *event), minutes

    def found(self) -> Iterator[tuple[str, Attributes, Minutes]]:
        """Yield the findings; the same code and attributes may come more than once."""
        for table in self._tables.values():
            for (code, attributes), minutes in table.found.items():
                yield code, attributes, minutes

    def squares(self, code: str) -> int:
        """Return the sum over the conversations of their findings of a rule, squared."""
        return sum(table.squares[code] for table in self._tables.values())


def _hash_of(bot: str, conversation_id: str) -> int:
    name = f"{bot}\0{conversation_id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(name, digest_size=_HASH_SIZE).digest())


def _found_in(report: Report) -> list[Finding]:
    """Return the mistakes, and the warnings that follow from none."""
    warnings = (each for each in report.findings if each.severity is Severity.WARNING)
    return [*report.mistakes, *(each for each in warnings if each.follows is None)]


def _no_minutes() -> Minutes:
    return array("q")


def _first_long(notes: Iterable[Note]) -> EventNote:
    """Return the first event that is neither a message nor an action."""
    for note in notes:
        events: Sequence[EventNote] = note[2][1]
        for event in events:
            if len(event) > _SHORT:
                return event
    return _NOTHING


def _filled(event: EventNote, last: EventNote) -> EventNote:
    """Return an event with what another says where it says nothing."""
    kind, agent, queue, language, experience, flag, spelling = event
    return (
        kind,
        agent or last[1],
        queue or last[2],
        language or last[3],
        experience or last[4],
        flag or last[5],
        spelling or ("" if flag else last[6]),  # only transfers have the flag
    )


@dataclass(slots=True)
class _Conversation:
    """What is known of a conversation, to be counted into a table."""

    bot: str
    notes: Sequence[Note]
    minute: int
    """Of the latest event; of what has no time, until there is one that has."""
    is_late: bool = False
    is_readable: bool = True
    """Whether it is known which conversation it is."""
    is_recorded: bool = False
    """Whether there was an action."""
    places: dict[tuple[bool, int], tuple[Attributes, int]] | None = None
    """Attributes and minute of each event and action, where there are findings."""

    def count(self, table: _Table, name: int, found: Sequence[FindingPlace]) -> None:
        """Count what happened, and what was found."""
        first = _first_long(self.notes)
        if self.is_late and (known := table.ended.get(name)) is not None:
            first = _filled(first, known)
        if found:
            self.places = {}
        # An event that comes late is not one more that could go wrong.
        last = self._count_events(_Table() if self.is_late else table, first)
        kind = RECORDED if self.is_recorded else CONVERSATION
        whole = (kind if self.is_readable else UNREADABLE, *last[1:])
        source = self.notes[-1][1] if self.notes else ""
        if not self.is_late:
            table.minutes_of(source, self.bot)[whole].append(self.minute)
            table.rows += 1
            table.ended[name] = whole
        if found:
            self._count_findings(table, found, (source, self.bot, *whole))

    def _count_findings(
        self, table: _Table, found: Sequence[FindingPlace], whole: Attributes
    ) -> None:
        counts: Counter[str] = Counter()
        for finding in found:
            attributes, minute = self._place_of(finding, whole)
            key = finding.code, attributes
            table.found.setdefault(key, array("q")).append(minute)
            counts[finding.code] += 1
        for code, number in counts.items():
            table.squares[code] += number * number

    def _count_events(self, table: _Table, last: EventNote) -> EventNote:
        """Count all events; return the last one that is neither a message nor an action.

        What an event does not say is as in `last`, the latest before it; before the first such
        event, as in the one to come.
        """
        bot, minute, places, source, rows = self.bot, self.minute, self.places, None, 0
        minutes: dict[EventNote, Minutes] = {}
        for first, log, (at, events) in self.notes:
            position = first
            if at is not None:
                minute = at
            if log != source:
                source, minutes = log, table.minutes_of(log, bot)
            for event in events:
                if len(event) > _SHORT:
                    _, agent, queue, language, experience, flag, _ = event
                    is_full = agent and queue and language and experience and flag
                    here = last = event if is_full else _filled(event, last)
                    is_counted = True
                else:
                    here = (*event, *last[_SHORT:])
                    is_counted = event[0] not in _MESSAGES
                    self.is_recorded = self.is_recorded or event[0] in _ACTIONS
                if is_counted:
                    minutes[here].append(minute)
                    rows += 1
                if places is not None:
                    places[here[0] in _ACTIONS, position] = (log, bot, *here), minute
                    position += 1
        self.minute = minute
        table.rows += rows
        return last

    def _place_of(self, finding: FindingPlace, whole: Attributes) -> tuple[Attributes, int]:
        """Return the attributes and the minute of what a finding is about.

        A message counts for its conversation.
        """
        _, event, action, minute = finding
        number = action if event is None else event
        places = self.places or {}
        here = None if number is None else places.get((event is None, number))
        if here is None:
            return whole, self.minute if minute is None else minute
        attributes, minute = here
        if attributes[_KIND] in _MESSAGES:
            attributes = (*attributes[:_KIND], whole[_KIND], *attributes[_KIND + 1 :])
        return attributes, minute
