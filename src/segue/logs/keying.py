"""What identifies a conversation of a log: its id alone, or bot and id.

The first delivery of a run decides: where its envelope has a bot, bots may use the same ids.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

from segue.core.conversation import Keying
from segue.core.events import Delivery


class Named(Protocol):
    """What belongs to a conversation: a delivery, a state, a report."""

    conversation_id: str | None
    bot_id: str | None


KeyFn: TypeAlias = Callable[[Named], str | None]
"""Returns the key of a conversation, or None for what belongs to none."""


def keying_of(delivery: Delivery) -> Keying:
    """Return what the log is keyed by of which this is the first delivery."""
    return "conversation" if delivery.envelope_bot is None else "bot"


def _by_bot(named: Named) -> str | None:
    name, bot = named.conversation_id, named.bot_id or ""
    return None if name is None else f"{len(bot)}:{bot}{name}"


def _by_conversation(named: Named) -> str | None:
    return named.conversation_id


KEYS: Final[Mapping[Keying, KeyFn]] = {"bot": _by_bot, "conversation": _by_conversation}
