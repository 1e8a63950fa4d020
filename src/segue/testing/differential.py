"""Runs a backend beside the reference through one conversation, and compares after each delivery.

Everything the backend shows is compared; a view may show only what the reference knows, so that a
misspelled key is noticed. A story in which the two differ is shortened by trying shorter ones.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice
from typing import Any, Final, NamedTuple
from uuid import uuid4

from segue.conversation import Conversation
from segue.errors import ConfigurationError
from segue.simulate.bodies import StoryEvent, delivery
from segue.simulate.legal_moves import LifecycleState, legal, reachable
from segue.simulate.spelling import BODY_VARIANTS, spelled
from segue.testing.backend import Backend, BackendDelivery
from segue.testing.compare import Discrepancy, discrepancies, is_tolerated, tolerated
from segue.testing.reference import KNOWN, answer, view

_MANY: Final = 9
"""More agents than any story has."""
_TRIES: Final = 400
"""How many legal stories are tried, the shortest first, to find a shorter one."""

_PLAIN: Final = "plain"
_COMPARED: Final = (*KNOWN, "status", "state", "changed", "duplicate")


class SentEvent(NamedTuple):
    """One delivery of a story, and how it was spelled."""

    event: StoryEvent
    spelling: str = _PLAIN
    """A title of `BODY_VARIANTS`, or `plain`."""

    def __str__(self) -> str:
        """Return the label, and the spelling if it is not plain."""
        return str(self.event) if self.spelling == _PLAIN else f"{self.event} ({self.spelling})"


def body_of(sent: SentEvent, conversation_id: str) -> dict[str, Any]:
    """Return the body of a delivery in its spelling."""
    body = delivery(sent.event, conversation_id)
    return body if sent.spelling == _PLAIN else spelled(BODY_VARIANTS[sent.spelling], body)


class DifferentialRun:
    """Delivers to the backend and to the reference, in a conversation of its own."""

    def __init__(self, backend: Backend, tolerate: Collection[str] = ()) -> None:
        self._backend = backend
        self._tolerate = tolerated(tolerate, _COMPARED)
        self._id = f"c-{uuid4().hex[:12]}"
        self._reference = Conversation(self._id)
        self.error: Exception | None = None
        """What the backend raised."""

    def send(self, sent: SentEvent) -> list[Discrepancy]:
        """Deliver, and return what the backend shows that differs, or what it raised."""
        body = body_of(sent, self._id)
        delivered = BackendDelivery(body, self._id)
        expected = answer(self._reference, delivered)
        known = view(self._reference)
        seen: Mapping[str, Any] = {}
        try:
            said = self._backend.deliver(delivered)
            if self._backend.view is not None:
                seen = self._backend.view(self._id)
        except ConfigurationError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, a backend must answer
            self.error = error
            return [Discrepancy("answer", "no exception", f"{type(error).__name__}: {error}")]
        if self._backend.view is not None:
            _require_known(seen)
        elif not known.keys() & said.fields.keys():
            msg = "the backend answers with nothing to compare: give it a view of what it knows"
            raise ConfigurationError(msg)
        differing = [
            *discrepancies({**known, **expected}, said.shown),
            *discrepancies(known, seen),
        ]
        return [each for each in differing if not is_tolerated(each, self._tolerate)]


def _require_known(seen: object) -> None:
    if not isinstance(seen, Mapping):
        raise ConfigurationError(
            f"the view returned {seen!r:.60}: have it return a mapping of any of {', '.join(KNOWN)}"
        )
    for key in seen:
        if key not in KNOWN:
            raise ConfigurationError(f"a view has no {key!r}: it may say {', '.join(KNOWN)}")
    if not seen:
        raise ConfigurationError(f"the view is empty: let it say any of {', '.join(KNOWN)}")


def shortened(
    story: Sequence[SentEvent],
    connect: Callable[[], Backend],
    *,
    offences: bool,
    tolerate: Collection[str] = (),
) -> tuple[list[SentEvent], list[Discrepancy]] | None:
    """Return a shortest part of the story in which a fresh backend still differs, and how.

    Returns None if it does not differ again. Without `offences` only legal parts are tried.
    """

    def tried(part: Sequence[SentEvent]) -> tuple[list[SentEvent], list[Discrepancy]] | None:
        if not offences and not _is_legal(part):
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
    simple = islice(_simple(len(best[0]) - 1, best[0][-1].spelling), _TRIES)
    best = next(filter(None, map(tried, simple)), best)
    plain = [SentEvent(sent.event) for sent in best[0]]
    best = tried(plain) or best
    for index in range(len(best[0])):
        best = tried(_plain_at(best[0], index)) or best
    return tried(_renamed(best[0])) or best


def _parts(story: Sequence[SentEvent]) -> Iterator[list[SentEvent]]:
    """Yield the story without some deliveries in a row, many first, and without any two."""
    size = len(story)
    for length in range(size - 1, 0, -1):
        for start in range(size - length):
            yield [*story[:start], *story[start + length :]]
    for one, other in combinations(range(size - 1), 2):
        yield [sent for index, sent in enumerate(story) if index not in (one, other)]


def _plain_at(story: Sequence[SentEvent], index: int) -> list[SentEvent]:
    """Return the story with one event spelled plainly."""
    return [SentEvent(sent.event) if number == index else sent for number, sent in enumerate(story)]


def _simple(longest: int, spelling: str) -> Iterator[list[SentEvent]]:
    """Yield a legal story of lifecycle events for every state, the shortest first."""
    ways = reachable(LifecycleState(), partial(legal, agents=3), longest)
    return ([SentEvent(event, spelling) for event in story] for _, story in ways if story)


def _is_legal(story: Sequence[SentEvent]) -> bool:
    """Whether everything is legal where it stands, or is swallowed as delivered twice."""
    state = LifecycleState()
    for sent in story:
        is_offered = sent.event in legal(state, _MANY, messages=True)
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


def difference_text(story: Sequence[SentEvent], differing: Iterable[Discrepancy]) -> str:
    """Return the story, and what differs after it, as lines.

    A last delivery whose label does not show what was sent is shown as JSON, too.
    """
    lines = [f"  {index:>2}  {sent}" for index, sent in enumerate(story)]
    last = story[-1]
    if last.spelling != _PLAIN:
        lines += ["", f"  the last one as it was sent: {json.dumps(body_of(last, 'c-1'))}"]
    what = [f"  {each}" for each in differing]
    return "\n".join(("the backend differs after the last of these deliveries", *lines, "", *what))
