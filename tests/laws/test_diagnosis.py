"""What happened: single edits of short clean conversations, and how often the diagnosis says so.

The figures stand in docs/explanation/one-mistake.md.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.oracle.oracle import Ev
from tests.streams import AGENTS, KINDS, body, clean_streams

from segue.analysis.simulate.bodies import TRANSFERS
from segue.core.conversation import Report
from segue.core.conversation.stored_stream import stored_stream
from segue.core.edits.diagnosing import alternatives, edited
from segue.core.engine import apply, finish, new
from segue.core.wire import read_body

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "one-mistake.md"
LONGEST = 7

Stream = tuple[Ev, ...]

ROW = re.compile(r"^\| ([a-z ]+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
"""A row of the page: kind of edit, with an error, explained by one edit, by the original one."""


class Outcome(NamedTuple):
    """What was said of one edit."""

    is_single: bool
    """One edit explains it."""
    is_original: bool
    """One of the alternatives leads back to the conversation before the edit."""


def outcome(stream: Stream, broken: Stream, unreadable: int | None = None) -> Outcome | None:
    """Return what is said of a stream; None if it has no error."""
    bodies = list(map(body, broken))
    if unreadable is not None:
        bodies[unreadable]["events"][0]["name"] = "NOPE"
    state = new(None)
    for each in bodies:
        apply(state, read_body(each))
    finish(state)
    if not Report(state).diagnosis():
        return None
    stored = stored_stream(state)
    chosen, _ = alternatives(stored)
    before = tuple((KINDS[ev.kind], "" if ev.kind == "end" else ev.agent) for ev in stream)
    return Outcome(bool(chosen), before in [edited(stored, each) for each in chosen])


def edits(longest: int) -> Iterator[tuple[str, Stream, Stream]]:
    """Yield each single edit of each clean stream: its kind, the stream, and what it becomes."""
    for stream in clean_streams(longest):
        for at, event in enumerate(stream):
            before, after = stream[:at], stream[at + 1 :]
            yield "lost", stream, (*before, *after)
            for other in _others(event):
                is_agent = other.kind == event.kind
                kind = "of another agent" if is_agent else "of another type"
                yield kind, stream, (*before, other, *after)
            for to in range(at + 1, len(stream)):
                moved = (*before, *stream[at + 1 : to + 1], event, *stream[to + 1 :])
                yield ("swapped" if to == at + 1 else "late"), stream, moved
                yield "sent again", stream, (*stream[: to + 1], event, *stream[to + 1 :])
            for to in range(at - 1):
                yield "early", stream, (*stream[:to], event, *stream[to:at], *after)
        for at in range(len(stream) + 1):
            for event in _all():
                yield "put in", stream, (*stream[:at], event, *stream[at:])


def _others(event: Ev) -> Iterator[Ev]:
    if event.kind in TRANSFERS:
        transition = event.kind.split()[1]
        for kind in TRANSFERS:
            if kind != event.kind and kind.endswith(transition):
                yield Ev(kind, event.agent)
        for agent in AGENTS:
            if agent != event.agent:
                yield Ev(event.kind, agent)


def _all() -> Iterator[Ev]:
    yield from (Ev(kind, agent) for kind in TRANSFERS for agent in AGENTS)
    yield from (Ev("summary"), Ev("end"))


def measure(longest: int) -> dict[str, tuple[int, int, int]]:
    """Return of each kind of edit how many have an error, are diagnosed as one, as the original."""
    counts: dict[str, Counter[str]] = {}
    said = [(kind, outcome(stream, broken)) for kind, stream, broken in edits(longest)]
    said += [
        ("unreadable", outcome(stream, stream, at))
        for stream in clean_streams(longest)
        for at in range(len(stream))
    ]
    for kind, found in said:
        if found is not None:
            each = counts.setdefault(kind, Counter())
            each.update(all=1, single=found.is_single, original=found.is_original)
    return {kind: (each["all"], each["single"], each["original"]) for kind, each in counts.items()}


def test_each_edit_of_the_shortest_conversations_is_explained_by_one() -> None:
    found = measure(4)

    assert all(single == count for count, single, _ in found.values())
    assert all(original == count for kind, (count, _, original) in found.items())


@pytest.mark.slow
def test_the_figures_are_those_of_the_page() -> None:
    rows = ROW.findall(PAGE.read_text("utf-8").partition("## What happened")[2])

    assert {kind: tuple(map(int, figures)) for kind, *figures in rows} == measure(LONGEST)
