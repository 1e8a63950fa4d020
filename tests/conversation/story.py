"""Bodies for stories about conversations: complete, and no longer than they need to be."""

from typing import Any

__all__ = ["body", "end", "message", "summary", "transfer"]


def body(*events: dict[str, Any], conversation: str = "c-1", bot: str = "st-1") -> dict[str, Any]:
    return {"conversationId": conversation, "botId": bot, "events": list(events)}


def transfer(kind: str, agent: str, **changed: Any) -> dict[str, Any]:
    transfer_type, transition = kind.split()
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type,
        "transition": transition,
        "isExtAD": False,
        "experience": "chat",
        "participant": {"identity": agent, "name": f"Agent {agent}", "type": "agent"},
    } | changed


def summary() -> dict[str, Any]:
    data = {"language": "English", "locale": "en", "type": "post"}
    return {"name": "TRIGGER_SUMMARY_EVENT", "data": data}


def end(agent: str = "a-1", **changed: Any) -> dict[str, Any]:
    return {
        "name": "END_OF_CONVERSATION",
        "reason": "agent_initiated",
        "language": "en",
        "experience": "chat",
        "participant": {"identity": agent, "name": f"Agent {agent}", "type": "agent"},
    } | changed


def message(author: str, agent: str, **changed: Any) -> dict[str, Any]:
    return {
        "conversationId": "c-1",
        "botId": "st-1",
        "query": "Hello",
        "agentId": agent,
        "experience": "chat",
        "author": {"type": author},
        "source": "desk",
    } | changed
