"""The state of one conversation: everything that later events can be judged by, and no more."""

from datetime import datetime
from typing import Final, Literal

from segue.engine.history import Trail
from segue.errors import ConfigurationError
from segue.findings import Finding
from segue.lifecycle import Phase, Roster, standing_of
from segue.transcription import Session

__all__ = ["Partial", "State", "new", "revive"]

Partial = Literal["start", "end", "both"] | None
"""Which ends of the log are cut off: it begins late, stops early, or both."""


_LATE: Final = frozenset({"start", "both"})
_NOTHING: Final[frozenset[str]] = frozenset()
_ENDED: Final = Phase.ENDED
_WAITING: Final = standing_of(Roster())
_MIDWAY: Final = standing_of(Roster.midway())


class State:
    """What is known of one conversation. Mutable; owned by whoever called `new`."""

    __slots__ = (
        "_roster",
        "bot_id",
        "bots",
        "closed",
        "conversation_id",
        "delivered",
        "experience",
        "findings",
        "first_message_at",
        "known",
        "latest",
        "messages",
        "partial",
        "position",
        "previous",
        "processable",
        "session",
        "standing",
        "told_experience",
        "trail",
    )

    def __init__(self, conversation_id: str | None, partial: Partial) -> None:
        self.conversation_id = conversation_id
        self.partial: Partial = partial
        self.bot_id: str | None = None
        """The bot of the first delivery that names one; the conversation belongs to it."""
        self.bots = _NOTHING
        """Other bots that deliveries named, each reported once."""
        self.position = 0
        """How many events there were; the position of the next one."""
        self.processable = False
        """Whether any event could be placed."""
        self.closed = False
        self._roster: Roster | None = None
        """Made when somebody asks for it."""
        self.known: dict[str, int] = {}
        """Every agent a transfer named, numbered in order of appearance."""
        self.previous: object = None
        """The last lifecycle event as a JSON value (or what a snapshot kept of it)."""
        self.standing = _MIDWAY if partial in _LATE else _WAITING
        """Where it stands, which the roster is brought up to when somebody asks; None: only the
        roster knows."""
        self.session: Session | None = None
        """Transcription; None until the first action."""
        self.trail = Trail()
        self.messages = 0
        self.first_message_at: datetime | None = None
        """Time of the first message, if it came while waiting."""
        self.experience = ""
        self.told_experience = False
        self.latest: datetime | None = None
        """The latest `received_at` so far."""
        self.delivered: dict[str, str] | None = None
        """Delivery id to the fingerprint of its body."""
        self.findings: list[Finding] = []

    @property
    def roster(self) -> Roster:
        """Who is present as what. Mutable: set it again after having changed it."""
        roster = self._roster
        if roster is None:
            roster = self._roster = Roster()
            roster.known = self.known
        if self.standing is not None:
            self.standing.settle(roster)
            roster.previous = self.previous
        return roster

    @roster.setter
    def roster(self, roster: Roster) -> None:
        self._roster = roster
        self.known = roster.known
        self.previous = roster.previous
        self.standing = standing_of(roster)

    def beginning(self) -> Roster:
        """Return the roster this conversation began with."""
        return Roster.midway() if self.partial in _LATE else Roster()

    def stays(self, agent: str) -> int:
        """Count the connections an agent has had."""
        number = self.known.get(agent)
        return 0 if number is None else self.trail.stays(number)

    @property
    def phase(self) -> Phase:
        """Where the conversation stands."""
        return self.roster.phase if self.standing is None else self.standing.phase

    @property
    def told(self) -> frozenset[str]:
        """Rules that are reported once per conversation and have been."""
        return _NOTHING if self._roster is None else self._roster.told

    @property
    def ended(self) -> bool:
        """Whether END_OF_CONVERSATION has come."""
        return self.phase is _ENDED


def new(conversation_id: str | None, *, partial: Partial = None) -> State:
    """Return the state of a conversation of which nothing has been seen."""
    if partial not in (None, "start", "end", "both"):
        msg = f"partial is 'start', 'end', 'both' or None, not {partial!r}"
        raise ConfigurationError(msg)
    return State(conversation_id, partial)


def revive(
    conversation_id: str,
    position: int,
    *,
    told: bool = False,
    actions: int = 0,
) -> State:
    """Return the state of a conversation that has ended, when only its tombstone is left.

    `position` is how many events there were, `actions` how many transcription actions; `told`: that
    something came after the end (SG110) was reported already.
    """
    state = State(conversation_id, None)
    state.position = position
    roster = Roster()
    roster.phase = Phase.ENDED
    if told:
        roster.told = frozenset({"SG110"})
    state.roster = roster
    if actions:
        state.session = Session(position=actions)
    return state
