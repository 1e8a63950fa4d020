"""Conversations for logs to compare."""

from typing import Any, Final

from segue.testing import story

__all__ = ["CONSULTED", "PLAIN", "log"]

PLAIN: Final = ("NA entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1")
CONSULTED: Final = (PLAIN[0], "WARM entry by a-2", "WARM exit by a-2", *PLAIN[1:])


def log(*labels: str, conversation: str = "c-1", start: float | None = None) -> list[Any]:
    """Return a conversation, its deliveries ten seconds apart from second `start` on."""
    bodies = story(*labels, conversation_id=conversation)
    if start is None:
        return list(bodies)
    return [
        {"received_at": f"2026-03-02T09:{int(at // 60):02}:{at % 60:06.3f}Z", "body": body}
        for at, body in zip((start + 10 * n for n in range(len(bodies))), bodies, strict=True)
    ]
