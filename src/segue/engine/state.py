"""The state of one conversation: everything that later events can be judged by, and its history."""

from datetime import datetime
from typing import Any, Final, Literal

from segue.engine.history import History
from segue.errors import ConfigurationError
from segue.findings import Finding
from segue.lifecycle import Phase, Presence

__all__ = ["Partial", "State", "new", "restore_ended"]

Partial = Literal["start", "end", "both"] | None
"""Which ends of the log are cut off: it begins late, stops early, or both."""

_PARTIALS: Final = (None, "start", "end", "both")
_WAITING: Final = Presence()
_TRUNCATED_START: Final = Presence.truncated_start()


class State:
    """What is known of one conversation. Mutable; owned by the caller of `new`."""

    __slots__ = (
        "bot_id",
        "closed",
        "conversation_id",
        "delivered",
        "findings",
        "first_message_at",
        "history",
        "kept",
        "known",
        "latest",
        "messages",
        "partial",
        "position",
        "presence",
        "previous",
        "processable",
        "read_of_delivery",
        "read_of_event",
        "sessions",
    )

    def __init__(self, conversation_id: str | None, partial: Partial) -> None:
        self.conversation_id = conversation_id
        self.partial: Partial = partial
        self.bot_id: str | None = None
        """The bot of the first delivery that names one; the conversation belongs to it."""
        self.position = 0
        """How many events there were; the position of the next one."""
        self.processable = False
        """Whether any event could be placed."""
        self.closed = False
        self.presence = self.first_presence
        """Where the conversation stands; agents by number."""
        self.known: dict[str, int] = {}
        """Every agent a lifecycle event named, numbered in order of appearance."""
        self.previous: object = None
        """The last lifecycle event, see `compact`; its fingerprint after a restore."""
        self.sessions: dict[str, Any] = {}
        """State of every other machine that has had an event, by the name of the machine."""
        self.history = History()
        self.messages = 0
        self.first_message_at: datetime | None = None
        """Time of the first message, if it came while waiting."""
        self.latest: datetime | None = None
        """The latest `received_at` so far."""
        self.delivered: dict[str, str] | None = None
        """Delivery key to the fingerprint of its body; None when no delivery had an id."""
        self.kept: tuple[Any, ...] = ()
        """What each of the checks remembers, as JSON values in their order; empty: nothing yet."""
        self.read_of_delivery: tuple[object, ...] = ()
        """The last values of the fields of a delivery that checks read; empty at first."""
        self.read_of_event: tuple[object, ...] = ()
        self.findings: list[Finding] = []

    @property
    def first_presence(self) -> Presence:
        """The presence this conversation began with."""
        return _TRUNCATED_START if self.partial in {"start", "both"} else _WAITING

    @property
    def phase(self) -> Phase:
        """Where the conversation stands."""
        return self.presence.phase

    @property
    def ended(self) -> bool:
        """Whether END_OF_CONVERSATION has come."""
        return self.presence.phase is Phase.ENDED

    @property
    def names(self) -> tuple[str, ...]:
        """The agents by number."""
        return tuple(self.known)

    def connection_count(self, agent: str) -> int:
        """Return how many connections an agent has had."""
        number = self.known.get(agent)
        return 0 if number is None else self.history.connection_count(number)


def new(conversation_id: str | None, *, partial: Partial = None) -> State:
    """Return the state of a conversation of which nothing has been seen."""
    if partial not in _PARTIALS:
        msg = f"partial is 'start', 'end', 'both' or None, not {partial!r}"
        raise ConfigurationError(msg)
    return State(conversation_id, partial)


def restore_ended(conversation_id: str, *, is_reported: bool = False) -> State:
    """Return the state of a conversation that has ended, when only its tombstone is left.

    `is_reported` says whether an event after the end was reported already (SG110, once per
    conversation).
    """
    state = State(conversation_id, None)
    reported = ("SG110",) if is_reported else ()
    state.presence = Presence(phase=Phase.ENDED, reported_once=reported)
    return state
