"""Drafts: what an event looks like once a repair has changed it, or put it in.

House rules.  (1) Nothing is invented that the conversation can tell: names and types come from the
agent's own events, experience, language and flags from the conversation's.  (2) What an event says
besides stays as it was.  (3) A new event has no custom fields, and an END the reason `unknown`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from segue.events import EventKind
from segue.lifecycle import MESSAGES
from segue.repairs.editable import Item

__all__ = ["Draft"]

_TRANSFER: Final = "INTERNAL_TRANSFER_EVENT"
_END: Final = "END_OF_CONVERSATION"
_KNOWN: Final = ("identity", "name", "type")


class Draft:
    """Writes events in the manner of one conversation."""

    def __init__(self, items: Iterable[Item], agents: tuple[str, ...]) -> None:
        self._items = tuple(items)
        self._people: dict[str, dict[str, Any]] = {}
        self._emails: dict[str, str] = {}
        self._manner: dict[str, Any] = {}
        self._agents = agents
        for item in self._items:
            if isinstance(item.value, Mapping):
                self._learn(item.value)

    def value(self, event: int | None, kind: EventKind, agent: str, last: str = "") -> Any:  # noqa: ANN401 - any JSON value
        """Return the event that stands at this position, or a new one, as this kind and agent's.

        `last` is who the end is told by.
        """
        if event is None:
            return self._new(kind, agent, last)
        item = self._items[event]
        if kind is item.kind and agent == item.agent:
            return item.value
        value = dict(item.value)
        if kind is not item.kind:
            value["transfertype"] = _spelt(kind.transfer_type, like=value["transfertype"])
        if agent != item.agent:
            if kind in MESSAGES:
                value["agentId"] = agent
            else:
                value["participant"] = self._renamed(value["participant"], agent)
        return value

    def _new(self, kind: EventKind, agent: str, last: str) -> dict[str, Any]:
        manner = self._manner
        said: dict[str, Any] = {
            key: manner[key] for key in ("language", "experience") if key in manner
        }
        said.setdefault("experience", "chat")
        if kind is EventKind.END:
            said.setdefault("language", "unknown")
            person = self._person(last or self._agents[0])
            return {"name": _END, "reason": "unknown", **said, "participant": person}
        transfer_type, transition = kind.value.split(" ")
        return {
            "name": _TRANSFER,
            "transfertype": _spelt(transfer_type, like=manner.get("transfertype", "")),
            "transition": transition,
            "isExtAD": manner.get("isExtAD", False),
            **said,
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
        for key, kinds in (("experience", str), ("language", str), ("isExtAD", bool | str)):
            if isinstance(value.get(key), kinds):
                self._manner.setdefault(key, value[key])
        if isinstance(value.get("transfertype"), str):
            self._manner.setdefault("transfertype", value["transfertype"])
        participant = value.get("participant")
        if isinstance(participant, Mapping) and isinstance(participant.get("identity"), str):
            known = {
                key: participant[key] for key in _KNOWN if isinstance(participant.get(key), str)
            }
            identity = participant["identity"]
            if len(known) == len(_KNOWN):
                self._people.setdefault(identity, known)
            fields = participant.get("customFields")
            if isinstance(fields, Mapping) and isinstance(fields.get("agentEmail"), str):
                self._emails.setdefault(identity, fields["agentEmail"])


def _spelt(transfer_type: str, *, like: str) -> str:
    """Return a transfer type in the letter case that the sender uses."""
    return transfer_type.lower() if like.islower() and like != "redial" else transfer_type
