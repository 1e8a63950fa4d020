"""Enumeration of all short conversations.

Conversations that differ only in the names of agents count as one. Streams end at their first
violation of a rule, because later events would test recovery rather than the rule. This keeps the
number of streams small enough to try all of them.
"""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState, possible
from segue.core.errors import ConfigurationError
from segue.core.lifecycle import Phase, is_legal
from segue.testing.stories import Story, story_of


class Case(NamedTuple):
    """A stream that `enumerate_streams` yields, and the rule that it violates, if any."""

    stream: Story
    """The deliveries of the conversation, with one event each."""
    rule: str | None
    """The code of the rule that the last event violates, such as `SG103`, or None."""
    is_complete: bool
    """Whether the conversation has ended."""


def enumerate_streams(*, agents: int = 2, length: int = 5, notes: bool = True) -> Iterator[Case]:
    """Yield every stream of up to `length` lifecycle events.

    Shorter streams come first, and simpler ones first within a length. A stream ends at its first
    violation of a rule, and streams that differ only in the names of agents are yielded once.
    Messages are left out because they do not change the state.

    Args:
        agents: The number of agents.
        length: The maximum number of events.
        notes: Whether streams continue after an event that is only reported as a note.

    Raises:
        ConfigurationError: `agents` or `length` is less than 1.

    """
    if agents < 1 or length < 1:
        msg = f"`agents` and `length` must be at least 1, got agents={agents}, length={length}"
        raise ConfigurationError(msg)
    queue: deque[tuple[LifecycleState, tuple[StoryEvent, ...]]] = deque([(LifecycleState(), ())])
    while queue:
        state, taken = queue.popleft()
        for event in possible(state, agents):
            stream = (*taken, event)
            there, codes = state.step(event)
            offences = [code for code in codes if not (notes and is_legal(code))]
            is_complete = there.phase is Phase.ENDED
            yield Case(story_of(stream), offences[0] if offences else None, is_complete)
            if not offences and not is_complete and len(stream) < length:
                queue.append((there, stream))
