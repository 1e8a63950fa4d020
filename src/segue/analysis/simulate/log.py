"""A log: many conversations, some with a planted mistake, interleaved by time.

Rules are offended in turn, so that a small log has many of them. Each conversation is drawn from
the seed and its number alone, so that one does not depend on another, and only the conversations
that are open are in memory.
"""

import heapq
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias

from segue.analysis.simulate.inject import (
    ExpectedFinding,
    GeneratorOptions,
    ScriptedConversation,
    inject,
    plain,
)
from segue.analysis.simulate.mistakes import Mistake, mistakes_of
from segue.analysis.simulate.script import LogPart
from segue.core.errors import ConfigurationError
from segue.core.findings import RULES, codes
from segue.core.options import Bounds, check_options

MORNING: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
_CONVERSATIONS: Final = 100
_MOST_MESSAGES: Final = 1000
_YEARS: Final = range(2, 9000)
_MINUTE: Final = 60_000


class GeneratedLine(NamedTuple):
    """One line of a log."""

    text: str
    """JSON without a newline; broken where that is the mistake."""
    conversation_id: str
    """Whose line it is, also when the text does not say so any more."""
    expected: tuple[ExpectedFinding, ...] = ()
    """What is found at this line; what only the close shows is with the conversation's last."""


_BOUNDS: Final = {
    "conversations": Bounds(least=0),
    "lines": Bounds(least=0),
    "mistakes": Bounds(0, 1),
    "open_at_once": Bounds(least=1),
    "messages": Bounds(0, _MOST_MESSAGES),
}


def generate(  # noqa: PLR0913 - the options of a generator
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
    calls: bool = False,
    start: datetime = MORNING,
) -> Iterator[GeneratedLine]:
    """Yield the lines of a made-up log; the same seed and options give the same log.

    The log is streamed: memory grows with `open_at_once` only.

    Args:
        seed: decides everything that is drawn. Conversations and deliveries of two seeds never
            share an id; agents and bots are the same.
        conversations: how many there are (100 if `lines` is not given either).
        lines: stop opening conversations when there are this many lines; those that are open are
            written to their end.
        mistakes: the share of conversations with a mistake, 0 to 1. Every mistake has been checked
            to give exactly its finding.
        rules: which rules to offend, in turn: codes, prefixes or names (none: all).
        open_at_once: how many conversations are interleaved.
        messages: how many messages there are on average between two events, 0 to 1000.
        transcription: False for a log of chats only.
        notes: whether what is legal and reported as a note may happen (a callback, a warm handoff).
            Notes are `expected` too, so that `expected` is all that a check of the log finds.
        spellings: mix in every accepted spelling.
        envelopes: False for bare bodies without times, where that is possible.
        delivery_ids: give every line a delivery id.
        calls: whether voice conversations may be outbound calls, with their notifications; the
            rules of family 7 are offended in such logs only.
        start: time of the log's beginning, with a time zone.

    Raises:
        ConfigurationError: an argument is out of its range, or a rule cannot be offended in a log
            like this.
        UnknownRule: there is no such rule.

    """
    check_options(generate, locals(), bounds=_BOUNDS)
    if start.year not in _YEARS:
        raise ConfigurationError(f"start is in the years 2 to 8999, not in {start.year}")
    if conversations is None and lines is None:
        conversations = _CONVERSATIONS
    options = GeneratorOptions(
        messages=messages,
        transcription=transcription,
        notes=notes,
        spellings=spellings,
        envelopes=envelopes,
        delivery_ids=delivery_ids,
        calls=calls,
    )
    palette = _palette(options, tuple(rules))
    source = _Conversations(options, seed, mistakes, palette, start.astimezone(UTC))
    return _interleave(source, conversations, lines, open_at_once)


def _palette(options: GeneratorOptions, rules: Sequence[str]) -> list[list[Mistake]]:
    """Return the mistakes of each rule to offend, in turn."""
    wanted = [code for rule in rules for code in sorted(codes((rule,)))]
    lacking = {part for part in LogPart if not getattr(options, part)}
    possible = [
        [mistake for mistake in mistakes_of(code) if lacking.isdisjoint(mistake.needs)]
        for code in wanted or [rule.code for rule in RULES]
    ]
    if wanted and not all(possible):
        code = wanted[possible.index([])]
        without = " and ".join(sorted(lacking & mistakes_of(code)[0].needs))
        raise ConfigurationError(f"{code} cannot be planted in a log without {without}")
    return [of_one_rule for of_one_rule in possible if of_one_rule]


@dataclass(slots=True)
class _Conversations:
    """Draws one conversation after the other."""

    options: GeneratorOptions
    seed: int
    share: float
    """Of conversations with a mistake."""
    palette: list[list[Mistake]]
    start: datetime
    planted: int = 0
    drawn: int = 0

    def next(self, now: int) -> tuple[int, ScriptedConversation]:
        """Draw the next conversation; return its beginning, in ms of the log, and its lines."""
        self.drawn += 1
        number = self.drawn
        seed = f"{self.seed} {number}"
        name = f"{self.seed}-{number:05d}" if self.seed else f"{number:05d}"
        begins = now + int(_MINUTE * Random(seed).random())
        start = self.start + timedelta(milliseconds=begins)
        if self.planted >= round(number * self.share):
            return begins, plain(self.options, seed, name, start)
        turn, rule = divmod(self.planted, len(self.palette))
        mistakes = self.palette[rule]
        self.planted += 1
        return begins, inject(self.options, mistakes[turn % len(mistakes)], seed, name, start)


_Queue: TypeAlias = list[tuple[int, int, Iterator[tuple[int, GeneratedLine]], GeneratedLine]]
"""Time of the next line, number of the conversation, its further lines, its next line."""


def _interleave(
    source: _Conversations,
    conversations: int | None,
    lines: int | None,
    open_at_once: int,
) -> Iterator[GeneratedLine]:
    queue: _Queue = []
    now = written = coming = 0
    while True:
        while (
            len(queue) < open_at_once
            and (conversations is None or source.drawn < conversations)
            and (lines is None or written + coming < lines)
        ):
            begins, drawn = source.next(now)
            rest = _lines(drawn, begins)
            at, line = next(rest)
            heapq.heappush(queue, (at, source.drawn, rest, line))
            coming += len(drawn.sent)
        if not queue:
            return
        now, number, rest, line = queue[0]
        written, coming = written + 1, coming - 1
        yield line._replace(
            expected=tuple(
                each if each.line is None else each._replace(line=written) for each in line.expected
            )
        )
        following = next(rest, None)
        if following is None:
            heapq.heappop(queue)
        else:
            heapq.heapreplace(queue, (max(now, following[0]), number, rest, following[1]))


def _lines(drawn: ScriptedConversation, begins: int) -> Iterator[tuple[int, GeneratedLine]]:
    """Yield each line with its time in the log, in the order of the conversation."""
    showing: dict[int, list[ExpectedFinding]] = {}
    for finding in drawn.expected:
        showing.setdefault(finding.line or len(drawn.sent), []).append(finding)
    for line, delivery in enumerate(drawn.sent, start=1):
        yield (
            begins + delivery.at,
            GeneratedLine(delivery.text, drawn.conversation_id, tuple(showing.get(line, ()))),
        )


def write(
    log: str | PathLike[str],
    lines: Iterable[GeneratedLine],
    truth: str | PathLike[str] | None = None,
) -> int:
    """Write a log, and what a check of it must find to `truth`; return the number of lines.

    A line of `truth` is a JSON object with the fields of `ExpectedFinding`.
    """
    paths = [Path(log), Path(os.devnull if truth is None else truth)]
    for path in paths:  # before either of them is emptied
        path.open("a").close()
    with ExitStack() as stack:
        out, beside = (
            stack.enter_context(path.open("w", encoding="utf-8", newline="\n")) for path in paths
        )
        written = 0
        for line in lines:
            written += 1
            out.write(f"{line.text}\n")
            for finding in line.expected:
                beside.write(f"{json.dumps(finding._asdict())}\n")
    return written
