"""Fictitious agents, queues, bots and messages, which are the same for all seeds.

No two agent ids differ only in letter case, because a changed letter case is a planted mistake.
"""

from random import Random
from typing import Any, Final

BOTS: Final = ("st-sales", "st-service")

_NAMES: Final = (
    "Ada", "Ben", "Chloe", "Dara", "Emil", "Fay", "Goran", "Hana", "Iris", "Jonas",
    "Kaya", "Liv", "Mara", "Nils", "Olga", "Pete", "Quinn", "Rosa", "Sven", "Tara",
)  # fmt: skip
_QUEUES: Final = (("qu-1", "Orders"), ("qu-2", "Returns"), ("qu-3", "Technical help"))


_FIRST: Final = 101
AGENTS: Final = tuple(f"a-{number}" for number, _ in enumerate(_NAMES, start=_FIRST))
"""The ids of the agents: `a-101` to `a-120`."""


def participant(identity: str) -> dict[str, Any]:
    """Return the `participant` object of an agent, as it appears in the agent's events."""
    number = int(identity.removeprefix("a-"))
    name, (queue_id, queue_name) = _NAMES[number - _FIRST], _QUEUES[number % len(_QUEUES)]
    return {
        "identity": identity,
        "name": name,
        "type": "agent",
        "customFields": {
            "agentEmail": f"{name.lower()}@example.com",
            "queueId": queue_id,
            "queueName": queue_name,
        },
    }


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
    """Return the text of a random message by `USER` or `AGENT`."""
    return random.choice(_USER if author == "USER" else _AGENT)
