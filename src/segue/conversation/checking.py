"""Check one conversation from beginning to end."""

from collections.abc import Iterable

from segue.conversation.conversation import Conversation
from segue.conversation.report import Report
from segue.engine import Partial
from segue.findings import DEFAULT, Policy

__all__ = ["check"]


def check(
    events: Iterable[object],
    *,
    partial: Partial = None,
    policy: Policy = DEFAULT,
) -> Report:
    """Check the events, deliveries or E21 bodies of one conversation, in order, as a closed log.

    Each is a mapping, JSON text (`str` or `bytes`) or a `Delivery`. `partial` says which ends of
    the log are cut off. Raises `ConfigurationError` when they belong to several conversations.
    """
    conversation = Conversation(policy=policy, partial=partial)
    for event in events:
        conversation.feed(event)
    return conversation.finish()
