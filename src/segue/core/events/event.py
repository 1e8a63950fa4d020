"""Events and deliveries as slotted values, with the flaws found in their shape.

A value holds the JSON object that was sent (`value`) and the parts of it that can be used. Reading
it never raises: a property returns the field, or an empty value if the field is absent or of the
wrong type. A flaw reports such a field once.
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
    """A problem with the shape of a body, which becomes a finding once its position is known."""

    code: str
    """The rule that reports it."""
    pointer: str
    """A JSON Pointer into the body."""
    facts: Mapping[str, str]
    """Values for the rule's templates, without customer text."""
    is_warning: bool = False
    """Whether it is a warning whatever the rule's own severity (a redial without `isExtAD`)."""
    is_believed: bool = False
    """Whether the field was read all the same, as the sender must have meant it."""

    def finding(self, place: Place) -> Finding:
        """Return the finding of this flaw at a place, with the pointer of the flaw."""
        found = find(self.code, replace(place, pointer=self.pointer), self.facts)
        return found.ranked(Severity.WARNING) if self.is_warning else found


def quoted(identity: str) -> str:
    """Return an id for people to read: in quotes if it begins or ends with a blank.

    The quotes tell it from the id without blanks, which is a different one.
    """
    return identity if identity == identity.strip() else f'"{identity}"'


@dataclass(slots=True, repr=False)
class Event:
    """One event of a delivery: an object of `events`, a message, or a transcription action.

    The fields hold the facts that the order of events depends on. The properties read further
    fields from `value`.
    """

    kind: StrEnum
    """An `EventKind`, or the kind of the intake, such as `ActionKind`. Its value is the label for
    people.
    """
    agent: str
    """The identity of the participant, or `agentId`. Empty if there is no agent."""
    experience: str
    """`chat` or `voice`. Empty if absent or unknown."""
    value: Mapping[str, Any]
    """The JSON object that was sent, with misspelled names corrected. The whole body for a message,
    a transcription action, or an event outside `events`.
    """
    pointer: str
    """A JSON Pointer to the event within its body. Empty if the body is the event."""
    flaws: tuple[Flaw, ...] = ()
    """Problems with its fields, in the order in which they were read."""

    def __repr__(self) -> str:
        """Show the kind and the agent, but no customer data."""
        agent = f" {self.agent!r}" if self.agent else ""
        return f"<Event {self.kind.value}{agent}>"

    @property
    def participant(self) -> Mapping[str, Any]:
        """The participant object. Empty if absent."""
        return _mapping(self.value, "participant")

    @property
    def custom_fields(self) -> Mapping[str, Any]:
        """`participant.customFields`. Empty if absent."""
        return _mapping(self.participant, "customFields")

    @property
    def name(self) -> str:
        """The display name of the participant, or an empty string."""
        return _string(self.participant, "name")

    @property
    def type(self) -> str:
        """The type of the participant, normally `agent`."""
        sent = _string(self.participant, "type")
        word = sent.strip(BLANKS).lower()
        return word if word == "agent" else sent

    @property
    def email(self) -> str:
        """The custom field `agentEmail`, or an empty string."""
        return _string(self.custom_fields, "agentEmail")

    @property
    def queue_id(self) -> str:
        """The custom field `queueId`, or an empty string."""
        return _string(self.custom_fields, "queueId")

    @property
    def queue_name(self) -> str:
        """The custom field `queueName`, or an empty string."""
        return _string(self.custom_fields, "queueName")

    @property
    def language(self) -> str:
        """The language of the conversation as the sender names it, or an empty string."""
        return _string(self.value, "language")

    @property
    def reason(self) -> str:
        """The reason of a redial or an END, for example `agent_initiated`, or an empty string."""
        return _string(self.value, "reason")


@dataclass(slots=True, repr=False)
class Delivery:
    """One POST body with the envelope it arrived in.

    A delivery is made of any body, including one that cannot be read. Problems are listed in
    `flaws`, here and on each event.
    """

    conversation_id: str | None
    """The conversation's id, or None if neither the body nor the envelope has one."""
    bot_id: str | None
    """The bot's id from the path or envelope, else from the body, or None."""
    events: tuple[Event, ...] = ()
    """The events in the order in which they are judged, including the message."""
    flaws: tuple[Flaw, ...] = ()
    """Problems with the delivery itself rather than with one of its events."""
    delivery_id: str | None = None
    """The id from the envelope or a header, or None if deliveries have no ids."""
    received_at: datetime | None = None
    """The aware time of receipt, which is the only time of the events."""
    line: int | None = None
    """The 1-based line of the log that the delivery was read from."""
    body: Mapping[str, Any] | None = None
    """The body as a JSON object, or None if it could not be read."""
    intake: Intake = HOOKS
    """The endpoint that the delivery arrived at."""
    envelope_bot: str | None = None
    """The bot of the path or envelope, which may be empty, or None if there is no such field."""
    known_digest: str | None = None
    """The fingerprint of the body if the body itself was not kept."""
    asked_at: datetime | None = None
    """The aware time of the host's request that this delivery answers, or None if unknown."""

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
