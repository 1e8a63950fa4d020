"""The edits and mistakes of an explanation as values."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from segue.core.events import EventKind
from segue.core.explain.costs import EditKind
from segue.core.findings import Finding
from segue.core.reprs import shows

Completeness: TypeAlias = Literal["complete", "untraced"]
"""Whether the search for edits explained everything, or ended before."""

_MOST_LISTED: Final = 3
"""The maximum number of alternatives of a mistake."""
EXITS: Final = (EventKind.NA_EXIT, EventKind.WARM_EXIT, EventKind.COLD_EXIT)
"""The kinds of exits that an edit puts in, in the order in which they are named."""


def name_of(*kinds: EventKind) -> str:
    """Return kinds as one name such as `WARM or COLD exit`, or `exit` for all kinds of exits."""
    if len(kinds) == 1:
        return kinds[0].value
    if len(kinds) == len(EXITS):
        return "exit"
    *types, last = [kind.value for kind in EXITS if kind in kinds]
    return " or ".join([*(each.partition(" ")[0] for each in types), last])


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to a conversation as it was told."""

    kind: EditKind
    """The kind of mistake, such as `lost`."""
    event: int | None
    """The position of the first event that the edit is about, or None for a lost event."""
    size: int | None
    """The number of events that the edit is about, or None for a lost event."""
    before: int | None
    """The position before which the events belong, as told, if they are lost or moved. None for
    other edits and for the end of the conversation.
    """
    event_kind: EventKind | None
    """The kind of the event as it should be, or None if it is left out."""
    agent: str | None
    """The agent of the event as it should be, or None if it has none or is left out."""
    turn: int = field(default=0, repr=False, compare=False)
    """The order among events that are put in at one place."""
    leaving: str | None = field(default=None, repr=False, compare=False)
    """The agent who left in a hand-over that was sent as one entry, or None if no event names it.
    """
    other_kinds: tuple[EventKind, ...] = ()
    """The other kinds of a lost exit that explain as much, if nothing tells which one it was."""

    @property
    def named_kind(self) -> str:
        """The kind of the event as it should be, such as `WARM or COLD exit`, or an empty text."""
        return "" if self.event_kind is None else name_of(self.event_kind, *self.other_kinds)

    @property
    def variants(self) -> "tuple[Edit, ...]":
        """The same edit with each of the other kinds."""
        return tuple(replace(self, event_kind=kind, other_kinds=()) for kind in self.other_kinds)

    __repr__ = shows()

    def to_dict(self) -> dict[str, Any]:
        """Return the edit as a JSON object with the keys of the report schema."""
        return {
            "kind": self.kind.value,
            "event": self.event,
            "size": self.size,
            "before": self.before,
            "event_kind": None if self.event_kind is None else self.event_kind.value,
            "agent": self.agent,
            "other_kinds": [kind.value for kind in self.other_kinds],
        }


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another edit that explains a mistake as well."""

    sentence: str
    """The edit in words."""
    edits: tuple[Edit, ...]
    """The edits that would have been right."""

    __repr__ = shows()

    def to_dict(self) -> dict[str, Any]:
        """Return the alternative as a JSON object with the keys of the report schema."""
        return {"sentence": self.sentence, "edits": [edit.to_dict() for edit in self.edits]}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that went wrong, with everything that the check reports because of it."""

    number: int
    """The number of the mistake in its report, from 1, in the order of events."""
    sentence: str
    """What happened, in words. Events are named by their positions."""
    fix: str
    """What to change at the sender."""
    edits: tuple[Edit, ...]
    """What would have been right. Empty for a mistake that is not about order or presence."""
    findings: tuple[Finding, ...]
    """The findings that the mistake causes, in order. Empty if another mistake hides it."""
    event: int | None
    """The position of the event that the mistake is about, or None at the end of the log."""
    at: datetime | None
    """The time of receipt of that event, or None if it is not known."""
    agent: str | None
    """The identity of the agent whom the mistake is about, or None."""
    queue: str | None
    """The id of the queue of that agent, or None."""
    bot: str | None
    """The id of the bot, or None."""
    search: Callable[[], tuple[Alternative, ...]] | None = field(
        default=None, repr=False, compare=False
    )
    """The function that searches for other explanations, or None if there are none."""

    __repr__ = shows("number", "sentence", "edits", "findings")

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """Up to three other explanations of the mistake, the likeliest first.

        They are searched for when they are read. The other kinds of an exit are not among them.
        """
        return self.others[:_MOST_LISTED]

    @property
    def others(self) -> tuple[Alternative, ...]:
        """All other explanations that were found, the likeliest first."""
        found = () if self.search is None else self.search()
        return tuple(each for each in found if each.edits not in self.variants)

    @property
    def variants(self) -> tuple[tuple[Edit, ...], ...]:
        """The edits with another kind of one lost exit, which may not fit the other edits."""
        return tuple(
            (*self.edits[:at], variant, *self.edits[at + 1 :])
            for at, edit in enumerate(self.edits)
            for variant in edit.variants
        )

    def with_alternatives(self) -> "Mistake":
        """Return the same mistake after its alternatives have been searched for."""
        found = self.others
        return replace(self, search=partial(tuple, found) if found else None)

    def __str__(self) -> str:
        """Return the sentence."""
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return the mistake as a JSON object, without its findings."""
        return {
            "number": self.number,
            "sentence": self.sentence,
            "fix": self.fix,
            "edits": [edit.to_dict() for edit in self.edits],
            "event": self.event,
            "at": None if self.at is None else self.at.isoformat(),
            "agent": self.agent,
            "queue": self.queue,
            "bot": self.bot,
            "alternatives": [each.to_dict() for each in self.alternatives],
        }


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
    read: tuple[Edit, ...] = ()
    """The events for which unreadable ones are taken, for free."""
    spent: int = field(default=0, compare=False)
    """The number of events judged."""

    __repr__ = shows("completeness", "mistakes", "untraced")

    def with_alternatives(self) -> "Explanation":
        """Return the same explanation after its alternatives have been searched for."""
        return replace(self, mistakes=tuple(each.with_alternatives() for each in self.mistakes))


NOTHING: Final = Explanation("complete", (), ())
"""The explanation of a conversation without errors."""
