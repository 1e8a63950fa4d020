"""The function `check`, which checks one conversation from beginning to end."""

from collections.abc import Iterable, Mapping
from typing import Final

from segue.core.conversation.conversation import Conversation, Input
from segue.core.conversation.report import Report
from segue.core.engine import Partial
from segue.core.errors import ConfigurationError
from segue.core.events import Delivery, Event
from segue.core.findings import Policy

_SINGLE: Final = (str, bytes, bytearray, memoryview, Mapping, Delivery, Event)


def check(
    events: Iterable[Input],
    *,
    partial: Partial = None,
    policy: Policy | None = None,
) -> Report:
    """Check all events of one conversation, in order, and return the report.

    Mistakes of the sender become findings of the report and never raise an exception. The end of
    `events` is taken as the end of the conversation, so missing events are reported too. This
    example prints each finding on one line:

        for finding in segue.check(bodies).findings:
            print(finding)

    Args:
        events: The events in the order in which they were sent. Each item is a single event, the
            body of one request, or an envelope around a body, given as a mapping, JSON text (`str`
            or `bytes`), `Event` or `Delivery`.
        partial: The cut-off ends of the log: "start", "end", "both", or None for a complete log.
        policy: The rules to report and their severities. None reports every finding.

    Raises:
        ConfigurationError: `events` is a single item or a file name instead of a list of items, or
            the items belong to several conversations.

    """
    refuse_single(events, "check")
    conversation = Conversation(policy=policy, partial=partial)
    for event in events:
        conversation.feed(event)
    return conversation.finish()


def refuse_single(events: object, function: str) -> None:
    """Raise `ConfigurationError` if `events` is a single event or body instead of a list of them.

    `function` is the name that the message shows, such as `check`.
    """
    if isinstance(events, _SINGLE) or not isinstance(events, Iterable):
        raise ConfigurationError(
            f"{function} takes the events of one conversation, got one {type(events).__name__}: "
            "pass a list of them, or use segue.replay for a file"
        )
