"""Construction of bodies: lifecycle events (E21), transcription actions (E1), call notifications.

A `StoryEvent` is an event and its agent. `delivery` returns the body that a sender would send for
it. `read_delivery` is the inverse.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from segue.core.events import (
    CALL_NOTIFICATIONS,
    HOOKS,
    TRANSCRIPTION,
    ActionKind,
    CallKind,
    EventKind,
    IdSource,
    Intake,
    Json,
)

TRANSFERS: Final = tuple(kind.value for kind in EventKind if kind.is_entry or kind.is_exit)
MESSAGE_LABELS: Final = (EventKind.USER_MESSAGE.value, EventKind.AGENT_MESSAGE.value)
ACTIONS: Final = tuple(kind.value for kind in ActionKind if kind.action)
"""The labels of transcription actions, such as `start` and `pause handover=true`."""
_CALL: Final = "call "
CALLS: Final = tuple(
    f"{_CALL}{kind.value}" for kind in CallKind if kind is not CallKind.UNPROCESSABLE
)
"""The labels of call notifications, such as `call completed`."""

_LIFECYCLE: Final = (*TRANSFERS, *MESSAGE_LABELS, EventKind.SUMMARY.value, EventKind.END.value)
LABELS: Final = (*_LIFECYCLE, *ACTIONS)
"""The labels of events, messages and actions, such as `NA entry`, spelled as in `expected`."""

_KINDS: Final = {label: EventKind(label) for label in _LIFECYCLE}
_AGENTLESS: Final = frozenset({EventKind.SUMMARY, EventKind.END})
_LABEL_OF_NAME: Final = {
    "INTERNAL_TRANSFER_EVENT": "",
    "TRIGGER_SUMMARY_EVENT": EventKind.SUMMARY.value,
    "END_OF_CONVERSATION": EventKind.END.value,
}
_CUSTOM: Final = {"agentEmail": "agent@example.com", "queueId": "qu-1", "queueName": "Orders"}


class StoryEvent(NamedTuple):
    """One event, message, transcription action or call notification."""

    label: str
    """The kind: `NA entry`, `agent message`, `TRIGGER_SUMMARY_EVENT`, `pause handover=true`, …"""
    agent: str = ""
    """The id of the agent, or an empty string."""
    language: str = ""
    """The language, to distinguish two events that would otherwise be equal."""

    def __str__(self) -> str:
        """Return the event as text: `NA exit by a-1`, or `NA exit by a-1 in de` with a language."""
        by = f" by {self.agent}" if self.agent else ""
        return f"{self.label}{by} in {self.language}" if self.language else f"{self.label}{by}"

    @property
    def kind(self) -> EventKind:
        """The kind of an event or message.

        Raises `KeyError` for an action or a call notification.
        """
        return _KINDS[self.label]

    @property
    def actor(self) -> str:
        """The agent whose presence the event concerns.

        An empty string for a summary, an END, an action and a call notification.
        """
        is_placed = not (self.is_action or self.is_call or self.kind in _AGENTLESS)
        return self.agent if is_placed else ""

    @property
    def is_action(self) -> bool:
        """Whether the event is a transcription action."""
        return self.label in ACTIONS

    @property
    def is_call(self) -> bool:
        """Whether the event is a call notification."""
        return self.label in CALLS

    @property
    def intake(self) -> Intake:
        """The endpoint that receives the event."""
        if self.is_call:
            return CALL_NOTIFICATIONS
        return TRANSCRIPTION if self.is_action else HOOKS

    @property
    def is_message(self) -> bool:
        """Whether the event is a message."""
        return self.label in MESSAGE_LABELS


def participant(agent: str) -> dict[str, Any]:
    """Return the `participant` object of an agent, as it appears in events."""
    return {"identity": agent, "name": f"Agent {agent}", "type": "agent"}


def transfer(label: str, agent: str, **changed: Json) -> dict[str, Any]:
    """Return a transfer event for a label such as `COLD exit`.

    `changed` replaces or adds fields.
    """
    transfer_type, transition = label.split(" ")
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type,
        "transition": transition,
        "isExtAD": False,
        "language": "en",
        "experience": "chat",
        "participant": participant(agent),
    } | changed


def summary(language: str = "en", locale: str = "en") -> dict[str, Any]:
    """Return an event that triggers the summary of the conversation."""
    data = {"language": language, "locale": locale, "type": "post"}
    return {"name": "TRIGGER_SUMMARY_EVENT", "data": data}


def end(agent: str = "a-1", **changed: Json) -> dict[str, Any]:
    """Return an END_OF_CONVERSATION event. `changed` replaces or adds fields."""
    return {
        "name": "END_OF_CONVERSATION",
        "reason": "agent_initiated",
        "language": "en",
        "experience": "chat",
        "participant": participant(agent),
    } | changed


def message(author: str, agent: str, text: str = "text", **changed: Json) -> dict[str, Any]:
    """Return the body of a message by `USER` or `AGENT`. `changed` replaces or adds fields."""
    return {
        "conversationId": "c-1",
        "botId": "st-1",
        "query": text,
        "agentId": agent,
        "experience": "chat",
        "author": {"type": author},
        "source": "desk",
    } | changed


def body(
    *events: Mapping[str, Any], conversation_id: str = "c-1", bot_id: str = "st-1"
) -> dict[str, Any]:
    """Return the E21 body that contains these events."""
    return {"conversationId": conversation_id, "botId": bot_id, "events": list(events)}


def action(label: str, agent: str) -> dict[str, Any]:
    """Return the E1 body of the transcription action with this label, such as `start`."""
    kind = ActionKind(label)
    given = {"action": kind.action, "agentId": agent}
    return given if kind.handover is None else given | {"handover": kind.handover}


def notification(status: str, **changed: Json) -> dict[str, Any]:
    """Return the body of a call notification with this status. `changed` adds fields."""
    return {"conversationId": "c-1", "status": status} | changed


def envelope_of(
    intake: Intake, conversation_id: str = "c-1", bot_id: str = "st-1"
) -> dict[str, Any]:
    """Return the envelope fields `endpoint` and `bot_id` for deliveries to an endpoint.

    If bodies of the endpoint do not contain the conversation id, add `conversation_id`.
    """
    address = {"conversation_id": conversation_id} if intake.ids is IdSource.ADDRESS else {}
    return {"endpoint": intake.name, **address, "bot_id": bot_id}


def delivery(
    event: StoryEvent, conversation_id: str = "c-1", bot_id: str = "st-1"
) -> dict[str, Any]:
    """Return the delivery with this event: a body, or an envelope for actions and notifications."""
    if event.is_call:
        given = notification(event.label.removeprefix(_CALL), conversationId=conversation_id)
        return envelope_of(CALL_NOTIFICATIONS, bot_id=bot_id) | {"body": given}
    if event.is_action:
        given = action(event.label, event.agent)
        return envelope_of(TRANSCRIPTION, conversation_id, bot_id) | {"body": given}
    if event.is_message:
        author = event.label.partition(" ")[0].upper()
        ids = {"conversationId": conversation_id, "botId": bot_id}
        return message(author, event.agent, **ids)
    language = event.language or "en"
    match event.kind:
        case EventKind.SUMMARY:
            found = summary(language)
        case EventKind.END:
            found = end(event.agent, language=language)
        case _:
            found = transfer(event.label, event.agent, language=language)
    return body(found, conversation_id=conversation_id, bot_id=bot_id)


DETAILS: Final = ("voice", "external directory", "custom fields", "reason of a redial")
"""The optional details that `detailed` can add to bodies."""


def detailed(given: Mapping[str, Any], details: Collection[str]) -> dict[str, Any]:
    """Return a copy of an E21 body with the given details added wherever they apply."""
    found = dict(given)
    if "voice" in details and "experience" in given:
        found["experience"] = "voice"
    if "external directory" in details and "isExtAD" in given:
        found["isExtAD"] = True
    if "custom fields" in details and "participant" in given:
        found["participant"] = given["participant"] | {"customFields": dict(_CUSTOM)}
    if "reason of a redial" in details and given.get("transfertype") == "redial":
        found["reason"] = "agent_initiated"
    if "events" in given:
        found["events"] = [detailed(each, details) for each in given["events"]]
    return found


def read_delivery(given: object) -> StoryEvent | None:
    """Return the event in a body or an envelope, as the inverse of `delivery`.

    Return None if the body is damaged, not spelled as in the specification, or has more than one
    event.
    """
    if not isinstance(given, Mapping):
        return None
    inner = given.get("body", given)
    try:
        event = StoryEvent(_label(inner), _agent(inner), _language(inner))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None
    return event if event.label in LABELS or event.is_call else None


def _label(given: Mapping[str, Any]) -> str:
    if "action" in given:
        flag = f" handover={str(given['handover']).lower()}" if "handover" in given else ""
        return f"{given['action']}{flag}"
    if "status" in given:
        return f"{_CALL}{given['status']}"
    if "query" in given:
        return f"{given['author']['type'].lower()} message"
    (event,) = given["events"]
    return _LABEL_OF_NAME[event["name"]] or f"{event['transfertype']} {event['transition']}"


def _agent(given: Mapping[str, Any]) -> str:
    if "status" in given:
        return ""
    if "events" not in given:
        return str(given["agentId"])
    return str(given["events"][0].get("participant", {}).get("identity", ""))


def _language(given: Mapping[str, Any]) -> str:
    event = given["events"][0] if "events" in given else {}
    language = event.get("language", event.get("data", {}).get("language", "en"))
    return "" if language == "en" else str(language)
