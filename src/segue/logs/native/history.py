"""The history and the transcription of a conversation that the library kept.

How events in one order were judged is asked of the reference once; it does not depend on who the
agents are, or on times.  So a history is made without applying everything again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.engine import (
    TRANSCRIPTION_MACHINE,
    History,
    HistoryRow,
    MessageRun,
    Partial,
    ParticipantInfo,
    apply,
    history_of,
    new,
)
from segue.core.events import HOOKS, INTAKES, Delivery, Event, EventKind
from segue.core.lifecycle import AGENTLESS_KINDS, MESSAGES, Presence
from segue.core.transcription import Session
from segue.logs.native.kept import ACTION, NO_TIME, KeptConversation, events_in, time_of

Order: TypeAlias = tuple[tuple[StrEnum, int | None], ...]
"""Kinds of lifecycle events and actions, with the numbers of their agents."""
_BOT: Final = "bot"
"""The bot of conversations that stand for others."""
_MOST: Final = 64
"""Longer orders are hardly ever those of two conversations, and are not remembered."""


class Outline(NamedTuple):
    """What the reference makes of lifecycle events and actions in some order."""

    rows: Sequence[HistoryRow]
    first_presence: Presence
    transcription: Session


@lru_cache(maxsize=4_096)
def _outline(order: Order, cut: Partial) -> Outline:
    """Ask the reference; agents are numbers, and nothing in the answer is of a sender."""
    state = new("", partial=cut)
    for kind, number in order:
        event = Event(kind, "" if number is None else str(number), "", {}, "")
        intake = HOOKS if isinstance(kind, EventKind) else INTAKES["transcription"]
        apply(state, Delivery("", _BOT, (event,), intake=intake))
    session = TRANSCRIPTION_MACHINE.session(state)
    history = history_of(state)
    return Outline(history.rows, history.first_presence, session)


class KeptHistory(NamedTuple):
    """What segments and metrics are made of."""

    history: History
    transcription: Session


def kept_history(kept: KeptConversation, cut: Partial) -> KeptHistory:
    """Return what a state would have of a conversation that was kept."""
    reading = _Reading(kept)
    order = tuple(reading.order)
    outline = (_outline if len(order) <= _MOST else _outline.__wrapped__)(order, cut)
    rows = [
        HistoryRow(position, at, row.decision, row.verdict, agent, info)
        for row, (position, at, agent, info) in zip(outline.rows, reading.rows, strict=True)
    ]
    history = History(
        outline.first_presence,
        kept.agents,
        tuple(rows),
        tuple(reading.runs()),
        messages=reading.messages,
        shared_times=tuple(reading.shared_times),
        experience=reading.experience,
    )
    return KeptHistory(history, _with_actions(outline.transcription, reading.actions, kept.agents))


class _Reading:
    """The records of a conversation, sorted into what stands in a history."""

    def __init__(self, kept: KeptConversation) -> None:
        numbers = {name: number for number, name in enumerate(kept.agents)}
        self.order: list[tuple[StrEnum, int | None]] = []
        self.rows: list[tuple[int, datetime | None, str, ParticipantInfo | None]] = []
        """Position, time, agent and what was said of it."""
        self._runs: list[list[Any]] = []
        """The runs of messages, with times as they stand in the records."""
        self.shared_times: list[int] = []
        self.actions: list[tuple[datetime | None, int]] = []
        """Time and line."""
        self.experience = ""
        position = events = 0
        for at, line, text, offset, index, size in kept.rows():
            event, info = kept.event_of(text, index)
            kind = event.kind
            if index == ACTION:
                self.order.append((kind, numbers.get(event.agent)))
                self.actions.append((time_of(at, offset), line))
                continue
            events = events_in(size) or events
            self.experience = self.experience or event.experience
            if kind in MESSAGES:
                self._add_message(event, position, line, at, is_shared=events > 1)
            elif kind in AGENTLESS_KINDS:
                self.order.append((kind, None))
                self.rows.append((position, time_of(at, 0), "", None))
            else:
                self.order.append((kind, numbers.get(event.agent)))
                self.rows.append((position, time_of(at, 0), event.agent, info))
            if events > 1 and size and at != NO_TIME:
                self.shared_times += (position, events, 0)
            position += 1
        self.messages = position - len(self.rows)

    def _add_message(
        self, event: Event, position: int, line: int, at: int, *, is_shared: bool
    ) -> None:
        """Add a message to the run that it continues, or begin a run."""
        agent = event.agent if event.kind is EventKind.AGENT_MESSAGE else ""
        last = self._runs[-1] if self._runs and not is_shared else None
        if last and last[0] is event.kind and last[1] == agent and last[2] + last[3] == position:
            last[3] += 1
            last[6] = at
            return
        self._runs.append([event.kind, agent, position, 1, line, at, at])

    def runs(self) -> Iterator[MessageRun]:
        """Yield the runs of messages, in order."""
        for kind, agent, position, messages, line, first, last in self._runs:
            begin = time_of(first, 0)
            end = begin if messages == 1 else time_of(last, 0)
            yield MessageRun(kind, agent, position, messages, line, begin, end)


def _with_actions(
    outline: Session, actions: Sequence[tuple[datetime | None, int]], names: Sequence[str]
) -> Session:
    """Return the session of an outline with the agents and times of these actions."""
    if not actions:
        return outline
    applied = []
    for action in outline.actions:
        at, line = actions[action.position]
        moment = action.moment._replace(at=at, line=line)
        applied.append(action._replace(agent=names[int(action.agent)], moment=moment))
    return replace(outline, controller=names[int(outline.controller)], actions=applied)
