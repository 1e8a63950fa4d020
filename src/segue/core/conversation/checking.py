"""Check one conversation from beginning to end."""

from collections.abc import Iterable, Mapping
from typing import Final

from segue.core.conversation.conversation import Conversation, Input
from segue.core.conversation.report import Report
from segue.core.engine import Partial
from segue.core.errors import ConfigurationError
from segue.core.events import Delivery, Event
from segue.core.findings import DEFAULT, Policy

_SINGLE: Final = (str, bytes, bytearray, memoryview, Mapping, Delivery, Event)


def check(
    events: Iterable[Input],
    *,
    partial: Partial = None,
    policy: Policy = DEFAULT,
) -> Report:
    """Check the events, deliveries or E21 bodies of one conversation, in order, as a closed log.

    Args:
        events: Mappings, JSON texts (`str` or `bytes`), `Event` or `Delivery` values.
        partial: Which ends of the log are cut off: "start", "end", "both", or None.
        policy: Which findings are reported, and with which severity.

    Raises:
        ConfigurationError: `events` is a single item or a file name instead of a list of items,
            or the items belong to several conversations.

    """
    refuse_single(events, "check")
    conversation = Conversation(policy=policy, partial=partial)
    for event in events:
        conversation.feed(event)
    return conversation.finish()


def refuse_single(events: object, function: str) -> None:
    """Raise `ConfigurationError` if a function gets one item instead of a list of them."""
    if isinstance(events, _SINGLE) or not isinstance(events, Iterable):
        raise ConfigurationError(
            f"{function} takes the events of one conversation, got one {type(events).__name__}: "
            "pass a list of them, or use segue.replay for a file"
        )
