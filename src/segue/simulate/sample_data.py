"""Who takes part: made-up agents, queues and lines of talk. Nobody real, nothing personal.

The same for every seed, so that a reader of two logs meets the same agents again.  Identities
differ in more than letter case: a changed letter case is a mistake somebody planted.  Nothing here
knows conversations.
"""

from random import Random
from typing import Any, Final, NamedTuple

__all__ = ["AGENTS", "BOTS", "BY_IDENTITY", "Agent", "said"]

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

BY_IDENTITY: Final = {agent.identity: agent for agent in AGENTS}

_USER: Final = (
    "Hello, I have a question about the order I placed last week.",
    "The parcel has not come yet, although the message said it would be here yesterday.",
    "Can you look again, please? The page still shows the old address.",
    "Yes, that is right.",
    "The invoice shows two items, but there was only one in the box.",
    "I have tried that already. The light stays red and nothing happens after I press the button.",
    "How long does it usually take until the money is back on the account?",
    "Friday would be better for me, in the afternoon if that is possible.",
    "No, I mean the other one, the smaller of the two.",
    "Thank you.",
)
_AGENT: Final = (
    "Good morning, how can I help?",
    "One moment, I am looking it up. I can see that it left the warehouse two days ago.",
    "May I ask a colleague about this? It will take a minute, please stay with me.",
    "That is done now. You will get a confirmation within the next few minutes.",
    "Is there anything else I can do for you today?",
    "Please hold the button for ten seconds and tell me which colour the light has then.",
    "I am sorry, that should not have happened. I have made a note of it.",
    "The return is free within thirty days; I am sending you the label.",
    "I am going to connect you with a colleague who knows more about it than I do.",
)


def said(random: Random, author: str) -> str:
    """Return a line of talk."""
    return random.choice(_USER if author == "USER" else _AGENT)
