"""Writes events as a repair changes or inserts them.

Names and types come from the agent's own events; experience, language and flags from those of the
conversation.  What an event says besides stays as it was.  A new event has no custom fields, and
END has the reason `unknown`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from segue.analysis.repairs.editable import EditableEvent
from segue.core.events import EventKind
from segue.core.lifecycle import MESSAGES

_TRANSFER: Final = "INTERNAL_TRANSFER_EVENT"
_END: Final = "END_OF_CONVERSATION"
_PERSON: Final = ("identity", "name", "type")
_STYLE: Final = (
    ("experience", str), ("language", str), ("isExtAD", bool | str), ("transfertype", str),
)  # fmt: skip


class Synthesizer:
    """Writes events in the style of one conversation."""

    def __init__(self, events: Iterable[EditableEvent], agents: tuple[str, ...]) -> None:
        self._events = tuple(events)
        self._people: dict[str, dict[str, Any]] = {}
        self._emails: dict[str, str] = {}
        self._style: dict[str, Any] = {}
        self._agents = agents
        for event in self._events:
            if isinstance(event.value, Mapping):
                self._learn(event.value)

    def value(
        self, position: int | None, kind: EventKind, agent: str, last_exit: str = ""
    ) -> object:
        """Return an event as a JSON value.

        Args:
            position: Of the event that is changed; `None` for a new one.
            kind: What it is sent as.
            agent: Whom it names.
            last_exit: The agent that a new END names.

        """
        if position is None:
            return self._new(kind, agent, last_exit)
        event = self._events[position]
        if kind is event.kind and agent == event.agent:
            return event.value
        value = dict(event.value)
        if kind is not event.kind:
            value["transfertype"] = _spelt(kind.transfer_type, like=value["transfertype"])
        if agent != event.agent and kind in MESSAGES:
            value["agentId"] = agent
        elif agent != event.agent:
            value["participant"] = self._renamed(value["participant"], agent)
        return value

    def _new(self, kind: EventKind, agent: str, last_exit: str) -> dict[str, Any]:
        style = self._style
        shared: dict[str, Any] = {
            key: style[key] for key in ("language", "experience") if key in style
        }
        shared.setdefault("experience", "chat")
        if kind is EventKind.END:
            shared.setdefault("language", "unknown")
            person = self._person(last_exit or self._agents[0])
            return {"name": _END, "reason": "unknown", **shared, "participant": person}
        transfer_type, transition = kind.value.split(" ")
        return {
            "name": _TRANSFER,
            "transfertype": _spelt(transfer_type, like=style.get("transfertype", "")),
            "transition": transition,
            "isExtAD": style.get("isExtAD", False),
            **shared,
            "participant": self._person(agent),
        }

    def _person(self, agent: str) -> dict[str, Any]:
        return dict(self._people.get(agent, {"identity": agent, "name": agent, "type": "agent"}))

    def _renamed(self, participant: Mapping[str, Any], agent: str) -> dict[str, Any]:
        """Return the participant as this agent, with the custom fields of the event."""
        renamed = {**participant, **self._person(agent)}
        fields = renamed.get("customFields")
        if isinstance(fields, Mapping) and "agentEmail" in fields:
            renamed["customFields"] = {
                key: self._emails.get(agent) if key == "agentEmail" else value
                for key, value in fields.items()
                if key != "agentEmail" or agent in self._emails
            }
        return renamed

    def _learn(self, value: Mapping[str, Any]) -> None:
        for key, kinds in _STYLE:
            if isinstance(value.get(key), kinds):
                self._style.setdefault(key, value[key])
        participant = value.get("participant")
        if not isinstance(participant, Mapping):
            return
        known = {key: participant[key] for key in _PERSON if isinstance(participant.get(key), str)}
        identity = known.get("identity")
        if identity is None:
            return
        if len(known) == len(_PERSON):
            self._people.setdefault(identity, known)
        fields = participant.get("customFields")
        if isinstance(fields, Mapping) and isinstance(fields.get("agentEmail"), str):
            self._emails.setdefault(identity, fields["agentEmail"])


def _spelt(transfer_type: str, *, like: str) -> str:
    """Return a transfer type in the letter case that the sender uses."""
    return transfer_type.lower() if like.islower() and like != "redial" else transfer_type
