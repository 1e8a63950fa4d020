"""Conversations built in words: `NA entry a, user, NA exit a, summary, END`.

Every event comes ten seconds after the one before, the first at second 0 of `START`, unless built
otherwise.  The text is the event: saying the same thing twice in a row is a repeat.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tests.builders import read_label
from tests.core.lifecycle.walker import Walker

from segue.core.events import Event, EventKind
from segue.core.lifecycle import MESSAGES, Phase, PresenceEffect, transition
from segue.core.segments import EventTime, Move, Segment, SegmentBuilder

START: Final = datetime(2024, 5, 1, 12, tzinfo=UTC)


def second(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def seconds(value: timedelta | None) -> float | None:
    return None if value is None else value.total_seconds()


def read(phrase: str) -> tuple[EventKind, str]:
    """Take `WARM exit b` apart."""
    if phrase == "message":
        return EventKind.MESSAGE, ""
    event = read_label(phrase, agent="")
    return event.kind, event.agent


class Story:
    """A conversation that is being built to a builder."""

    def __init__(self, *, midway: bool = False) -> None:
        self.walker = Walker.truncated_start() if midway else Walker()
        self.builder = SegmentBuilder()
        self.position = 0
        self.latest: datetime | None = None

    def tell(self, text: str, times: Iterable[float | None] | None = None) -> "Story":
        phrases = text.split(", ")
        if times is None:
            times = [10.0 * (self.position + number) for number in range(len(phrases))]
        for phrase, at in zip(phrases, times, strict=True):
            self.add(*read(phrase), at=None if at is None else second(at))
        return self

    def add(
        self,
        kind: EventKind,
        agent: str,
        *,
        at: datetime | None = None,
        value: Mapping[str, Any] | None = None,
        experience: str = "",
    ) -> Move:
        move = self.move(kind, agent, f"{kind} {agent} {value}")
        if at is not None:
            at = self.latest = max(at, self.latest or at)
        if kind in MESSAGES:
            first = EventTime(self.position - 1, at)
            self.builder.message(kind, move.agent, move.primary, move.present, first)
            self.builder.messages += move.phase_before is not Phase.ENDED
        else:
            event = Event(kind, agent, experience, value or {}, "")
            self.builder.record(move, event, self.position - 1, at)
        return move

    def move(self, kind: EventKind, agent: str, value: object) -> Move:
        """Judge an event at the next position; the builder does not get it."""
        self.position += 1
        return self._move(kind, agent, value)

    def _move(self, kind: EventKind, agent: str, value: object = None) -> Move:
        walker = self.walker
        meant = walker.resolve(kind, agent)
        before, number = walker.presence, walker.number(meant)
        _, decision = transition(before, kind, number)
        codes = walker.take(kind, agent, value)
        if codes == ("SG601",):
            decision = decision._replace(code="SG601", effect=PresenceEffect.NONE)
        return Move.between(before, walker.presence, decision, meant, walker.names)

    def close(self, *, partial_end: bool = False) -> "Story":
        self.builder.close(self._move(EventKind.CLOSE, ""), partial_end=partial_end)
        return self

    @property
    def segments(self) -> tuple[Segment, ...]:
        return self.builder.segments()


def built(text: str, times: Iterable[float | None] | None = None) -> Story:
    return Story().tell(text, times)


def stays(segment: Segment) -> list[str]:
    """Show connections as `0 NA - 3 COLD`: positions and kinds."""
    return [
        f"{each.opened_by} {each.opened_kind} - {each.closed_by} {each.closed_kind}"
        for each in segment.connections
    ]


def overview(story: Story) -> list[str]:
    """Show segments as `a NA primary completed: 0 NA - 3 NA`."""
    return [
        f"{each.agent} {each.kind} {each.role} {each.outcome}: {'; '.join(stays(each))}"
        for each in story.segments
    ]
