"""The entries and the transcription of a conversation that the library kept.

The effect of actions in one order is computed by the reference once. It does not depend on the
names of agents or on times. So a transcription is made without applying everything again.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from segue.core.engine import (
    TRANSCRIPTION_MACHINE,
    Entry,
    Partial,
    apply,
    new,
)
from segue.core.engine.entry_replay import Past
from segue.core.events import HOOKS, INTAKES, Delivery, Event, EventKind
from segue.core.findings import line_number
from segue.core.lifecycle import AGENTLESS_KINDS, MESSAGES
from segue.core.transcription import Session
from segue.logs.native.kept import ACTION, KeptConversation, events_in, time_of

Order: TypeAlias = tuple[tuple[StrEnum, int | None], ...]
"""Kinds of lifecycle events and actions, with the numbers of their agents."""
_BOT: Final = "bot"
"""The bot of conversations that stand for others."""
_WITHOUT_AGENT: Final = AGENTLESS_KINDS | (MESSAGES - {EventKind.AGENT_MESSAGE})
_MOST: Final = 64
"""Longer orders are hardly ever those of two conversations, and are not remembered."""


@lru_cache(maxsize=4_096)
def _session(order: Order, cut: Partial) -> Session:
    """Ask the reference. Agents are numbers, and the answer contains no text of a sender."""
    state = new("", partial=cut)
    for kind, number in order:
        event = Event(kind, "" if number is None else str(number), "", {}, "")
        intake = HOOKS if isinstance(kind, EventKind) else INTAKES["transcription"]
        apply(state, Delivery("", _BOT, (event,), intake=intake))
    return TRANSCRIPTION_MACHINE.session(state)


class KeptPast(NamedTuple):
    """The past of a conversation that was kept."""

    past: Past
    transcription: Session


def kept_past(kept: KeptConversation, cut: Partial, log: int | None) -> KeptPast:
    """Return the past that the state of a conversation would have.

    `log` is the number of its log, or None if the lines tell it.
    """
    reading = _Reading(kept, log)
    past = Past(
        reading.entries,
        new("", partial=cut).first_presence,
        is_cut=cut in {"end", "both"},
        experience=reading.experience,
    )
    if not reading.actions:
        return KeptPast(past, Session())
    order = tuple(reading.order)
    session = (_session if len(order) <= _MOST else _session.__wrapped__)(order, cut)
    return KeptPast(past, _with_actions(session, reading.actions, kept.agents))


class _Reading:
    """The records of a conversation, as entries and actions."""

    def __init__(self, kept: KeptConversation, log: int | None) -> None:
        numbers = {name: number for number, name in enumerate(kept.agents)}
        self.order: list[tuple[StrEnum, int | None]] = []
        self.entries: list[Entry] = []
        self.actions: list[tuple[datetime | None, int]] = []
        """Time and line."""
        self.experience = ""
        position, delivery = 0, -1
        is_shared = False
        for at, number, text, offset, index, size in kept.rows():
            event, details = kept.event_of(text, index)
            kind, line = event.kind, number if log is None else line_number(log, number)
            if index == ACTION:
                self.order.append((kind, numbers.get(event.agent)))
                self.actions.append((time_of(at, offset), line))
                continue
            if size:
                delivery, is_shared = delivery + 1, events_in(size) > 1
            self.experience = self.experience or event.experience
            agent = "" if kind in _WITHOUT_AGENT else event.agent
            when = time_of(at, 0)
            last = when if kind in MESSAGES else None
            entry = Entry(EventKind(kind), agent, position, 1, delivery, line, when, last)
            if kind not in MESSAGES:
                self.order.append((kind, None if not agent else numbers.get(agent)))
                self.entries.append(entry._replace(details=details if agent else None))
            elif is_shared or not self._continues(entry):
                self.entries.append(entry)
            position += 1

    def _continues(self, entry: Entry) -> bool:
        """Add a message to the run that it continues, or return False."""
        last = self.entries[-1] if self.entries else None
        if last is None or last[:2] != entry[:2] or last.end != entry.position:
            return False
        self.entries[-1] = last._replace(count=last.count + 1, last_at=entry.last_at)
        return True


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
