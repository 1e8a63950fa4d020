"""Streams of the oracle's events: their shorthand, their E21 bodies, and all clean streams.

The testing kit builds the bodies. This module works out which streams are clean.
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
    "changed",
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
"""The library's event kinds by the oracle's names."""

LABELS: Final = {"summary": "TRIGGER_SUMMARY_EVENT", "end": "END_OF_CONVERSATION"}
"""The labels of story events by the oracle's names, where they differ."""

_SHORTHAND: Final = {kind: short for short, kind in KIND_OF_SHORTHAND.items()}


def short(stream: Iterable[Ev]) -> str:
    """Return a stream in the shorthand of `tests.oracle.by_hand.log`, such as `N+a N-a E`."""
    words = []
    for event in stream:
        word = {"summary": "S", "end": "E"}.get(event.kind)
        word = word or _SHORTHAND[event.kind] + event.agent
        words.append(f"{word}/{event.tag}" if event.tag else word)
    return " ".join(words)


def body(event: Ev, conversation: str = "c-1") -> dict[str, Any]:
    """Return an E21 body with only this event. A tag is sent as the language."""
    agent = event.agent or ("system" if event.kind == "end" else "")
    return delivery(StoryEvent(LABELS.get(event.kind, event.kind), agent, event.tag), conversation)


def lines(stream: Iterable[Ev], conversation: str = "c-1") -> list[str]:
    """Return the stream as lines of a log."""
    return [json.dumps(body(event, conversation)) for event in stream]


def errors(codes: Iterable[str]) -> list[str]:
    """Return the codes of rules with severity error."""
    return [code for code in codes if BY_CODE[code].severity is Severity.ERROR]


@cache
def clean_streams(longest: int) -> tuple[tuple[Ev, ...], ...]:
    """Return all complete streams over `AGENTS` without findings and with at most `longest` events.

    Agents appear in alphabetical order, so that no two streams differ only in names.
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
    """Yield the stream with each possible single mistake of a sender, and the kind of mistake."""
    for place, event in enumerate(stream):
        before, after = stream[:place], stream[place + 1 :]
        yield "deletion", (*before, *after)
        yield from ((kind, (*before, each, *after)) for kind, each in changed(event, agents))
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


def changed(event: Ev, agents: Sequence[str]) -> Iterator[tuple[str, Ev]]:
    """Yield an entry or exit with each other transfer type, and with each other agent."""
    if event.kind in TRANSFERS:
        transition = event.kind.split()[1]
        for kind in TRANSFERS:
            if kind != event.kind and kind.endswith(transition):
                yield "retype", Ev(kind, event.agent)
        for agent in agents:
            if agent != event.agent:
                yield "changed identity", Ev(event.kind, agent)
