"""The history and the transcription of a conversation that the library kept.

How events in one order were judged is asked of the reference once; it does not depend on who the
agents are, or on times.  So a history is made without applying everything again.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from segue.core.engine import (
    TRANSCRIPTION_MACHINE,
    History,
    HistoryRow,
    MessageCounts,
    Partial,
    ParticipantInfo,
    apply,
    history_of,
    new,
)
from segue.core.engine.segment_replay import presences_of
from segue.core.events import HOOKS, INTAKES, Delivery, Event, EventKind
from segue.core.lifecycle import AGENTLESS_KINDS, MESSAGES, Phase, Presence
from segue.core.transcription import Session
from segue.logs.native.kept import ACTION, NO_TIME, KeptConversation, events_in, time_of

Order: TypeAlias = tuple[tuple[StrEnum, int | None], ...]
"""Kinds of lifecycle events and actions, with the numbers of their agents."""
_BOT: Final = "bot"
"""The bot of conversations that stand for others."""
_WAITING: Final = Phase.WAITING
_MOST: Final = 64
"""Longer orders are hardly ever those of two conversations, and are not remembered."""


class Outline(NamedTuple):
    """What the reference makes of lifecycle events and actions in some order."""

    rows: Sequence[HistoryRow]
    presences: Sequence[Presence]
    """Where the conversation stands before its first lifecycle event, and after each."""
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
    return Outline(history_of(state).rows, tuple(presences_of(state)), session)


class KeptHistory(NamedTuple):
    """What segments and metrics are made of."""

    history: History
    transcription: Session


def kept_history(kept: KeptConversation, cut: Partial) -> KeptHistory:
    """Return what a state would have of a conversation that was kept."""
    reading = _Reading(kept)
    order = tuple(reading.order)
    outline = (_outline if len(order) <= _MOST else _outline.__wrapped__)(order, cut)
    counts = [_Counts() for _ in outline.presences]
    for row, kind, number in reading.messages:
        counts[row].add(kind, number, outline.presences[row])
    *messages, tail = [each.by_name(kept.agents) for each in counts]
    rows = [
        HistoryRow(each, position, at, row.decision, row.verdict, agent, info)
        for each, row, (position, at, agent, info) in zip(
            messages, outline.rows, reading.rows, strict=True
        )
    ]
    first = reading.first_message
    is_early = first is not None and outline.presences[reading.messages[0][0]].phase is _WAITING
    history = History(
        outline.presences[0],
        kept.agents,
        tuple(rows),
        tail,
        len(reading.messages),
        first if is_early else None,
        tuple(reading.shared_times),
    )
    return KeptHistory(history, _with_actions(outline.transcription, reading.actions, kept.agents))


class _Reading:
    """The records of a conversation, sorted into what stands in a history."""

    def __init__(self, kept: KeptConversation) -> None:
        numbers = {name: number for number, name in enumerate(kept.agents)}
        self.order: list[tuple[StrEnum, int | None]] = []
        self.rows: list[tuple[int, datetime | None, str, ParticipantInfo | None]] = []
        """Position, time, agent and what was said of it."""
        self.messages: list[tuple[int, StrEnum, int | None]] = []
        """Number of the row behind it, kind, and number of the agent."""
        self.first_message: tuple[int, datetime | None] | None = None
        self.shared_times: list[int] = []
        self.actions: list[tuple[datetime | None, int]] = []
        """Time and line."""
        position = 0
        for at, line, text, offset, index, size in kept.rows():
            event, info = kept.event_of(text, index)
            number = numbers.get(event.agent)
            if index == ACTION:
                self.order.append((event.kind, number))
                self.actions.append((time_of(at, offset), line))
                continue
            if event.kind in MESSAGES:
                if not self.messages:
                    self.first_message = position, time_of(at, 0)
                self.messages.append((len(self.rows), event.kind, number))
            elif event.kind in AGENTLESS_KINDS:
                self.order.append((event.kind, None))
                self.rows.append((position, time_of(at, 0), "", None))
            else:
                self.order.append((event.kind, number))
                self.rows.append((position, time_of(at, 0), event.agent, info))
            if at != NO_TIME and events_in(size) > 1:
                self.shared_times += (position, events_in(size), 0)
            position += 1


class _Counts:
    """The messages before a lifecycle event."""

    def __init__(self) -> None:
        self.of_users = self.of_primary = 0
        self.of_others: dict[int, int] = {}

    def add(self, kind: StrEnum, number: int | None, presence: Presence) -> None:
        """Count a message for the agent it is attributed to."""
        if kind is EventKind.USER_MESSAGE:
            self.of_users += 1
        elif number is not None and number == presence.primary:
            self.of_primary += 1
        elif number is not None and number < presence.agents:
            self.of_others[number] = self.of_others.get(number, 0) + 1

    def by_name(self, names: Sequence[str]) -> MessageCounts:
        """Return them with the names of the agents."""
        others = [(names[number], count) for number, count in self.of_others.items()]
        return MessageCounts(self.of_users, self.of_primary, tuple(others))


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
