"""A log: many conversations, some with a planted mistake, interleaved by time.

It decides who begins when, whose line is next, and which conversation gets which mistake: rules
are offended in turn, so that a small log has many of them.  House rules: each conversation has a
chance of its own, made from the seed and its number, so that one does not depend on another; only
the conversations that are open are in memory.  It does not know what is in a line.
"""

import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias

from segue.errors import ConfigurationError
from segue.findings import RULES, codes
from segue.simulate.inject import Dials, Planted, Told, plain, plant
from segue.simulate.mistakes import MISTAKES, Mistake, Need

__all__ = ["MORNING", "Line", "generate", "write"]

MORNING: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
_CONVERSATIONS: Final = 100
_MINUTE: Final = 60_000


class Line(NamedTuple):
    """One line of a log."""

    text: str
    """JSON without a newline; broken where that is the mistake."""
    conversation_id: str
    """Whose line it is, also when the text does not say so any more."""
    planted: tuple[Planted, ...] = ()
    """What shows at this line; what shows at the close only is with the conversation's last."""


def generate(  # noqa: PLR0913 - the dials of a generator
    seed: int = 0,
    *,
    conversations: int | None = None,
    lines: int | None = None,
    mistakes: float = 0.05,
    rules: Iterable[str] = (),
    open_at_once: int = 50,
    messages: float = 2.5,
    transcription: bool = True,
    notes: bool = True,
    spellings: bool = True,
    envelopes: bool = True,
    delivery_ids: bool = False,
    start: datetime = MORNING,
) -> Iterator[Line]:
    """Yield the lines of a made-up log; the same seed and dials give the same log.

    There are so many `conversations` (100), or as many as it takes to fill so many `lines` (the
    last ones are told to their end), whichever is reached first.

    `mistakes` is the share of conversations that have one, and `rules` says which to offend: codes,
    prefixes or names, in turn as they are given (none: all). Every planted mistake has been
    checked to give exactly its finding. `messages` is how many there are on average between two
    events. Without `transcription` all conversations are chats. `notes` lets happen what is legal
    and reported as a note (a callback, a warm handoff); these are told as planted too, so that
    `planted` is all that a check of the log finds. `spellings` mixes in every accepted spelling.
    Without `envelopes` there are no times and bodies are bare, where they can be.

    The log is streamed: memory grows with `open_at_once` only. Raises `ConfigurationError` for
    arguments that cannot be meant, `UnknownRule` for a rule that is none.
    """
    if not 0 <= mistakes <= 1:
        msg = f"mistakes is a share between 0 and 1, not {mistakes}"
        raise ConfigurationError(msg)
    if min(conversations or 0, lines or 0, messages) < 0 or open_at_once < 1:
        msg = "conversations, lines and messages are at least 0, and open_at_once at least 1"
        raise ConfigurationError(msg)
    if start.tzinfo is None:
        msg = "start has no time zone: pass an aware datetime"
        raise ConfigurationError(msg)
    if conversations is None and lines is None:
        conversations = _CONVERSATIONS
    dials = Dials(messages, transcription, notes, spellings, envelopes, delivery_ids)
    palette = _palette(dials, tuple(rules))
    teller = _Teller(dials, seed, mistakes, palette, start.astimezone(UTC))
    return _interleave(teller, conversations, lines, open_at_once)


def _palette(dials: Dials, rules: Sequence[str]) -> list[list[Mistake]]:
    """Return the mistakes of each rule to offend, in turn."""
    wanted = [code for rule in rules for code in sorted(codes((rule,)))]
    lacking = {need for need in Need if not getattr(dials, need)}
    possible = [
        [
            mistake
            for mistake in MISTAKES
            if mistake.code == code and lacking.isdisjoint(mistake.needs)
        ]
        for code in wanted or [rule.code for rule in RULES]
    ]
    if wanted and not all(possible):
        code, without = wanted[possible.index([])], " and ".join(sorted(lacking))
        msg = f"{code} cannot be planted in a log without {without}"
        raise ConfigurationError(msg)
    return [of_one_rule for of_one_rule in possible if of_one_rule]


class _Teller:
    """Tells one conversation after the other."""

    def __init__(
        self,
        dials: Dials,
        seed: int,
        mistakes: float,
        palette: list[list[Mistake]],
        start: datetime,
    ) -> None:
        self._dials = dials
        self._seed = seed
        self._share = mistakes
        self._palette = palette
        self._start = start
        self._planted = 0
        self.told = 0

    def next(self, now: int) -> tuple[int, Told]:
        """Tell the next conversation: when it begins, in milliseconds of the log, and its lines."""
        self.told += 1
        number = self.told
        seed = f"{self._seed} {number}"
        begins = now + int(_MINUTE * Random(seed).random())  # noqa: S311 - no secrets
        start = self._start + timedelta(milliseconds=begins)
        if self._planted >= round(number * self._share):
            return begins, plain(self._dials, seed, number, start)
        turn, rule = divmod(self._planted, len(self._palette))
        mistakes = self._palette[rule]
        self._planted += 1
        return begins, plant(self._dials, mistakes[turn % len(mistakes)], seed, number, start)


_Queue: TypeAlias = list[tuple[int, int, Iterator[tuple[int, Line]], Line]]
"""When, whose number, the rest of it, and the line that is due."""


def _interleave(
    teller: _Teller,
    conversations: int | None,
    lines: int | None,
    open_at_once: int,
) -> Iterator[Line]:
    queue: _Queue = []
    now = written = coming = 0
    while True:
        while (
            len(queue) < open_at_once
            and (conversations is None or teller.told < conversations)
            and (lines is None or written + coming < lines)
        ):
            begins, told = teller.next(now)
            rest = _lines(told, begins)
            at, line = next(rest)
            heapq.heappush(queue, (at, teller.told, rest, line))
            coming += len(told.sent)
        if not queue:
            return
        now, number, rest, line = queue[0]
        written, coming = written + 1, coming - 1
        yield _numbered(line, written) if line.planted else line
        following = next(rest, None)
        if following is None:
            heapq.heappop(queue)
        else:
            heapq.heapreplace(queue, (max(now, following[0]), number, rest, following[1]))


def _lines(told: Told, begins: int) -> Iterator[tuple[int, Line]]:
    """Yield each line with its time in the log, in the order of the conversation."""
    showing: dict[int, list[Planted]] = {}
    for planted in told.planted:
        showing.setdefault(planted.line or len(told.sent), []).append(planted)
    for line, delivery in enumerate(told.sent, start=1):
        yield (
            begins + delivery.at,
            Line(delivery.text, told.conversation_id, tuple(showing.get(line, ()))),
        )


def _numbered(line: Line, number: int) -> Line:
    """Give what is planted at a line its number within the log."""
    return line._replace(
        planted=tuple(
            planted if planted.line is None else planted._replace(line=number)
            for planted in line.planted
        )
    )


def write(
    log: str | PathLike[str],
    lines: Iterable[Line],
    truth: str | PathLike[str] | None = None,
) -> int:
    """Write a log, and beside it what must be found, as JSON lines; return the number of lines.

    A line of `truth` has the fields of `Planted`.
    """
    with ExitStack() as stack:
        out = stack.enter_context(Path(log).open("w", encoding="utf-8", newline="\n"))
        beside = (
            None
            if truth is None
            else stack.enter_context(Path(truth).open("w", encoding="utf-8", newline="\n"))
        )
        written = 0
        for written, line in enumerate(lines, start=1):  # noqa: B007 - counted to the last
            out.write(f"{line.text}\n")
            if beside is not None:
                for planted in line.planted:
                    beside.write(f"{json.dumps(planted._asdict())}\n")
    return written
