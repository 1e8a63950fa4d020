"""Turns the events of another platform into deliveries, a line for a line.

Who is present decides whether an agent who enters is the first (NA), a consultant (WARM), takes a
transfer (COLD) or comes back (redial).  What a platform does not say is left out of the delivery.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from segue.logs.body_places import decoded
from segue.logs.json_pointer import follow, pointer_path
from segue.logs.platforms import EXPERIENCES, PLATFORMS, Meaning


@dataclass(slots=True)
class _Conversation:
    present: list[str] = field(default_factory=list)
    """Agents, in the order in which they entered."""
    known: set[str] = field(default_factory=set)
    last: str = ""
    """The agent who left last."""
    parts: dict[str, str] = field(default_factory=dict)
    """The agent of each part that is open, or nothing."""
    is_transferred: bool = False
    """Whether the agent who left last, or leaves next, is replaced."""
    is_ending: bool = False


def converted(lines: Iterable[bytes], platform: str) -> Iterator[bytes]:
    """Yield a line for each line: an envelope, or a blank line for an event without a meaning.

    A line that is not JSON is yielded unchanged.
    """
    converter = _Converter(platform)
    for line in lines:
        record = decoded(line)
        envelope = converter.envelope(record) if isinstance(record, dict) else None
        if envelope is not None:
            yield json.dumps(envelope).encode() + b"\n"
        else:
            yield b"\n" if isinstance(record, dict) else line


class _Converter:
    """Converts events in order."""

    def __init__(self, platform: str) -> None:
        self._platform = PLATFORMS[platform]
        self._types = [pointer_path(each) for each in self._platform.types]
        self._facts = {
            fact: [pointer_path(each) for each in pointers]
            for fact, pointers in self._platform.facts.items()
        }
        self._open: dict[str, _Conversation] = {}

    def envelope(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the delivery of an event with its time, or None for one without a meaning."""
        meaning = self._meaning(record)
        facts = {fact: _first(record, paths) for fact, paths in self._facts.items()}
        identity = _text(facts["conversation"])
        if meaning is None or not identity:
            return None
        conversation = self._open.setdefault(identity, _Conversation())
        events = [*self._events(meaning, conversation, facts)]
        if conversation.is_ending and not conversation.present:
            events.append(_end(conversation.last, facts))
            del self._open[identity]
        if not events:
            return None
        envelope = {"received_at": facts["time"], "delivery_id": _text(facts.get("id")) or None}
        body = {"conversationId": identity, "events": events}
        return {key: each for key, each in envelope.items() if each is not None} | {"body": body}

    def _meaning(self, record: Mapping[str, Any]) -> Meaning | None:
        name = _text(_first(record, self._types))
        meanings = self._platform.meanings.items()
        return next((meaning for end, meaning in meanings if name.endswith(end)), None)

    def _events(
        self, meaning: Meaning, conversation: _Conversation, facts: Mapping[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield the events of one that came, and keep what it says of the conversation."""
        agent, part = _last_part(facts["agent"], "/agent/"), _text(facts.get("part"))
        if meaning in (Meaning.OPENS, Meaning.JOINS) and part:
            conversation.parts[part] = agent or conversation.parts.get(part, "")
        if meaning is Meaning.JOINS:
            yield from _join(conversation, agent, facts)
        elif meaning is Meaning.TRANSFERS:
            conversation.is_transferred = True
        elif meaning is Meaning.ENDS:
            conversation.is_ending = True
        elif meaning is Meaning.LEAVES:
            conversation.is_transferred |= facts.get("ending") in self._platform.transfers
            yield from _leave(conversation, agent, facts)
        elif meaning is Meaning.CLOSES:
            agent = conversation.parts.pop(part, "") or agent
            conversation.is_transferred |= bool(conversation.parts)
            yield from _leave(conversation, agent, facts)
            conversation.is_ending = not conversation.parts


def _join(
    conversation: _Conversation, agent: str, facts: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    if not agent or agent in conversation.present:
        return
    kind = "redial" if agent in conversation.known else "NA"
    if conversation.present:
        kind = "WARM"
    elif conversation.is_transferred:
        kind = "COLD"
    conversation.present.append(agent)
    conversation.known.add(agent)
    conversation.is_transferred = False
    yield _transfer(kind, "entry", agent, facts)


def _leave(
    conversation: _Conversation, agent: str, facts: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    if agent not in conversation.present:
        return
    conversation.present.remove(agent)
    conversation.last = agent
    if conversation.present:
        kind, conversation.is_transferred = "WARM", False
    else:
        kind = "COLD" if conversation.is_transferred else "NA"
    yield _transfer(kind, "exit", agent, facts)


def _transfer(kind: str, transition: str, agent: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    return _filled(
        name="INTERNAL_TRANSFER_EVENT",
        transfertype=kind,
        transition=transition,
        experience=_experience(facts),
        participant=_participant(agent, facts),
    )


def _end(agent: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    return _filled(
        name="END_OF_CONVERSATION",
        reason=_text(facts.get("reason")),
        experience=_experience(facts),
        participant={"identity": agent, "type": "agent"} if agent else None,
    )


def _experience(facts: Mapping[str, Any]) -> str | None:
    return EXPERIENCES.get(_text(facts["channel"]).lower())


def _participant(agent: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    custom = _filled(
        queueId=_last_part(facts["queue"], "/queue/"), queueName=_text(facts.get("queue_name"))
    )
    name = _text(facts.get("name"))
    return _filled(identity=agent, name=name, type="agent", customFields=custom)


def _filled(**fields: object) -> dict[str, Any]:
    """Return fields without those that are empty."""
    return {name: value for name, value in fields.items() if value}


def _first(record: object, paths: Iterable[tuple[str, ...]]) -> object:
    """Return what is found first."""
    return next((found for path in paths if (found := follow(record, path)) is not None), None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _last_part(value: object, before: str) -> str:
    """Return the id at the end of the name of a resource, or the whole text if it is not one."""
    return _text(value).rpartition(before)[2]
