"""Who wrote when: the times until customers are answered.

A response is the first message of an agent after messages of the customer. It is measured from the
first message that nobody had answered, or from the entry of the agent if that came later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from segue.core.events import EventKind
from segue.core.segments.segment import ResponseTimes, between
from segue.core.segments.stretch import Stretch


class EventTime(NamedTuple):
    """An event by its position and its time, which is None if unknown."""

    position: int
    at: datetime | None


_UNKNOWN = Stretch(0, None, 0, None)


@dataclass(slots=True)
class Dialogue:
    """The messages of a conversation before END, as far as figures need them. Mutable.

    A message without an author type may be by anyone. What depends on its author is unknown.
    """

    entered: EventTime | None = None
    """The entry that began the conversation, or None."""
    first: EventTime | None = None
    """The first message that is not of an agent, or None."""
    asked: EventTime | None = None
    """The first message of the customer that no agent has answered, or None."""
    response: Stretch | None = None
    """The period until the first response, or None before it."""
    last: EventKind | None = None
    """The kind of the last message, or None before the first."""
    has_user: bool = False
    """Whether the customer has written."""
    has_unknown: bool = False
    """Whether there is a message of an unknown author."""
    is_whole: bool = True
    """Whether all messages are known, and not only counted."""

    def ask(self, kind: EventKind, message: EventTime) -> None:
        """Add a message of the customer, or of an unknown author."""
        self.last = kind
        if kind is EventKind.USER_MESSAGE:
            self.has_user = True
            self.asked = self.asked or message
        else:
            self.has_unknown = True
            message = self.asked = EventTime(message.position, None)
            if self.first and self.entered:
                self.response = self.response or _UNKNOWN
        self.first = self.first or message

    def answer(self, message: EventTime) -> EventTime | None:
        """Add a message of an agent. Return the message that it answers, or None."""
        self.last = EventKind.AGENT_MESSAGE
        if self.response is None and self.first and self.entered:
            since = _later(self.first, self.entered)
            self.response = Stretch(*since, *message)
        asked, self.asked = self.asked, None
        return asked

    @property
    def wait(self) -> Stretch:
        """The period from the first message of the customer to the first entry."""
        first, entered = self.first, self.entered
        if first is None or entered is None or first.position > entered.position:
            return _UNKNOWN
        return Stretch(*first, *entered)

    @property
    def first_response(self) -> Stretch:
        """The period until the first response, which has no times if it is unknown."""
        return self.response if self.response and self.is_whole else _UNKNOWN

    @property
    def wrote(self) -> bool | None:
        """Whether the customer has written, or None if that is unknown."""
        return None if self.has_unknown and not self.has_user else self.has_user

    def is_unanswered(self, *, is_cut: bool) -> bool | None:
        """Return whether the last message is of the customer.

        Return None if the customer has not written, or if the last message is not known because the
        end of the log is cut off (`is_cut`).
        """
        if is_cut or not self.is_whole or not self.wrote or self.last is EventKind.MESSAGE:
            return None
        return self.last is EventKind.USER_MESSAGE


def _later(one: EventTime, other: EventTime) -> EventTime:
    return one if one.position >= other.position else other


def response_time(asked: EventTime, connected: EventTime, message: EventTime) -> timedelta | None:
    """Return the time until a message of an agent answers the customer, or None if unknown.

    Args:
        asked: The first message of the customer that nobody had answered.
        connected: The entry by which the agent was connected.
        message: The message of the agent.

    """
    return between(_later(asked, connected).at, message.at)


def times_of(responses: Sequence[timedelta | None]) -> ResponseTimes | None:
    """Return the median and the longest of some response times, or None if one is unknown."""
    known = [each for each in responses if each is not None]
    if not known or len(known) < len(responses):
        return None
    known.sort()
    middle = (known[len(known) // 2] + known[(len(known) - 1) // 2]) / 2
    return ResponseTimes(len(known), middle, known[-1])
