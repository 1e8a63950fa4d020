"""Measure how right the figures of conversations are after lost events and early ENDs.

    python benchmarks/figures.py [--conversations 3000] [--lost 0.02] [--drops 200] [--seed 1]

The first table is of generated conversations without mistakes, of which a share of the deliveries
with events is lost at random. The second is of generated conversations in which END is sent at some
drops, before the agent dials again, and once more at the end. Each metric has a row: its sum in the
log without mistakes (`true`), by how much the sums as told and of the best numbers differ from it,
and how often the figures as mended are exact, a range, or unknown. A sum of the best numbers is
compared with the truth of the conversations that have a number.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from time import process_time
from typing import Any, Final

import segue
from segue.analysis.simulate import GeneratedLine, generate
from segue.core.explain.best import Best

METRICS: Final = (
    "duration", "talk_time", "handle_time", "connected_time", "lost_time", "wrapup_time",
    "transfers_cold", "transfers_warm", "consults", "redials", "max_concurrent_agents",
)  # fmt: skip
LOG_SEED: Final = 11
NAMED: Final = ("talk_time", "handle_time")
ROW: Final = "{:22}{:>8}{:>12}{:>9}{:>7}{:>7}{:>7}{:>7}{:>6}{:>7}{:>10}"
HEADS: Final = (
    "", "true", "told", "best", "exact", "right", "range", "right", "null", "width", "in doubt",
)  # fmt: skip


@dataclass(slots=True)
class Tally:
    """The figures of one metric over all conversations."""

    true: float = 0
    told: float = 0
    known: float = 0
    """The sum of the best values of conversations that have a number."""
    known_true: float = 0
    """The true sum over these conversations."""
    exact: int = 0
    exact_right: int = 0
    ranges: int = 0
    ranges_right: int = 0
    unknown: int = 0
    widths: list[float] = field(default_factory=list)
    """The widths of ranges of times, as shares of the duration."""

    def add(
        self, true: float, told: object, best: Best | None, duration: float, *, is_faulty: bool
    ) -> None:
        """Count a conversation."""
        self.true += true
        self.told += number(told)
        if best is None:
            self.unknown += is_faulty
            return
        low, high = number(best.at_least), number(best.at_most)
        is_right = low - 1e-6 <= true <= high + 1e-6
        if best.is_exact:
            self.known += low
            self.known_true += true
            self.exact += is_faulty
            self.exact_right += is_faulty and is_right
        else:
            self.ranges += 1
            self.ranges_right += is_right
            if isinstance(told, timedelta) and duration:
                self.widths.append((high - low) / duration)

    def cells(self, conversations: int) -> Iterator[str]:
        """Yield the cells of the row."""
        yield f"{self.true:.0f}"
        yield share(self.told, self.true)
        yield share(self.known, self.known_true)
        yield from map(str, (self.exact, self.exact_right, self.ranges, self.ranges_right))
        yield str(self.unknown)
        yield f"{sum(self.widths) / len(self.widths):.2f}" if self.widths else "-"
        yield f"{100 * (self.ranges + self.unknown) / conversations:.1f} %"


def number(value: object) -> float:
    """Return a metric as a number. Unknown is zero."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    return float(value) if isinstance(value, int | float) else 0.0


def share(value: float, true: float) -> str:
    """Return by how much a sum differs from the true one."""
    return f"{100 * (value / true - 1):+.2f} %" if true else f"{value:+.0f}"


def events_of(line: GeneratedLine) -> list[Any]:
    """Return the lifecycle events of a line, without messages and actions."""
    body = json.loads(line.text).get("body")
    found = (json.loads(body) if isinstance(body, str) else body or {}).get("events")
    return found if isinstance(found, list) else []


def is_a(event: dict[str, Any], *words: str) -> bool:
    """Return whether an event is a transfer of a type in a direction, or has a name."""
    said = (event.get("name"), event.get("transfertype"), event.get("transition"))
    told = {str(each).strip().lower() for each in said}
    return {word.lower() for word in words} <= told


def by_conversation(lines: Iterable[GeneratedLine]) -> dict[str, list[GeneratedLine]]:
    """Return the lines of each conversation."""
    found: defaultdict[str, list[GeneratedLine]] = defaultdict(list)
    for line in lines:
        found[line.conversation_id].append(line)
    return found


def with_losses(
    clean: Mapping[str, list[GeneratedLine]], lost: float, seed: int
) -> dict[str, list[str]]:
    """Return the log without a share of the deliveries that have events."""
    random = Random(seed)
    return {
        name: [each.text for each in lines if not (events_of(each) and random.random() < lost)]
        for name, lines in clean.items()
    }


def with_early_ends(clean: Mapping[str, list[GeneratedLine]], drops: int) -> dict[str, list[str]]:
    """Return only conversations with a drop, at the first of which END is sent, too."""
    found: dict[str, list[str]] = {}
    for name, lines in clean.items():
        kinds = [events_of(line) for line in lines]
        redials = (
            n for n, each in enumerate(kinds) if any(is_a(e, "redial", "entry") for e in each)
        )
        redial = next(redials, 0)
        exits = [n for n in range(redial) if any(is_a(e, "NA", "exit") for e in kinds[n])]
        ends = [
            n for n, each in enumerate(kinds) if any(is_a(e, "END_OF_CONVERSATION") for e in each)
        ]
        if exits and ends and len(kinds[ends[-1]]) == 1 and len(found) < drops:
            texts = [line.text for line in lines]
            end = json.loads(texts[ends[-1]])
            end["received_at"] = json.loads(texts[exits[-1]])["received_at"]
            found[name] = [*texts[: exits[-1] + 1], json.dumps(end), *texts[exits[-1] + 1 :]]
    return found


def measure(
    title: str, clean: Mapping[str, list[GeneratedLine]], told: Mapping[str, list[str]]
) -> None:
    """Print the table of a log."""
    begun = process_time()
    reports = {name: segue.check(lines) for name, lines in told.items() if lines}
    checked = process_time()
    faulty = {name for name, report in reports.items() if report.mended is not None}
    mended = process_time()
    tallies = {name: Tally() for name in METRICS}
    named = 0
    for name, report in reports.items():
        true = segue.check(line.text for line in clean[name]).metrics
        best = report.best or {}
        named += any((b := best.get(each)) is None or not b.is_exact for each in NAMED)
        for each, tally in tallies.items():
            tally.add(
                number(getattr(true, each)),
                getattr(report.metrics, each),
                best.get(each),
                number(true.duration),
                is_faulty=name in faulty,
            )
    print(f"{title}: {len(reports)} conversations, {len(faulty)} with edits")
    print(f"check {checked - begun:.2f} s, explanations and figures {mended - checked:.2f} s")
    print(f"a range or null for talk or handle: {100 * named / len(reports):.1f} %")
    print(ROW.format(*HEADS))
    for each, tally in tallies.items():
        print(ROW.format(each, *tally.cells(len(reports))))
    print()


def main() -> None:
    """Measure both logs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--conversations", type=int, default=3_000)
    parser.add_argument("--lost", type=float, default=0.02)
    parser.add_argument("--drops", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lines = generate(LOG_SEED, conversations=options.conversations, mistakes=0)
    clean = by_conversation(lines)
    measure("lost events", clean, with_losses(clean, options.lost, options.seed))
    measure("END at drops", clean, with_early_ends(clean, options.drops))


if __name__ == "__main__":
    main()
