"""Stories: the deliveries of one conversation, written and shown as short labels.

A label is a text such as `NA entry by a-1`. A finding lists the events it `expected` in the same
form, so they can be copied into a test. A delivery that no label describes exactly is shown
unchanged, so evaluating the `repr` of a story always gives the story.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from segue.analysis.simulate.bodies import LABELS, StoryEvent, delivery, read_delivery
from segue.analysis.simulate.spelling import BODY_VARIANTS, spelled
from segue.core.errors import ConfigurationError
from segue.core.events import EventKind

_PLAIN: Final = "plain"


class SentEvent(NamedTuple):
    """An event of a story, and the spelling in which it is sent."""

    event: StoryEvent
    """The event and its agent, such as `NA entry by a-1`."""
    spelling: str = _PLAIN
    """The title of a spelling in `BODY_VARIANTS`, such as `booleans as strings`, or `plain`."""

    def __str__(self) -> str:
        """Return the label of the event, such as `NA entry by a-1 (booleans as strings)`."""
        return str(self.event) if self.spelling == _PLAIN else f"{self.event} ({self.spelling})"

    @property
    def is_respelled(self) -> bool:
        """Whether the spelling makes the body different from that in the plain spelling."""
        return self.body() != delivery(self.event)

    def body(self, conversation_id: str = "c-1", bot_id: str = "st-1") -> dict[str, Any]:
        """Return the body of a delivery with this event, as a JSON object."""
        plain = delivery(self.event, conversation_id, bot_id)
        if self.spelling == _PLAIN:
            return plain
        return spelled(BODY_VARIANTS[self.spelling], plain)


class Story(list[Any]):
    """A list of the deliveries of one conversation, in order.

    Deliveries are E21 bodies, envelopes, or text. The `repr` is a call of `story` that can be
    pasted into a test.
    """

    def __repr__(self) -> str:
        """Return a call of `story` that creates this story."""
        return f"story({', '.join(_shown(each) for each in self)})"


def story(
    *parts: str | Mapping[str, Any], conversation_id: str = "c-1", bot_id: str = "st-1"
) -> Story:
    """Return a story: the deliveries of a conversation, given as labels.

    A label is an event with its agent, such as `"NA entry by a-1"`. It may include a spelling, as
    in the failures of `ConversationBackendMachine`: `"WARM entry by a-2 (transfer types in lower
    case)"`.

    Args:
        parts: The deliveries in order. Mappings, and text that begins with `{`, are used unchanged.
            Other text must be a label.
        conversation_id: The `conversationId` of the deliveries given as labels.
        bot_id: The `botId` of the deliveries given as labels.

    Raises:
        ConfigurationError: A text is not a label.

    """
    return Story(
        part
        if not isinstance(part, str) or part.startswith("{")
        else _read(part).body(conversation_id, bot_id)
        for part in parts
    )


def story_of(events: Iterable[StoryEvent]) -> Story:
    """Return a story with one delivery for each event, in the plain spelling."""
    return Story(map(delivery, events))


def _shown(given: object) -> str:
    """Return the `repr` of a delivery's label if it describes the delivery exactly.

    Otherwise return the `repr` of the delivery.
    """
    event = read_delivery(given)
    if event is None or delivery(event) != given:
        return repr(given)
    try:
        is_read_again = _read(str(event)) == SentEvent(event)
    except ConfigurationError:  # the agent is missing, or its name looks like a part of a label
        is_read_again = False
    return repr(str(event)) if is_read_again else repr(given)


def _read(text: str) -> SentEvent:
    plain, parenthesis, spelling = text.removesuffix(")").partition(" (")
    if not parenthesis:
        return SentEvent(_read_event(text))
    if spelling not in BODY_VARIANTS:
        known = ", ".join(BODY_VARIANTS)
        raise ConfigurationError(f"unknown spelling {spelling!r}: use one of {known}")
    return SentEvent(_read_event(plain), spelling)


def _read_event(text: str) -> StoryEvent:
    rest, _, language = text.partition(" in ")
    label, _, agent = rest.partition(" by ")
    event = StoryEvent(label, agent, language)
    if label not in LABELS:
        known = ", ".join(LABELS)
        msg = f"{text!r} is not a label: use one of {known}, followed by 'by' and an agent"
        raise ConfigurationError(msg)
    if not agent and label != EventKind.SUMMARY.value:
        raise ConfigurationError(f"the label {text!r} has no agent: write '{label} by a-1'")
    return event
