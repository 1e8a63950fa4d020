"""A companion: the reference that goes beside a backend through one conversation.

It decides what is compared after a delivery, and makes a story in which the two differ shorter.
House rules: everything the backend shows is compared and nothing else; a view may say only what is
known here, so that a misspelt key is noticed; a shorter story is one that was tried.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, Final, NamedTuple
from uuid import uuid4

from segue.conversation import Conversation
from segue.errors import ConfigurationError
from segue.lifecycle import Roster
from segue.testing.backend import Backend, Delivered
from segue.testing.compare import Discrepancy, discrepancies
from segue.testing.legal_moves import legal, take, twin
from segue.testing.reference import KNOWN, answer, view
from segue.testing.stories import Beat, delivery

__all__ = ["Companion", "Sent", "respelt", "shortened", "told"]

_ANYBODY: Final = 9
_TRIES: Final = 400
"""So many legal stories are tried, the shortest first, to find one shorter than what is known."""


class Sent(NamedTuple):
    """One delivery of a story, and how it was spelt."""

    beat: Beat
    manner: str = "plain"

    def __str__(self) -> str:
        """Tell it."""
        return str(self.beat) if self.manner == "plain" else f"{self.beat} ({self.manner})"


class Companion:
    """Delivers to the backend what the reference takes as well, in a conversation of its own."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._id = f"c-{uuid4().hex[:12]}"
        self._reference = Conversation(self._id)

    def send(self, sent: Sent) -> list[Discrepancy]:
        """Deliver, and return what the backend tells otherwise."""
        delivered = Delivered(respelt(delivery(sent.beat, self._id), sent.manner), self._id)
        expected = answer(self._reference, delivered)
        said = self._backend.deliver(delivered)
        known = view(self._reference)
        seen: Mapping[str, Any] = {}
        if self._backend.view is not None:
            seen = self._backend.view(self._id)
            _require_known(seen)
        elif not known.keys() & said.fields.keys():
            msg = "the backend answers with nothing to compare: give it a view of what it knows"
            raise ConfigurationError(msg)
        return [*discrepancies({**known, **expected}, said.told), *discrepancies(known, seen)]


def _require_known(seen: Mapping[str, Any]) -> None:
    for key in seen:
        if key not in KNOWN:
            msg = f"a view has no {key!r}: it may say {', '.join(KNOWN)}"
            raise ConfigurationError(msg)
    if not seen:
        msg = f"the view is empty: let it say any of {', '.join(KNOWN)}"
        raise ConfigurationError(msg)


def respelt(body: dict[str, Any], manner: str) -> dict[str, Any]:
    """Spell a body in an accepted manner."""
    for event in body.get("events", (body,)):
        match manner:
            case "lower case" | "upper case":
                for key in event.keys() & {"transfertype", "transition", "experience"}:
                    text = event[key]
                    event[key] = text.lower() if manner == "lower case" else text.upper()
            case "flags as text":
                if "isExtAD" in event:
                    event["isExtAD"] = str(event["isExtAD"]).lower()
            case "more fields":
                event["x-more"] = {"fields": [None]}
            case _:
                pass
    return body


def shortened(
    story: Sequence[Sent], connect: Callable[[], Backend], *, offences: bool
) -> tuple[list[Sent], list[Discrepancy]] | None:
    """Return a shortest part of the story in which a fresh backend still differs, and how.

    None: it does not differ again. Without `offences` only parts are tried that are legal.
    """

    def tried(part: Sequence[Sent]) -> tuple[list[Sent], list[Discrepancy]] | None:
        if not offences and not _is_legal(part):
            return None
        companion = Companion(connect())
        for index, sent in enumerate(part):
            differing = companion.send(sent)
            if differing:
                return list(part[: index + 1]), differing
        return None

    best = tried(story)
    if best is None:
        return None
    while shorter := next(filter(None, map(tried, _parts(best[0]))), None):
        best = shorter
    manner = best[0][0].manner
    simple = islice(_simple(len(best[0]) - 1, manner), _TRIES)
    best = next(filter(None, map(tried, simple)), best)
    plain = [Sent(sent.beat) for sent in best[0]]
    return tried(_renamed(plain)) or tried(plain) or tried(_renamed(best[0])) or best


def _parts(story: Sequence[Sent]) -> Iterator[list[Sent]]:
    """Yield the story without some deliveries in a row, many first, and without any two."""
    size = len(story)
    for length in range(size - 1, 0, -1):
        for start in range(size - length):
            yield [*story[:start], *story[start + length :]]
    for one, other in combinations(range(size - 1), 2):
        yield [sent for index, sent in enumerate(story) if index not in (one, other)]


def _simple(longest: int, manner: str) -> Iterator[list[Sent]]:
    """Yield every legal story of lifecycle events, the shortest first."""
    queue: deque[tuple[Roster, list[Sent]]] = deque([(Roster(), [])])
    while queue:
        roster, story = queue.popleft()
        if story:
            yield story
        for beat in legal(roster, 3) if len(story) < longest else ():
            there = twin(roster)
            take(there, beat)
            queue.append((there, [*story, Sent(beat, manner)]))


def _is_legal(story: Sequence[Sent]) -> bool:
    """Whether everything is legal where it stands, or is swallowed as delivered twice."""
    roster = Roster()
    for sent in story:
        is_offered = sent.beat in legal(roster, _ANYBODY, messages=True)
        if take(roster, sent.beat) != ("SG601",) and not is_offered:
            return False
    return True


def _renamed(story: Sequence[Sent]) -> list[Sent]:
    names: dict[str, str] = {}
    for sent in story:
        if sent.beat.agent:
            names.setdefault(sent.beat.agent, f"a-{len(names) + 1}")
    return [
        sent._replace(beat=sent.beat._replace(agent=names.get(sent.beat.agent, "")))
        for sent in story
    ]


def told(story: Sequence[Sent], differing: Iterable[Discrepancy]) -> str:
    """Tell the story and what differs after it."""
    lines = [f"  {index:>2}  {sent}" for index, sent in enumerate(story)]
    what = [
        f"  {key}: expected {json.dumps(expected)}, found {json.dumps(found, default=repr)}"
        for key, expected, found in differing
    ]
    return "\n".join(("the backend differs after the last of these deliveries", *lines, "", *what))
