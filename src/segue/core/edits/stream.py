"""The events of a conversation as a search for edits sees them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from segue.core.engine import Partial
from segue.core.events import EventKind
from segue.core.lifecycle import MESSAGES

UNKNOWN_AGENT: Final = "unknown"
"""Stands for the agent where a conversation names none at all."""

ValueOf: TypeAlias = Callable[[int | None, EventKind, str], Any]
"""Returns an event as a JSON value, as this kind and agent; the position is None for a new one."""


@dataclass(frozen=True, slots=True)
class EditableEvent:
    """One event of a conversation."""

    kind: EventKind
    agent: str
    """As sent; empty for an event of no agent."""
    delivery: int
    """Number of the delivery it came with."""
    index: int | None = None
    """Its index in the `events` of the body; `None` for a message."""
    value: Any = None
    warning: str | None = None
    """Code of the warning about it, which it may keep."""

    @property
    def is_repeat(self) -> bool:
        """Whether it equals the event before it."""
        return self.warning == "SG601"

    @property
    def is_fixed(self) -> bool:
        """Whether it stays where it is: a message, or an unprocessable event."""
        return self.kind in MESSAGES or self.kind is EventKind.UNPROCESSABLE


class EventStream(Protocol):
    """The events of one conversation, in order."""

    @property
    def partial(self) -> Partial:
        """Which ends of the log are cut."""

    @property
    def events(self) -> tuple[EditableEvent, ...]:
        """The events, in order."""

    @property
    def warned(self) -> frozenset[str]:
        """Fingerprints of the events with a warning: it depends on whether they repeat another."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Every agent that an edit may name."""
