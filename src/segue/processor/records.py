"""What a store keeps: the values that cross the seam between the processor and a store.

It decides what one commit consists of.  House rules: values are frozen; every time is aware UTC;
what customers wrote never shows in a `repr`; a store reads only the columns named here and never
what is in a snapshot, a body or a notice's data.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

__all__ = [
    "Commit",
    "Entry",
    "Identity",
    "Kept",
    "Loaded",
    "Notice",
    "Quarantined",
    "Summary",
    "Vitals",
]


class Identity(NamedTuple):
    """What a delivery id is unique within, and the id."""

    endpoint: str
    """Name of the intake it arrived at."""
    bot_id: str
    delivery_id: str


@dataclass(frozen=True, slots=True)
class Kept:
    """One conversation as it is kept."""

    conversation_id: str
    bot_id: str
    """The owner: the bot of the first delivery. It never changes; empty: nobody named one."""
    version: int
    """How many commits made it; 1 after the first."""
    phase: str
    events: int
    """How many events it had, for the list."""
    findings: int
    """How many findings are reported of it, for the list."""
    started_at: datetime
    updated_at: datetime
    """When the last delivery was received; what retention goes by."""
    snapshot: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Summary:
    """One conversation in the list: `Kept` without its snapshot."""

    number: int
    """Order of creation, given by the store; larger is newer."""
    conversation_id: str
    bot_id: str
    phase: str
    events: int
    findings: int
    started_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a unit of work begins with."""

    conversation: Kept | None = None
    """None: nothing is known of it."""
    fingerprint: str | None = None
    """Of the body that came with this delivery id before; None: the id is new, or there is none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal: a delivery that was applied, and what it did."""

    conversation_id: str
    bot_id: str
    """The bot it was sent for (of the path); empty: only the body says."""
    owner: str
    """The bot the conversation belongs to; the feed is filtered by it."""
    endpoint: str
    """Name of the intake it arrived at."""
    delivery_id: str | None
    received_at: datetime
    body: str = field(repr=False)
    """JSON text."""
    phase_before: str
    phase: str
    findings: str = field(repr=False)
    """JSON array of the reported findings, as a report writes them; `[]`: none."""
    number: int = 0
    """Place in the journal, given by the store; the feed's cursor."""

    @property
    def is_news(self) -> bool:
        """Whether the feed shows it: there are findings, or the phase changed."""
        return self.findings != "[]" or self.phase != self.phase_before


@dataclass(frozen=True, slots=True)
class Notice:
    """One callback that is due: what happened, under an id that is the same at every attempt."""

    id: str
    """Unique and stable: `<conversation>:<version>:<kind>:<n>`."""
    conversation_id: str
    kind: str
    """Name of the callback without `on_`."""
    data: str = field(repr=False)
    """JSON object: the payload."""
    number: int = 0
    """Order of commit, given by the store."""
    tries: int = 0
    """Attempts that failed so far."""
    lease: str = ""
    """Who holds it; empty: nobody."""
    reason: str = ""
    """Of a dead letter: the type of the last exception."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A body of an authenticated sender that was not applied."""

    endpoint: str
    """Name of the intake it arrived at."""
    bot_id: str
    conversation_id: str | None
    delivery_id: str | None
    received_at: datetime
    reason: str
    """The outcome that was answered."""
    codes: tuple[str, ...]
    """Codes of what was found."""
    body: bytes = field(repr=False)
    """As it was sent, cut where it is longer than what is kept."""
    size: int = 0
    """Bytes before it was cut."""
    number: int = 0
    """Given by the store."""


@dataclass(frozen=True, slots=True)
class Vitals:
    """How much there is in a store; what an operator watches."""

    open: int
    """Conversations that have not ended."""
    waiting: int
    """Callbacks not delivered yet, dead letters not counted."""
    waiting_since: datetime | None
    """When the delivery was received that the first of them is about; None: none is waiting."""
    dead: int
    """Dead letters."""
    quarantined: int
    """Bodies in the quarantine."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Everything one delivery changes; a store applies all of it or nothing."""

    expected: int
    """The version this was worked out from; 0: there was no such conversation."""
    conversation: Kept
    """The new state; its version is `expected + 1`."""
    entry: Entry
    identity: Identity | None = None
    fingerprint: str = ""
    """Of the body, kept under `identity`."""
    notices: tuple[Notice, ...] = ()
    """Outbox rows, in order."""
