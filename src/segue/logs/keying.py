"""The identification of conversations in a log: by id alone, or by bot and id.

The first delivery of a run decides. If its envelope has a bot, different bots may use equal ids.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

from segue.core.conversation import Keying
from segue.core.events import Delivery


class Named(Protocol):
    """An object that belongs to a conversation: a delivery, a state or a report."""

    conversation_id: str | None
    bot_id: str | None


KeyFn: TypeAlias = Callable[[Named], str | None]
"""A function that returns the key of a conversation, or None if there is no conversation."""


def keying_of(delivery: Delivery) -> Keying:
    """Return the identification of conversations in a log, given its first delivery."""
    return "conversation" if delivery.envelope_bot is None else "bot"


def _by_bot(named: Named) -> str | None:
    name, bot = named.conversation_id, named.bot_id or ""
    return None if name is None else f"{len(bot)}:{bot}{name}"


def _by_conversation(named: Named) -> str | None:
    return named.conversation_id


KEYS: Final[Mapping[Keying, KeyFn]] = {"bot": _by_bot, "conversation": _by_conversation}
