"""The habits of each sender: spellings, optional fields, and findings.

A sender is a bot. A spelling, a field or a finding is a habit if it occurs in at least 95 % of the
events or conversations where it is possible. The lower end of the Wilson interval must reach this
share. A mistake that a sender makes occasionally, or only since a recent release, is not a habit.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from segue.analysis.causes import CONVERSATION, case_of, event_keys, key_at
from segue.analysis.compare import Share
from segue.analysis.dialects.notes import EventForm
from segue.core.conversation import Report
from segue.core.events import EventKind
from segue.core.events.fields import FIELDS
from segue.core.findings import Finding
from segue.core.lifecycle import MESSAGES

LEAST_SHARE: Final = 0.95
_TRANSFERS: Final = frozenset(kind.value for kind in EventKind if kind.is_entry or kind.is_exit)
_WITH_FIELDS: Final = _TRANSFERS | {EventKind.END.value}
_MESSAGES: Final = frozenset(kind.value for kind in MESSAGES)
_SENT_AS: Final = {
    fields.unprocessable.value: frozenset(kind.value for kind in type(fields.unprocessable))
    - _MESSAGES
    for fields in FIELDS.values()
}
"""The kinds that an unprocessable event could have been, by kind of unprocessable event.

Messages are not included.
"""
_MOST_FIELDS: Final = 256
"""The maximum number of different fields that are counted for a sender."""
_Key = TypeVar("_Key")
_EVENT: Final = re.compile(r"^/events/[0-9]+")


class FindingHabit(NamedTuple):
    """A rule that a bot may break habitually in one field of one kind of event."""

    code: str
    kind: str
    """The kind of the event, such as `COLD entry`, or `conversation`."""
    field: str
    """The path of the field in the event, such as `participant.name`, or an empty string."""


def field_of(finding: Finding) -> str:
    """Return the path of the field that a finding is about, such as `participant.name`.

    Return an empty string if the finding is not about a field.
    """
    pointer = _EVENT.sub("", finding.place.pointer).strip("/")
    return pointer.replace("/", ".").replace("~1", "/").replace("~0", "~")


@dataclass(slots=True)
class Sender:
    """Counts the events and findings of one bot, to determine its habits.

    A spelling, an optional field or a finding is a habit if it occurs in at least 95 % of the
    events or conversations where it is possible.
    """

    conversations: int = 0
    events: Counter[str] = field(default_factory=Counter)
    """The number of events of each kind."""
    spellings: Counter[str] = field(default_factory=Counter)
    """The number of events with each unusual spelling, such as `isExtAD as text`."""
    fields: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The number of events with an optional field, by kind of event and name of the field."""
    seen: Counter[FindingHabit] = field(default_factory=Counter)
    """The number of events, or of conversations, with each kind of finding."""
    conversations_with: Counter[FindingHabit] = field(default_factory=Counter)
    """The number of conversations with each kind of finding."""
    findings: Counter[FindingHabit] = field(default_factory=Counter)
    """The number of findings of each kind."""

    def add(self, report: Report) -> None:
        """Count the events and findings of a report of this bot."""
        forms = [form for _, _, some in report.notes for form in some]
        for form in forms:
            self._count(form)
        keys = event_keys((position, some) for position, _, some in report.notes)
        kinds = {key: form.kind for key, form in zip(keys, forms, strict=True)}
        if report.replaces or not report.late:
            self.conversations += 1
        seen = set()
        for finding in report.findings:
            key = key_at(finding.place)
            kind = CONVERSATION if key is None else kinds.get(key, "")
            habit = FindingHabit(finding.code, kind, field_of(finding))
            self.findings[habit] += 1
            seen.add((habit, key))
        self.seen.update(habit for habit, _ in seen)
        self.conversations_with.update({habit for habit, _ in seen})

    def _count(self, form: EventForm) -> None:
        self.events[form.kind] += 1
        self.spellings.update(form.spellings)
        for name in form.fields:
            if len(self.fields) < _MOST_FIELDS or (form.kind, name) in self.fields:
                self.fields[form.kind, name] += 1

    def _number_of(self, kind: str) -> int:
        """Return the number of events at which a finding about a kind of event is possible.

        For the kind `conversation`, return the number of conversations.
        """
        if kind == CONVERSATION:
            return self.conversations
        return sum(self.events[each] for each in _SENT_AS.get(kind, (kind,)))

    def ways_of_writing(self) -> dict[str, Share]:
        """Return the unusual spellings that are habits, such as `isExtAD as text`.

        The values are the shares of events with the spelling, among those in which it is possible.
        """
        shares = {
            name: Share(count, self._number_spelled(name)) for name, count in self.spellings.items()
        }
        return _habits(shares)

    def _number_spelled(self, name: str) -> int:
        """Return the number of events in which a spelling such as `isExtAD as text` is possible."""
        written, _, style = name.partition(" ")
        kinds = _WITH_FIELDS if written == "experience" else _TRANSFERS
        if written == "transfertype":  # `redial` is in lower case in the specification
            words = {kind: EventKind(kind).transfer_type for kind in kinds}
            kinds = frozenset(kind for kind, word in words.items() if case_of(word) != style)
        return sum(self.events[kind] for kind in kinds)

    def optional_fields(self) -> dict[str, dict[str, Share]]:
        """Return the optional fields that the bot habitually writes.

        The result maps the name of a field, such as `language`, to a dictionary. This dictionary
        maps a kind of event to the share of events of this kind that have the field.
        """
        shares = {
            (kind, name): Share(count, self.events[kind])
            for (kind, name), count in self.fields.items()
        }
        found: dict[str, dict[str, Share]] = defaultdict(dict)
        for (kind, name), share in sorted(_habits(shares).items()):
            found[name][kind] = share
        return dict(found)

    @property
    def writes_fields(self) -> bool:
        """Whether the bot has sent a transfer or an END.

        Only these events have optional fields.
        """
        return any(self.events[kind] for kind in _WITH_FIELDS)

    def field_share(self, name: str) -> Share:
        """Return the share of transfer and END events that have the optional field `name`."""
        return Share.of_all(
            [Share(self.fields[kind, name], self.events[kind]) for kind in _WITH_FIELDS]
        )

    def finding_habits(self) -> dict[FindingHabit, Share]:
        """Return the findings that are habits.

        The values are the shares of events with such a finding. If a finding is a habit only by the
        number of conversations, the share is that of conversations.
        """
        events = {
            habit: Share(count, max(count, self._number_of(habit.kind)))
            for habit, count in self.seen.items()
            if habit.kind
        }
        conversations = {
            habit: Share(count, max(count, self.conversations))
            for habit, count in self.conversations_with.items()
            if habit.kind
        }
        return dict(sorted({**_habits(conversations), **_habits(events)}.items()))

    def to_dict(self) -> dict[str, object]:
        """Return the counts and the habits as a JSON object."""
        return {
            "conversations": self.conversations,
            "events": sum(self.events.values()),
            "spellings": {
                name: share.to_dict() for name, share in sorted(self.ways_of_writing().items())
            },
            "fields": {
                name: {kind: share.to_dict() for kind, share in kinds.items()}
                for name, kinds in self.optional_fields().items()
            },
            "findings": [
                {**habit._asdict(), "support": share.to_dict()}
                for habit, share in self.finding_habits().items()
            ],
        }


def _habits(shares: dict[_Key, Share]) -> dict[_Key, Share]:
    return {key: share for key, share in shares.items() if share.interval[0] >= LEAST_SHARE}


@dataclass(slots=True)
class Dialects:
    """Counts the events and findings of a log for each bot, to determine the bots' habits.

    The log must be replayed with `note=dialect_note_of`. Pass each report to `add`.
    """

    senders: dict[str, Sender] = field(default_factory=dict)
    """The counts of each sender, by bot id."""
    of_no_sender: int = 0
    """The number of findings in reports without a conversation id or a bot id."""

    def add(self, report: Report) -> None:
        """Count the events and findings of a report for its bot."""
        if report.conversation_id is None or not report.bot_id:
            self.of_no_sender += len(report.findings)
            return
        self.senders.setdefault(report.bot_id, Sender()).add(report)
