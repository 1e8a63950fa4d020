"""A log: many conversations, some with a planted mistake, interleaved by time."""

import heapq
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

from segue.conversation import check
from segue.errors import ConfigurationError
from segue.findings import codes
from segue.simulate.mistakes import MISTAKES, Mistake
from segue.simulate.script import Script
from segue.simulate.walk import walk

__all__ = ["MORNING", "Line", "Planted", "generate", "write"]

MORNING: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
_TRIES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Planted:
    """A mistake that was planted, and the finding it must give."""

    conversation_id: str
    code: str
    title: str
    event: int | None
    action: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log."""

    text: str
    """JSON without a newline; broken where that is the mistake."""
    planted: Planted | None = None
    """Set on the first line of a conversation with a planted mistake."""


def generate(  # noqa: PLR0913 - the dials of a generator
    seed: int = 0,
    *,
    conversations: int = 100,
    mistakes: float = 0.05,
    rules: Iterable[str] = (),
    open_at_once: int = 50,
    messages: float = 2.5,
    transcription: bool = True,
    start: datetime = MORNING,
) -> Iterator[Line]:
    """Yield the lines of a made-up log; the same seed and dials give the same log.

    `mistakes` is the share of conversations that have one, `rules` which to offend (codes,
    prefixes or names; none: all, in turn). Every planted mistake has been checked to give exactly
    its finding. Memory does not grow with the number of conversations.
    """
    if not 0 <= mistakes <= 1:
        msg = f"mistakes is a share between 0 and 1, not {mistakes}"
        raise ConfigurationError(msg)
    if conversations < 0 or open_at_once < 1:
        msg = "conversations is at least 0 and open_at_once at least 1"
        raise ConfigurationError(msg)
    if start.tzinfo is None:
        msg = "start has no time zone: pass an aware datetime"
        raise ConfigurationError(msg)
    rules = tuple(rules)
    wanted = codes(rules) if rules else None
    palette = [m for m in MISTAKES if wanted is None or m.code in wanted]
    return _interleave(
        Random(seed), conversations, mistakes, palette, open_at_once, messages, transcription, start
    )  # fmt: skip


def _interleave(  # noqa: PLR0913, PLR0917 - the dials again
    random: Random,
    conversations: int,
    mistakes: float,
    palette: list[Mistake],
    open_at_once: int,
    messages: float,
    transcription: bool,  # noqa: FBT001
    start: datetime,
) -> Iterator[Line]:
    waiting: list[tuple[float, int, Iterator[tuple[float, Line]], Line]] = []
    begun = planted = 0
    now = 0.0
    while begun < conversations or waiting:
        while begun < conversations and len(waiting) < open_at_once:
            begun += 1
            due = planted < round(begun * mistakes)
            begins = now + random.uniform(0, 60)
            if due:
                mistake = palette[planted % len(palette)]
                planted += 1
                script, truth = _plant(random, begun, mistake, start + timedelta(seconds=begins))
            else:
                script, truth = walk(
                    random, begun, messages=messages, transcription=transcription
                ), None
            lines = _lines(script, truth, start, begins)
            at, line = next(lines)
            heapq.heappush(waiting, (at, begun, lines, line))
        now, number, lines, line = heapq.heappop(waiting)
        yield line
        following = next(lines, None)
        if following is not None:
            heapq.heappush(waiting, (max(now, following[0]), number, lines, following[1]))


def _lines(
    script: Script,
    truth: Planted | None,
    start: datetime,
    begins: float,
) -> Iterator[tuple[float, Line]]:
    """Yield each line with the second at which it arrives, in the order of the script."""
    origin = start + timedelta(milliseconds=round(begins * 1000))
    for item in script.items:
        yield begins + item.at, Line(item.line(script, origin), truth)
        truth = None


def _plant(
    random: Random,
    number: int,
    mistake: Mistake,
    start: datetime,
) -> tuple[Script, Planted]:
    """Draw conversations until one gives exactly the finding of this mistake."""
    for _ in range(_TRIES):
        script = walk(random, number)
        if not mistake.edit(random, script):
            continue
        findings = check(script.lines(start)).findings
        if [finding.code for finding in findings] == [mistake.code]:
            place = findings[0].place
            return script, Planted(
                script.conversation_id, mistake.code, mistake.title, place.event, place.action
            )
    msg = f"no conversation suits the mistake of {mistake.code}"
    raise AssertionError(msg)


def write(log: Path, lines: Iterable[Line], truth: Path | None = None) -> int:
    """Write a log, and what was planted as JSON lines beside it; return the number of lines."""
    count = 0
    planted: list[Planted] = []
    with log.open("w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(f"{line.text}\n")
            count += 1
            if line.planted is not None:
                planted.append(line.planted)
    if truth is not None:
        text = "".join(f"{json.dumps(asdict(p))}\n" for p in planted)
        truth.write_text(text, "utf-8")
    return count
