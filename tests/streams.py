"""Streams of the oracle's events: written short, sent as E21 bodies, and all the clean ones.

How an event looks as a body is the kit's to say; what is legal and clean is worked out here.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cache
from typing import Any, Final

from tests.core.lifecycle.walker import Walker
from tests.oracle.by_hand import KIND_OF_SHORTHAND
from tests.oracle.oracle import Ev

from segue.analysis.simulate.bodies import TRANSFERS, StoryEvent, delivery
from segue.core.events import EventKind
from segue.core.findings import BY_CODE, Severity
from segue.core.lifecycle import Phase

__all__ = [
    "AGENTS",
    "KINDS",
    "LABELS",
    "body",
    "clean_streams",
    "errors",
    "lines",
    "short",
    "single_edits",
]

AGENTS: Final = ("a", "b", "c")

KINDS: Final = {kind.value: kind for kind in EventKind} | {
    "summary": EventKind.SUMMARY,
    "end": EventKind.END,
}
"""What the oracle calls an event, to what the library calls it."""

LABELS: Final = {"summary": "TRIGGER_SUMMARY_EVENT", "end": "END_OF_CONVERSATION"}
"""What the oracle calls an event, to its label in a story; the others have the same name."""

_SHORTHAND: Final = {kind: short for short, kind in KIND_OF_SHORTHAND.items()}


def short(stream: Iterable[Ev]) -> str:
    """Write a stream as `tests.oracle.by_hand.log` reads it: `N+a C-a C+b N-b E`."""
    words = []
    for event in stream:
        word = {"summary": "S", "end": "E"}.get(event.kind)
        word = word or _SHORTHAND[event.kind] + event.agent
        words.append(f"{word}/{event.tag}" if event.tag else word)
    return " ".join(words)


def body(event: Ev, conversation: str = "c-1") -> dict[str, Any]:
    """Return the E21 body that says this event and nothing else; a tag is told as the language."""
    agent = event.agent or ("system" if event.kind == "end" else "")
    return delivery(StoryEvent(LABELS.get(event.kind, event.kind), agent, event.tag), conversation)


def lines(stream: Iterable[Ev], conversation: str = "c-1") -> list[str]:
    """Return the stream as lines of a log."""
    return [json.dumps(body(event, conversation)) for event in stream]


def errors(codes: Iterable[str]) -> list[str]:
    """Return the codes whose rules are errors."""
    return [code for code in codes if BY_CODE[code].severity is Severity.ERROR]


@cache
def clean_streams(longest: int) -> tuple[tuple[Ev, ...], ...]:
    """Return every complete stream without a finding, of up to so many events over `AGENTS`.

    Agents are named in the order of the alphabet, so that no two streams differ by names only.
    """
    return tuple(_clean((), Walker(), longest))


def _clean(stream: tuple[Ev, ...], walker: Walker, longest: int) -> Iterator[tuple[Ev, ...]]:
    if walker.phase is Phase.ENDED:
        yield stream
    elif len(stream) < longest:
        for event in _possible(walker):
            there = copy(walker)
            if not there.take(KINDS[event.kind], event.agent, event):
                yield from _clean((*stream, event), there, longest)


def _possible(walker: Walker) -> Sequence[Ev]:
    agents = AGENTS[: len(walker.names) + 1]
    transfers = (Ev(kind, agent) for kind in TRANSFERS for agent in agents)
    return [*transfers, Ev("summary"), Ev("end")]


def single_edits(
    stream: tuple[Ev, ...], agents: Sequence[str] = AGENTS
) -> Iterator[tuple[str, tuple[Ev, ...]]]:
    """Yield the stream after each single mistake of a sender, with the name of its kind."""
    for place, event in enumerate(stream):
        before, after = stream[:place], stream[place + 1 :]
        yield "deletion", (*before, *after)
        yield from ((kind, (*before, each, *after)) for kind, each in _changed(event, agents))
        rest = (*before, *after)
        for other in range(len(stream)):
            kind = "late" if other > place + 1 else "early" if other < place - 1 else None
            if other == place + 1 and event != stream[other]:
                kind = "adjacent swap"
            if kind is not None:
                yield kind, (*rest[:other], event, *rest[other:])
        for other in range(place + 1, len(stream) + 1):
            yield "second copy", (*stream[:other], event, *stream[other:])
    transfers = [Ev(kind, agent, "x") for kind in TRANSFERS for agent in agents]
    for place in range(len(stream) + 1):
        for event in (*transfers, Ev("summary", tag="x"), Ev("end", tag="x")):
            yield "insertion", (*stream[:place], event, *stream[place:])


def _changed(event: Ev, agents: Sequence[str]) -> Iterator[tuple[str, Ev]]:
    """Yield an entry or exit with each other transfer type, and of each other agent."""
    if event.kind in TRANSFERS:
        transition = event.kind.split()[1]
        for kind in TRANSFERS:
            if kind != event.kind and kind.endswith(transition):
                yield "retype", Ev(kind, event.agent)
        for agent in agents:
            if agent != event.agent:
                yield "changed identity", Ev(event.kind, agent)
