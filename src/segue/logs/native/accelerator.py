"""Gives the lines of a log to the library, teaches it moves, and takes conversations back.

The library never makes a state or a finding: when a state is asked for, or a line comes that
the library refuses, the reference applies all that was sent.
"""

from array import array
from collections.abc import Iterable, Iterator
from ctypes import CDLL, byref, c_void_p, string_at
from struct import Struct
from typing import Final, NamedTuple, TypeAlias

from segue.core.engine import EventDetails
from segue.core.events import Event
from segue.core.wire import read_event
from segue.logs.native.description import EXPERIENCE_WORDS, KINDS, description
from segue.logs.native.event_counter import EventCounter
from segue.logs.native.kept import ACTION, NO_TIME, RECORD, KeptConversation, KeptEvent, receipts_of
from segue.logs.native.learned import Learned

_ENDED, _REFUSED, _ASKED, _UNREAD = range(1, 5)
_EVENTS, _OWNERS, _EXPORTED, _BEGUN, _SIZES = range(5)
_HAPPENING: Final = Struct("<7q")
_HEAD: Final = Struct("<6I")
_QUESTION: Final = Struct("<3I")
_NUMBER: Final = Struct("<I")
_ALL_TIMES: Final = (NO_TIME, (1 << 63) - 1)
_TRIAL: Final = 4_096
"""So many lines are given to it before it is held against the reference."""
_MOST_EFFORT: Final = 0.6
_MOVE_EFFORT: Final = 3


class OddLine(NamedTuple):
    """A line that the reference has to read."""

    raw: bytes
    number: int
    kept: KeptConversation | None
    """What was kept of its conversation until now."""
    is_known: bool
    """Whether the library knows its conversation."""
    events_before: int
    """The number of events of the log that the library kept before this line."""


class KeptEnd(NamedTuple):
    """A conversation that has ended, and the line of its end."""

    kept: KeptConversation
    number: int
    events_before: int
    """The number of events of the log that the library kept before this line."""


Happening: TypeAlias = OddLine | KeptEnd


class Accelerator:
    """The usual lines of one log."""

    _core: int | None = None

    def __init__(
        self,
        library: CDLL,
        learned: Learned,
        *,
        by_bot: bool,
        times: tuple[int, int] = _ALL_TIMES,
        wanted: Iterable[str] | None = None,
    ) -> None:
        """Make it ready for a log.

        Args:
            library: the library.
            learned: what the reference has said before; what it says now is added.
            by_bot: whether bots may use the same ids.
            times: deliveries count from the first time on and before the second, in microseconds
                since 1970; those without a time if the first is the least number.
            wanted: ids of the conversations that count; None: all.

        Raises ValueError if it cannot be told what the fields are.

        """
        described = description()
        self._library, self._by_bot = library, by_bot
        self._core = library.segue_new(described, len(described), by_bot, *times)
        if not self._core:
            raise ValueError("the library does not know this description of the fields")
        for identity in wanted or ():
            raw = _raw(identity)
            library.segue_want(self._core, raw, len(raw))
        self._learned = learned
        for answer in learned.answers():
            library.segue_learn(self._core, *answer)
        self._events: dict[int, KeptEvent] = {}
        self._names: dict[int, str] = {}
        self._pointer = c_void_p()
        self._lines = 0
        self._effort = 0
        """Lines that the reference read, and moves that it was asked, in lines' worth."""

    def __del__(self) -> None:
        """Free what the library holds."""
        if self._core:
            self._library.segue_free(self._core)

    @property
    def is_worthwhile(self) -> bool:
        """Whether it saves the reference more than it asks of it."""
        return self._lines < _TRIAL or self._effort < self._lines * _MOST_EFFORT

    def excuse_line(self) -> None:
        """Do not hold the last line that the reference read against it."""
        self._effort -= 1

    def feed(self, text: bytes, numbers: "array[int]") -> Iterator[list[Happening]]:
        """Take whole lines, which have these numbers; yield what happens, in order.

        What is in one list has to be done before the next list is asked for.
        """
        at, done = 0, 0
        where, size = numbers.buffer_info()
        while at < len(text):
            begun, left = at, where + done * numbers.itemsize
            at = self._library.segue_feed(self._core, text, len(text), at, left, size - done)
            yield list(self._happenings(text))
            done += text.count(b"\n", begun, at)
        self._lines += size

    def owners(self) -> "array[int]":
        """Return the numbers of the conversations of the lines taken since `feed` was asked.

        They count from 1; 0 stands for a line that has none, or an unknown one.
        """
        return array("I", self._output(_OWNERS))

    def sizes(self) -> "array[int]":
        """Return the numbers of events that the library kept of each line, as `owners` does."""
        return array("I", self._output(_SIZES))

    @property
    def events(self) -> int:
        """The number of events of the log that the library has kept."""
        count: int = self._library.segue_kept(self._core)
        return count

    def look(self, text: bytes) -> Iterator[tuple[int | None, str] | None]:
        """Yield of each line its time and the key of its conversation; None if it is not usual."""
        self._library.segue_look(self._core, text, len(text))
        events, exported = self._output(_EVENTS), self._output(_EXPORTED)
        for is_usual, at, _, _, begin, size, _ in _HAPPENING.iter_unpack(events):
            key = exported[begin : begin + size].decode()
            yield (None if at == NO_TIME else at, key) if is_usual else None

    def begun(self) -> Iterator[str]:
        """Yield the keys of the conversations that began with the last call, in order.

        So they are numbered: the first one of a log has the number 1.
        """
        keys, at = self._output(_BEGUN), 0
        while at < len(keys):
            (size,) = _NUMBER.unpack_from(keys, at)
            at += _NUMBER.size + size
            yield keys[at - size : at].decode("utf-8", "surrogatepass")

    def _happenings(self, text: bytes) -> Iterator[Happening]:
        """Yield what happened in the last call, and learn the move that it asked for."""
        events = self._output(_EVENTS)
        exported = self._output(_EXPORTED) if events else b""
        for what, number, at, size, begin, length, before in _HAPPENING.iter_unpack(events):
            more = exported[begin : begin + length]
            if what == _ENDED:
                yield KeptEnd(self.kept(more), number, before)
            elif what == _ASKED:
                self._effort += _MOVE_EFFORT
                for answer in self._learned.ask(*_QUESTION.unpack(more)):
                    self._library.segue_learn(self._core, *answer)
            else:
                self._effort += 1
                kept = self.kept(more) if more else None
                is_known = what != _UNREAD
                yield OddLine(text[at : at + size], number, kept, is_known, before)

    def _output(self, which: int) -> bytes:
        size = self._library.segue_output(self._core, which, byref(self._pointer))
        return string_at(self._pointer.value or 0, size) if size else b""

    def give(self, key: str) -> KeptConversation | None:
        """Return what was kept of a conversation, which from now on is the reference's."""
        raw = _raw(key)
        self._library.segue_give(self._core, raw, len(raw))
        exported = self._output(_EXPORTED)
        return self.kept(exported) if exported else None

    def give_all(self) -> Iterator[KeptConversation]:
        """Yield what was kept of each conversation that is open; all are the reference's now."""
        self._library.segue_give_all(self._core)
        exported, at = self._output(_EXPORTED), 0
        while at < len(exported):
            end = at + _HEAD.size + _HEAD.unpack_from(exported, at)[-1]
            yield self.kept(exported[at:end])
            at = end

    def order(self, key: str) -> int:
        """Return how many conversations had begun before this one, which is the reference's."""
        raw = _raw(key)
        order: int = self._library.segue_give(self._core, raw, len(raw))
        return order

    def kept(self, exported: bytes) -> KeptConversation:
        """Return a conversation that the library exported, `KeptConversation.exported`."""
        bot, form, key_size, records, agents, _ = _HEAD.unpack_from(exported)
        names = _HEAD.size + key_size
        begin = names + agents * _NUMBER.size
        end = begin + records * RECORD.size
        actions = exported[begin + RECORD.size - 2 : end : RECORD.size].count(ACTION)
        key, bot_id = exported[_HEAD.size : names].decode(), self.name_of(bot)
        return KeptConversation(
            key,
            key.removeprefix(f"{len(bot_id)}:{bot_id}") if self._by_bot else key,
            bot_id,
            tuple(self.name_of(each) for (each,) in _NUMBER.iter_unpack(exported[names:begin])),
            self._learned.examples[form],
            tuple(receipts_of(exported[end:])),
            exported,
            (records - actions, actions),
            slice(begin, end),
            self.event_of,
        )

    def event_of(self, text: int, index: int) -> KeptEvent:
        """Return the event of a text and a number in `events`."""
        key = text << 8 | index
        found = self._events.get(key)
        if found is None:
            raw = self._text(text)
            if index >= ACTION:
                experience = EXPERIENCE_WORDS[raw[1] - 1] if raw[1] else ""
                event = Event(KINDS[raw[0]], raw[2:].decode(), experience, {}, "")
                found = KeptEvent(event, None)
            else:
                event = read_event(raw, index)
                found = KeptEvent(event, EventDetails.of(event))
            self._events[key] = found
        return found

    def new_counter(self) -> EventCounter:
        """Return what counts the events of conversations that it has kept."""
        return EventCounter(self._library)

    def name_of(self, number: int) -> str:
        """Return the bot or the agent that has a number."""
        name = self._names.get(number)
        if name is None:
            name = self._names[number] = self._text(number).decode()
        return name

    def _text(self, number: int) -> bytes:
        size = self._library.segue_value(self._core, number, byref(self._pointer))
        return string_at(self._pointer.value or 0, size)


def _raw(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")
