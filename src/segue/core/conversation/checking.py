"""Check one conversation from beginning to end."""

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
    """Check the events of one conversation, in order, as a closed log, and return the report.

    Offences are findings of the report, never exceptions. This prints each finding in one line.

        for finding in segue.check(bodies).findings:
            print(finding)

    Args:
        events: Events, E21 bodies or envelopes, each as a mapping, JSON text (`str` or `bytes`),
            `Event` or `Delivery`.
        partial: The cut-off ends of the log: "start", "end", "both", or None for a whole log.
        policy: The choice of findings and their severities. None is the default policy, which
            reports every finding.

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
