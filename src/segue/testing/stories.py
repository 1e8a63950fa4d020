"""Stories: the deliveries of one conversation, written and shown as short labels.

The labels are those of `expected`, so what a finding says was legal can be typed into a test. A
delivery that is not exactly what its label says is shown as it is, so a `repr` can be pasted back.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from segue.errors import ConfigurationError
from segue.events import EventKind
from segue.simulate.bodies import LABELS, StoryEvent, delivery, read_delivery
from segue.simulate.spelling import BODY_VARIANTS, spelled


class Story(list[Any]):
    """The deliveries of one conversation, in order: bodies of E21, envelopes, or broken text.

    A list whose `repr` is the call of `story` that makes it.
    """

    def __repr__(self) -> str:
        """Return `story(...)`, to be pasted into a test."""
        return f"story({', '.join(_shown(each) for each in self)})"


def story(
    *parts: str | Mapping[str, Any], conversation_id: str = "c-1", bot_id: str = "st-1"
) -> Story:
    """Return the deliveries of these labels: `story("NA entry by a-1", "NA exit by a-1")`.

    What the backend machine shows is a label, too: `NA entry by a-1 (booleans as strings)` is
    spelled so. A mapping is a delivery as it is, and so is text that begins with `{`. Raises
    `ConfigurationError` for a text that is not a label.
    """
    return Story(
        part
        if not isinstance(part, str) or part.startswith("{")
        else _delivery(part, conversation_id, bot_id)
        for part in parts
    )


def story_of(events: Iterable[StoryEvent]) -> Story:
    """Return the deliveries of these events."""
    return Story(map(delivery, events))


def _shown(given: object) -> str:
    """Return the label of a delivery if it says everything, else the delivery."""
    event = read_delivery(given)
    return repr(str(event)) if event is not None and delivery(event) == given else repr(given)


def _delivery(text: str, conversation_id: str, bot_id: str) -> dict[str, Any]:
    label, parenthesis, title = text.removesuffix(")").partition(" (")
    if not parenthesis:
        return delivery(_read(text), conversation_id, bot_id)
    if title not in BODY_VARIANTS:
        known = ", ".join(BODY_VARIANTS)
        raise ConfigurationError(f"{title!r} is not a spelling: it is one of {known}")
    return spelled(BODY_VARIANTS[title], delivery(_read(label), conversation_id, bot_id))


def _read(text: str) -> StoryEvent:
    rest, _, language = text.partition(" in ")
    label, _, agent = rest.partition(" by ")
    event = StoryEvent(label, agent, language)
    if label not in LABELS:
        known = ", ".join(LABELS)
        msg = f"{text!r} is not a label: it is one of {known}, and then 'by' and an agent"
        raise ConfigurationError(msg)
    if not agent and label != EventKind.SUMMARY.value:
        raise ConfigurationError(f"{text!r} names no agent: write '{label} by a-1'")
    return event
