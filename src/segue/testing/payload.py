"""Hypothesis strategies for single deliveries, spelled in any way that is accepted.

Senders differ in letter case, whitespace, booleans as text, additional fields, and the number of
events in a delivery. None of these differences may change a verdict.
"""

from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

from segue.analysis.simulate.bodies import (
    DETAILS,
    MESSAGE_LABELS,
    TRANSFERS,
    StoryEvent,
    delivery,
    detailed,
)
from segue.analysis.simulate.spelling import WORDS
from segue.core.events import Json

_CASES: Final[tuple[Callable[[str], str], ...]] = (
    *(str, str.lower, str.upper, str.title),
    lambda word: f" {word}\n",
)
_EXTRAS: Final[st.SearchStrategy[dict[str, Any]]] = st.sampled_from(
    ({}, {"x-extra": None}, {"x-extra": {"name": [1, "é"]}})
)
DETAILED: Final = st.sampled_from(
    (*[()] * 7, *((each,) for each in DETAILS), DETAILS),
)
"""A strategy for the details that a sender adds to a body: usually none, else one or all."""
_OTHERS: Final = (StoryEvent("TRIGGER_SUMMARY_EVENT"), StoryEvent("END_OF_CONVERSATION", "a-1"))


@st.composite
def payloads(draw: st.DrawFn, *, conversation_id: str = "c-1", max_events: int = 3) -> Json:
    """Generate valid E21 bodies with a message, events, or both, in every accepted spelling.

    Some bodies have rarely used details: voice, an external directory, custom fields, or the reason
    of a redial. The order of the events may be illegal.

    Args:
        conversation_id: The `conversationId` of all bodies.
        max_events: The maximum number of events. With 0 every body is a message.

    """
    agents = st.sampled_from(("a-1", "a-2"))
    languages = st.sampled_from(("", "de"))
    transfers = st.builds(StoryEvent, st.sampled_from(TRANSFERS), agents, languages)
    events = transfers | st.sampled_from(_OTHERS)
    body: dict[str, Any] = {}
    if max_events == 0 or draw(st.booleans()):
        message = StoryEvent(draw(st.sampled_from(MESSAGE_LABELS)), draw(agents))
        body = delivery(message, conversation_id)
    least = 0 if body else 1
    for event in draw(st.lists(events, min_size=least, max_size=max_events)):
        given = delivery(event, conversation_id)
        body = given | body | {"events": [*body.get("events", []), *given["events"]]}
    return draw(spellings(detailed(body, draw(DETAILED))))


@st.composite
def spellings(draw: st.DrawFn, value: Json, *, key: str = "") -> Json:
    """Generate the delivery in any accepted spelling, such as other letter case or extra fields.

    Args:
        value: The delivery, or the value of a field.
        key: The name of the field, if `value` is the value of a field.

    """
    if isinstance(value, dict):
        respelled = {name: draw(spellings(each, key=name)) for name, each in value.items()}
        return respelled | draw(_EXTRAS)
    if isinstance(value, list):
        return [draw(spellings(each)) for each in value]
    if isinstance(value, bool):
        return draw(st.sampled_from((value, str(value).lower(), str(value).upper())))
    if value in WORDS.get(key, ()):
        return draw(st.sampled_from(_CASES))(value)
    return value


@st.composite
def batches(draw: st.DrawFn, stream: list[Any]) -> list[Any]:
    """Generate the deliveries of a stream, with some successive deliveries merged into one.

    The order of the events stays the same. A message is not merged with events that begin with an
    entry, because the entry would then be processed before the message. Envelopes are not merged.

    Args:
        stream: The deliveries of a conversation, with one event each.

    """
    bodies: list[Any] = []
    for given in stream:
        if bodies and _may_join(bodies[-1], given) and draw(st.booleans()):
            events = [*bodies[-1].get("events", []), *given["events"]]
            bodies[-1] = bodies[-1] | {"events": events}
        else:
            bodies.append(given)
    return bodies


def _may_join(before: Json, given: Json) -> bool:
    return (
        isinstance(before, dict)
        and isinstance(given, dict)
        and "query" not in given
        and {"conversationId", "botId"} <= before.keys() & given.keys()
        and all(before[key] == given[key] for key in ("conversationId", "botId"))
        and bool(given.get("events"))
        and not ("query" in before and _is_entry([*before.get("events", []), *given["events"]][0]))
    )


def _is_entry(event: Json) -> bool:
    return isinstance(event, dict) and str(event.get("transition")).strip().lower() == "entry"
