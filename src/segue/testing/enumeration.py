"""Every short conversation there is, up to the names of its agents.

The shortest come first, and within a length the simplest. A branch is cut at its first offence:
what comes after it says more about recovery than about the rule, and so all can be tried.
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
    """One stream, and what its last event gives."""

    stream: Story
    """The deliveries, one event each."""
    rule: str | None
    """The rule its last event offends; None if the stream is legal so far."""
    is_complete: bool
    """Whether the conversation has ended."""


def enumerate_streams(*, agents: int = 2, length: int = 5, notes: bool = True) -> Iterator[Case]:
    """Yield every stream of up to `length` lifecycle events, cut at its first offence.

    `notes` goes on after what is worth a note only. Messages are left out: they change nothing.
    """
    if agents < 1 or length < 1:
        msg = f"agents={agents} and length={length}: there is nothing to enumerate below 1"
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
