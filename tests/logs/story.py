"""Lines of logs, from what is called what: `COLD exit a-1`, `user message`, `start a-1`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from segue.conversation import Report
from segue.logs import replay

CLEAN = ("NA entry a-1", "NA exit a-1", "summary", "END")

PAUSES = {"pause handover=true": True, "pause handover=false": False}


def event(text: str) -> dict[str, Any]:
    """One object of `events`."""
    if text == "summary":
        data = {"language": "en", "locale": "en-US", "type": "conversation"}
        return {"name": "TRIGGER_SUMMARY_EVENT", "data": data}
    if text == "END":
        return {
            "name": "END_OF_CONVERSATION",
            "reason": "agent_initiated",
            "language": "en",
            "experience": "chat",
            "participant": participant("a-1"),
        }
    transfer_type, transition, agent = text.split()
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type,
        "transition": transition,
        "isExtAD": False,
        "experience": "chat",
        "participant": participant(agent),
    }


def participant(agent: str) -> dict[str, Any]:
    return {"identity": agent, "name": "Ann", "type": "agent"}


def body(*texts: str, conversation: str = "c-1") -> dict[str, Any]:
    """One body of E21; of several texts only events, of one also a message."""
    ids = {"conversationId": conversation, "botId": "b-1"}
    if texts == ("user message",):
        return ids | {
            "query": "hello",
            "agentId": "a-1",
            "experience": "chat",
            "author": {"type": "USER"},
            "source": "web",
        }
    return ids | {"events": [event(text) for text in texts]}


def action(text: str, conversation: str = "c-1", **envelope: Any) -> dict[str, Any]:
    """One line of the transcription endpoint: `start a-1`, `pause handover=true a-1`."""
    name, agent = text.rsplit(" ", 1)
    said: dict[str, Any] = {"action": name.split()[0], "agentId": agent}
    if name in PAUSES:
        said["handover"] = PAUSES[name]
    return {
        "endpoint": "transcription",
        "conversation_id": conversation,
        "bot_id": "b-1",
        "body": said,
        **envelope,
    }


def enveloped(*texts: str, conversation: str = "c-1", **envelope: Any) -> dict[str, Any]:
    """One line with an envelope."""
    return {**envelope, "body": body(*texts, conversation=conversation)}


def lines(*texts: str, conversation: str = "c-1") -> list[dict[str, Any]]:
    """One line for each text."""
    return [body(text, conversation=conversation) for text in texts]


def jsonl(values: Iterable[Any]) -> bytes:
    """The bytes of a log."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def mixed(*logs: list[Any]) -> Iterator[Any]:
    """The lines of several logs in turns."""
    for index in range(max(map(len, logs))):
        yield from (log[index] for log in logs if index < len(log))


def told(report: Report) -> list[str]:
    """What a report finds: `SG103 event 1`, `SG408 action 0`, `SG108`."""
    return [
        finding.code
        + ("" if finding.place.event is None else f" event {finding.place.event}")
        + ("" if finding.place.action is None else f" action {finding.place.action}")
        for finding in report.findings
    ]


def all_told(source: Any, **options: Any) -> list[tuple[str | None, bool, list[str]]]:
    """Of each report: conversation, whether late, what it finds."""
    return [
        (report.conversation_id, report.late, told(report)) for report in replay(source, **options)
    ]
