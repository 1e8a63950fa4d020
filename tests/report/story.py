"""Lines of logs, told in short: `NA entry a-1`, `user message`, `start a-1`, `summary`, `END`."""

import json
from collections.abc import Iterable
from typing import Any

import segue
from segue.report import Look, RenderOptions, RunSummary, renderer

__all__ = ["early", "line", "log", "rendered", "report"]

_ALONE = ("summary", "END", "user message")
AGENTS = {"a-1": "Ada", "a-2": "Ben", "a-3": "Cleo"}


def line(text: str, conversation: str = "c-1", at: str | None = None, **changed: Any) -> str:
    """One line of a log; `changed` replaces fields of the event."""
    what, _, agent = (text, "", "") if text in _ALONE else text.rpartition(" ")
    if what in ("start", "end", "resume", "pause true", "pause false"):
        name, _, handover = what.partition(" ")
        action = {"action": name, "agentId": agent}
        more = {"handover": handover == "true"} if handover else {}
        envelope = {"endpoint": "transcription", "conversation_id": conversation, "bot_id": "st-1"}
        return json.dumps({**_received(at), **envelope, "body": {**action, **more}})
    body: dict[str, Any] = {"conversationId": conversation, "botId": "st-1"}
    if what.endswith("message"):
        author = {"author": {"type": what.split()[0].upper()}, "source": "desk"}
        body |= {"query": "Hello", "agentId": agent or "a-1", "experience": "chat", **author}
    else:
        body["events"] = [_event(what, agent or "a-1") | changed]
    return json.dumps({**_received(at), "body": body} if at else body)


def _received(at: str | None) -> dict[str, str]:
    return {"received_at": f"2026-03-02T{at}Z"} if at else {}


def _event(what: str, agent: str) -> dict[str, Any]:
    if what == "summary":
        data = {"language": "English", "locale": "en", "type": "post"}
        return {"name": "TRIGGER_SUMMARY_EVENT", "data": data}
    who = {"identity": agent, "name": AGENTS.get(agent, ""), "type": "agent"}
    shared = {"experience": "chat", "participant": who}
    if what == "END":
        return {"name": "END_OF_CONVERSATION", "reason": "done", "language": "en", **shared}
    transfer_type, transition = what.split()
    kind = {"transfertype": transfer_type, "transition": transition, "isExtAD": False}
    return {"name": "INTERNAL_TRANSFER_EVENT", **kind, **shared}


def log(*texts: str, conversation: str = "c-1") -> list[str]:
    """The lines of one conversation."""
    return [line(text, conversation) for text in texts]


def report(*texts: str) -> segue.Report:
    """What the check says of one conversation."""
    [only] = segue.replay(log(*texts))
    return only


def early(conversation: str = "c-1") -> list[str]:
    """A conversation with a COLD entry that came before the COLD exit."""
    return log(
        "NA entry a-1",
        "user message",
        "agent message a-1",
        "COLD entry a-2",
        "COLD exit a-1",
        "NA exit a-2",
        "END",
        conversation=conversation,
    )


def rendered(
    name: str,
    lines: Iterable[str],
    look: Look | None = None,
    *,
    limit: int | None = None,
    is_brief: bool = False,
) -> str:
    """What a renderer makes of a log."""
    written: list[str] = []
    options = RenderOptions(look or Look(), limit=limit, is_brief=is_brief)
    chosen = renderer(name, written.append, options)
    tally = RunSummary()
    for each in segue.replay(lines):
        tally.add(each)
        chosen.show(each)
    chosen.finish(tally)
    return "".join(written)
