"""All single mistakes in all short conversations, with the figures before the mistake.

Every conversation begins with a message of the customer and has a transcription with a hold, so
that no metric is trivial. What is told twice, or at another place, is received a few seconds away
from its neighbours there.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from random import Random
from typing import Any, Final, NamedTuple

from tests.core.explain.timed import START, Timed
from tests.oracle.by_hand import log
from tests.oracle.oracle import Ev
from tests.streams import AGENTS, body, changed, clean_streams

import segue
from segue.analysis.simulate.bodies import TRANSFERS, StoryEvent, delivery

__all__ = ["Case", "cases"]

_UNREADABLE: Final = "unreadable"
_SEED: Final = 5
_NEAR: Final = (1, 15)
_APART: Final = (20, 300)


class Case(NamedTuple):
    """A conversation with one mistake."""

    kind: str
    """What the sender did wrong."""
    events: tuple[Ev, ...]
    true: segue.Metrics
    """The figures of the conversation without the mistake."""
    report: segue.Report
    """The report of the conversation with the mistake."""


def cases(longest: int) -> Iterator[Case]:
    """Yield all single mistakes of all clean streams of at most `longest` events."""
    random = Random(_SEED)
    for stream in clean_streams(longest):
        clean = [*zip(stream, _times(len(stream), random), strict=True)]
        rest = _transcription(clean, random)
        true = _report(clean, rest).metrics
        for kind, events in (*_edits(clean, random), *_compounds(clean)):
            yield Case(kind, tuple(event for event, _ in events), true, _report(events, rest))


def _times(count: int, random: Random) -> list[float]:
    times = [10.0]
    for _ in range(count):
        times.append(times[-1] + random.randint(*_APART))
    return times[1:]


def _transcription(clean: list[Timed], random: Random) -> list[tuple[float, StoryEvent]]:
    """Return the message before the conversation, and the actions of its transcription."""
    first, last = clean[0][1], clean[-1][1]
    pause, resume = sorted(random.uniform(first + 2, last) for _ in range(2))
    said = [(1, "user message"), (first + 1, "start"), (pause, "pause handover=false")]
    said += [(resume, "resume"), (last + 1, "end")]
    return [(at, StoryEvent(label, "a")) for at, label in said]


def _report(events: Iterable[Timed], rest: Iterable[tuple[float, StoryEvent]]) -> segue.Report:
    lines = [(at, _body(event)) for event, at in events]
    lines += [(at, delivery(each, "c-1")) for at, each in rest]
    lines.sort(key=lambda line: line[0])
    return segue.check(
        {"received_at": (START + timedelta(seconds=at)).isoformat()}
        | (line if "body" in line else {"body": line})
        for at, line in lines
    )


def _body(event: Ev) -> dict[str, Any]:
    if event.kind == _UNREADABLE:
        return {"conversationId": "c-1", "botId": "st-1", "events": [{}]}
    return body(event)


def _edits(clean: list[Timed], random: Random) -> Iterator[tuple[str, list[Timed]]]:
    """Yield the conversation with each mistake with one event."""
    for place, (event, at) in enumerate(clean):
        before, after = clean[:place], clean[place + 1 :]
        yield "deletion", [*before, *after]
        yield "unreadable", [*before, (Ev(_UNREADABLE), at), *after]
        for kind, each in changed(event, AGENTS):
            yield kind, [*before, (each, at), *after]
        rest = [*before, *after]
        for other in range(len(clean)):
            kind = "late" if other > place else "early"
            if other not in {place, place - 1}:  # the event before this is late
                yield kind, _put(event, rest, other, random)
        for other in range(place + 1, len(clean) + 1):
            yield "second copy", _put(event, clean, other, random)
    for place in range(len(clean) + 1):
        for event in (*(Ev(k, a, "x") for k in TRANSFERS for a in AGENTS), Ev("summary", tag="x")):
            yield "insertion", _put(event, clean, place, random)
        yield "insertion", _put(Ev("end", tag="x"), clean, place, random)


def _put(event: Ev, events: list[Timed], place: int, random: Random) -> list[Timed]:
    """Return the events with one more, which is received near the one before it."""
    at = events[place - 1][1] if place else 2.0
    return [*events[:place], (event, at + random.randint(*_NEAR)), *events[place:]]


def _compounds(clean: list[Timed]) -> Iterator[tuple[str, list[Timed]]]:
    """Yield the conversation with each mistake that people make as one with several events."""
    for place, (event, _) in enumerate(clean):
        before, after = clean[:place], clean[place + 1 :]
        following = after[0][0] if after else None
        if event.kind == "COLD exit" and following is not None and following.kind == "COLD entry":
            for kind in ("NA entry", "WARM entry"):
                told = Ev(kind, following.agent)
                yield "hand-over as one entry", [*before, (told, after[0][1]), *after[1:]]
        if event.kind == "WARM entry":
            yield from _under_another_name(clean, place)
    again = [(event, clean[-1][1] + 100 + at) for event, at in _SECOND]
    yield "id used again", [*clean, *again]


_SECOND: Final = [*zip(log("N+b C-b C+c N-c E"), (0.0, 40.0, 50.0, 90.0, 95.0), strict=True)]


def _under_another_name(clean: list[Timed], place: int) -> Iterator[tuple[str, list[Timed]]]:
    """Yield the conversation with a consult under the name of another agent who is present."""
    agent = clean[place][0].agent
    left = next((n for n, (e, _) in enumerate(clean) if e == Ev("WARM exit", agent)), -1)
    present = {event.agent for event, _ in clean[:place]} - {"", agent}
    for other in present if left > place else ():
        renamed = [*clean]
        for at in (place, left):
            renamed[at] = (Ev(clean[at][0].kind, other), clean[at][1])
        yield "consult under another name", renamed
