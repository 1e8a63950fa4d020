"""Who takes part: made-up agents, queues and lines of talk. Nobody real, nothing personal."""

from random import Random
from typing import Any, Final, NamedTuple

__all__ = ["AGENTS", "BOTS", "Agent", "said"]

BOTS: Final = ("st-sales", "st-service")

_NAMES: Final = (
    "Ada", "Ben", "Chloe", "Dara", "Emil", "Fay", "Goran", "Hana", "Iris", "Jonas",
    "Kaya", "Liv", "Mara", "Nils", "Olga", "Pete", "Quinn", "Rosa", "Sven", "Tara",
)  # fmt: skip
_QUEUES: Final = (("qu-1", "Orders"), ("qu-2", "Returns"), ("qu-3", "Technical help"))


class Agent(NamedTuple):
    """An agent of the contact center."""

    identity: str
    name: str
    queue_id: str
    queue_name: str

    def participant(self) -> dict[str, Any]:
        """Return the participant object of this agent's events."""
        return {
            "identity": self.identity,
            "name": self.name,
            "type": "agent",
            "customFields": {
                "agentEmail": f"{self.name.lower()}@example.com",
                "queueId": self.queue_id,
                "queueName": self.queue_name,
            },
        }


AGENTS: Final = tuple(
    Agent(f"a-{number}", name, *_QUEUES[number % len(_QUEUES)])
    for number, name in enumerate(_NAMES, start=101)
)

_USER: Final = (
    "Hello, I have a question.",
    "The parcel has not come yet.",
    "Can you look again, please?",
    "Yes, that is right.",
    "Thank you.",
)
_AGENT: Final = (
    "Good morning, how can I help?",
    "One moment, I am looking.",
    "May I ask a colleague about this?",
    "That is done now.",
    "Is there anything else?",
)


def said(random: Random, author: str) -> str:
    """Return a line of talk."""
    return random.choice(_USER if author == "USER" else _AGENT)
