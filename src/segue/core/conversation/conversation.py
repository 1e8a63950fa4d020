"""The class `Conversation`, which checks one conversation while its deliveries arrive."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

from segue.core.conversation.report import Report, same_state
from segue.core.engine import TRANSCRIPTION_MACHINE, Partial, State, apply, finish, new
from segue.core.epoch import comparable, is_aware
from segue.core.errors import ConfigurationError
from segue.core.events import TRANSCRIPTION, Delivery, Event, Flaw
from segue.core.events.ids import one_spelling
from segue.core.events.shapes import key_of
from segue.core.explain import Completeness, Mistake
from segue.core.findings import Finding, Policy
from segue.core.lifecycle import Phase, expected
from segue.core.reprs import cut, short_repr, shows
from segue.core.transcription import AllowedAction
from segue.core.wire import DeliveryContext, read_body, read_line, with_required

Input: TypeAlias = Event | Delivery | Mapping[str, Any] | bytes | str
"""An event, a request body, or an envelope around a body, as a mapping, JSON text or object."""


@dataclass(frozen=True, slots=True)
class FeedResult:
    """The result of feeding one delivery to a `Conversation`."""

    findings: tuple[Finding, ...]
    """The findings about this delivery, without those that the policy ignores."""
    phase: Phase
    """The phase of the conversation after this delivery."""
    duplicate: bool = False
    """Whether a delivery with the same id and body came before. The repeat then has no effect."""

    __repr__ = shows()


@dataclass(frozen=True, slots=True)
class ControlResult:
    """The result of one transcription action, such as a start or a pause."""

    findings: tuple[Finding, ...]
    """The findings about this action, without those that the policy ignores."""
    accepted: bool
    """Whether the action was accepted. A refused action has no effect."""
    changed: bool
    """Whether the action changed the state of the transcription, its controller or its generation.
    """
    state: str
    """The state after the action, a value of `TranscriptionState` such as `active`."""
    generation: int
    """The number of times that transcription was started anew in this conversation, including now.
    """
    allowed: tuple[AllowedAction, ...]
    """The actions that may be sent next, each with the agents who may send it."""

    __repr__ = shows()


class Conversation:
    """One conversation, checked while it happens.

    Pass every delivery to `feed` as it arrives. `feed` returns mistakes of the sender as findings,
    and the conversation continues after them.

        conversation = segue.Conversation()
        result = conversation.feed(body, received_at)
        conversation.expected()  # ("NA exit by a-1", "COLD exit by a-1", …)
        report = conversation.finish()

    A conversation must not be used by several threads at once. `snapshot` and `restore` move it to
    another process. `pickle` and `copy` do so, too, with the policy. A copy is independent of its
    original. Two conversations are equal if they have the same past and the same policy.

    Args:
        conversation_id: The id that every delivery must have. None takes the id of the first
            delivery.
        policy: The rules to report and their severities. None reports every finding.
        partial: The cut-off ends of the log: "start", "end", "both", or None for a complete log.

    """

    def __init__(
        self,
        conversation_id: str | None = None,
        *,
        policy: Policy | None = None,
        partial: Partial = None,
    ) -> None:
        named: object = conversation_id
        if named is not None and (not isinstance(named, str) or not named):
            raise ConfigurationError(
                f"`conversation_id` must be a string that is not empty, or None, not {named!r}"
            )
        self._state = new(conversation_id, partial=partial)
        self._policy = Policy.checked(policy)

    @short_repr
    def __repr__(self) -> str:
        """Return the conversation id, the phase and the number of events."""
        state = self._state
        return (
            f"<Conversation {cut(repr(state.conversation_id))} {self.phase.value} "
            f"events={state.position}>"
        )

    def __eq__(self, other: object) -> bool:
        """Return whether two conversations have the same past and policy."""
        if not isinstance(other, Conversation):
            return NotImplemented
        return self._policy == other._policy and same_state(self._state, other._state)

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle or copy, with the state as `snapshot` returns it."""
        return self.__dict__ | {"_state": self.snapshot()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Restore the attributes that `__getstate__` returned."""
        from segue.core.engine.snapshot import load  # noqa: PLC0415 - as in `snapshot`

        self.__dict__.update(kept, _state=load(kept["_state"]))

    @property
    def conversation_id(self) -> str | None:
        """The id that every delivery must have, or None until a delivery names an id."""
        return self._state.conversation_id

    @property
    def phase(self) -> Phase:
        """The current phase."""
        return self._state.presence.phase

    def expected(self) -> tuple[str, ...]:
        """Return the labels of the events that would be legal now, such as `NA exit by a-1`."""
        return expected(self._state.presence, tuple(self._state.agents))

    @property
    def explanation(self) -> Completeness | None:
        """Whether everything that went wrong so far is explained, see `Report.explanation`."""
        return self.report().explanation

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """What somebody did wrong so far. It may change as more events come."""
        return self.report().mistakes

    def feed(
        self,
        event: Input,
        received_at: datetime | None = None,
        *,
        delivery_id: str | None = None,
    ) -> FeedResult:
        """Apply one event or one request body, and return its findings.

        An envelope may contain a delivery of any endpoint. A transcription action in an envelope is
        applied even if the current state does not allow it, because a log records actions that have
        already happened. Use `control` for a live action, which can be refused.

        Args:
            event: A single event, a request body, or an envelope around a body, as a mapping, JSON
                text, an `Event` or a `Delivery`.
            received_at: The time of arrival, a datetime with a time zone. It replaces the time of
                an envelope.
            delivery_id: An id that the sender repeats when it sends the same delivery again.

        Raises:
            ConfigurationError: `received_at` has no time zone, the delivery belongs to another
                conversation, or the conversation is finished.

        """
        delivery = with_required(read(event, self._state), self._policy.require)
        received_at = _checked(delivery.received_at if received_at is None else received_at)
        if received_at is not delivery.received_at:
            delivery = replace(delivery, received_at=received_at)
        if delivery_id:
            delivery = replace(delivery, delivery_id=delivery_id)
        self._claim(delivery)
        applied = apply(self._state, delivery)
        return FeedResult(self._policy.apply(applied.findings), self.phase, applied.duplicate)

    def control(
        self, action: Mapping[str, Any] | bytes | str, received_at: datetime | None = None
    ) -> ControlResult:
        """Apply one live transcription action (the body of an E1 request) and return its result.

        The action is applied to this conversation, whatever ids the body contains. If the policy
        has `transcription="enforce"`, an action that the state does not allow is refused and has no
        effect.

        Raises:
            ConfigurationError: `received_at` has no time zone, or the conversation is finished.

        """
        context = DeliveryContext(_ANY, _ANY, received_at=_checked(received_at))
        delivery = read_body(action, TRANSCRIPTION, context)
        delivery.conversation_id, delivery.bot_id = self.conversation_id, self._state.bot_id
        self._claim(delivery)
        enforce = self._policy.transcription == "enforce"
        applied = apply(self._state, delivery, enforce=enforce)
        session = TRANSCRIPTION_MACHINE.session(self._state)
        outcome = applied.outcome
        return ControlResult(
            findings=self._policy.apply(applied.findings),
            accepted=outcome is not None and not outcome.is_refused,
            changed=outcome is not None and outcome.changed,
            state=session.state.value,
            generation=session.generation,
            allowed=TRANSCRIPTION_MACHINE.allowed(self._state),
        )

    def finish(self) -> Report:
        """Close the conversation and return the final report.

        The report includes findings about events that never came, such as a missing NA exit. `feed`
        and `control` raise `ConfigurationError` afterwards.
        """
        finish(self._state)
        return self.report()

    def report(self) -> Report:
        """Return a report of everything so far. The conversation stays open."""
        return Report(self._state, policy=self._policy)

    def snapshot(self) -> bytes:
        """Return the state of the conversation as bytes, from which `restore` continues it."""
        from segue.core.engine.snapshot import dump  # noqa: PLC0415 - a check does not need it

        return dump(self._state)

    @classmethod
    def restore(cls, data: bytes, *, policy: Policy | None = None) -> "Conversation":
        """Return a conversation that continues from the bytes that `snapshot` returned.

        The snapshot does not contain a policy, so pass the policy again.

        Raises:
            SchemaTooNew: A newer version of Segue wrote the snapshot.
            ConfigurationError: The bytes are not a snapshot, or an earlier version of Segue wrote
                it.

        """
        from segue.core.engine.snapshot import load_checked  # noqa: PLC0415 - as in `snapshot`

        conversation = cls(policy=policy)
        conversation._state = load_checked(data)
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
        elif one_spelling(theirs) != one_spelling(state.conversation_id):
            raise ConfigurationError(
                f"a delivery of conversation {theirs!r} was fed to {state.conversation_id!r}: "
                "use segue.replay for a log of several conversations"
            )


def _checked(received_at: object) -> datetime | None:
    """Return a time with a fixed UTC offset, or None for None.

    Raise `ConfigurationError` if the value is not a datetime with a time zone.
    """
    if received_at is None:
        return None
    if not isinstance(received_at, datetime):
        raise ConfigurationError(
            f"`received_at` must be a datetime, not {received_at!r}: only envelopes take text"
        )
    if not is_aware(received_at):
        raise ConfigurationError("received_at has no time zone: pass an aware datetime")
    return comparable(received_at)


def read(item: object, state: State) -> Delivery:
    """Return the `Delivery` that an event, a request body, an envelope or JSON text contains.

    An `Event` becomes the only event of a delivery with the ids of the conversation `state`.
    """
    if isinstance(item, Delivery):
        return item
    if isinstance(item, Event):
        return Delivery(state.conversation_id, state.bot_id, (item,))
    if not isinstance(item, bytes | str | Mapping):
        return read_body(item)  # type: ignore[arg-type]  # data that is not JSON is a finding
    delivery = read_line(item)
    if delivery.body is None or not any(flaw.code == _OUTSIDE for flaw in delivery.flaws):
        return delivery
    return _with_event_alone(delivery, delivery.body, state)


def _with_event_alone(delivery: Delivery, body: Mapping[str, Any], state: State) -> Delivery:
    """Return the delivery of a body that may be a single event instead of a list `events`.

    If the body has an event, the delivery gets the ids of `state` and loses the flaws that report
    missing ids and a missing list.
    """
    events = delivery.events
    is_named = key_of(body, "name") in body
    if is_named and all(body.get(key_of(body, key)) is None for key in _DELIVERY_KEYS):
        body = {"events": [body]}
        events = read_body(body, context=DeliveryContext(_ANY, _ANY)).events
    if not events:
        return delivery
    return replace(
        delivery,
        conversation_id=delivery.conversation_id or state.conversation_id,
        bot_id=delivery.bot_id or state.bot_id,
        events=events,
        body=body,
        flaws=tuple([flaw for flaw in delivery.flaws if not _is_of_event_alone(flaw)]),
    )


def _is_of_event_alone(flaw: Flaw) -> bool:
    """Return whether a flaw only reports missing ids or a missing list `events`."""
    is_absence = flaw.code == "SG502" and not flaw.is_believed
    return flaw.code == _OUTSIDE or (is_absence and flaw.pointer in _IDS)


_ANY: Final = "?"
"""A placeholder for ids that the caller already knows, so that a body without ids has no flaw."""

_OUTSIDE: Final = "SG508"
_DELIVERY_KEYS: Final = ("conversationId", "botId", "events", "query", "author")
_IDS: Final = ("/conversationId", "/botId")
"""The JSON Pointers of the ids in a body."""
