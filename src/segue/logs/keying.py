"""The identification of conversations in a log: by conversation id only, or by bot id as well.

The first delivery of a replay decides. If its envelope has a bot id, conversations are identified
by both ids, because different bots may use equal conversation ids.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

from segue.core.conversation import Keying
from segue.core.events import Delivery
from segue.core.events.ids import one_spelling


class Named(Protocol):
    """A protocol for objects with a conversation id: deliveries, states and reports."""

    conversation_id: str | None
    bot_id: str | None


KeyFn: TypeAlias = Callable[[Named], str | None]
"""A function that returns the key of a conversation, or None if there is no conversation."""


def keying_of(delivery: Delivery) -> Keying:
    """Return whether a log identifies conversations by bot, judging by its first delivery.

    Return `"bot"` (by bot id and conversation id) if the envelope contains a bot id, otherwise
    `"conversation"` (by conversation id alone).
    """
    return "conversation" if delivery.envelope_bot is None else "bot"


def _by_bot(named: Named) -> str | None:
    name, bot = named.conversation_id, one_spelling(named.bot_id or "")
    return None if name is None else f"{len(bot)}:{bot}{one_spelling(name)}"


def _by_conversation(named: Named) -> str | None:
    name = named.conversation_id
    return None if name is None else one_spelling(name)


KEYS: Final[Mapping[Keying, KeyFn]] = {"bot": _by_bot, "conversation": _by_conversation}
"""The function that returns the key of a conversation, for each way to identify it."""
