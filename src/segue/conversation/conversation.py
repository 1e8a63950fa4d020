"""One conversation, fed as its deliveries arrive."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from segue.conversation.report import Report
from segue.engine import Partial, State, dump, finish, load, new, step
from segue.errors import ConfigurationError
from segue.events import TRANSCRIPTION, Delivery
from segue.findings import DEFAULT, Finding, Policy
from segue.lifecycle import Phase, expected
from segue.transcription import Session
from segue.wire import DeliveryContext, read_body, read_line

__all__ = ["Control", "Conversation", "Step", "read"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one delivery did to the conversation."""

    findings: tuple[Finding, ...]
    phase: Phase
    duplicate: bool = False
    """The delivery came before, by its id, and was not applied again."""


@dataclass(frozen=True, slots=True)
class Control:
    """What became of one transcription action."""

    findings: tuple[Finding, ...]
    accepted: bool
    """False: the state does not allow it, and nothing has changed."""
    changed: bool
    state: str
    generation: int
    """How many transcriptions this conversation has had, this one included."""
    allowed: tuple[str, ...]
    """What the state allows now."""


class Conversation:
    """The lifecycle of one conversation.

    Feed it whatever arrives; what is wrong with it comes back as findings, and the conversation
    goes on. Not safe for use by several threads at once.
    """

    def __init__(
        self,
        conversation_id: str | None = None,
        *,
        policy: Policy = DEFAULT,
        partial: Partial = None,
    ) -> None:
        self._state = new(conversation_id, partial=partial)
        self._policy = policy

    def __repr__(self) -> str:
        """Show id, phase and number of events."""
        state = self._state
        return (
            f"<Conversation {state.conversation_id!r} {state.phase.value} events={state.position}>"
        )

    @property
    def conversation_id(self) -> str | None:
        """The id that every delivery must bear; None until the first one says it."""
        return self._state.conversation_id

    @property
    def phase(self) -> Phase:
        """Where the conversation stands."""
        return self._state.phase

    def expected(self) -> tuple[str, ...]:
        """Which events would be legal now."""
        return expected(self._state.roster)

    def feed(
        self,
        event: object,
        received_at: datetime | None = None,
        *,
        delivery_id: str | None = None,
    ) -> Step:
        """Apply one event, E21 body or envelope: a mapping, JSON text or a `Delivery`.

        `received_at` must be aware. A delivery to the transcription endpoint is believed, as in a
        log; `control` is for a live command. Raises `ConfigurationError` for a delivery of another
        conversation, or after `finish`.
        """
        if received_at is not None and received_at.tzinfo is None:
            msg = "received_at has no time zone: pass an aware datetime"
            raise ConfigurationError(msg)
        delivery = read(event, self._state)
        if received_at is not None:
            delivery.received_at = received_at
        if delivery_id is not None:
            delivery.delivery_id = delivery_id
        self._claim(delivery)
        done = step(self._state, delivery)
        return Step(self._policy.apply(done.findings), self.phase, done.duplicate)

    def control(self, action: object, received_at: datetime | None = None) -> Control:
        """Apply one live transcription action (an E1 body).

        Under `Policy(transcription="enforce")` an action that the state does not allow is refused
        and changes nothing.
        """
        context = DeliveryContext(_ANY, _ANY, received_at=received_at)
        delivery = read_body(action, TRANSCRIPTION, context)  # type: ignore[arg-type]
        _own(delivery, self._state)
        self._claim(delivery)
        observe = self._policy.transcription == "observe"
        done = step(self._state, delivery, believe=observe)
        session = self._state.session or Session()
        outcome = done.outcome
        return Control(
            findings=self._policy.apply(done.findings),
            accepted=outcome is not None and (observe or outcome.code != "SG401"),
            changed=outcome is not None and outcome.changed,
            state=session.state.value,
            generation=session.generation,
            allowed=() if outcome is None else outcome.allowed,
        )

    def finish(self) -> Report:
        """Close the log: report what is missing, and return the account of everything."""
        finish(self._state)
        return self.report()

    def report(self) -> Report:
        """Return the account of everything so far, without closing the log."""
        return Report(self._state, policy=self._policy)

    def snapshot(self) -> bytes:
        """Return the state as bytes that `restore` understands, in this version and later ones."""
        return dump(self._state)

    @classmethod
    def restore(cls, data: bytes, *, policy: Policy = DEFAULT) -> "Conversation":
        """Return the conversation whose `snapshot` this is.

        Raises `SchemaTooNew` for one of a newer Segue, `ConfigurationError` for other bytes.
        """
        conversation = cls(policy=policy)
        conversation._state = load(data)
        return conversation

    def _claim(self, delivery: Delivery) -> None:
        state = self._state
        if state.closed:
            msg = "the conversation is finished: start a new Conversation, or feed before finish()"
            raise ConfigurationError(msg)
        theirs = delivery.conversation_id
        if theirs is None:
            return
        if state.conversation_id is None:
            state.conversation_id = theirs
        elif theirs != state.conversation_id:
            msg = (
                f"a delivery of conversation {theirs!r} was fed to {state.conversation_id!r}: "
                "use segue.replay for a log of several conversations"
            )
            raise ConfigurationError(msg)


def read(thing: object, state: State) -> Delivery:
    """Read what a caller has of a delivery: an event, a body, an envelope, JSON text.

    A single event object (it has a `name` and nothing of a delivery) is taken as one delivery of
    this conversation.
    """
    if isinstance(thing, Delivery):
        return thing
    if isinstance(thing, Mapping) and "name" in thing and not _DELIVERY_KEYS & set(thing):
        body: dict[str, Any] = {"events": [thing]}
        return _own(read_body(body, context=DeliveryContext(_ANY, _ANY)), state)
    if isinstance(thing, bytes | str | Mapping):
        return read_line(thing)
    return read_body(thing)  # type: ignore[arg-type]  # what is not JSON is a finding


def _own(delivery: Delivery, state: State) -> Delivery:
    """Give a delivery that has no ids of its own those of the conversation it was fed to."""
    delivery.conversation_id, delivery.bot_id = state.conversation_id, state.bot_id
    return delivery


_ANY = "?"
"""Stands for the ids that the caller knows, so that their absence is no flaw."""

_DELIVERY_KEYS = frozenset({"conversationId", "botId", "events", "body", "query", "author"})
