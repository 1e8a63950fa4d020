"""Gives the lines of a log to the library, teaches it moves, and takes conversations back.

The library never makes a state or a finding: when a state is asked for, or a line comes that
the library refuses, the reference applies all that was sent.
"""

from array import array
from collections.abc import Hashable, Iterable, Iterator
from ctypes import CDLL, byref, c_void_p, string_at
from functools import partial
from struct import Struct
from typing import Final, NamedTuple, TypeAlias, TypeVar

from segue.engine import CHECKS, Partial, apply, copy_of, form_of, info_of, new
from segue.events import HOOKS, INTAKES, Delivery, Event, EventKind
from segue.native.description import EXPERIENCE_WORDS, KINDS, description
from segue.native.kept import ACTION, RECORD, KeptConversation, KeptEvent, receipts_of
from segue.wire import read_event

T = TypeVar("T")

_ENDED, _REFUSED, _ASKED, _UNREAD = range(1, 5)
_EVENTS, _OWNERS, _EXPORTED, _BEGUN = range(4)
_OF_FORMS, _OF_CHECKS = False, True
_HAPPENING: Final = Struct("<6q")
_HEAD: Final = Struct("<6I")
_QUESTION: Final = Struct("<3I")
_NUMBER: Final = Struct("<I")
_NO_TIME: Final = -(1 << 63)
_ALL_TIMES: Final = (_NO_TIME, (1 << 63) - 1)
_TRIAL: Final = 4_096
"""So many lines are given to it before it is held against the reference."""
_MOST_EFFORT: Final = 0.6
_MOVE_EFFORT: Final = 3
_CHECKED: Final = frozenset(check.code for check in CHECKS)
_BOT: Final = "bot"
"""The bot of conversations that stand for others."""


class OddLine(NamedTuple):
    """A line that the reference has to read."""

    raw: bytes
    number: int
    kept: KeptConversation | None
    """What was kept of its conversation until now."""
    is_known: bool
    """Whether the library knows its conversation."""


class EndedConversation(NamedTuple):
    """A conversation that has ended, and the line of its end."""

    kept: KeptConversation
    line: int


Happening: TypeAlias = OddLine | EndedConversation


class Accelerator:
    """The usual lines of one log."""

    _core: int | None = None

    def __init__(
        self,
        library: CDLL,
        cut: Partial,
        *,
        by_bot: bool,
        times: tuple[int, int] = _ALL_TIMES,
        wanted: Iterable[str] | None = None,
    ) -> None:
        """Make it ready for a log.

        Args:
            library: the library.
            cut: which ends of the log are cut off.
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
        first = new("", partial=cut)
        first.bot_id = _BOT
        self._examples = [first]
        self._numbers: dict[Hashable, int] = {form_of(first): 0}
        self._remembered = [first.kept]
        """What checks may remember."""
        self._remembered_numbers: dict[Hashable, int] = {repr(first.kept): 0}
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

    def look(self, text: bytes) -> Iterator[tuple[int | None, str] | None]:
        """Yield of each line its time and the key of its conversation; None if it is not usual."""
        self._library.segue_look(self._core, text, len(text))
        events, exported = self._output(_EVENTS), self._output(_EXPORTED)
        for is_usual, at, _, _, begin, size in _HAPPENING.iter_unpack(events):
            key = exported[begin : begin + size].decode()
            yield (None if at == _NO_TIME else at, key) if is_usual else None

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
        for what, number, at, size, begin, length in _HAPPENING.iter_unpack(events):
            more = exported[begin : begin + length]
            if what == _ENDED:
                yield EndedConversation(self._kept(more), number)
            elif what == _ASKED:
                self._effort += _MOVE_EFFORT
                self._learn(*_QUESTION.unpack(more))
            else:
                self._effort += 1
                kept = self._kept(more) if more else None
                yield OddLine(text[at : at + size], number, kept, is_known=what != _UNREAD)

    def _output(self, which: int) -> bytes:
        size = self._library.segue_output(self._core, which, byref(self._pointer))
        return string_at(self._pointer.value or 0, size) if size else b""

    def _learn(self, form: int, remembered: int, asked: int) -> None:
        """Ask the reference where an event leads from a form, and whether it reports anything."""
        agent, number, experience = (asked >> 16) - 1, asked >> 8 & 255, asked & 255
        kind, name = KINDS[number], "" if agent < 0 else str(agent)
        word = EXPERIENCE_WORDS[experience - 1] if experience else ""
        event = Event(kind, name, word, {}, "")
        intake = HOOKS if isinstance(kind, EventKind) else INTAKES["transcription"]
        state = copy_of(self._examples[form])
        state.kept = self._remembered[remembered]
        apply(state, Delivery("", _BOT, (event,), intake=intake))
        move = partial(self._library.segue_learn, self._core, _OF_FORMS, form, asked & ~255)
        check = partial(self._library.segue_learn, self._core, _OF_CHECKS, remembered, asked)
        reported = {finding.code for finding in state.findings}
        if reported - _CHECKED:
            move(-1)
        if reported & _CHECKED:
            check(-1)
        if not reported:
            check(
                _number_of(repr(state.kept), state.kept, self._remembered_numbers, self._remembered)
            )
            move(_number_of(form_of(state), state, self._numbers, self._examples))

    def give(self, key: str) -> KeptConversation | None:
        """Return what was kept of a conversation, which from now on is the reference's."""
        raw = _raw(key)
        self._library.segue_give(self._core, raw, len(raw))
        exported = self._output(_EXPORTED)
        return self._kept(exported) if exported else None

    def give_all(self) -> Iterator[KeptConversation]:
        """Yield what was kept of each conversation that is open; all are the reference's now."""
        self._library.segue_give_all(self._core)
        exported, at = self._output(_EXPORTED), 0
        while at < len(exported):
            end = at + _HEAD.size + _HEAD.unpack_from(exported, at)[-1]
            yield self._kept(exported[at:end])
            at = end

    def order(self, key: str) -> int:
        """Return how many conversations had begun before this one, which is the reference's."""
        raw = _raw(key)
        order: int = self._library.segue_give(self._core, raw, len(raw))
        return order

    def _kept(self, exported: bytes) -> KeptConversation:
        bot, form, key_size, records, agents, _ = _HEAD.unpack_from(exported)
        names = _HEAD.size + key_size
        begin = names + agents * _NUMBER.size
        end = begin + records * RECORD.size
        key, bot_id = exported[_HEAD.size : names].decode(), self._name(bot)
        return KeptConversation(
            key,
            key.removeprefix(f"{len(bot_id)}:{bot_id}") if self._by_bot else key,
            bot_id,
            tuple(self._name(each) for (each,) in _NUMBER.iter_unpack(exported[names:begin])),
            self._examples[form],
            tuple(receipts_of(exported[end:])),
            exported[begin:end],
            self._event_of,
        )

    def _event_of(self, text: int, index: int) -> KeptEvent:
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
                found = KeptEvent(event, info_of(event))
            self._events[key] = found
        return found

    def _name(self, number: int) -> str:
        name = self._names.get(number)
        if name is None:
            name = self._names[number] = self._text(number).decode()
        return name

    def _text(self, number: int) -> bytes:
        size = self._library.segue_value(self._core, number, byref(self._pointer))
        return string_at(self._pointer.value or 0, size)


def _number_of(key: Hashable, value: T, numbers: dict[Hashable, int], values: list[T]) -> int:
    """Return the number of a value; add it if there is none of its key."""
    number = numbers.setdefault(key, len(values))
    if number == len(values):
        values.append(value)
    return number


def _raw(key: str) -> bytes:
    return key.encode("utf-8", "surrogatepass")
