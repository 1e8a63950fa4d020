"""Streams of events: written short, sent as E21 bodies, and all the clean ones there are."""

import json
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cache
from typing import Any, Final

from tests.oracle.by_hand import KIND_OF_SHORTHAND
from tests.oracle.oracle import Ev

from segue.events import EventKind
from segue.findings import BY_CODE, Severity
from segue.lifecycle import Phase, Roster, advance

__all__ = [
    "AGENTS",
    "KINDS",
    "TRANSFERS",
    "body",
    "clean_streams",
    "clone",
    "errors",
    "event_of",
    "lines",
    "short",
]

AGENTS: Final = ("a", "b", "c")

KINDS: Final = {kind.value: kind for kind in EventKind} | {
    "summary": EventKind.SUMMARY,
    "end": EventKind.END,
}
"""What the oracle calls an event, to what the library calls it."""

TRANSFERS: Final = tuple(kind.value for kind in EventKind if kind.is_entry or kind.is_exit)

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
    whole: dict[str, Any] = {"conversationId": conversation, "botId": "st-1"}
    if event.kind.endswith("message"):
        author = event.kind.split()[0].upper()
        whole |= {"query": "text", "agentId": event.agent, "experience": "chat"}
        return whole | {"author": {"type": author}, "source": "desk"}
    return whole | {"events": [event_of(event)]}


def event_of(event: Ev) -> dict[str, Any]:
    """Return a lifecycle event as the object it is in `events`."""
    if event.kind == "summary":
        data = {"language": event.tag or "English", "locale": "en", "type": "post"}
        return {"name": "TRIGGER_SUMMARY_EVENT", "data": data}
    said = {"language": event.tag or "en", "experience": "chat"}
    identity = event.agent or "system"
    said["participant"] = {"identity": identity, "name": f"Agent {identity}", "type": "agent"}  # type: ignore[assignment]
    if event.kind == "end":
        return {"name": "END_OF_CONVERSATION", "reason": "agent_initiated", **said}
    transfer_type, transition = event.kind.split()
    transfer = {"transfertype": transfer_type, "transition": transition, "isExtAD": False}
    return {"name": "INTERNAL_TRANSFER_EVENT", **transfer, **said}


def lines(stream: Iterable[Ev], conversation: str = "c-1") -> list[str]:
    """Return the stream as lines of a log."""
    return [json.dumps(body(event, conversation)) for event in stream]


def errors(codes: Iterable[str]) -> list[str]:
    """Return the codes whose rules are errors."""
    return [code for code in codes if BY_CODE[code].severity is Severity.ERROR]


def clone(roster: Roster) -> Roster:
    """Return a roster that goes its own way from here."""
    twin = copy(roster)
    twin.marks = dict(roster.marks)
    twin.reliefs = dict(roster.reliefs)
    twin.known = dict(roster.known)
    return twin


@cache
def clean_streams(longest: int) -> tuple[tuple[Ev, ...], ...]:
    """Return every complete stream without a finding, of up to so many events over `AGENTS`.

    Agents are named in the order of the alphabet, so that no two streams differ by names only.
    """
    return tuple(_clean((), Roster(), longest))


def _clean(stream: tuple[Ev, ...], roster: Roster, longest: int) -> Iterator[tuple[Ev, ...]]:
    if roster.phase is Phase.ENDED:
        yield stream
    elif len(stream) < longest:
        for event in _possible(roster):
            twin = clone(roster)
            if advance(twin, KINDS[event.kind], event.agent, event).code is None:
                yield from _clean((*stream, event), twin, longest)


def _possible(roster: Roster) -> Sequence[Ev]:
    agents = AGENTS[: len(roster.known) + 1]
    transfers = (Ev(kind, agent) for kind in TRANSFERS for agent in agents)
    return [*transfers, Ev("summary"), Ev("end")]
