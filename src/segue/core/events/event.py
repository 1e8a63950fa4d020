"""The classes `Event` and `Delivery`, with the flaws found in the shape of their JSON.

An object of these classes stores the JSON object that was sent (`value`) and the fields that can be
used. Reading it never raises an exception. A property returns the value of its field, or an empty
value if the field is absent or has the wrong type. A flaw reports such a field once.
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
    """A problem with the shape of a body, such as a missing field, from which a finding is made."""

    code: str
    """The code of the rule, such as `SG502`."""
    pointer: str
    """A JSON Pointer to the field within the body, such as `/events/0/name`."""
    facts: Mapping[str, str]
    """The values for the templates of the rule. They contain no customer text."""
    is_warning: bool = False
    """Whether the flaw is a warning instead of having the severity of the rule."""
    is_believed: bool = False
    """Whether the field was used in spite of the flaw, because the intended value was clear."""

    def finding(self, place: Place) -> Finding:
        """Return the finding that reports this flaw.

        Its place is `place` with the pointer of the flaw.
        """
        found = find(self.code, replace(place, pointer=self.pointer), self.facts)
        return found.ranked(Severity.WARNING) if self.is_warning else found


def quoted(identity: str) -> str:
    """Return an id for messages, in quotes if it begins or ends with a blank.

    The quotes distinguish the id from one without blanks, which is a different id.
    """
    return identity if identity == identity.strip() else f'"{identity}"'


@dataclass(slots=True, repr=False)
class Event:
    """One event of a delivery: an element of `events`, a message, or a transcription action.

    The fields contain the facts that decide whether the event is legal. The properties read further
    fields of the JSON object.
    """

    kind: StrEnum
    """The kind of event, which is an `EventKind` such as `EventKind.NA_ENTRY`. Events of other
    endpoints have an `ActionKind` or another enum.
    """
    agent: str
    """The identity of the agent (`participant.identity` or `agentId`). Empty if there is no agent.
    """
    experience: str
    """`chat` or `voice`. Empty if the field is absent or has another value."""
    value: Mapping[str, Any]
    """The JSON object that was sent, with the spelling of its keys corrected. For a message or a
    transcription action it is the whole body.
    """
    pointer: str
    """A JSON Pointer to the event within the body, such as `/events/0`. Empty if the body is the
    event.
    """
    flaws: tuple[Flaw, ...] = ()
    """Problems with fields of the event, in the order in which the fields were read."""

    def __repr__(self) -> str:
        """Return the kind and the agent, without customer data."""
        agent = f" {self.agent!r}" if self.agent else ""
        return f"<Event {self.kind.value}{agent}>"

    @property
    def participant(self) -> Mapping[str, Any]:
        """The object `participant`, or an empty mapping if it is absent."""
        return _mapping(self.value, "participant")

    @property
    def custom_fields(self) -> Mapping[str, Any]:
        """The object `participant.customFields`, or an empty mapping if it is absent."""
        return _mapping(self.participant, "customFields")

    @property
    def name(self) -> str:
        """The display name of the agent (`participant.name`), or an empty string."""
        return _string(self.participant, "name")

    @property
    def type(self) -> str:
        """The type of the participant, which is normally `agent`, or an empty string."""
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
        """The field `language` in the spelling of the sender, or an empty string."""
        return _string(self.value, "language")

    @property
    def reason(self) -> str:
        """The reason of a redial or an END, such as `agent_initiated`, or an empty string."""
        return _string(self.value, "reason")


@dataclass(slots=True, repr=False)
class Delivery:
    """The body of one request, together with what is known about the request.

    There is a delivery for every body, even for one that cannot be read. Problems are listed in
    `flaws`, both here and on each event.
    """

    conversation_id: str | None
    """The id of the conversation, or None if neither the body nor the envelope contains one."""
    bot_id: str | None
    """The id of the bot, such as `st-1`, or None.

    The id in the path or envelope takes precedence over the id in the body.
    """
    events: tuple[Event, ...] = ()
    """The events in the order in which they are judged. A message is one of them."""
    flaws: tuple[Flaw, ...] = ()
    """Problems with the delivery as a whole. Problems with an event are in `Event.flaws`."""
    delivery_id: str | None = None
    """The id that a sender repeats if it sends the same delivery again, or None."""
    received_at: datetime | None = None
    """The time of receipt, with a time zone, or None. All events of the delivery share it."""
    line: int | None = None
    """The 1-based line of the log, or None if the delivery was not read from a log."""
    body: Mapping[str, Any] | None = None
    """The body as a JSON object, or None if the body could not be read or was not kept."""
    intake: Intake = HOOKS
    """The endpoint at which the delivery arrived."""
    envelope_bot: str | None = None
    """The id of the bot in the path or envelope, which may be empty, or None if it contains no bot.
    """
    known_digest: str | None = None
    """The fingerprint of the body if the body itself was not kept, otherwise None."""
    asked_at: datetime | None = None
    """The time of the host's request that this callback answers, with a time zone, or None if
    unknown.
    """

    @property
    def digest(self) -> str:
        """The fingerprint of the body, which is equal for equal bodies."""
        return self.known_digest or fingerprint(self.body)

    def __repr__(self) -> str:
        """Return the conversation id and the kinds of the events, without customer data."""
        kinds = ", ".join(event.kind.value for event in self.events)
        return f"<Delivery {self.conversation_id!r} [{kinds}]>"


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if type(found) is dict or isinstance(found, Mapping) else _EMPTY


def _string(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""
