"""The class `TransferTarget`, the agent or queue to which the platform transferred a conversation.

The answer of endpoint E9 names it. The specification does not show the content of the callback that
follows, so a callback is read only if it has the members of that answer.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from segue.core.events.shapes import BLANKS

_CONFIRMED: Final = "transferred"
_AGENT_ID: Final = "a-"
"""The prefix of the platform's agent ids."""


class TransferTarget(NamedTuple):
    """The agent or queue of a confirmed transfer. The text that is not given is empty."""

    agent: str
    queue: str

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> "TransferTarget | None":
        """Return the target in the answer of E9, or None if the value is anything else."""
        if _text(value, "status").lower() != _CONFIRMED:
            return None
        found = cls(_text(value, "agentId"), _text(value, "queueId"))
        return found if any(found) else None

    def is_met(self, agent: str, queue: str) -> bool | None:
        """Return whether an agent, who works for a queue, is the target. None means unknown.

        An empty text stands for an unknown queue.
        """
        verdicts = set()
        if self.agent:
            verdicts.add(_same_agent(self.agent, agent))
        if self.queue:
            verdicts.add(self.queue == queue if queue else None)
        if True in verdicts:
            return True
        return None if None in verdicts else False


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found.strip(BLANKS) if isinstance(found, str) else ""


def _same_agent(asked: str, agent: str) -> bool | None:
    """Return whether two ids are the same, or None if they are ids of different kinds."""
    asked, agent = asked.lower(), agent.lower()
    if asked.startswith(_AGENT_ID) is not agent.startswith(_AGENT_ID):
        return None
    return asked == agent
