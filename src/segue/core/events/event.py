"""The classes `Event` and `Delivery`, with the flaws found in the shape of their JSON.

An object of these classes stores the JSON object that was sent (`value`) and the fields that can be
used. Reading it never raises an exception. A property returns the value of its field, or an empty
value if the field is absent or has the wrong type. A flaw reports such a field once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import NoneType
from typing import Any, Final, NamedTuple

from segue.core.events.equality import canonical_text, fingerprint, json_text, text_digest
from segue.core.events.ids import one_spelling
from segue.core.events.intakes import HOOKS, IdSource, Intake
from segue.core.events.kind import Json
from segue.core.events.shapes import BLANKS, key_of
from segue.core.findings import Finding, Place, Severity, find
from segue.core.reprs import cut, short_repr

_EMPTY: Mapping[str, Any] = {}
_MOST_KINDS: Final = 100
"""The maximum length of the kinds of events in the `repr` of a delivery."""


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

    def __hash__(self) -> int:
        """Return a hash without the values for the templates, which cannot be hashed."""
        return hash((self.code, self.pointer))

    def finding(self, place: Place) -> Finding:
        """Return a finding of the rule `code` that reports this flaw.

        The place of the finding is `place`, completed by the JSON Pointer of the flaw.
        """
        found = find(self.code, replace(place, pointer=self.pointer), self.facts)
        return found.ranked(Severity.WARNING) if self.is_warning else found


@dataclass(slots=True, repr=False)
class Event:
    """One event of a delivery: an element of `events`, a message, or a transcription action.

    The fields contain the facts that decide whether the specification allows the event, such as its
    kind and its agent. The properties read further values, such as the agent's name, from the JSON
    object that was sent.
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

    @short_repr
    def __repr__(self) -> str:
        """Return the kind and the agent, without customer data."""
        agent = f" {cut(repr(self.agent))}" if self.agent else ""
        return f"<Event {self.kind.value}{agent}>"

    @property
    def fingerprint(self) -> str:
        """A short text that all events share that are the same, see `segue.core.events.same`."""
        return fingerprint(self.value, self.kind)

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
    """The body of one HTTP request with its events, and the known facts about the request.

    Every body gives a delivery, even one that cannot be read. Problems of the body are listed in
    `flaws`, and problems of an event in the event's own `flaws`.
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
    known_fingerprint: str | None = None
    """The fingerprint if it cannot be computed from the body and the events, otherwise None.

    This is so if the body could not be read, or if parts of it were not kept.
    """
    asked_at: datetime | None = None
    """The time of the host's request that this callback answers, with a time zone, or None if
    unknown.
    """

    @property
    def fingerprint(self) -> str:
        """A short text that all deliveries share that are the same.

        These have the same conversation, bot and events. The order of the events counts. Other
        facts about the request, such as its time, do not.
        """
        if self.known_fingerprint is not None:
            return self.known_fingerprint
        body, ids = self.body, (self.conversation_id, self.bot_id)
        events = [self._text_of(event) for event in self.events]
        if self.flaws and body is not None and self.intake.ids is IdSource.BODY:
            ids = _sent(body, "conversationId", ids[0]), _sent(body, "botId", ids[1])
            if type(listed := _sent(body, "events", None)) not in _LISTS:
                events.append(json_text(listed))
        ids = _spelled(ids[0]), _spelled(ids[1])
        said = ids if type(ids[0]) is type(ids[1]) is str else (json_text(ids),)
        return text_digest("\0".join((*said, *events)))

    def _text_of(self, event: Event) -> str:
        """Return the canonical text of an event, or the JSON text of what is not an object."""
        if self.body is None or event.value or not event.pointer:
            return canonical_text(event.value, event.kind)
        listed = self.body[key_of(self.body, "events")]
        return json_text(listed[int(event.pointer.rpartition("/")[2])])

    @short_repr
    def __repr__(self) -> str:
        """Return the conversation id and the kinds of the events, without customer data."""
        kinds = ", ".join(event.kind.value for event in self.events)
        return f"<Delivery {cut(repr(self.conversation_id))} [{cut(kinds, _MOST_KINDS)}]>"


_LISTS: Final = frozenset({list, NoneType})


def _sent(body: Mapping[str, Any], name: str, read: Json) -> Json:
    """Return a member of a body, or the value `read` if the member is absent or empty."""
    found = body.get(key_of(body, name))
    return read if found in (None, "") else found


def _spelled(read: Json) -> Json:
    """Return an id in the spelling that all equal ids share. Other values are returned as is."""
    return one_spelling(read.strip(BLANKS) or read) if isinstance(read, str) else read


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if type(found) is dict or isinstance(found, Mapping) else _EMPTY


def _string(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""
