"""A comparison of a backend with the reference implementation, one event at a time.

A view may contain only keys that the reference knows, so that a misspelled key is noticed. A story,
that is a list of events, in which the two differ is shortened by trying shorter ones.
"""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import combinations, islice
from typing import Final, TypeAlias
from uuid import uuid4

from segue.analysis.simulate.legal_moves import LifecycleState, legal, reachable
from segue.core.conversation import Conversation
from segue.core.errors import ConfigurationError
from segue.testing.backend import Backend, BackendDelivery
from segue.testing.compare import BackendCrash, Discrepancy, discrepancies, is_tolerated, tolerated
from segue.testing.reference import answer, view
from segue.testing.stories import SentEvent
from segue.testing.views import read_view

_MANY: Final = 9
"""An upper bound for the number of agents in a story."""
_TRIES: Final = 400
"""The maximum number of short legal stories to try when a failing story is shortened."""
_NOT_REPEATED: Final = (
    "the difference could not be reproduced: with a new backend the same deliveries do not always "
    "differ, so its behavior depends on chance, on time or on other conversations"
)


Differences: TypeAlias = Sequence[Discrepancy | BackendCrash]
"""The differences after a delivery, or a single `BackendCrash` if the backend raised."""
Failing: TypeAlias = tuple[list[SentEvent], Differences]
"""A story in which the backend differs, and the differences after its last delivery."""


class DifferentialRun:
    """A conversation with a new id that is sent to the backend and to the reference."""

    def __init__(self, backend: Backend, tolerate: Collection[str] = ()) -> None:
        self._backend = backend
        self._tolerate = tolerated(tolerate)
        self._id = f"c-{uuid4().hex[:12]}"
        self._reference = Conversation(self._id)

    def send(self, sent: SentEvent) -> Differences:
        """Send an event to the backend and to the reference, and return their differences.

        Raises:
            ConfigurationError: The backend cannot be reached, or shows nothing to compare.

        """
        delivered = BackendDelivery(sent.body(self._id), self._id)
        expected = answer(self._reference, delivered)
        known = view(self._reference)
        try:
            said = self._backend.deliver(delivered)
            seen = {} if self._backend.view is None else read_view(self._backend.view, self._id)
        except ConfigurationError:  # the backend cannot be reached, or its view is invalid
            raise
        except Exception as error:  # noqa: BLE001 - whatever a backend raises is shown as a story
            return [BackendCrash(error)]
        if self._backend.view is None and not known.keys() & said.fields.keys():
            msg = "the backend's answers contain nothing to compare: give the backend a view"
            raise ConfigurationError(msg)
        differing = [
            *discrepancies({**known, **expected}, said.shown),
            *discrepancies(known, seen),
        ]
        return [each for each in differing if not is_tolerated(each, self._tolerate)]


def shortened(
    story: Sequence[SentEvent],
    connect: Callable[[], Backend],
    *,
    offences: bool,
    notes: bool = True,
    tolerate: Collection[str] = (),
) -> Failing | None:
    """Return a short story in which a new backend still differs, and the differences.

    Return None if the backend does not differ when the story is sent again, or not every time.

    Args:
        story: The story in which the backend differed.
        connect: A function that returns a new backend.
        offences: Whether the shorter story may violate rules.
        notes: Whether the shorter story may contain events that are reported as notes.
        tolerate: Keys and codes of findings in which the backend may differ.

    """

    def tried(part: Sequence[SentEvent]) -> Failing | None:
        if not offences and not _is_legal(part, notes=notes):
            return None
        run = DifferentialRun(connect(), tolerate)
        for index, sent in enumerate(part):
            differing = run.send(sent)
            if differing:
                return list(part[: index + 1]), differing
        return None

    best = tried(story)
    if best is None:
        return None
    while shorter := next(filter(None, map(tried, _parts(best[0]))), None):
        best = shorter
    simple = islice(_simple(len(best[0]) - 1, best[0][-1].spelling, notes=notes), _TRIES)
    best = next(filter(None, map(tried, simple)), best)
    plain = [SentEvent(sent.event) for sent in best[0]]
    best = tried(plain) or best
    for index in range(len(best[0])):
        best = tried(_plain_at(best[0], index)) or best
    best = tried(_renamed(best[0])) or best
    return tried(best[0])


def _parts(story: Sequence[SentEvent]) -> Iterator[list[SentEvent]]:
    """Yield shorter versions of a story, each still with its last delivery.

    First a run of successive deliveries is left out, beginning with the longest run. Then any two
    deliveries are left out.
    """
    size = len(story)
    for length in range(size - 1, 0, -1):
        for start in range(size - length):
            yield [*story[:start], *story[start + length :]]
    for one, other in combinations(range(size - 1), 2):
        yield [sent for index, sent in enumerate(story) if index not in (one, other)]


def _plain_at(story: Sequence[SentEvent], index: int) -> list[SentEvent]:
    """Return the story with the event at `index` in the plain spelling."""
    return [SentEvent(sent.event) if number == index else sent for number, sent in enumerate(story)]


def _simple(longest: int, spelling: str, *, notes: bool) -> Iterator[list[SentEvent]]:
    """Yield a shortest legal story to each reachable state of the lifecycle, the shortest first."""
    ways = reachable(LifecycleState(), partial(legal, agents=3, notes=notes), longest)
    return ([SentEvent(event, spelling) for event in story] for _, story in ways if story)


def _is_legal(story: Sequence[SentEvent], *, notes: bool) -> bool:
    """Return whether every event of a story is legal, or a repetition that has no effect."""
    state = LifecycleState()
    for sent in story:
        is_offered = sent.event in legal(state, _MANY, messages=True, notes=notes)
        state, found = state.step(sent.event)
        if found != ("SG601",) and not is_offered:
            return False
    return True


def _renamed(story: Sequence[SentEvent]) -> list[SentEvent]:
    names: dict[str, str] = {}
    for sent in story:
        if sent.event.agent:
            names.setdefault(sent.event.agent, f"a-{len(names) + 1}")
    return [
        sent._replace(event=sent.event._replace(agent=names.get(sent.event.agent, "")))
        for sent in story
    ]


def difference_text(
    story: Sequence[SentEvent], differing: Differences, *, repeats: bool = True
) -> str:
    """Return a story and its differences as the text of a failure message.

    The text includes the bodies of events that are not spelled plainly. If `repeats` is false, it
    says that the difference could not be reproduced.
    """
    first = "the backend differs from the reference after the last of these deliveries"
    lines = [f"  {index:>2}  {sent}" for index, sent in enumerate(story)]
    what = [f"  {each}" for each in differing]
    bodies = [
        f"  {'the last one' if number == len(story) else sent} as it was sent: "
        f"{json.dumps(sent.body())}"
        for number, sent in enumerate(story, start=1)
        if sent.is_respelled
    ]
    again = [] if repeats else [f"  {_NOT_REPEATED}"]
    parts = ([first, *lines], what, bodies, again)
    return "\n\n".join("\n".join(part) for part in parts if part)
