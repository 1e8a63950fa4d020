"""Stories: the deliveries of one conversation, written as short as they are told.

It decides how a beat (one event, message or transcription action) looks as a delivery, and how a
stream of deliveries looks to people.  House rules: the labels are those of `expected`, so that what
a finding says was legal can be typed into a test; whatever is not exactly what its label says is
shown as it is, so that a `repr` never lies and can be pasted back.  It does not know what is legal.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from segue.errors import ConfigurationError
from segue.events import TRANSCRIPTION, EventKind

__all__ = ["ACTIONS", "Beat", "Story", "beat_of", "delivery", "event_of", "story", "told"]

ACTIONS: Final = ("start", "pause handover=false", "pause handover=true", "resume", "end")
"""Labels of the transcription actions."""

_NAMELESS: Final = frozenset({EventKind.SUMMARY, EventKind.END})
_KINDS: Final = {
    kind.value: kind
    for kind in EventKind
    if kind not in (EventKind.MESSAGE, EventKind.UNPROCESSABLE, EventKind.CLOSE)
}
_NAMES: Final = {
    "INTERNAL_TRANSFER_EVENT": "",
    "TRIGGER_SUMMARY_EVENT": EventKind.SUMMARY.value,
    "END_OF_CONVERSATION": EventKind.END.value,
}


class Beat(NamedTuple):
    """One event, message or action, reduced to what is told of it."""

    label: str
    """`NA entry`, `agent message`, `TRIGGER_SUMMARY_EVENT`, `pause handover=true`, …"""
    agent: str = ""
    language: str = ""
    """Two events in a row that differ in nothing are one, delivered twice; so let them differ."""

    def __str__(self) -> str:
        """Tell it as `expected` does: `NA exit by a-1`, or `NA exit by a-1 in de`."""
        by = f" by {self.agent}" if self.agent else ""
        return f"{self.label}{by} in {self.language}" if self.language else f"{self.label}{by}"

    @property
    def kind(self) -> EventKind:
        """What it is to the lifecycle; an action is nothing to it, and has none."""
        return _KINDS[self.label]

    @property
    def actor(self) -> str:
        """The agent whose doing it is: a summary and the end are nobody's."""
        return "" if self.is_action or self.kind in _NAMELESS else self.agent

    @property
    def is_action(self) -> bool:
        """Whether it goes to the transcription endpoint."""
        return self.label in ACTIONS

    @property
    def is_message(self) -> bool:
        """Whether it is a message."""
        return self.label.endswith("message")


class Story(list[Any]):
    """The deliveries of one conversation, in order: bodies of E21, envelopes, or broken text.

    A plain list, but for its `repr`, which tells it.
    """

    def __repr__(self) -> str:
        """Tell it, so that it can be pasted into a test."""
        return f"story({', '.join(_shown(each) for each in self)})"


def story(
    *parts: str | Mapping[str, Any], conversation_id: str = "c-1", bot_id: str = "st-1"
) -> Story:
    """Return the deliveries that these labels tell: `story("NA entry by a-1", "NA exit by a-1")`.

    A mapping is a delivery as it is, and so is text that begins with `{`. Raises
    `ConfigurationError` for a label that says nothing.
    """
    return Story(
        part
        if not isinstance(part, str) or part.startswith("{")
        else delivery(_read(part), conversation_id, bot_id)
        for part in parts
    )


def told(beats: Iterable[Beat], conversation_id: str = "c-1", bot_id: str = "st-1") -> Story:
    """Return the deliveries of these beats."""
    return Story(delivery(beat, conversation_id, bot_id) for beat in beats)


def delivery(beat: Beat, conversation_id: str = "c-1", bot_id: str = "st-1") -> dict[str, Any]:
    """Return the delivery that says this and nothing else: a body, or the envelope of an action."""
    ids = {"conversationId": conversation_id, "botId": bot_id}
    if beat.is_action:
        name, _, handover = beat.label.partition(" handover=")
        body: dict[str, Any] = {"action": name, "agentId": beat.agent}
        if handover:
            body["handover"] = handover == "true"
        envelope = {"endpoint": TRANSCRIPTION.name, "conversation_id": conversation_id}
        return envelope | {"bot_id": bot_id, "body": body}
    if beat.is_message:
        author = "USER" if beat.kind is EventKind.USER_MESSAGE else "AGENT"
        message = {"query": "text", "agentId": beat.agent, "experience": "chat"}
        return ids | message | {"author": {"type": author}, "source": "desk"}
    return ids | {"events": [event_of(beat)]}


def event_of(beat: Beat) -> dict[str, Any]:
    """Return a lifecycle event as the object it is in `events`."""
    if beat.kind is EventKind.SUMMARY:
        data = {"language": beat.language or "en", "locale": "en", "type": "post"}
        return {"name": "TRIGGER_SUMMARY_EVENT", "data": data}
    participant = {"identity": beat.agent, "name": f"Agent {beat.agent}", "type": "agent"}
    said = {"language": beat.language or "en", "experience": "chat", "participant": participant}
    if beat.kind is EventKind.END:
        return {"name": "END_OF_CONVERSATION", "reason": "agent_initiated", **said}
    transfer_type, transition = beat.label.split()
    transfer = {"transfertype": transfer_type, "transition": transition, "isExtAD": False}
    return {"name": "INTERNAL_TRANSFER_EVENT", **transfer, **said}


def beat_of(given: object) -> Beat | None:
    """Return what a canonical delivery tells; None: it is batched, broken or spelt otherwise."""
    if not isinstance(given, Mapping):
        return None
    body = given.get("body", given)
    try:
        beat = Beat(_label(body), _agent(body), _language(body))
    except (KeyError, TypeError, ValueError, IndexError):
        return None
    return beat if beat.label in _KINDS or beat.is_action else None


def _label(body: Mapping[str, Any]) -> str:
    if "action" in body:
        flag = f" handover={str(body['handover']).lower()}" if "handover" in body else ""
        return f"{body['action']}{flag}"
    if "query" in body:
        return f"{body['author']['type'].lower()} message"
    (event,) = body["events"]
    return _NAMES[event["name"]] or f"{event['transfertype']} {event['transition']}"


def _agent(body: Mapping[str, Any]) -> str:
    if "events" not in body:
        return str(body["agentId"])
    participant = body["events"][0].get("participant", {})
    return str(participant.get("identity", ""))


def _language(body: Mapping[str, Any]) -> str:
    event = body["events"][0] if "events" in body else {}
    language = event.get("language", event.get("data", {}).get("language", "en"))
    return "" if language == "en" else str(language)


def _shown(given: object) -> str:
    """Show a delivery as its label when that says all, else as it is."""
    beat = beat_of(given)
    return repr(str(beat)) if beat is not None and delivery(beat) == given else repr(given)


def _read(text: str) -> Beat:
    rest, _, language = text.partition(" in ")
    label, _, agent = rest.partition(" by ")
    beat = Beat(label, agent, language)
    if not beat.is_action and label not in _KINDS:
        known = ", ".join((*_KINDS, *ACTIONS))
        msg = f"{text!r} tells nothing: a label is one of {known}, and then 'by' and an agent"
        raise ConfigurationError(msg)
    if not agent and label != EventKind.SUMMARY.value:
        msg = f"{text!r} does not say whose it is: write '{label} by a-1'"
        raise ConfigurationError(msg)
    return beat
