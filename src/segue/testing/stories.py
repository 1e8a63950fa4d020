"""Stories: the deliveries of one conversation, written and shown as short labels.

The labels are those of `expected`, so what a finding says was legal can be typed into a test. A
delivery that is not exactly what its label says is shown as it is, so a `repr` can be pasted back.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from segue.analysis.simulate.bodies import LABELS, StoryEvent, delivery, read_delivery
from segue.analysis.simulate.spelling import BODY_VARIANTS, spelled
from segue.core.errors import ConfigurationError
from segue.core.events import EventKind

_PLAIN: Final = "plain"


class SentEvent(NamedTuple):
    """One delivery of a story, and how it was spelled."""

    event: StoryEvent
    spelling: str = _PLAIN
    """A title of `BODY_VARIANTS`, or `plain`."""

    def __str__(self) -> str:
        """Return the label, and the spelling if it is not plain: `… (booleans as strings)`."""
        return str(self.event) if self.spelling == _PLAIN else f"{self.event} ({self.spelling})"

    @property
    def is_respelled(self) -> bool:
        """Whether the body is not what the label alone says."""
        return self.body() != delivery(self.event)

    def body(self, conversation_id: str = "c-1", bot_id: str = "st-1") -> dict[str, Any]:
        """Return the delivery."""
        plain = delivery(self.event, conversation_id, bot_id)
        if self.spelling == _PLAIN:
            return plain
        return spelled(BODY_VARIANTS[self.spelling], plain)


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

    A label may name a spelling, as a failure of `ConversationBackendMachine` does: `"WARM entry by
    a-2 (transfer types in lower case)"`. A mapping is a delivery as it is, and so is text that
    begins with `{`. Raises `ConfigurationError` for a text that is not a label.
    """
    return Story(
        part
        if not isinstance(part, str) or part.startswith("{")
        else _read(part).body(conversation_id, bot_id)
        for part in parts
    )


def story_of(events: Iterable[StoryEvent]) -> Story:
    """Return the deliveries of these events."""
    return Story(map(delivery, events))


def _shown(given: object) -> str:
    """Return the label of a delivery if it says everything, else the delivery."""
    event = read_delivery(given)
    if event is None or delivery(event) != given:
        return repr(given)
    try:
        is_read_again = _read(str(event)) == SentEvent(event)
    except ConfigurationError:  # without an agent, or of a name that says more
        is_read_again = False
    return repr(str(event)) if is_read_again else repr(given)


def _read(text: str) -> SentEvent:
    plain, parenthesis, spelling = text.removesuffix(")").partition(" (")
    if not parenthesis:
        return SentEvent(_read_event(text))
    if spelling not in BODY_VARIANTS:
        known = ", ".join(BODY_VARIANTS)
        raise ConfigurationError(f"{spelling!r} is not a spelling: it is one of {known}")
    return SentEvent(_read_event(plain), spelling)


def _read_event(text: str) -> StoryEvent:
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
