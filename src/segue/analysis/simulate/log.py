"""The generator of logs: conversations interleaved by time, some with a planted mistake.

Mistakes break one rule after another, so that a small log covers many rules. A conversation depends
only on the seed and its number, not on other conversations. Only open conversations are in memory.
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
from segue.analysis.simulate.mistakes import MistakeMaker, mistakes_of
from segue.analysis.simulate.script import LogPart
from segue.core.errors import ConfigurationError
from segue.core.findings import RULES, codes
from segue.core.options import Bounds, check_options

MORNING: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
_CONVERSATIONS: Final = 100
_MOST_MESSAGES: Final = 1000
_YEARS: Final = range(2, 9000)
_MINUTE: Final = 60_000
_OF_SEVERAL: Final = "SG512"
"""The rule about an id that several conversations have in common. A log tells one by its id."""


class GeneratedLine(NamedTuple):
    """A line of a generated log."""

    text: str
    """The line without a newline. It is valid JSON unless invalid JSON is the planted mistake."""
    conversation_id: str
    """The id of the line's conversation, even if the text does not contain the id."""
    expected: tuple[ExpectedFinding, ...] = ()
    """The findings at this line.

    Findings that are reported at the end of the log are given at their conversation's last line.
    """


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
    """Yield the lines of a generated log. Equal seeds and options give equal logs.

    The log is streamed. Memory grows only with `open_at_once`.

    Args:
        seed: The seed of all random choices. Conversations and deliveries of different seeds never
            share an id, but agents and bots are the same.
        conversations: The number of conversations. 100 if neither this nor `lines` is given.
        lines: The number of lines after which no conversation is opened. Open conversations are
            completed.
        mistakes: The share of conversations with a mistake, from 0 to 1. Every mistake has been
            checked to give exactly its finding.
        rules: The rules to break in turn: codes, prefixes or names. Empty for all rules.
        open_at_once: The number of conversations that are interleaved.
        messages: The average number of messages between two events, from 0 to 1000.
        transcription: Whether to generate voice conversations with transcription. If False, all
            conversations are chats.
        notes: Whether to include legal events that are reported as notes, such as callbacks and
            warm handoffs. Notes are `expected` too: a check of the log finds exactly `expected`.
        spellings: Whether to vary spellings within those accepted.
        envelopes: Whether to write envelopes with times. If False, bodies are written without one
            wherever possible.
        delivery_ids: Whether to give every line a delivery id.
        calls: Whether voice conversations may be outbound calls with notifications. Rules SG7xx are
            broken only in such logs.
        start: The time of the beginning of the log, with a time zone.

    Raises:
        ConfigurationError: An argument is out of range, or a rule cannot be broken with these
            options.
        UnknownRule: A rule does not exist.

    """
    check_options(generate, locals(), bounds=_BOUNDS)
    if start.year not in _YEARS:
        raise ConfigurationError(f"start must be in the years 2 to 8999, not in {start.year}")
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


def _palette(options: GeneratorOptions, rules: Sequence[str]) -> list[list[MistakeMaker]]:
    """Return the mistakes that can be made with these options, as one list for each rule.

    Raises `ConfigurationError` if a wanted rule cannot be broken with these options.
    """
    wanted = [code for rule in rules for code in sorted(codes((rule,)))]
    lacking = {part for part in LogPart if not getattr(options, part)}
    possible = [
        [mistake for mistake in mistakes_of(code) if lacking.isdisjoint(mistake.needs)]
        for code in wanted or [rule.code for rule in RULES]
        if code != _OF_SEVERAL
    ]
    if not possible:
        msg = f"{_OF_SEVERAL} cannot be planted: conversations with one placeholder as id are one"
        raise ConfigurationError(msg)
    if wanted and not all(possible):
        code = [each for each in wanted if each != _OF_SEVERAL][possible.index([])]
        without = " and ".join(sorted(lacking & mistakes_of(code)[0].needs))
        raise ConfigurationError(f"{code} cannot be planted in a log without {without}")
    return [of_one_rule for of_one_rule in possible if of_one_rule]


@dataclass(slots=True)
class _Conversations:
    """Generates random conversations, some of them with a mistake."""

    options: GeneratorOptions
    seed: int
    share: float
    """The share of conversations with a mistake."""
    palette: list[list[MistakeMaker]]
    """The mistakes to plant, by rule."""
    start: datetime
    """The time at which the log begins."""
    planted: int = 0
    """The number of mistakes planted so far."""
    drawn: int = 0
    """The number of conversations drawn so far."""

    def next(self, now: int) -> tuple[int, ScriptedConversation]:
        """Draw the next conversation, which begins within a minute after `now`.

        Return its beginning, in milliseconds since the log began, and the conversation.
        """
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
"""A heap of open conversations: time of the next line, number, later lines, and next line."""


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
    """Yield `(time, line)` for each line of a conversation.

    Times are milliseconds since the log began.
    """
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
    """Write lines to the file `log`, and their expected findings to the file `truth`.

    Return the number of lines in the log. Each line of `truth` is a JSON object with the fields of
    an `ExpectedFinding`.
    """
    paths = [Path(log), Path(os.devnull if truth is None else truth)]
    for path in paths:  # fail before emptying either file
        path.open("a").close()
    with ExitStack() as stack:
        out, expected = (
            stack.enter_context(path.open("w", encoding="utf-8", newline="\n")) for path in paths
        )
        written = 0
        for line in lines:
            written += 1
            out.write(f"{line.text}\n")
            for finding in line.expected:
                expected.write(f"{json.dumps(finding._asdict())}\n")
    return written
