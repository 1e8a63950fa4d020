"""Events and deliveries as slotted values, with the flaws found in their shape.

These values carry what was sent (`value`, the JSON object) and what of it is known to be usable.
They never raise: a property reads a field, or gives the empty value when it is absent or of the
wrong type; that it is wrong is said once, by a flaw.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from segue.core.events.fingerprints import fingerprint
from segue.core.events.intakes import HOOKS, Intake
from segue.core.events.shapes import BLANKS
from segue.core.findings import Finding, Place, Severity, find

_EMPTY: Mapping[str, Any] = {}


class Flaw(NamedTuple):
    """Something wrong with the shape of a body; becomes a finding once its position is known."""

    code: str
    """The rule that reports it."""
    pointer: str
    """JSON Pointer into the body."""
    facts: Mapping[str, str]
    """The facts of the rule's templates, without customer text."""
    is_warning: bool = False
    """Reported as a warning whatever the rule's own severity (a redial without `isExtAD`)."""
    is_believed: bool = False
    """Whether it was read all the same, as what was meant."""

    def finding(self, place: Place) -> Finding:
        """Return the finding at a place; of its pointer, that of the flaw is taken."""
        found = find(self.code, replace(place, pointer=self.pointer), self.facts)
        return found.ranked(Severity.WARNING) if self.is_warning else found


def quoted(identity: str) -> str:
    """Return an id as people read it: in quotes if it begins or ends with a blank.

    It is another id than the one without blanks, and has to look like another.
    """
    return identity if identity == identity.strip() else f'"{identity}"'


@dataclass(slots=True, repr=False)
class Event:
    """One object of a delivery's `events`, the message it carries, or its transcription action."""

    kind: StrEnum
    """An `EventKind` or `ActionKind`, as the intake has it; the value is the label for people."""
    agent: str
    """Identity of the participant, or `agentId`; empty when there is none."""
    experience: str
    """`chat`, `voice`, or empty when absent or unknown."""
    value: Mapping[str, Any]
    """The JSON object as sent, but for what was believed to be meant; of a message, an action or an
    event outside `events` the whole body."""
    pointer: str
    """JSON Pointer of this event within its body; empty where the body is the event."""
    flaws: tuple[Flaw, ...] = ()
    """What is wrong with its fields, in the order in which they were read."""

    def __repr__(self) -> str:
        """Show what ordering depends on, never customer data."""
        agent = f" {self.agent!r}" if self.agent else ""
        return f"<Event {self.kind.value}{agent}>"

    @property
    def participant(self) -> Mapping[str, Any]:
        """The participant object, empty when there is none."""
        return _mapping(self.value, "participant")

    @property
    def custom_fields(self) -> Mapping[str, Any]:
        """`participant.customFields`, empty when there are none."""
        return _mapping(self.participant, "customFields")

    @property
    def name(self) -> str:
        """Display name of the participant."""
        return _string(self.participant, "name")

    @property
    def type(self) -> str:
        """Type of the participant: `agent`."""
        sent = _string(self.participant, "type")
        word = sent.strip(BLANKS).lower()
        return word if word == "agent" else sent

    @property
    def email(self) -> str:
        """`customFields.agentEmail`."""
        return _string(self.custom_fields, "agentEmail")

    @property
    def queue_id(self) -> str:
        """`customFields.queueId`."""
        return _string(self.custom_fields, "queueId")

    @property
    def queue_name(self) -> str:
        """`customFields.queueName`."""
        return _string(self.custom_fields, "queueName")

    @property
    def language(self) -> str:
        """Language of the conversation as the sender names it."""
        return _string(self.value, "language")

    @property
    def reason(self) -> str:
        """Reason of a redial or an end, for example `agent_initiated`."""
        return _string(self.value, "reason")


@dataclass(slots=True, repr=False)
class Delivery:
    """One POST body with the envelope it arrived in, read as far as it can be read."""

    conversation_id: str | None
    """None: there is nothing to file it under."""
    bot_id: str | None
    """The bot of the path or envelope, or else that of the body."""
    events: tuple[Event, ...] = ()
    """In the order in which they are judged, the message included."""
    flaws: tuple[Flaw, ...] = ()
    """What is wrong with the delivery itself rather than with one of its events."""
    delivery_id: str | None = None
    """From the envelope or a header; None where ids are not used."""
    received_at: datetime | None = None
    """Aware; the only time an event has."""
    line: int | None = None
    """1-based line of the log it was read from."""
    body: Mapping[str, Any] | None = None
    """The body as a JSON object; None when unreadable."""
    intake: Intake = HOOKS
    """The endpoint it arrived at."""
    envelope_bot: str | None = None
    """The bot of the path or envelope, which may be empty; None if there is no such field."""
    known_digest: str | None = None
    """The fingerprint of the body, where the body itself was not kept."""
    asked_at: datetime | None = None
    """When the host made the request that this answers; None unless it said so. Aware."""

    @property
    def digest(self) -> str:
        """The fingerprint of the body."""
        return self.known_digest or fingerprint(self.body)

    def __repr__(self) -> str:
        """Show ids and kinds only."""
        kinds = ", ".join(event.kind.value for event in self.events)
        return f"<Delivery {self.conversation_id!r} [{kinds}]>"


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if type(found) is dict or isinstance(found, Mapping) else _EMPTY


def _string(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""
